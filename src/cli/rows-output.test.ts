import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { chaff, rowsOf } from '../../test/command-line.ts';
import type { PageMetadata } from '../model/metadata.ts';
import { decompressZstd } from '../read/zstd.ts';
import { Database } from '../store/database.ts';
import { readOutputName, shardName } from './output-name.ts';
import { parseSize } from './rows-output.ts';

const folder = mkdtempSync(join(tmpdir(), 'chaff-rows-output-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const rows = join(folder, 'pages.jsonl');
let written: Record<string, unknown>[];

beforeAll(async () => {
  // text that does not compress, so that shards fill
  let seed = 1;
  const word = () => {
    seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
    return seed.toString(36);
  };
  const pages = Array.from({ length: 60 }, (_, k) => ({
    url: `http://a.example/${k}`,
    time: '2024-05-06T07:08:09Z',
    html: `<title>Page ${k}</title><p>ünï ${Array.from({ length: 10_000 }, word).join(' ')}</p>`,
  }));
  writeFileSync(rows, pages.map((page) => JSON.stringify(page)).join('\n'));
  written = rowsOf(await strip());
});

function strip(...args: string[]) {
  return chaff(['strip', rows, '--detector', 'none', ...args]);
}

test.each([
  ['out.txt', 'text', 'none', 'stream'],
  ['out.md', 'markdown', 'none', 'stream'],
  ['out.MD.gz', 'markdown', 'gzip', 'stream'],
  ['out.jsonl', 'jsonl', 'none', 'stream'],
  ['out.jsonl.zst', 'jsonl', 'zstd', 'stream'],
  ['out.parquet', 'jsonl', 'none', 'parquet'],
  ['out.warc.gz', 'warc', 'gzip', 'stream'],
  ['out/', 'text', 'none', 'folder'],
  ['/dev/null', 'jsonl', 'none', 'stream'],
  ['-', 'jsonl', 'none', 'stream'],
])('the name %s decides', (path, format, compression, kind) => {
  expect(readOutputName({ path, format: undefined })).toMatchObject({ format, compression, kind });
});

test.each(['x.xyz', 'out', 'x.gz', 'x.xyz.gz', 'a.jsonl/x'])('%s names no format', (path) => {
  expect(() => readOutputName({ path, format: undefined })).toThrow(
    /says no format: end it in \.txt, .*\.warc/,
  );
  expect(readOutputName({ path, format: 'jsonl' }).format).toBe('jsonl');
});

test('--format parquet writes Parquet under any name, and to standard output', async () => {
  const path = join(folder, 'rows.any');
  expect((await strip('-o', path, '--format', 'parquet')).code).toBe(0);
  const { code, stdoutBytes } = await strip('--format', 'parquet');
  expect(code).toBe(0);
  expect(stdoutBytes.equals(readFileSync(path))).toBe(true);
  expect(stdoutBytes.toString('latin1', 0, 4)).toBe('PAR1');
  expect((await chaff(['page', rows, '--format', 'parquet'])).stdoutBytes.toString('latin1', 0, 4)).toBe(
    'PAR1',
  );
  const conflict = await strip('-o', join(folder, 'rows.jsonl'), '--format', 'parquet');
  expect([conflict.code, conflict.stderr]).toEqual([2, expect.stringContaining('--format says parquet')]);
});

test('a format beside a name must be that of the name', () => {
  expect(() => readOutputName({ path: 'out.txt', format: 'markdown' })).toThrow('--format says markdown');
  expect(() => readOutputName({ path: 'out/', format: 'warc' })).toThrow('is a folder');
  expect(() => readOutputName({ path: 'out.parquet.gz', format: undefined })).toThrow('compressed inside');
  expect(readOutputName({ path: 'out.jsonl.gz', format: 'dolma' }).format).toBe('dolma');
  expect(readOutputName({ path: 'md', format: 'markdown' }).kind).toBe('folder');
});

test('-o out.txt is a file of text', async () => {
  const path = join(folder, 'out.txt');
  expect((await strip('-o', path)).code).toBe(0);
  expect(readFileSync(path, 'utf8')).toContain('# http://a.example/7 2024-05-06T07:08:09Z');
});

test('compressed rows are the rows', async () => {
  const unpack = { gz: gunzipSync, zst: (bytes: Uint8Array) => decompressZstd(bytes, { maxBytes: 1e9 }) };
  const plain = (await strip()).stdoutBytes;
  for (const ending of ['gz', 'zst'] as const) {
    const path = join(folder, `out.jsonl.${ending}`);
    expect((await strip('-o', path)).code).toBe(0);
    expect(Buffer.from(unpack[ending](readFileSync(path))).equals(plain)).toBe(true);
  }
});

async function readParquet(files: string): Promise<Record<string, unknown>[]> {
  const database = await Database.open();
  try {
    return await database.rows(`SELECT * FROM read_parquet('${files}') ORDER BY page`);
  } finally {
    await database.close();
  }
}

/** Numbers as JSON has them. */
function plainRow(row: Record<string, unknown>): Record<string, unknown> {
  const values = Object.entries(row).map(([name, value]) => [
    name,
    typeof value === 'bigint' ? Number(value) : value,
  ]);
  return Object.fromEntries(values);
}

test('Parquet has the columns and values of the rows', async () => {
  const path = join(folder, 'out.parquet');
  expect((await strip('-o', path)).code).toBe(0);
  const read = (await readParquet(path)).map(plainRow);
  expect(read).toHaveLength(60);
  for (const [k, row] of written.entries())
    for (const [name, value] of Object.entries({ ...row, ...fieldsOf(row as { metadata?: PageMetadata }) })) {
      if (name !== 'metadata') expect(read[k][name], name).toEqual(value);
    }
  expect(existsSync(`${path}.part`)).toBe(false);
});

/** Fields of metadata are columns; a share has the precision of a float there. */
function fieldsOf({ metadata }: { metadata?: PageMetadata }): object {
  const { sources, linkDensity = 0, ...fields } = metadata!;
  return { ...fields, linkDensity: Math.fround(linkDensity), sources: JSON.stringify(sources) };
}

test('a run without pages fails and leaves no file', async () => {
  const path = join(folder, 'none.parquet');
  expect((await strip('--include', 'nowhere', '-o', path)).code).toBe(1);
  expect(readdirSync(folder).filter((name) => name.startsWith('none'))).toEqual([]);
});

test.each(['parquet', 'jsonl', 'jsonl.gz', 'jsonl.zst', 'warc.gz'])(
  'shards of %s hold all rows in order',
  async (ending) => {
    const path = join(folder, `shards.${ending}`);
    const args = ['-o', path, '--shard-size', '1MB'];
    expect((await strip(...args)).code).toBe(0);
    const names = readdirSync(folder).filter(
      (name) => name.startsWith('shards-') && name.endsWith(`.${ending}`),
    );
    expect(names.length).toBeGreaterThan(1);
    expect(names[0]).toBe(`shards-00000.${ending}`);
    const before = names.map((name) => readFileSync(join(folder, name)));
    if (ending === 'parquet') expect(await readParquet(join(folder, 'shards-*.parquet'))).toHaveLength(60);
    if (ending === 'jsonl') expect(Buffer.concat(before).toString().trim().split('\n').length).toBe(60);
    if (ending === 'warc.gz')
      for (const bytes of before)
        expect(gunzipSync(bytes).toString()).toMatch(/^WARC\/1\.\d\r\nWARC-Type: warcinfo/);
    // another run does not mix with these
    expect((await strip(...args)).stderr).toMatch(/exists already|is an archive/);
    writeFileSync(join(folder, `shards-00099.${ending}`), '');
    expect((await strip(...args, '--overwrite', '--workers', '1')).code).toBe(0);
    expect(existsSync(join(folder, `shards-00099.${ending}`))).toBe(false);
    expect(names.every((name, k) => readFileSync(join(folder, name)).equals(before[k]))).toBe(true);
  },
);

test('sizes and names of shards', () => {
  expect(parseSize('256MB')).toBe(256e6);
  expect(parseSize('1.5 GiB')).toBe(1.5 * 2 ** 30);
  for (const wrong of ['', '12', '-5MB', '5 XB', '1kB'])
    expect(() => parseSize(wrong)).toThrow('at least 1MB');
  expect(shardName('a.b/out.jsonl.gz', 3)).toBe('a.b/out-00003.jsonl.gz');
  expect(shardName('out', 3)).toBe('out-00003');
});
