import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { samplePages, warcRecord } from '../../../test/sample-archives.ts';
import { seededRandom } from '../../../test/seeded-random.ts';
import { decompressZstd } from '../../read/zstd.ts';
import { openArchive } from '../../run/library/open-archive.ts';
import { compressZstd, compressZstdWithDictionary } from './measure.ts';
import { dictionaryId, warcDictionaryFrame, zstdDictionaryFile } from './zstd-dictionary-file.ts';

const pages = samplePages(40);
const content = Buffer.from(
  pages
    .slice(0, 20)
    .map(({ html }) => html)
    .join(''),
);
const dictionary = zstdDictionaryFile(content);

test('frames made with a zstd dictionary state its id and decode with it', () => {
  for (const { html } of pages.slice(20)) {
    const frame = compressZstdWithDictionary(Buffer.from(html), dictionary, 3);
    expect(frame[4] & 3).toBe(3); // an id of four bytes
    expect(Buffer.from(frame).readUInt32LE((frame[4] & 0x20) !== 0 ? 5 : 6)).toBe(dictionaryId(content));
    const back = decompressZstd(frame, { dictionary, maxBytes: 1_000_000 });
    expect(Buffer.from(back).toString()).toBe(html);
    expect(frame.length).toBeLessThan(compressZstd(Buffer.from(html), 3).length);
  }
});

test('equal content has an equal id, in the range that is free to use', () => {
  expect(dictionaryId(Buffer.from(content))).toBe(dictionaryId(content));
  for (let i = 0; i < 200; i++) {
    const id = dictionaryId(Buffer.from(`dictionary ${i}`));
    expect(id).toBeGreaterThanOrEqual(32_768);
    expect(id).toBeLessThan(2 ** 31);
  }
});

test('encoder and decoder accept a dictionary with any content', () => {
  const random = seededRandom(5);
  const contents = [
    Buffer.alloc(5000, 'a'),
    Buffer.from(Array.from({ length: 4096 }, () => Math.floor(random() * 256))),
    Buffer.from(Array.from({ length: 60_000 }, (_, i) => (random() < 0.999 ? 32 : i & 255))),
    Buffer.from('Καλημέρα κόσμε, こんにちは世界 '.repeat(50)),
    Buffer.from('<p>12345'),
  ];
  for (const bytes of contents) {
    const file = zstdDictionaryFile(bytes);
    for (const level of [1, 3, 9, 19]) {
      const page = Buffer.concat([Buffer.from(`${random()}`), bytes, Buffer.from(' and éµ more')]);
      const frame = compressZstdWithDictionary(page, file, level);
      expect(Buffer.from(decompressZstd(frame, { dictionary: file, maxBytes: 1e6 })).equals(page)).toBe(true);
    }
  }
});

test('a .warc.zst written with the dictionary is read', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'chaff-warc-zst-'));
  try {
    const records = pages.map(({ url, html }) => warcRecord({ url, html }));
    const frames = records.map((record) => compressZstdWithDictionary(record, dictionary, 3));
    const file = join(folder, 'sample.warc.zst');
    writeFileSync(file, Buffer.concat([warcDictionaryFrame(dictionary), ...frames]));
    const problems: string[] = [];
    const read: { url: string; html: string }[] = [];
    for await (const page of openArchive(file, { onProblem: ({ message }) => problems.push(message) })) {
      read.push({ url: page.url, html: Buffer.from(page.source).toString() });
    }
    expect(read).toEqual(pages.map(({ url, html }) => ({ url, html })));
    expect(problems).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
