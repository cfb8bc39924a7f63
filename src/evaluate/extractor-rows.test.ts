import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { parseRowsPath, readExtractorRows, stemOf } from './extractor-rows.ts';
import { findGoldSets } from './gold-sets.ts';

const folder = mkdtempSync(join(tmpdir(), 'chaff-rows-'));
mkdirSync(join(folder, 'news'));
writeFileSync(
  join(folder, 'news', 'theirs.jsonl'),
  '{"url":"http://a.example/","text":"in news","title":"T"}\n\n',
);
writeFileSync(join(folder, 'theirs.jsonl'), '{"url":"http://a.example/","text":"elsewhere"}');
writeFileSync(join(folder, 'bad.txt'), '{"url":"http://a.example/"}');
afterAll(() => rmSync(folder, { recursive: true }));

test('a folder has a file per extractor, in a folder per set where there is one', () => {
  const [ofNews] = readExtractorRows([{ path: folder }], 'news');
  expect(ofNews.label).toBe('theirs');
  expect(ofNews.rows.get('http://a.example/')).toEqual({ text: 'in news', title: 'T' });
  const [other] = readExtractorRows([{ path: folder }], 'blogs');
  expect(other.rows.get('http://a.example/')).toEqual({ text: 'elsewhere' });
});

test('a detector that runs again is not read from a folder, but a named file is', () => {
  expect(readExtractorRows([{ path: folder }], 'news', { except: ['theirs'] })).toEqual([]);
  const file = join(folder, 'theirs.jsonl');
  expect(readExtractorRows([{ path: file }], 'news', { except: ['theirs'] })).toHaveLength(1);
});

test('an extractor has the given name, or that of its file', () => {
  const file = join(folder, 'theirs.jsonl');
  expect(readExtractorRows([parseRowsPath(file)], '')[0].label).toBe('theirs');
  expect(readExtractorRows([parseRowsPath(`mine=${file}`)], '')[0].label).toBe('mine');
});

test('a row without text is refused with its line', () => {
  expect(() => readExtractorRows([{ path: join(folder, 'bad.txt') }], '')).toThrow('line 1: expected a row');
});

test('gold lies beside its archive', () => {
  expect(stemOf('/x/news.warc.gz')).toBe('news');
  writeFileSync(join(folder, 'news.warc.gz'), '');
  expect(() => findGoldSets([join(folder, 'news.warc.gz')])).toThrow('news.jsonl with gold');
  writeFileSync(join(folder, 'news.jsonl'), '');
  const found = [{ name: 'news', archive: join(folder, 'news.warc.gz'), gold: join(folder, 'news.jsonl') }];
  expect(findGoldSets([join(folder, 'news.warc.gz')])).toEqual(found);
  expect(findGoldSets([folder])).toEqual(found);
});
