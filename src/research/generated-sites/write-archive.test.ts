import { createHash } from 'node:crypto';
import { createReadStream, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { TextDecoder } from '@exodus/bytes/encoding.js';
import { afterAll, expect, test } from 'vitest';
import { WARCParser } from 'warcio';
import { readTruth, type TruthRow } from '../../../test/read-truth.ts';
import { digestOf, writeSampleArchive } from './write-archive.ts';

const dir = mkdtempSync(join(tmpdir(), 'chaff-generate-'));
afterAll(() => rmSync(dir, { recursive: true }));

const options = { seed: 3, sites: 4, pagesPerSite: 26, captures: 2 };

test('warcio reads the archive, its digests are right and each page has true labels', async () => {
  const { warc, truth, captures } = await writeSampleArchive(join(dir, 'a'), options);
  const rows = new Map<string, TruthRow>();
  for await (const row of readTruth(truth)) rows.set(`${row.time} ${row.url}`, row);
  expect(rows.size).toBe(captures);

  const types: Record<string, number> = {};
  let pages = 0;
  for await (const record of new WARCParser(createReadStream(warc))) {
    types[record.warcType] = (types[record.warcType] ?? 0) + 1;
    const payload = await record.readFully(true);
    if (record.warcType !== 'response') continue;
    expect(record.warcPayloadDigest).toBe(digestOf(payload));
    const row = rows.get(`${record.warcDate} ${record.warcTargetURI}`);
    if (!row) continue;
    pages++;
    const source = Buffer.from(new TextDecoder(row.charset).decode(payload));
    expect(source.length).toBe(row.sizeBytes);
    expect(row.truth.at(-1)!.end).toBe(row.sizeBytes);
  }
  expect(pages).toBe(4 * 26 * 2);
  expect(captures).toBe(pages + types.revisit);
  expect(types.warcinfo).toBe(1);
  expect(types.revisit).toBeGreaterThan(3);
  expect(types.response).toBeGreaterThan(captures);
});

test('digests are SHA-1 in base 32', () => {
  expect(digestOf(new Uint8Array())).toBe('sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ');
});

test('writing the archive twice gives equal files', async () => {
  const one = await writeSampleArchive(join(dir, 'b'), options);
  const two = await writeSampleArchive(join(dir, 'c'), options);
  const digest = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex');
  expect(digest(one.warc)).toBe(digest(two.warc));
  expect(digest(one.truth)).toBe(digest(two.truth));
});

test('a damaged record is written on request, between intact ones', async () => {
  const { warc } = await writeSampleArchive(join(dir, 'd'), { sites: 1, pagesPerSite: 12, damaged: true });
  expect(() => gunzipSync(readFileSync(warc))).toThrow();
});
