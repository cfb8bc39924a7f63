import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { chaff } from '../../test/command-line.ts';
import { writeSampleArchive } from '../research/generated-sites/write-archive.ts';
import { SiteModels } from '../run/library/learn-pages.ts';

const folder = mkdtempSync(join(tmpdir(), 'chaff-learn-'));
const at = (name: string) => join(folder, name);
const learn = (...args: string[]) => chaff(['learn', ...args, '--workers', '0']);
let archive = '';

beforeAll(async () => {
  archive = (await writeSampleArchive(folder, { sites: 1, pagesPerSite: 20, languages: ['en'] })).warc;
  writeFileSync(at('cut.warc.gz'), readFileSync(archive).subarray(0, -60));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('every capture is learnt from or skipped', async () => {
  const { code, stderr } = await learn(archive, '--sample', '10', '-o', at('ten.model'));
  expect(code).toBe(0);
  const [, captures, pages, skipped] = /read (\d+) = (\d+) learnt from \+ (\d+) skipped/.exec(stderr) ?? [];
  expect(Number(pages)).toBe(10);
  expect(Number(captures)).toBe(10 + Number(skipped));
  expect(stderr).toContain('not-sampled');
});

test('P of the text detector is its own sample and not that of others', async () => {
  const learnt = async (...args: string[]) => {
    await learn(archive, ...args, '-q', '-o', at('p.model'));
    return [...SiteModels.decode(readFileSync(at('p.model')))].map(({ pagesLearnt }) => pagesLearnt);
  };
  const settings = ['--text-settings', '32.3.0.5'];
  expect(await learnt(...settings, '--detector', 'text')).toEqual([5]);
  expect(await learnt(...settings, '--detector', 'dom')).toEqual([20]);
  // a larger P than the sample draws more pages, for text alone
  expect(await learnt('--sample', '4', ...settings, '--detector', 'text')).toEqual([5]);
  expect(await learnt('--sample', '4', ...settings, '--detector', 'dom')).toEqual([4]);
});

test('a damaged archive is learnt from as far as it goes, and reported', async () => {
  const model = at('cut.model');
  const verbose = await learn(at('cut.warc.gz'), '-v', '-o', model);
  expect(verbose.code).toBe(3);
  expect(verbose.stderr).toMatch(/cut\.warc\.gz:\d+/);
  expect(existsSync(model)).toBe(true);
  expect((await learn(at('cut.warc.gz'), '--strict', '-q', '-o', model)).code).toBe(1);
});

test('where nothing can be read there is no model', async () => {
  const { code, stderr } = await learn(at('missing.warc.gz'), '-o', at('none.model'));
  expect(code).toBe(1);
  expect(stderr).toContain('missing.warc.gz: no such file or folder');
  expect(existsSync(at('none.model'))).toBe(false);
});

test('--limit, of pages to label, is not offered', async () => {
  expect((await learn(archive, '--limit', '3', '-o', at('x.model'))).code).toBe(2);
});
