import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, expect, test } from 'vitest';
import type { ReadEvent } from './events.ts';
import { type FetchOptions, fetchPages, isWebUrl } from './fetch-pages.ts';

const HTML = '<title>A page</title><p>Some words.</p>';
const servers: Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

test('a page is fetched, with the charset and the encoding that its headers name', async () => {
  const base = await serve((request, response) => {
    if (request.url === '/latin') {
      response.setHeader('content-type', 'text/html; charset=iso-8859-1');
      response.end(Buffer.from('<p>caf\xe9</p>', 'latin1'));
      return;
    }
    response.setHeader('content-type', 'text/html');
    response.setHeader('content-encoding', 'gzip');
    response.end(gzipSync(HTML));
  });
  const [latin, zipped] = await fetchAll([`${base}/latin`, `${base}/zipped#part`]);
  expect(sourceOf(latin)).toBe('<p>café</p>');
  expect(sourceOf(zipped)).toBe(HTML);
  expect(zipped.kind === 'page' && [zipped.page.url, zipped.page.file]).toEqual([
    `${base}/zipped`,
    `${base}/zipped#part`,
  ]);
});

test('redirects are followed up to the bound, and only to http and https', async () => {
  const base = await serve((request, response) => {
    const { pathname } = new URL(request.url!, 'http://a');
    const to = { '/once': '/page', '/file': 'file:///etc/hostname', '/loop': '/loop' }[pathname];
    if (to !== undefined) response.writeHead(302, { location: to }).end();
    else response.writeHead(200, { 'content-type': 'text/html' }).end(HTML);
  });
  const [once, file, loop] = await fetchAll([`${base}/once`, `${base}/file`, `${base}/loop`]);
  expect(once.kind === 'page' && once.page.url).toBe(`${base}/page`);
  expect(messageOf(file)).toMatch(/only http and https are fetched, not file:/);
  expect(messageOf(loop)).toMatch(/more than 5 redirects/);
});

test('a body larger than the limit, a server that never ends and an error are problems of their URL', async () => {
  let sent = 0;
  const base = await serve((request, response) => {
    if (request.url === '/missing') return void response.writeHead(404).end('no');
    response.writeHead(200, { 'content-type': 'text/html' });
    if (request.url === '/slow') return void response.write('<p>');
    const more = () => {
      if (response.destroyed) return;
      sent += 100_000;
      response.write('x'.repeat(100_000), () => setImmediate(more));
    };
    more();
  });
  const urls = [`${base}/endless`, `${base}/slow`, `${base}/missing`];
  const [endless, slow, missing] = await fetchAll(urls, {
    limits: { pageBytes: 1_000_000 },
    timeoutMs: 500,
  });
  expect(endless.kind === 'skip' && endless.code).toBe('too-large');
  expect(sent).toBeLessThan(50_000_000);
  expect(slow.kind === 'skip' && slow.code).toBe('not-fetched');
  expect(messageOf(slow)).toMatch(/took longer than 500 ms/);
  expect(messageOf(missing)).toMatch(/the server answers 404/);
});

test('what is not on the network is never asked for', async () => {
  const urls = ['file:///etc/hostname', 'data:text/html,<p>hi', 'ftp://example.org/', 'no url at all'];
  for (const event of await fetchAll(urls)) expect(event.kind === 'skip' && event.code).toBe('not-fetched');
  expect(urls.map(isWebUrl)).toEqual([false, false, false, false]);
  expect(isWebUrl('https://example.org/a b')).toBe(false);
  expect(isWebUrl('HTTPS://example.org/')).toBe(true);
});

test('a server that is not there is a problem, and the next URL is fetched', async () => {
  const base = await serve((_, response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end(HTML),
  );
  const [gone, there] = await fetchAll(['http://127.0.0.1:9/', `${base}/`]);
  expect(gone.kind).toBe('skip');
  expect(gone.kind === 'skip' && gone.problems).toHaveLength(1);
  expect(there.kind).toBe('page');
});

test('a host is asked one thing at a time, and pages come in the order of their URLs', async () => {
  let atOnce = 0;
  let most = 0;
  const base = await serve((request, response) => {
    most = Math.max(most, ++atOnce);
    setTimeout(
      () => {
        atOnce--;
        response.writeHead(200, { 'content-type': 'text/html' }).end(`<p>${request.url}</p>`);
      },
      request.url === '/0' ? 80 : 5,
    );
  });
  const urls = Array.from({ length: 6 }, (_, k) => `${base}/${k}`);
  const events = await fetchAll(urls);
  expect(events.map((event) => event.kind === 'page' && event.page.url)).toEqual(urls);
  expect(most).toBe(1);
});

test('an abort stops the rest', async () => {
  const abort = new AbortController();
  const base = await serve(() => abort.abort(new Error('enough')));
  await expect(fetchAll([`${base}/`], { signal: abort.signal })).rejects.toThrow('enough');
});

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function fetchAll(urls: string[], options: FetchOptions = {}): Promise<ReadEvent[]> {
  const events: ReadEvent[] = [];
  for await (const event of fetchPages(urls, { pauseMs: 1, ...options })) events.push(event);
  return events;
}

function sourceOf(event: ReadEvent): string {
  return event.kind === 'page' ? new TextDecoder().decode(event.page.source) : event.kind;
}

function messageOf(event: ReadEvent): string {
  return event.kind === 'skip' ? (event.problems[0]?.message ?? '') : event.kind;
}
