import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect, test } from 'vitest';
import { type Fault, type RangeServer, serveRanges } from '../../test/range-server.ts';
import { joinRanges, type RemoteOptions, RemoteReader } from './remote-file.ts';
import { NETWORK, type Network } from './web-request.ts';

const spoolDir = mkdtempSync(join(tmpdir(), 'chaff-remote-'));
const bytes = Uint8Array.from({ length: 300_000 }, (_, k) => (k * 7919) >> 3);
let server: RangeServer;

afterEach(() => server?.close());
afterAll(() => rmSync(spoolDir, { recursive: true, force: true }));

const quick: RemoteOptions = { retryMs: 1, stallMs: 200 };

async function copy(fault?: Fault, options: RemoteOptions & { ranges?: boolean } = {}, path = '/a') {
  const { ranges, ...remote } = options;
  server = await serveRanges({ '/a': bytes, '/empty': new Uint8Array(0) }, { fault, ranges });
  return new RemoteReader({ ...quick, ...remote }).copy(`${server.url}${path}`, { trusted: true, spoolDir });
}

test('a file is copied byte for byte, and its size is reported', async () => {
  const { path, ...copied } = await copy();
  expect(copied).toMatchObject({ sizeBytes: bytes.length, hasRanges: true });
  expect(readFileSync(path).equals(bytes)).toBe(true);
  const empty = await new RemoteReader(quick).copy(`${server.url}/empty`, { trusted: true, spoolDir });
  expect(empty.sizeBytes).toBe(0);
});

test('a server without ranges sends the file once, as a whole', async () => {
  const { path, hasRanges } = await copy(undefined, { ranges: false });
  expect(hasRanges).toBe(false);
  expect(readFileSync(path).equals(bytes)).toBe(true);
  expect(server.asked).toHaveLength(1);
});

const broken: [string, Fault][] = [
  ['503 twice', (_, response, count) => count < 2 && !!response.writeHead(503).end()],
  [
    '429 with a time to wait',
    (_, response, count) => count === 1 && !!response.writeHead(429, { 'retry-after': '0.01' }).end(),
  ],
  ['a body that breaks off', (_, response, count) => count === 1 && cutShort(response)],
  ['silence', (_, __, count) => count === 1],
  ['a refused connection', (request, _, count) => count === 1 && !!request.socket.destroy()],
];

/** The second request goes on after the first 64 KiB. */
function cutShort(response: Parameters<Fault>[1]): true {
  const head = { 'content-range': 'bytes 65536-299999/300000', etag: '"one"', 'content-length': 234_464 };
  response.writeHead(206, head).write(bytes.subarray(65_536, 165_536), () => response.destroy());
  return true;
}

test.each(broken)('%s is tried again, and the copy is whole', async (_, fault) => {
  const { path } = await copy(fault);
  expect(readFileSync(path).equals(bytes)).toBe(true);
});

test('a transfer that breaks off continues where it stopped', async () => {
  await copy((_, response, count) => count === 1 && cutShort(response));
  expect(server.asked.at(-1)!.start).toBeGreaterThan(65_536);
});

const refused: [string, Fault, RegExp][] = [
  ['503 for ever', (_, response) => !!response.writeHead(503).end(), /answers 503, after 3 tries/],
  ['404', (_, response) => !!response.writeHead(404).end(), /answers 404$/],
  [
    'another range',
    (_, response, count) =>
      count > 0 &&
      !!response.writeHead(206, { 'content-range': 'bytes 5-9/300000', etag: '"one"' }).end('12345'),
    /another range/,
  ],
  [
    'a range without a size',
    (_, response) => !!response.writeHead(206, { 'content-range': 'bytes 0-9/*' }).end('0123456789'),
    /lacks its range/,
  ],
  [
    'a file that has changed',
    (_, response, count) =>
      count > 0 &&
      !!response.writeHead(206, { 'content-range': 'bytes 0-299999/300000', etag: '"two"' }).end(bytes),
    /has changed on the server/,
  ],
  [
    'more bytes than asked for',
    (_, response, count) =>
      count > 0 &&
      !!response
        .writeHead(206, { 'content-range': 'bytes 65536-299999/300000', etag: '"one"' })
        .end(Buffer.concat([bytes, bytes])),
    /sends more than/,
  ],
  [
    'a redirect loop',
    (_, response) => !!response.writeHead(302, { location: '/a' }).end(),
    /more than 5 redirects/,
  ],
  [
    'a redirect to another site',
    (_, response) => !!response.writeHead(302, { location: 'http://other.example/a' }).end(),
    /of another site/,
  ],
  [
    'compression on the way',
    (_, response) => !!response.writeHead(200, { 'content-encoding': 'gzip' }).end(),
    /compresses/,
  ],
];

test.each(refused)('%s is an error, and no copy is left', async (_, fault, message) => {
  const before = readdirSync(spoolDir).length;
  await expect(copy(fault, { retries: 2 })).rejects.toThrow(message);
  expect(readdirSync(spoolDir)).toHaveLength(before);
});

test('a file over the limit is refused before it is fetched, and the option is named', async () => {
  for (const ranges of [true, false]) {
    await expect(copy(undefined, { fetchBytes: 1000, ranges })).rejects.toThrow(
      'it has 300000 bytes, more than --max-fetch-bytes 1000 allows',
    );
    await server.close();
  }
  // of listed ranges only their bytes count
  server = await serveRanges({ '/a': bytes });
  const ranges = [{ start: 10, end: 500 }];
  await new RemoteReader({ ...quick, fetchBytes: 1000 }).copy(`${server.url}/a`, {
    ranges,
    trusted: true,
    spoolDir,
  });
});

test('a file that does not fit into the free space is refused before it is fetched', async () => {
  for (const ranges of [true, false]) {
    server = await serveRanges({ '/a': bytes }, { ranges });
    const reader = new RemoteReader(quick, NETWORK, () => 2000);
    await expect(reader.copy(`${server.url}/a`, { trusted: true, spoolDir })).rejects.toThrow(
      `it has 300000 bytes, more than the 2000 bytes free in ${spoolDir} (TMPDIR)`,
    );
    await server.close();
  }
});

/** Sends a piece again and again, without a length and without an end. */
const endless =
  (pieceBytes: number, everyMs: number): Fault =>
  (_, response) => {
    response.writeHead(200);
    const timer = setInterval(() => response.write(new Uint8Array(pieceBytes)), everyMs);
    response.on('close', () => clearInterval(timer));
    return true;
  };

test.each([
  [
    'has no end',
    endless(50_000, 1),
    { fetchBytes: 400_000 },
    'sends more than --max-fetch-bytes 400000 allows',
  ],
  [
    'sends a byte now and then',
    endless(1, 20),
    { retries: 1 },
    /sends \d+ bytes a second, fewer than --min-fetch-rate 1000, after 2 tries/,
  ],
  [
    'never comes to an end in time',
    endless(500, 5),
    { fetchMs: 300 },
    'it took longer than --max-fetch-ms 300 allows',
  ],
  [
    'fails for longer than allowed',
    (_, response) => !!response.writeHead(503).end(),
    { fetchMs: 300, retries: 100, retryMs: 20 },
    'it took longer than --max-fetch-ms 300 allows',
  ],
] satisfies [string, Fault, RemoteOptions, string | RegExp][])(
  'a server that %s is given up, and no copy is left',
  async (_, fault, options, message) => {
    const before = readdirSync(spoolDir).length;
    await expect(copy(fault, options)).rejects.toThrow(message);
    expect(readdirSync(spoolDir)).toHaveLength(before);
  },
);

test('a pause that --rate makes does not count as a slow server', async () => {
  const { sizeBytes } = await copy(undefined, { rateBytes: 300_000, stallMs: 100, fetchRate: 1e6 });
  expect(sizeBytes).toBe(bytes.length);
});

test('a server cannot ask for a longer pause than the longest', async () => {
  const startMs = performance.now();
  await copy(
    (_, response, count) => count < 2 && !!response.writeHead(429, { 'retry-after': '999999999' }).end(),
    {
      maxPauseMs: 20,
    },
  );
  expect(performance.now() - startMs).toBeLessThan(20_000);
});

test('redirects lead to another port of the host and to hosts of the site, but not to a private one', async () => {
  server = await serveRanges({ '/a': bytes });
  const to = (location: string): Promise<RangeServer> =>
    serveRanges({}, { fault: (_, response) => !!response.writeHead(302, { location }).end() });
  const port = await to(`${server.url}/a`);
  await new RemoteReader(quick).copy(`${port.url}/a`, { trusted: true, spoolDir });
  expect(server.asked.length).toBeGreaterThan(0);
  await port.close();

  // names of one site: one public, one that resolves to a private address
  server.asked.length = 0;
  const { port: at } = new URL(server.url);
  const inner = await to(`http://inner.site.example:${at}/a`);
  const lookup = ((name: string, _: object, done: (error: null, addresses: object[]) => void) =>
    done(null, [{ address: name.startsWith('inner') ? '127.0.0.2' : '127.0.0.1', family: 4 }])) as never;
  const network: Network = { lookup, isPrivate: (address) => address === '127.0.0.2' };
  await expect(
    new RemoteReader(quick, network).copy(`http://outer.site.example:${new URL(inner.url).port}/a`, {
      trusted: true,
      spoolDir,
    }),
  ).rejects.toThrow('public network');
  expect(server.asked).toEqual([]);
  await inner.close();
});

test('a private address is connected to only where the user has named the host', async () => {
  server = await serveRanges({ '/a': bytes });
  const reader = new RemoteReader(quick);
  await expect(reader.copy(`${server.url}/a`, { trusted: false, spoolDir })).rejects.toThrow(
    'public network',
  );
  expect(server.asked).toEqual([]);
});

test('the rate is kept, also when it is slower than the time of silence allows', async () => {
  const startMs = performance.now();
  const { path } = await copy(undefined, { rateBytes: 300_000, stallMs: 100 });
  expect(performance.now() - startMs).toBeGreaterThan(800);
  expect(existsSync(path)).toBe(true);
});

test('ranges close to each other are one request, and others are not fetched', async () => {
  const far = [
    { start: 200_000, end: 200_100 },
    { start: 200_300, end: 200_400 },
    { start: 10, end: 20 },
  ];
  expect(joinRanges([...far, { start: 299_000, end: 400_000 }], 300_000)).toEqual([
    { start: 10, end: 20 },
    { start: 200_000, end: 200_400 },
    { start: 299_000, end: 300_000 },
  ]);
  server = await serveRanges({ '/a': bytes });
  const { path } = await new RemoteReader(quick).copy(`${server.url}/a`, {
    ranges: far,
    trusted: true,
    spoolDir,
  });
  const part = readFileSync(path);
  expect(part.length).toBe(bytes.length);
  expect(part.subarray(200_000, 200_400).equals(bytes.subarray(200_000, 200_400))).toBe(true);
  expect(part.subarray(100_000, 100_100).every((byte) => byte === 0)).toBe(true);
  expect(server.asked).toEqual([
    { path: '/a', start: 10, end: 20 },
    { path: '/a', start: 200_000, end: 200_400 },
  ]);
});
