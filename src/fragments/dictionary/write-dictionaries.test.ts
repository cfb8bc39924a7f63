import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { analysePages } from '../../../test/analyse-pages.ts';
import type { Page } from '../../model/page.ts';
import { generateSite } from '../../research/generated-sites/site-generator.ts';
import type { FragmentResult } from '../shared-page.ts';
import { DICTIONARY_TAIL } from './brotli-dictionary.ts';
import {
  COMPRESSION_METHODS,
  type CompressionMethod,
  dictionaryHash,
  type SiteCompression,
} from './measure.ts';
import { isHeldOut } from './site-material.ts';
import { nameForSite, writeDictionaries } from './write-dictionaries.ts';

const folder = mkdtempSync(join(tmpdir(), 'chaff-dictionary-'));
afterAll(() => rmSync(folder, { recursive: true }));

const news = pagesOf('news.example', 1, 20);
const shop = pagesOf('shop.example', 2, 10);

test('a dictionary makes held-out pages smaller than any encoding without it', async () => {
  const file = join(folder, 'news.dict');
  const { sites, files } = await writeDictionaries(analysePages(news), { file });
  expect(files).toEqual([file, `${file}.zdict`]);
  const [site] = sites;
  const bytes = readFileSync(file);
  expect(bytes.subarray(-DICTIONARY_TAIL.length)).toEqual(Buffer.from(DICTIONARY_TAIL));
  expect(site).toMatchObject({
    site: 'news.example',
    file,
    dictionaryBytes: bytes.length,
    dictionarySha256: dictionaryHash(bytes).toString('hex'),
  });
  expect(site.pagesUsed + site.pagesHeldOut).toBe(news.length);
  expect(site.pagesHeldOut).toBe(news.filter(({ url }) => isHeldOut(url, 0.2)).length);
  expect(site.pagesMeasured).toBe(site.pagesHeldOut);
  expect(site.methods.map(({ method }) => method)).toEqual([...COMPRESSION_METHODS]);
  expect(totalOf(site, 'zstd-3-dictionary')).toBeLessThan(totalOf(site, 'zstd-3') * 0.8);
  expect(totalOf(site, 'brotli-5-dictionary')).toBeLessThan(totalOf(site, 'brotli-5') * 0.8);
  expect(totalOf(site, 'brotli-11-dictionary')).toBeLessThan(totalOf(site, 'brotli-11') * 0.8);
});

test('the dictionary has no byte that only held-out pages have', async () => {
  const heldOut = news.filter(({ url }) => isHeldOut(url, 0.2));
  const marked = news.map((page) =>
    heldOut.includes(page)
      ? {
          ...page,
          source: Buffer.concat([page.source, Buffer.from('<div>only on pages held out </div>'.repeat(20))]),
        }
      : page,
  );
  const file = join(folder, 'apart.dict');
  await writeDictionaries(analysePages(marked), { file, measurePages: 0 });
  expect(readFileSync(file).includes('only on pages held out')).toBe(false);
});

test('each site has its own file, and the order of pages does not matter', async () => {
  const options = { file: join(folder, 'both', 'all.dict'), measurePages: 1, maxBytes: 8192 };
  const one = await writeDictionaries(inFolder(analysePages([...news, ...shop])), options);
  expect(one.files.map((file) => basename(file))).toEqual([
    'all-news.example.dict',
    'all-news.example.dict.zdict',
    'all-shop.example.dict',
    'all-shop.example.dict.zdict',
  ]);
  const first = one.files.map((file) => readFileSync(file));
  const report = readFileSync(join(folder, 'fragments', 'compression.json'), 'utf8');
  expect(JSON.parse(report)).toEqual({ sites: one.sites });
  for (const { dictionaryBytes } of one.sites) expect(dictionaryBytes).toBeLessThanOrEqual(8192);
  const mixed = [...news, ...shop].sort((a, b) => (a.time + a.url < b.time + b.url ? -1 : 1));
  const two = await writeDictionaries(analysePages(mixed), { ...options, measurePages: 0 });
  expect(two.files.map((file, i) => readFileSync(file).equals(first[i]))).toEqual(first.map(() => true));
});

test('the same pages give the same bytes', async () => {
  const result = analysePages(shop);
  const written = ['a.dict', 'b.dict'].map((name) => join(folder, name));
  for (const file of written) await writeDictionaries(result, { file, measurePages: 0 });
  expect(readFileSync(written[0]).equals(readFileSync(written[1]))).toBe(true);
});

test('pages that share nothing and single pages give no dictionary, no pages give no figures', async () => {
  const target = join(folder, 'none', 'none.dict');
  for (const pages of [[], news.slice(0, 1)]) {
    const { sites, files } = await writeDictionaries(analysePages(pages), { file: target });
    expect(files).toEqual([]);
    expect(sites.map(({ dictionaryBytes, methods }) => [dictionaryBytes, methods])).toEqual(
      pages.map(() => [0, []]),
    );
  }
  expect(readdirSync(join(folder, 'none'))).toEqual([]);
});

test('a site cannot name another folder, and no two sites share a file', () => {
  expect(nameForSite('out/pages.dict', 'news.example')).toBe(join('out', 'pages-news.example.dict'));
  for (const site of ['../../etc/passwd', 'a/b', '..', '', 'con\0', 'ΕΛΛΆΔΑ', 'x'.repeat(500)]) {
    expect(nameForSite('out/pages.dict', site)).toMatch(/^out[/\\]pages-[a-z0-9._-]{1,100}\.dict$/);
    expect(nameForSite('out/pages.dict', site)).not.toContain('..');
  }
  expect(nameForSite('d', 'a/b')).not.toBe(nameForSite('d', 'a_b'));
  expect(nameForSite('d', 'A.example')).not.toBe(nameForSite('d', 'a.example'));
});

test('invalid options are refused by name', async () => {
  const result = analysePages([]);
  await expect(writeDictionaries(result, { file: '' })).rejects.toThrow('file name');
  await expect(writeDictionaries(result, { file: 'x', maxBytes: 10 })).rejects.toThrow('not 10');
  await expect(writeDictionaries(result, { file: 'x', holdOut: 1 })).rejects.toThrow('held out');
  await expect(writeDictionaries(result, { file: 'x', measurePages: -1 })).rejects.toThrow('measure');
});

function pagesOf(host: string, seed: number, pages: number): Page[] {
  return [...generateSite({ seed, host, pages })].map(({ url, time, source }, i) => ({
    url,
    time,
    source,
    file: `${host}.warc`,
    offset: i,
    length: 1,
    status: 200,
    mime: 'text/html',
    recordId: '',
    payloadDigest: '',
    site: host,
    charset: 'UTF-8',
  }));
}

function inFolder(result: FragmentResult): FragmentResult {
  return { ...result, folder };
}

function totalOf({ methods }: SiteCompression, wanted: CompressionMethod): number {
  return methods.find(({ method }) => method === wanted)!.totalBytes;
}
