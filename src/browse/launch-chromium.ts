/**
 * Starts a Chromium that cannot reach the network, whatever a page asks for: every name resolves to nothing,
 * every connection goes through a proxy that has such a name, and nothing is looked up or connected to ahead
 * of need. Requests are refused before they come to this (see browser-tab.ts); here is what holds if one slips
 * through. Its sandbox is on wherever the system allows it.
 */
import type { Browser } from 'playwright-core';
import { type ChromiumPlace, findChromium } from './find-chromium.ts';

export interface Launched {
  browser: Browser;
  /** Product and version, `Chromium 138.0.7204.0`. */
  version: string;
  /** Whether its processes that read pages are confined by the system. */
  sandboxed: boolean;
}

const CUT_OFF = [
  '--host-resolver-rules=MAP * ~NOTFOUND',
  '--proxy-server=http://nowhere.invalid:9',
  // by default local addresses need no proxy
  '--proxy-bypass-list=<-loopback>',
  '--dns-prefetch-disable',
  '--no-pings',
  '--disable-background-networking',
  '--disable-domain-reliability',
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--force-webrtc-ip-handling-policy',
];

/** Less work for what nobody looks at, and the same result each time. */
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

export async function launchChromium(): Promise<Launched> {
  const place = await findChromium();
  // as root there is no sandbox; elsewhere the system may forbid the name spaces that it is made of
  if (process.getuid?.() !== 0) {
    try {
      return await launch(place, true);
    } catch (error) {
      if (!/sandbox/i.test(String(error))) throw error;
    }
  }
  return launch(place, false);
}

async function launch({ executablePath, env }: ChromiumPlace, sandboxed: boolean): Promise<Launched> {
  const { chromium } = await import('playwright-core');
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
