/** Archives on the web, on loopback: the same output as from the file. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { chaff, rowsOf } from '../../test/command-line.ts';
import { type RangeServer, serveRanges } from '../../test/range-server.ts';
import { zipOf } from '../../test/sample-archives.ts';
import { loadZstd } from '../read/zstd.ts';
import { writeSampleArchive } from '../research/generated-sites/write-archive.ts';

const folder = mkdtempSync(join(tmpdir(), 'chaff-web-'));
const inline = ['--workers', '0', '-q'];
let server: RangeServer;

beforeAll(async () => {
  const { warc } = await writeSampleArchive(folder, {
    sites: 1,
    pagesPerSite: 30,
    languages: ['en'],
    name: 'a',
  });
  const packed = readFileSync(warc);
  const plain = gunzipSync(packed);
  const write = (name: string, bytes: Uint8Array) => writeFileSync(join(folder, name), bytes);
  write('b.warc', plain);
  write('c.warc.zst', loadZstd().compress(plain, 3));
  write('d.wacz', zipOf([{ name: 'archive/data.warc.gz', bytes: packed }]));
  write('e.html', Buffer.from('<title>E</title><p>A page of its own.</p>'));
  write(
    'pages.cdxj',
    Buffer.from((await chaff(['index', warc, '-q', '-o', join(folder, 'pages.cdxj')])).stdout),
  );
  await chaff(['index', warc, '-q', '-o', join(folder, 'pages.cdxj')]);
  const names = ['a.warc.gz', 'b.warc', 'c.warc.zst', 'd.wacz', 'e.html', 'pages.cdxj'];
  server = await serveRanges(
    Object.fromEntries(names.map((name) => [`/${name}`, new Uint8Array(readFileSync(join(folder, name)))])),
    { fault: (_, response, count) => count === 0 && !!response.writeHead(503).end() },
  );
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

test.each(['a.warc.gz', 'b.warc', 'c.warc.zst', 'd.wacz', 'pages.cdxj'])(
  '%s on the web gives the bytes of the file, but for the column file',
  async (name) => {
    const local = await chaff(['strip', join(folder, name), ...inline]);
    const remote = await chaff(['strip', `${server.url}/${name}`, ...inline]);
    expect(remote.code).toBe(local.code);
    const rows = rowsOf(local);
    expect(rows.length).toBeGreaterThan(20);
    const file = name === 'pages.cdxj' ? rows[0].file : `${server.url}/${name}`;
    expect(remote.stdout).toBe(rows.map((row) => `${JSON.stringify({ ...row, file })}\n`).join(''));
  },
);

test('chaff page takes a URL that ends like an archive for one', async () => {
  const { code, stdout } = await chaff(['page', `${server.url}/a.warc.gz`, '--limit', '3', '-q']);
  expect([code, stdout.trim().split('\n').length]).toEqual([0, 3]);
});

test('a page on the web keeps its URL', async () => {
  const [row] = rowsOf(await chaff(['strip', `${server.url}/e.html`, ...inline]));
  expect(row).toMatchObject({ url: `${server.url}/e.html`, title: 'E' });
});

test('an index on disk reads only what it names, from below --base', async () => {
  const lines = readFileSync(join(folder, 'pages.cdxj'), 'utf8').trim().split('\n');
  const few = join(folder, 'few', 'some.cdxj');
  mkdirSync(join(folder, 'few'));
  writeFileSync(
    few,
    `${lines
      .filter((line) => line.includes('text/html'))
      .slice(0, 3)
      .join('\n')}\n`,
  );
  server.asked.length = 1; // the fault is over
  const remote = await chaff(['strip', few, '--base', `${server.url}/`, '--model', 'none', ...inline]);
  expect(rowsOf(remote).length).toBeGreaterThan(0);
  expect(new Set(server.asked.slice(1).map(({ path }) => path))).toEqual(new Set(['/a.warc.gz']));
  const nowhere = await chaff(['strip', few, ...inline]);
  expect(nowhere.code).toBe(1);
});

test('an index cannot lead to a private address that the user has not named', async () => {
  const index = join(folder, 'few', 'hostile.cdxj');
  const line = { url: 'http://a.example/', filename: `${server.url}/a.warc.gz`, offset: '0', length: '100' };
  writeFileSync(index, `example,a)/ 20200101000000 ${JSON.stringify(line)}\n`);
  server.asked.length = 1;
  const { code, stderr } = await chaff(['strip', index, '--workers', '0']);
  expect(code).toBe(1);
  expect(stderr).toContain('not an address of the public network');
  expect(server.asked).toHaveLength(1);
});

test('an archive that cannot be fetched is named with the reason', async () => {
  const { code, stderr } = await chaff(['strip', `${server.url}/none.warc.gz`, '--retries', '0']);
  expect(code).toBe(1);
  expect(stderr).toContain('could not be fetched: the server answers 404');
});

test('an index of an archive on the web names its URL', async () => {
  const { stdout } = await chaff(['index', `${server.url}/a.warc.gz`, '-q']);
  expect(stdout).toContain(`"filename":"${server.url}/a.warc.gz"`);
});

test.each([
  ['--rate', 'fast'],
  ['--rate', '5'],
  ['--base', 'ftp://a.example/'],
])('%s %s is refused', async (...option) => {
  const { code, stderr } = await chaff(['strip', 'a.warc.gz', ...option]);
  expect(code).toBe(2);
  expect(stderr).toContain('It must be');
});
