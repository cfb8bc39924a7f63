/** A real browser for tests, which may reach what they serve; see src/browse/find-chromium.ts for which one. */
import { type Browser, chromium } from 'playwright-core';
import { findChromium } from '../src/browse/launch-chromium.ts';

export async function launchBrowser(): Promise<Browser> {
  const { executablePath, env } = await findChromium();
  return chromium.launch({
    executablePath,
    env: { ...process.env, ...env },
    args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--headless=new'],
  });
}
