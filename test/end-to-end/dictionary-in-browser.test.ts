/**
 * The example server with a real browser: the second page is compressed with the dictionary that the first page
 * named.
 */
import { once } from 'node:events';
import { request as httpRequest, type IncomingHttpHeaders, type Server } from 'node:http';
import type { Browser, CDPSession, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pathOfUrl } from '../../examples/dictionary-server/page-path.ts';
import {
  createPageServer,
  type Encoding,
  listen,
  STATUS_PATH,
} from '../../examples/dictionary-server/page-server.ts';
import { buildDictionary } from '../../src/fragments/dictionary/build-dictionary.ts';
import { dictionaryHash } from '../../src/fragments/dictionary/measure.ts';
import { generateSite } from '../../src/research/generated-sites/site-generator.ts';
import { launchBrowser } from '../browser.ts';

const captures = [...generateSite({ seed: 3, host: 'news.example', pages: 14 })];
const pages = new Map(captures.map(({ url, source }) => [pathOfUrl(url)!, source]));
const used = captures.slice(0, 10).map(({ source }) => source);
const dictionary = buildDictionary({ fragments: used, pages: used }, 32_768);
const available = `:${dictionaryHash(dictionary).toString('base64')}:`;
const paths = captures.slice(10).map(({ url }) => pathOfUrl(url)!);

let browser: Browser;
const servers: Server[] = [];

beforeAll(async () => {
  browser = await launchBrowser();
});

afterAll(async () => {
  await browser?.close();
  for (const server of servers) {
    server.close();
    server.closeAllConnections();
  }
});

test.each(['dcz', 'dcb'] as const)(
  'the second page of a browser arrives as %s and is the page',
  async (encoding) => {
    const port = await serve([encoding, 'br', 'gzip']);
    const context = await browser.newContext();
    const page = await context.newPage();
    const network = await watchNetwork(page);
    const dictionaryFetched = page.waitForEvent('requestfinished', (request) =>
      request.url().includes('/-/dictionary/'),
    );

    const first = await open(page, network, port, paths[0]);
    expect(first.encoding).toBe('br');
    expect(first.headers.link).toMatch(/^<\/-\/dictionary\/[0-9a-f]{64}>; rel="compression-dictionary"$/);
    await dictionaryFetched;

    // the browser takes a moment to store it
    let second = await open(page, network, port, paths[1]);
    for (let tries = 0; tries < 40 && second.encoding !== encoding; tries++) {
      await new Promise((resolve) => setTimeout(resolve, 250));
      second = await open(page, network, port, paths[1]);
    }
    expect(second.encoding).toBe(encoding);
    const without = await openWithout(paths[1]);
    expect(without.encoding).toBe('br');
    expect(second.encodedBytes).toBeLessThan(without.encodedBytes * 0.7);
    expect(await page.evaluate('document.documentElement.outerHTML')).toBe(without.html);

    await page.goto(`http://127.0.0.1:${port}${STATUS_PATH}`);
    expect(await page.locator('#totals').textContent()).toContain(encoding);
    await context.close();
  },
);

test('only who has this dictionary and takes the encoding is sent it', async () => {
  const port = await serve(['dcb', 'dcz', 'br', 'gzip']);
  const asked: [IncomingHttpHeaders, string | undefined][] = [
    [{ 'accept-encoding': 'gzip, br, dcb, dcz' }, 'br'],
    [{ 'accept-encoding': 'gzip, dcb, dcz', 'available-dictionary': available }, 'dcb'],
    [{ 'accept-encoding': 'gzip, dcb;q=0, dcz', 'available-dictionary': available }, 'dcz'],
    [{ 'accept-encoding': 'gzip', 'available-dictionary': available }, 'gzip'],
    [{ 'accept-encoding': 'gzip, dcz', 'available-dictionary': `:${'A'.repeat(43)}=:` }, 'gzip'],
    [{}, undefined],
  ];
  for (const [headers, encoding] of asked) {
    const answer = await fetchPlain(port, paths[0], headers);
    expect(answer.headers['content-encoding']).toBe(encoding);
    expect(answer.headers.vary).toBe('Accept-Encoding, Available-Dictionary');
  }
});

test('the bodies begin with the headers of RFC 9842', async () => {
  const port = await serve(['dcb', 'dcz']);
  const hash = dictionaryHash(dictionary).toString('hex');
  const heads = { dcb: `ff444342${hash}`, dcz: `5e2a4d1820000000${hash}` };
  for (const [encoding, head] of Object.entries(heads)) {
    const { body } = await fetchPlain(port, paths[0], {
      'accept-encoding': encoding,
      'available-dictionary': available,
    });
    expect(body.toString('hex').startsWith(head)).toBe(true);
  }
});

test('other hosts, other methods and other paths get nothing', async () => {
  const port = await serve(['gzip']);
  const host = (name: string) => fetchPlain(port, paths[0], { host: name });
  expect((await host(`localhost:${port}`)).status).toBe(200);
  expect((await host('evil.example')).status).toBe(421);
  expect((await host(`127.0.0.1.evil.example:${port}`)).status).toBe(421);
  const post = await fetchPlain(port, paths[0], {}, 'POST');
  expect([post.status, post.headers.allow]).toEqual([405, 'GET, HEAD']);
  for (const path of [
    '/../../etc/passwd',
    '/-/dictionary/../page-server.ts',
    '//evil.example/',
    '/nothing',
  ]) {
    expect((await fetchPlain(port, path)).status).toBe(404);
  }
  const head = await fetchPlain(port, paths[0], {}, 'HEAD');
  expect([head.status, head.body.length]).toEqual([200, 0]);
  expect(Number(head.headers['content-length'])).toBe(pages.get(paths[0])!.length);
});

async function serve(encodings: Encoding[]): Promise<number> {
  const server = createPageServer({ pages, dictionary, encodings });
  servers.push(server);
  return listen(server, 0);
}

interface Loaded {
  encoding: string;
  headers: Record<string, string>;
  /** Bytes on the wire, the head of the response included. */
  encodedBytes: number;
}

interface Network {
  session: CDPSession;
  /** By URL, of the latest load. */
  loaded: Map<string, Partial<Loaded>>;
}

async function watchNetwork(page: Page): Promise<Network> {
  const session = await page.context().newCDPSession(page);
  const loaded = new Map<string, Partial<Loaded>>();
  const urls = new Map<string, string>();
  session.on('Network.responseReceived', ({ requestId, response }) => {
    const headers = Object.fromEntries(
      Object.entries(response.headers).map(([name, value]) => [name.toLowerCase(), value]),
    );
    urls.set(requestId, response.url);
    loaded.set(response.url, { headers, encoding: headers['content-encoding'] ?? '' });
  });
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const found = loaded.get(urls.get(requestId) ?? '');
    if (found !== undefined) found.encodedBytes = encodedDataLength;
  });
  await session.send('Network.enable');
  return { session, loaded };
}

async function open(page: Page, { loaded }: Network, port: number, path: string): Promise<Loaded> {
  const url = `http://127.0.0.1:${port}${path}`;
  loaded.delete(url);
  await page.goto(url, { waitUntil: 'load' });
  for (let tries = 0; tries < 100 && loaded.get(url)?.encodedBytes === undefined; tries++) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return loaded.get(url) as Loaded;
}

/** The page as a browser gets it that is offered no dictionary encoding. */
async function openWithout(path: string): Promise<Loaded & { html: string }> {
  const port = await serve(['br', 'gzip']);
  const context = await browser.newContext();
  const page = await context.newPage();
  const loaded = await open(page, await watchNetwork(page), port, path);
  const html = (await page.evaluate('document.documentElement.outerHTML')) as string;
  await context.close();
  return { ...loaded, html };
}

async function fetchPlain(
  port: number,
  path: string,
  headers: IncomingHttpHeaders = {},
  method = 'GET',
): Promise<{ status: number; headers: IncomingHttpHeaders; body: Buffer }> {
  const request = httpRequest({ host: '127.0.0.1', port, path, method, headers });
  request.end();
  const [response] = await once(request, 'response');
  const parts: Buffer[] = [];
  for await (const part of response) parts.push(part);
  return { status: response.statusCode, headers: response.headers, body: Buffer.concat(parts) };
}
