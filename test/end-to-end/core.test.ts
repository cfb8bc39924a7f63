/** `chaff/core` as it is built: one file, small, and the same verdict in a page, a service worker and an edge runtime. */
import { readFileSync } from 'node:fs';
import { createContext, runInContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Core } from '../../src/core.ts';
import { type Extraction, extract } from '../../src/run/library/extract.ts';
import { site } from '../../src/run/library/growing-site.ts';
import { launchBrowser } from '../browser.ts';
import { samplePages } from '../detector-contract.ts';
import { serveFiles } from '../static-server.ts';

const MAX_BYTES = 400_000;
const code = readFileSync(new URL('../../dist/core.js', import.meta.url), 'utf8');
const STORY =
  '<p>The harbour was quiet in the morning 😀, and the boats had not yet left: gr&uuml;&szlig;e, 漢字.</p>';
const HTML = `<title>Harbour</title><nav><a href="/">Home</a> <a href="/w">Weather</a></nav><h1>Quiet café</h1>${STORY.repeat(6)}<pre>a &lt; b</pre><table><tr><td>1<td>2</table><footer>© Keepers</footer>`;
const OPTIONS = { url: 'https://a.example/harbour' };
const expected = plain(extract(HTML, OPTIONS));

let browser: Browser;
let server: Awaited<ReturnType<typeof serveFiles>>;

beforeAll(async () => {
  browser = await launchBrowser();
  server = await serveFiles({
    '/': '<!doctype html><title>core</title>',
    '/core.js': code,
    '/worker.js': `import { extract } from './core.js';
      addEventListener('message', async ({ data, source }) => source.postMessage(await extract(...data)));`,
  });
});
afterAll(async () => {
  await browser?.close();
  await server?.close();
});

test('core is one file that imports nothing, with kernel and model below 400 kB', () => {
  const outside = /\bfrom\s*["'`][^"'`]+|\bimport\s*\(|\brequire\(|\bprocess\.|["'`]node:/.exec(code);
  expect(outside?.[0]).toBeUndefined();
  expect(Buffer.byteLength(code)).toBeLessThan(MAX_BYTES);
  expect(gzipSync(code, { level: 9 }).length).toBeLessThan(MAX_BYTES / 2);
});

// as text: the functions of a test file are compiled for Node
const IN_PAGE = `import('/core.js').then(({ extract }) => extract(...ARGS))`;
const IN_WORKER = `(async () => {
  await navigator.serviceWorker.register('/worker.js', { type: 'module' });
  const { active } = await navigator.serviceWorker.ready;
  return new Promise((resolve) => {
    navigator.serviceWorker.addEventListener('message', ({ data }) => resolve(data));
    active.postMessage(ARGS);
  });
})()`;

test.each([
  ['page of a browser', IN_PAGE],
  ['service worker', IN_WORKER],
])('a %s extracts what Node does', async (_, script) => {
  const page = await browser.newPage();
  await page.goto(server.url);
  const args = JSON.stringify([HTML, OPTIONS]);
  expect(plain(await page.evaluate<Extraction>(script.replace('ARGS', () => args)))).toEqual(expected);
  await page.close();
});

/** The globals that edge runtimes share; nothing of Node. */
async function loadInEdge(options: object = {}): Promise<Core> {
  const { TextEncoder, TextDecoder, URL, atob, btoa, Blob, Response, DecompressionStream, performance } =
    globalThis;
  const globals = {
    TextEncoder,
    TextDecoder,
    URL,
    atob,
    btoa,
    Blob,
    Response,
    DecompressionStream,
    performance,
  };
  const context = createContext({ ...globals });
  runInContext(code.replace(/export\s*\{([^}]*)\}/, asGlobals), context);
  return context.load(options);
}

/** `a as extract` as an assignment to a global. */
function asGlobals(_: string, names: string): string {
  return names
    .split(',')
    .map((pair) => pair.trim().split(' as '))
    .map(([own, name = own]) => `globalThis.${name}=${own};`)
    .join('');
}

test('a runtime with nothing but what the web has extracts and learns as Node does', async () => {
  const core = await loadInEdge();
  expect(plain(core.extract(HTML, OPTIONS))).toEqual(expected);
  const [there, here] = [core.site({ sample: 8 }), site({ sample: 8 })];
  for (const { url, source } of samplePages(24))
    for (const one of [there, here]) one.add({ url, html: source });
  expect(Buffer.from(there.save())).toEqual(Buffer.from(here.save()));
  const [{ url, source }] = samplePages(1);
  expect(plain(there.strip({ url, html: source }))).toEqual(plain(here.strip({ url, html: source })));
});

test('a runtime that compiles no WebAssembly is given the kernel as a module', async () => {
  const kernel = new WebAssembly.Module(readFileSync(new URL('../../dist/core.wasm', import.meta.url)));
  const core = await loadInEdge({ kernel });
  expect(plain(core.extract(HTML, OPTIONS))).toEqual(expected);
});

test('charsets that are declared are read as Node reads them', async () => {
  const core = await loadInEdge();
  for (const [charset, bytes] of [
    ['windows-1251', '<meta charset="windows-1251"><p>\xcf\xf0\xe8\xe2\xe5\xf2, \xec\xe8\xf0!</p>'],
    [
      'shift_jis',
      '<meta http-equiv=content-type content="text/html; charset=Shift_JIS"><p>\x8a\xbf\x8e\x9a</p>',
    ],
  ]) {
    const html = Buffer.from(bytes, 'latin1');
    const [there, here] = [core.extract(html), extract(html)];
    expect(there.text).toBe(here.text);
    expect([there.charset, here.charset].map((name) => name.toLowerCase())).toEqual([charset, charset]);
  }
});

/** Objects of another realm have other prototypes. Core does not distinguish languages of one script. */
function plain(value: Extraction | undefined): unknown {
  const { metadata, ...rest } = JSON.parse(JSON.stringify(value)) as Extraction;
  const { language: _, sources, ...others } = metadata;
  return { ...rest, metadata: others, sources: { ...sources, language: undefined } };
}
