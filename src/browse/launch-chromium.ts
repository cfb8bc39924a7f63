/**
 * Starts a Chromium that cannot reach the network: every host name resolves to nothing, every connection goes
 * through a proxy with such a name, and there are no early lookups or connections. browser-tab.ts already
 * refuses requests; these settings hold if one slips through. The browser's sandbox is on wherever the system
 * allows it.
 *
 * The Chromium is the one that CHAFF_CHROMIUM names, else the system's, else the one inside the npm package
 * @sparticuz/chromium if it is installed. A headless shell has no windows, tabs or toolbars and opens pages
 * several times as fast as a whole browser, so it is tried first. The npm package is compressed; it is
 * unpacked once into the user's cache folder.
 */

import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Browser } from 'playwright-core';

/** A running browser. */
export interface RunningBrowser {
  browser: Browser;
  /** Product and version, such as `Chromium 138.0.7204.0`. */
  version: string;
  /** Whether the system sandboxes the processes that read pages. */
  sandboxed: boolean;
}

const CUT_OFF = [
  '--host-resolver-rules=MAP * ~NOTFOUND',
  '--proxy-server=http://nowhere.invalid:9',
  // by default, local addresses bypass the proxy
  '--proxy-bypass-list=<-loopback>',
  '--dns-prefetch-disable',
  '--no-pings',
  '--disable-background-networking',
  '--disable-domain-reliability',
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--force-webrtc-ip-handling-policy',
];

/** Switches off work without an effect on boxes, and everything that could make results differ. */
const PLAIN = [
  '--headless=new',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--disable-site-isolation-trials',
  '--disable-lcd-text',
  '--font-render-hinting=none',
  '--force-color-profile=srgb',
  '--hide-scrollbars',
  '--mute-audio',
  '--blink-settings=lazyLoadEnabled=false',
];

/** Starts a Chromium; throws a `NoChromiumError` when none is found. */
export async function launchChromium(): Promise<RunningBrowser> {
  const driver = await loadDriver();
  const place = await findChromium();
  // as root there is no sandbox; other users may lack the name spaces that it needs
  if (process.getuid?.() !== 0) {
    try {
      return await launch(driver, place, true);
    } catch (error) {
      if (!/sandbox/i.test(String(error))) throw error;
    }
  }
  return launch(driver, place, false);
}

type Driver = typeof import('playwright-core');

/** Loads the browser driver, an optional package that only boxes from a browser need. */
async function loadDriver(): Promise<Driver> {
  try {
    return await import('playwright-core');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new NoChromiumError(
      'boxes from a browser need the package playwright-core: npm install playwright-core; or use --layout estimate',
    );
  }
}

async function launch(
  { chromium }: Driver,
  { executablePath, env }: ChromiumPlace,
  sandboxed: boolean,
): Promise<RunningBrowser> {
  const browser = await chromium.launch({
    executablePath,
    args: [...CUT_OFF, ...PLAIN],
    chromiumSandbox: sandboxed,
    env: { ...definedVariables(), ...env },
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  });
  return { browser, version: `Chromium ${browser.version()}`, sandboxed };
}

function definedVariables(): Record<string, string> {
  const variables: Record<string, string> = {};
  for (const [name, value] of Object.entries(process.env)) if (value !== undefined) variables[name] = value;
  return variables;
}

/** Where a Chromium is and what it needs to start. */
export interface ChromiumPlace {
  executablePath: string;
  /** Environment variables that it needs besides those of this process. */
  env?: Record<string, string>;
}

const SYSTEM_PATHS = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chrome-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe',
];

/** Thrown when no browser was found, or when the one named in CHAFF_CHROMIUM does not exist. */
export class NoChromiumError extends Error {
  readonly code = 'no-chromium';

  constructor(message: string) {
    super(message);
    this.name = 'NoChromiumError';
  }
}

/** Finds a Chromium: the one that CHAFF_CHROMIUM names, else the first of `systemPaths`, else the npm package's. */
export async function findChromium({ systemPaths = SYSTEM_PATHS } = {}): Promise<ChromiumPlace> {
  const named = process.env.CHAFF_CHROMIUM;
  if (named !== undefined && named !== '') {
    if (!existsSync(named)) throw new NoChromiumError(`CHAFF_CHROMIUM names ${named}, which does not exist`);
    return { executablePath: named };
  }
  const installed = systemPaths.find((path) => existsSync(path));
  if (installed !== undefined) return { executablePath: installed };
  const packaged = await unpackPackaged();
  if (packaged) return packaged;
  throw new NoChromiumError(
    'no Chromium was found: install Chromium or Chrome, or the npm package @sparticuz/chromium, or name one in CHAFF_CHROMIUM',
  );
}

/** Returns the browser of the npm package, or null when it is not installed. */
async function unpackPackaged(): Promise<ChromiumPlace | null> {
  const version = packagedVersion();
  if (version === null) return null;
  const caches = cacheFolder();
  const home = join(caches, `chromium-${version}`);
  if (!existsSync(join(home, 'chromium'))) {
    // unpack into another folder and rename it, so that other processes never see half of it
    const aside = mkdtempSync(join(caches, 'unpacking-'));
    try {
      await unpackInto(aside);
      writeFileSync(join(aside, 'fonts', 'fonts.conf'), fontSettings(home));
      renameSync(aside, home);
    } catch (error) {
      rmSync(aside, { recursive: true, force: true });
      if (!existsSync(join(home, 'chromium'))) throw error;
    }
  }
  const libraries = [join(home, 'al2023', 'lib'), process.env.LD_LIBRARY_PATH ?? ''];
  const env: Record<string, string> = { LD_LIBRARY_PATH: libraries.filter((path) => path !== '').join(':') };
  // its single font is used only where the system has none
  if (!existsSync('/etc/fonts/fonts.conf'))
    env.FONTCONFIG_PATH = process.env.FONTCONFIG_PATH ?? join(home, 'fonts');
  return { executablePath: join(home, 'chromium'), env };
}

/** Returns font settings for this folder; the package's own settings name the folder of another platform. */
function fontSettings(home: string): string {
  return [
    '<?xml version="1.0"?>',
    '<!DOCTYPE fontconfig SYSTEM "fonts.dtd">',
    `<fontconfig><dir>${join(home, 'fonts')}</dir><cachedir>${join(home, 'fonts-cache')}</cachedir></fontconfig>`,
    '',
  ].join('\n');
}

function packagedVersion(): string | null {
  try {
    // the package does not export its package.json, so find it beside its entry point
    let folder = dirname(createRequire(import.meta.url).resolve('@sparticuz/chromium'));
    while (!existsSync(join(folder, 'bin')) && folder !== dirname(folder)) folder = dirname(folder);
    const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string };
    return version;
  } catch {
    return null;
  }
}

/** Returns the cache folder of this user, or a new temporary folder when the cache is not writable. */
function cacheFolder(): string {
  const folder = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'chaff');
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    rmSync(mkdtempSync(join(folder, 'probe-')), { recursive: true });
    return folder;
  } catch {
    return mkdtempSync(join(tmpdir(), 'chaff-browser-'));
  }
}

/**
 * Unpacks the package into `folder`. The package unpacks into the folder for temporary files, adds its
 * libraries only if it detects the platform it was made for, and changes the environment of this process; all
 * of that is undone.
 */
async function unpackInto(folder: string): Promise<void> {
  const before = { ...process.env };
  try {
    process.env.TMPDIR = folder;
    process.env.AWS_EXECUTION_ENV = 'AWS_Lambda_nodejs20.x';
    const { default: packaged } = await import('@sparticuz/chromium');
    await packaged.executablePath();
  } finally {
    for (const name of ['TMPDIR', 'AWS_EXECUTION_ENV', 'LD_LIBRARY_PATH', 'FONTCONFIG_PATH', 'HOME']) {
      if (before[name] === undefined) delete process.env[name];
      else process.env[name] = before[name];
    }
  }
}
