import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, expect, test } from 'vitest';
import { type FetchOptions, fetchPages, isWebUrl, type RedirectRule } from './fetch-pages.ts';
import type { ReadEvent } from './raw-record.ts';
import { isPrivateAddress, type Network } from './web-request.ts';

const HTML = '<title>A page</title><p>Some words.</p>';
const servers: Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

test('a page is fetched with the charset and encoding of its headers', async () => {
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

test('redirects are followed up to the limit, and only to http and https', async () => {
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

test('a body above the limit, a server that never ends and an error are problems of their URL', async () => {
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

test('a URL that is not on the network is never requested', async () => {
  const urls = ['file:///etc/hostname', 'data:text/html,<p>hi', 'ftp://example.org/', 'no url at all'];
  for (const event of await fetchAll(urls)) expect(event.kind === 'skip' && event.code).toBe('not-fetched');
  expect(urls.map(isWebUrl)).toEqual([false, false, false, false]);
  expect(isWebUrl('https://example.org/a b')).toBe(false);
  expect(isWebUrl('HTTPS://example.org/')).toBe(true);
});

test('an unreachable server is a problem, and the next URL is fetched', async () => {
  const base = await serve((_, response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end(HTML),
  );
  const [gone, there] = await fetchAll(['http://127.0.0.1:9/', `${base}/`]);
  expect(gone.kind).toBe('skip');
  expect(gone.kind === 'skip' && gone.problems).toHaveLength(1);
  expect(there.kind).toBe('page');
});

test('a host gets one request at a time, and pages come in the order of their URLs', async () => {
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

/** Resolves names by the table `addresses`; 127.0.0.1 counts as an address of the public network. */
function networkOf(addresses: (hostname: string) => string): Network {
  const lookup = (
    hostname: string,
    _: unknown,
    callback: (error: null, found: { address: string; family: number }[]) => void,
  ) => {
    const address = addresses(hostname);
    callback(null, [{ address, family: address.includes(':') ? 6 : 4 }]);
  };
  return {
    lookup: lookup as unknown as Network['lookup'],
    isPrivate: (address) => address !== '127.0.0.1' && isPrivateAddress(address),
  };
}

const everywhere = networkOf(() => '127.0.0.1');

/** Redirects /?to=URL to that URL; every other path is a page. */
const redirecting: RequestListener = (request, response) => {
  const to = new URL(request.url!, 'http://a').searchParams.get('to');
  if (to === null) response.writeHead(200, { 'content-type': 'text/html' }).end(HTML);
  else response.writeHead(302, { location: to }).end();
};

test.each<[RedirectRule | undefined, string, string]>([
  [undefined, 'http://example.org', 'http://www.example.org'],
  [undefined, 'http://a.example.org', 'http://b.example.org'],
  ['same-host', 'http://example.org', 'http://example.org'],
  ['any', 'http://example.org', 'http://example.com'],
])('with --allow-redirects %s a redirect from %s to %s is followed', async (allowRedirects, from, to) => {
  const port = portOf(await serve(redirecting));
  const [event] = await fetchAll([`${from}:${port}/?to=${to}:${port}/page`], { allowRedirects }, everywhere);
  expect(event.kind === 'page' && event.page.url).toBe(`${to}:${port}/page`);
});

test.each<[RedirectRule | undefined, string, string, RedirectRule]>([
  ['none', 'http://example.org', 'http://example.org', 'same-host'],
  ['same-host', 'http://example.org', 'http://www.example.org', 'same-site'],
  [undefined, 'http://example.org', 'http://example.com', 'any'],
])('with --allow-redirects %s a redirect from %s to %s is a problem that names %s', async (...row) => {
  const [allowRedirects, from, to, rule] = row;
  const asked: string[] = [];
  const port = portOf(
    await serve((request, response) => {
      asked.push(request.url!);
      redirecting(request, response);
    }),
  );
  const [event] = await fetchAll([`${from}:${port}/?to=${to}:${port}/page`], { allowRedirects }, everywhere);
  expect(messageOf(event)).toContain(
    `it redirects to ${to}:${port}/page, which is followed with --allow-redirects ${rule};`,
  );
  expect(asked).toHaveLength(1);
});

test.each([
  'http://127.0.0.2:PORT/',
  'http://2130706434:PORT/',
  'http://0x7f.2:PORT/',
  'http://0177.0.0.2:PORT/',
  'http://0.0.0.0:PORT/',
  'http://[::1]:PORT/',
  'http://[::ffff:10.0.0.1]:PORT/',
  'http://169.254.169.254/latest/meta-data/',
  'http://192.168.0.1/',
  'http://inside.example.org:PORT/',
  'https://inside.example.org:PORT/',
])('no rule lets a public host redirect to %s', async (target) => {
  const asked: string[] = [];
  const base = await serve((request, response) => {
    asked.push(request.url!);
    redirecting(request, response);
  });
  const to = target.replace('PORT', portOf(base));
  const [event] = await fetchAll(
    [`http://outside.example.org:${portOf(base)}/?to=${to}`],
    { allowRedirects: 'any' },
    networkOf((hostname) => (hostname.startsWith('inside') ? '10.0.0.1' : '127.0.0.1')),
  );
  expect(messageOf(event)).toMatch(
    /it redirects to http.* at [0-9a-f:.]+, which is not of the public network; name that URL to fetch it/,
  );
  expect(asked).toHaveLength(1);
});

test('a name that resolves to a private address the second time gets no connection', async () => {
  const asked: string[] = [];
  const base = await serve((request, response) => {
    asked.push(request.url!);
    redirecting(request, response);
  });
  let lookups = 0;
  const [event] = await fetchAll(
    [`http://rebind.example.org:${portOf(base)}/?to=/page`],
    {},
    networkOf(() => (lookups++ === 0 ? '127.0.0.1' : '::1')),
  );
  expect(messageOf(event)).toContain('at ::1, which is not of the public network');
  expect(asked).toHaveLength(1);
  expect(lookups).toBe(2);
});

test('a named private host may redirect within itself, and to no other private host', async () => {
  const base = await serve(redirecting);
  const other = await serve(redirecting);
  const loopback = `http://localhost:${portOf(base)}/page`;
  const [within, port, away] = await fetchAll(
    [`${base}/?to=/page`, `${base}/?to=${other}/page`, `${base}/?to=${loopback}`],
    { allowRedirects: 'any' },
  );
  expect(within.kind === 'page' && within.page.url).toBe(`${base}/page`);
  expect(port.kind === 'page' && port.page.url).toBe(`${other}/page`);
  expect(messageOf(away)).toMatch(
    /it redirects to http:\/\/localhost:\d+\/page at (127\.0\.0\.1|::1), which is not/,
  );
  const [byDefault] = await fetchAll([`${base}/?to=${loopback}`]);
  expect(messageOf(byDefault)).toContain(
    `redirects to ${loopback}, which is followed with --allow-redirects any`,
  );
});

test('the timeout counts for all redirects of a URL together, without the wait for a turn', async () => {
  const base = await serve((request, response) => {
    const steps = Number(new URL(request.url!, 'http://a').searchParams.get('steps'));
    setTimeout(() => {
      if (steps > 0) response.writeHead(302, { location: `/?steps=${steps - 1}` }).end();
      else response.writeHead(200, { 'content-type': 'text/html' }).end(HTML);
    }, 150);
  });
  const [long] = await fetchAll([`${base}/?steps=5`], { timeoutMs: 500 });
  expect(messageOf(long)).toMatch(/took longer than 500 ms/);
  const pages = await fetchAll(
    [1, 2, 3].map((k) => `${base}/?k=${k}`),
    { timeoutMs: 1000, pauseMs: 600 },
  );
  expect(pages.map(({ kind }) => kind)).toEqual(['page', 'page', 'page']);
});

test('a URL with a password is not fetched, also as the target of a redirect', async () => {
  const base = await serve(redirecting);
  const secret = base.replace('://', '://me:secret@');
  for (const event of await fetchAll([secret, `${base}/?to=${secret}`])) {
    expect(messageOf(event)).toContain('URLs with a user name or a password are not fetched');
    expect(messageOf(event)).not.toContain('secret');
  }
});

test('a compressed body is bounded by its decompressed size', async () => {
  const bomb = gzipSync(`<p>${' '.repeat(3_000_000)}`);
  const base = await serve((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html', 'content-encoding': 'gzip' }).end(bomb);
  });
  const [event] = await fetchAll([base], { limits: { pageBytes: 1_000_000 } });
  expect(event.kind === 'skip' && event.code).toBe('too-large');
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

function portOf(base: string): string {
  return new URL(base).port;
}

async function fetchAll(urls: string[], options: FetchOptions = {}, network?: Network): Promise<ReadEvent[]> {
  const events: ReadEvent[] = [];
  for await (const event of fetchPages(urls, { pauseMs: 1, ...options }, network)) events.push(event);
  return events;
}

function sourceOf(event: ReadEvent): string {
  return event.kind === 'page' ? new TextDecoder().decode(event.page.source) : event.kind;
}

function messageOf(event: ReadEvent): string {
  return event.kind === 'skip' ? (event.problems[0]?.message ?? '') : event.kind;
}
