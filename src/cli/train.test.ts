import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { chaff } from '../../test/command-line.ts';
import { warcRecord } from '../../test/sample-archives.ts';
import { decodePageModel } from '../detect/page/page-model.ts';
import { writeSampleArchive } from '../generate/write-archive.ts';

let folder: string;
let archive: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'chaff-train-'));
  ({ warc: archive } = await writeSampleArchive(folder, { seed: 5, sites: 4, pagesPerSite: 10 }));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const train = (...args: string[]) =>
  chaff(['train', '--workers', '0', '--date', '2026-11-16', '--site-rows', '150', ...args]);

test('a model is written, with figures, features and accounts on stderr', async () => {
  const path = join(folder, 'page.json');
  const { code, stdout, stderr } = await train(archive, '-o', path, '--about', 'four made-up sites');
  expect(stdout).toBe('');
  expect(stderr).toMatch(/nodes of \d+ pages of 4 sites/);
  expect(stderr).toMatch(/on sites held out.*AUC/);
  expect(stderr).toMatch(/what shuffling a feature takes off the AUC/);
  const [, captures, used, skipped] = /captures read (\d+) = (\d+) used \+ (\d+) skipped/.exec(stderr) ?? [];
  expect(Number(captures)).toBe(Number(used) + Number(skipped));
  expect(Number(used)).toBeGreaterThan(20);
  expect([0, 3]).toContain(code);
  const { card, classes } = decodePageModel(readFileSync(path, 'utf8'));
  expect(card).toMatchObject({
    sites: 4,
    pages: Number(used),
    date: '2026-11-16',
    data: 'four made-up sites',
  });
  expect(classes).toHaveLength(4);
});

test('the same model comes out of any order of inputs and any number of workers', async () => {
  const other = await writeSampleArchive(folder, { seed: 9, sites: 2, pagesPerSite: 9, name: 'other' });
  const paths = ['one', 'two', 'three'].map((name) => join(folder, `${name}.json`));
  await train(archive, other.warc, '-o', paths[0]);
  await train(other.warc, archive, '-o', paths[1]);
  await train(archive, other.warc, '-o', paths[2], '--workers', '2');
  const [first, second, third] = paths.map((path) => readFileSync(path, 'utf8'));
  expect(second).toBe(first);
  expect(third).toBe(first);
}, 240_000);

test('one site cannot make a model, nor sites that are too small, nor sites in which nothing repeats', async () => {
  const one = await train(archive, '-o', join(folder, 'x.json'), '--include', firstHost());
  expect([one.code, one.stderr]).toEqual([1, expect.stringMatching(/several sites.*only one/)]);
  const small = await train(archive, '-o', join(folder, 'x.json'), '--min-pages', '1000');
  expect([small.code, small.stderr]).toEqual([
    1,
    expect.stringMatching(/at least 1000 pages.*none of \d+ has/),
  ]);
  const plain = await train(plainSites(), '-o', join(folder, 'x.json'));
  expect([plain.code, plain.stderr]).toEqual([1, expect.stringMatching(/nothing repeats/)]);
  expect(existsSync(join(folder, 'x.json'))).toBe(false);
});

test('wrong options are refused before anything is read', async () => {
  for (const args of [
    [archive],
    [archive, '-o', 'x', '--classifier', 'forest'],
    [archive, '-o', 'x', '--share', '2'],
    [archive, '-o', 'x', '--date', 'today'],
    [archive, '-o', 'x', '--site', 'layout'],
    [archive, '-o', 'x', '--no-such-option'],
  ]) {
    expect((await chaff(['train', ...args])).code, args.join(' ')).toBe(2);
  }
});

test('nothing that can be read is a failure that says so', async () => {
  const { code, stderr } = await train(join(folder, 'missing.warc.gz'), '-o', join(folder, 'x.json'));
  expect([code, stderr]).toEqual([1, expect.stringMatching(/there are no pages/)]);
});

function firstHost(): string {
  const truth = readFileSync(join(folder, 'sample.truth.jsonl'), 'utf8').split('\n')[0];
  return new URL((JSON.parse(truth) as { url: string }).url).host.replaceAll('.', '\\.');
}

/** Two sites whose pages have nothing in common, markup included. */
function plainSites(): string {
  const tags = ['p', 'div', 'section', 'article', 'main', 'span', 'b', 'i', 'em'];
  const records = ['a.example', 'b.example'].flatMap((host, h) =>
    tags.map((tag, k) => {
      const words = Array.from({ length: 40 }, (_, w) => `w${h}x${k}x${w}`).join(' ');
      return warcRecord({ url: `http://${host}/${k}`, html: `<${tag}>${words}.</${tag}>` });
    }),
  );
  const path = join(folder, 'plain.warc.gz');
  writeFileSync(path, Buffer.concat(records.map((record) => gzipSync(record))));
  return path;
}
