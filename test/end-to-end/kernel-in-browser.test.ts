/** The kernel and the code around it, from parsing to labels, in Chromium: nothing of them needs Node. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Browser } from 'playwright-core';
import { build, type Plugin } from 'rolldown';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from '../browser.ts';
import { type LabelledSource, labelSources } from '../label-sources.ts';

/** The globals of the page that the test uses. */
interface BrowserGlobals {
  WebAssembly: { compile(bytes: Uint8Array): Promise<WebAssembly.Module> };
  kernelModule: WebAssembly.Module;
  labelSources: typeof labelSources;
}

const PAGES = ['First', 'Second', 'Third', 'Fourth', 'Fifth', 'Sixth'].map(
  (name, k) => `<!DOCTYPE html><html><head><title>${name}</title></head><body>
    <div id="head"><a href="/">Home of the site</a> <a href="/about">About all of us</a></div>
    <div id="main"><h1>${name} article</h1><p>${`The ${name.toLowerCase()} text, grüße, 漢字. `.repeat(k + 3)}</p></div>
    <div id="foot"><p>Copyright of this site and of its authors, all rights reserved.</p></div></body></html>`,
);

/** In place of the file that reads the kernel's module from the disk (src/kernel/thread-kernel.ts). */
const THREAD_KERNEL = `
  import { Kernel } from './kernel.ts';
  let kernel;
  export const kernelModule = () => globalThis.kernelModule;
  export const threadKernel = () => (kernel ??= new Kernel(kernelModule()));
`;

let browser: Browser;

beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(async () => browser?.close());

test('a browser parses and labels pages as Node does', async () => {
  const wasm = readFileSync(new URL('../../src/kernel/kernel.wasm', import.meta.url)).toString('base64');
  const page = await browser.newPage();
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(String(error)));
  await page.evaluate(async (base64) => {
    const browserGlobals = globalThis as unknown as BrowserGlobals;
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    browserGlobals.kernelModule = await browserGlobals.WebAssembly.compile(bytes);
  }, wasm);
  await page.addScriptTag({ content: await bundleForBrowsers(), type: 'module' });
  const inBrowser = await page.evaluate<LabelledSource[], string[]>(
    (sources) => (globalThis as unknown as BrowserGlobals).labelSources(sources),
    PAGES,
  );
  expect(errors).toEqual([]);
  expect(inBrowser).toEqual(labelSources(PAGES));
  for (const { ranges } of inBrowser) {
    expect(new Set(ranges.map(({ label }) => label))).toEqual(new Set(['template', 'content']));
  }
}, 120_000);

async function bundleForBrowsers(): Promise<string> {
  const entry = fileURLToPath(new URL('../label-sources.ts', import.meta.url));
  const plugin: Plugin = {
    name: 'kernel-of-the-browser',
    load: (id) => (id.endsWith('/kernel/thread-kernel.ts') ? THREAD_KERNEL : null),
  };
  const { output } = await build({
    input: entry,
    platform: 'browser',
    write: false,
    plugins: [plugin],
    // a module of Node would be left as an import, which a browser refuses
    external: /^node:/,
    logLevel: 'warn',
    output: { format: 'esm', codeSplitting: false },
  });
  return output[0].code.replace(
    /export\s*\{\s*labelSources\s*\};?/,
    'globalThis.labelSources = labelSources;',
  );
}
