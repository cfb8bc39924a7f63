import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { chaff } from '../../test/command-line.ts';
import { warcRecord } from '../../test/sample-archives.ts';
import { decodePageModel } from '../detect/page/page-model.ts';
import { writeSampleArchive } from '../research/generated-sites/write-archive.ts';

let folder: string;
let archive: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'chaff-train-'));
  ({ warc: archive } = await writeSampleArchive(folder, { seed: 5, sites: 4, pagesPerSite: 10 }));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const train = (...args: string[]) =>
  chaff(['train', '--workers', '0', '--date', '2026-11-16', '--site-rows', '150', ...args]);

test('a model is written, with figures, features and totals on stderr', async () => {
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

test('one site cannot make a model, nor sites that are too small, nor sites in which nothing repeats', async () => {
  const one = await train(archive, '-o', join(folder, 'x.json'), '--include', firstHost());
  expect([one.code, one.stderr]).toEqual([1, expect.stringMatching(/at least 4 sites.* 1 has pages.*: /)]);
  expect(one.stderr).not.toContain('--min-sites');
  const small = await train(archive, '-o', join(folder, 'x.json'), '--min-pages', '1000');
  expect([small.code, small.stderr]).toEqual([
    1,
    expect.stringMatching(/at least 1000 pages.*none of \d+ has/),
  ]);
  const plain = await train(plainSites(), '-o', join(folder, 'x.json'));
  expect([plain.code, plain.stderr]).toEqual([1, expect.stringMatching(/nothing repeats/)]);
  expect(existsSync(join(folder, 'x.json'))).toBe(false);
});

test('fewer than four sites are refused with their number and the way round it', async () => {
  const { warc } = await writeSampleArchive(folder, { seed: 11, sites: 2, pagesPerSite: 10, name: 'two' });
  const path = join(folder, 'pair.json');
  const refused = await train(warc, '-o', path);
  expect([refused.code, refused.stderr]).toEqual([
    1,
    expect.stringMatching(/at least 4 sites.* 2 have pages.*--min-sites 2 trains on them anyway/),
  ]);
  expect(existsSync(path)).toBe(false);
  // enough rows for a model of each half
  const made = await train(warc, '-o', path, '--min-sites', '2', '--site-rows', '600');
  expect([0, 3]).toContain(made.code);
  const [, empty, pages] =
    /no text is left of (\d+) of (\d+) pages of sites held out/.exec(made.stderr) ?? [];
  expect(Number(pages)).toBeGreaterThan(10);
  const { figures } = decodePageModel(readFileSync(path, 'utf8')).card;
  expect(figures['pages of sites held out: almost no text left']).toBeCloseTo(
    Number(empty) / Number(pages),
    4,
  );
});

test('a model that leaves no text of pages of sites held out says so, on stderr and on its card', async () => {
  const path = join(folder, 'suspect.json');
  const { stderr } = await train(sitesOfLinks(), '-o', path, '--features', 'paper', '--min-pages', '8');
  expect(stderr).toMatch(/warning: .*almost no text is left of \d+ of \d+ pages of sites held out/);
  expect(decodePageModel(readFileSync(path, 'utf8')).card.limits).toMatch(/almost no text is left of \d+ of/);
});

test('raw probabilities of the 15 features of the paper are one option each', async () => {
  const path = join(folder, 'raw.json');
  const options = [
    '--features',
    'paper',
    '--calibration',
    'none',
    '--nodes',
    'all',
    '--penalty-kind',
    'nodes',
  ];
  await train(archive, '-o', path, ...options, '--penalty-constant', '0.02');
  const model = decodePageModel(readFileSync(path, 'utf8'));
  expect(model.features).toHaveLength(15);
  expect(model.lexicon.words).toEqual([]);
  expect(model.classes.map(({ calibration }) => calibration)).toEqual(Array(4).fill({ method: 'none' }));
  expect(model).toMatchObject({ nodes: 'all', penalty: 0.02, penaltyKind: 'nodes' });
  expect(model.card.settings).toMatchObject({ features: 'paper', calibration: 'none', nodes: 'all' });
});

test('wrong options are refused before anything is read', async () => {
  for (const args of [
    [archive],
    [archive, '-o', 'x', '--classifier', 'forest'],
    [archive, '-o', 'x', '--share', '2'],
    [archive, '-o', 'x', '--date', 'today'],
    [archive, '-o', 'x', '--site', 'layout'],
    [archive, '-o', 'x', '--features', 'some'],
    [archive, '-o', 'x', '--min-sites', '1'],
    [archive, '-o', 'x', '--preset', 'gibson-2005'],
    [archive, '-o', 'x', '--no-such-option'],
  ]) {
    expect((await chaff(['train', ...args])).code, args.join(' ')).toBe(2);
  }
});

test('nothing that can be read is a failure that says so', async () => {
  const { code, stderr } = await train(join(folder, 'missing.warc.gz'), '-o', join(folder, 'x.json'));
  expect([code, stderr]).toEqual([1, expect.stringContaining('missing.warc.gz: no such file')]);
});

function firstHost(): string {
  const truth = readFileSync(join(folder, 'sample.truth.jsonl'), 'utf8').split('\n')[0];
  return new URL((JSON.parse(truth) as { url: string }).url).host.replaceAll('.', '\\.');
}

/** Four sites whose pages repeat a paragraph that is a link. On three the other one is not, on the fourth it is. */
function sitesOfLinks(): string {
  const records = ['a', 'b', 'c', 'd'].flatMap((host, h) =>
    Array.from({ length: 10 }, (_, k) => {
      const words = (page: number) => Array.from({ length: 60 }, (_, w) => `w${h}x${page}x${w}`).join(' ');
      const link = (text: string) => `<p><a href="/">${text}</a></p>`;
      const own = h < 3 ? `<p>${words(k)}</p>` : link(words(k));
      return warcRecord({ url: `http://${host}.example/${k}`, html: `${link(words(99))}${own}` });
    }),
  );
  const path = join(folder, 'links.warc.gz');
  writeFileSync(path, Buffer.concat(records.map((record) => gzipSync(record))));
  return path;
}

/** Four sites whose pages have nothing in common, markup included. */
function plainSites(): string {
  const tags = ['p', 'div', 'section', 'article', 'main', 'span', 'b', 'i', 'em'];
  const records = ['a.example', 'b.example', 'c.example', 'd.example'].flatMap((host, h) =>
    tags.map((tag, k) => {
      const words = Array.from({ length: 40 }, (_, w) => `w${h}x${k}x${w}`).join(' ');
      return warcRecord({ url: `http://${host}/${k}`, html: `<${tag}>${words}.</${tag}>` });
    }),
  );
  const path = join(folder, 'plain.warc.gz');
  writeFileSync(path, Buffer.concat(records.map((record) => gzipSync(record))));
  return path;
}
