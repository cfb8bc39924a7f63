/**
 * A real browser for tests: the one CHAFF_CHROMIUM names, else the system's Chromium, else the one inside the
 * npm package @sparticuz/chromium.
 */
import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';

const SYSTEM_BROWSERS = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

export async function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: await findBrowser(),
    args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--headless=new'],
  });
}

async function findBrowser(): Promise<string> {
  const named = process.env.CHAFF_CHROMIUM;
  if (named !== undefined && named !== '') return named;
  const installed = SYSTEM_BROWSERS.find((path) => existsSync(path));
  if (installed !== undefined) return installed;
  // the package brings its own libraries when it believes to be there, and unpacks into the folder for temporary files
  process.env.AWS_EXECUTION_ENV ??= 'AWS_Lambda_nodejs20.x';
  process.env.TMPDIR = mkdtempSync(join(tmpdir(), 'chaff-browser-'));
  const { default: packaged } = await import('@sparticuz/chromium');
  return packaged.executablePath();
}
