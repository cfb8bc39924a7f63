/** `chaff train --detector joint`. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { chaff, rowsOf } from '../../test/command-line.ts';
import { warcRecord } from '../../test/sample-archives.ts';
import { decodeJointModel } from '../detect/joint/joint-model.ts';
import { writeSampleArchive } from '../research/generated-sites/write-archive.ts';
import { main } from './main.ts';

const folder = mkdtempSync(join(tmpdir(), 'chaff-train-joint-'));
const at = (name: string) => join(folder, name);
const archives: string[] = [];

beforeAll(async () => {
  for (const languages of [['en', 'de'] as const, ['el', 'ru'] as const]) {
    const sample = { languages, sites: 2, pagesPerSite: 12, name: languages.join('-') };
    archives.push((await writeSampleArchive(folder, sample)).warc);
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const train = (...args: string[]) => chaff(['train', '--detector', 'joint', '--date', '2026-11-30', ...args]);
const modelOf = (name: string) => decodeJointModel(readFileSync(at(name), 'utf8'));
/** Captures, pages used and pages skipped. */
const countsOf = (stderr: string) =>
  (/captures read (\d+) = (\d+) used \+ (\d+) skipped/.exec(stderr) ?? []).slice(1).map(Number);

test('whole sites make a model, the same whatever the order of inputs, that strip can use', async () => {
  const { code, stderr, stdout } = await train(...archives, '-o', at('sites.json'), '--name', 'ours');
  expect(stdout).toBe('');
  expect(stderr).toMatch(/blocks of 48 pages of 4 hosts, 4 whole sites/);
  expect(stderr).toMatch(/on hosts held out/);
  const [captures, used, skipped] = countsOf(stderr);
  expect([used, captures]).toEqual([48, used + skipped]);
  expect([0, 3]).toContain(code);
  const { card } = modelOf('sites.json');
  expect(card).toMatchObject({ name: 'ours', date: '2026-11-30', pages: 48, hosts: 4 });
  expect(card.figures!.AUC).toBeGreaterThan(0.9);

  await train(...archives.toReversed(), '-o', at('again.json'), '--name', 'ours', '--workers', '0');
  expect(readFileSync(at('again.json'))).toEqual(readFileSync(at('sites.json')));
  const model = ['--detector', 'joint', '--joint-model', at('sites.json')];
  const stripped = await chaff(['strip', archives[0], ...model, '--workers', '0']);
  expect(rowsOf(stripped).every(({ text }) => String(text).length > 100)).toBe(true);
});

test('labels of pages in the archive beside them make a model; rows of no use are counted', async () => {
  writeLabelled('news', 40);
  const { stderr } = await train('-o', at('gold.json'), '--gold', `${at('news.jsonl')}:0.5`);
  expect(stderr).toMatch(/blocks of 40 pages of 20 hosts/);
  expect(stderr).toContain(`warning: ${at('news.jsonl')}: 1 of 41 rows have no page in the archives\n`);
  expect(stderr).toContain(`warning: ${at('news.jsonl')}: 1 row without text, keep, drop or attributes`);
  expect(countsOf(stderr)).toEqual([41, 40, 1]);
  expect(modelOf('gold.json').card.figures!['word F1']).toBeGreaterThan(0.9);
});

test('gold without an archive beside it is of the inputs, and a page with labels is not a page of its site', async () => {
  writeLabelled('apart', 40);
  rmSync(at('apart.warc.gz'));
  writeLabelled('pages', 40);
  const gold = ['-o', at('inputs.json'), '--gold', at('apart.jsonl')];
  const { stderr } = await train(at('pages.warc.gz'), ...gold);
  expect(stderr).toMatch(/blocks of 40 pages of 20 hosts, 0 whole sites; 1 site had too few pages/);
  expect(stderr).toContain('1 too-few-pages');
});

test('an archive of gold that is also an input is not taken for a whole site', async () => {
  writeLabelled('both', 40);
  const gold = ['-o', at('both.json'), '--gold', at('both.jsonl')];
  const { stderr } = await train(at('both.warc.gz'), ...gold);
  expect(stderr).toMatch(/blocks of 40 pages of 20 hosts, 0 whole sites\n/);
  expect(stderr).toContain('41 in-gold-set');
});

test('what cannot make a model is refused with the reason, and no file is left', async () => {
  const none = at('none.json');
  const expected: [args: string[], message: RegExp][] = [
    [[archives[0], '-o', none], /at least 4 sites of 11 pages.* are 2; --min-sites 2 trains/],
    [[archives[0], '-o', none, '--min-pages', '100'], /there are 0; 2 sites had fewer/],
    [[archives[0], '-o', none, '--gold', elsewhere()], /none of its 1 row is of a page in the inputs/],
    [
      [archives[0], '-o', none, '--gold', write('dates.jsonl', '{"url":"u:1"}')],
      /none of its 1 row has text/,
    ],
    [[archives[0], '-o', none, '--gold', write('empty.jsonl', '')], /it has no rows/],
    [['-o', none, '--gold', at('news.jsonl'), at('news.jsonl')], /must have different names/],
  ];
  for (const [args, message] of expected) {
    const { code, stderr } = await train(...args);
    expect([code, stderr], args.join(' ')).toEqual([1, expect.stringMatching(message)]);
  }
  expect(existsSync(none)).toBe(false);
});

test('wrong usage is refused before anything is read', async () => {
  const [archive] = archives;
  for (const [args, message] of [
    [['-o', 'x'], /name archives of whole sites to train on, or --gold/],
    [[archive, '-o', 'x', '--classifier', 'trees'], /--classifier is an option of --detector page/],
    [[archive, '-o', 'x', '--preset', 'chakrabarti-2007'], /--preset is an option of --detector page/],
    [[archive, '-o', 'x', '--detector', 'page', '--gold', 'y'], /--gold is an option of --detector joint/],
    [[archive, '-o', 'x', '--gold', at('nowhere.jsonl')], /there is no such file/],
    [[archive, '-o', 'x', '--detector', 'dom'], /page, joint/],
  ] as [string[], RegExp][]) {
    const { code, stderr } = await train(...args);
    expect([code, stderr], args.join(' ')).toEqual([2, expect.stringMatching(message)]);
  }
});

test('a signal stops the training, and no file is left', async () => {
  const before = process.listeners('SIGINT');
  const streams = { stdin: new PassThrough(), stdout: new PassThrough(), stderr: new PassThrough() };
  const ended = main(['train', ...archives, '--detector', 'joint', '-o', at('stopped.json')], streams);
  for (const listener of process.listeners('SIGINT')) if (!before.includes(listener)) listener('SIGINT');
  expect(await ended).toBe(130);
  expect(existsSync(at('stopped.json'))).toBe(false);
});

function write(name: string, text: string): string {
  writeFileSync(at(name), text);
  return at(name);
}

function elsewhere(): string {
  return write('elsewhere.jsonl', '{"url":"http://nowhere.example/","text":"some words that are nowhere"}');
}

/**
 * Two pages of each host, half of them labelled by text, half by snippets; a page without gold, a row without a page, a row
 * without labels.
 */
function writeLabelled(name: string, pages: number): void {
  const words = (seed: number) =>
    Array.from({ length: 40 }, (_, k) => `w${(seed * 31 + k * 7) % 997}`).join(' ');
  const rows: object[] = [
    { url: 'http://nowhere.example/', text: 'no page' },
    { url: 'http://h0.example/date' },
  ];
  const records = [warcRecord({ url: 'http://bare.example/', html: `<p>${words(9999)}.</p>` })];
  for (let page = 0; page < pages; page++) {
    const url = `http://h${page >> 1}.example/${page & 1}`;
    const text = `${words(page)}.`;
    const side = `${words(page + 500)}.`;
    const html = `<div class=side><p>${side}</p></div><div class=story><p>${text}</p></div>`;
    records.push(warcRecord({ url, html }));
    rows.push(page % 4 < 2 ? { url, text } : { url, keep: [text.slice(0, 40)], drop: [side.slice(0, 40)] });
  }
  writeFileSync(at(`${name}.warc.gz`), Buffer.concat(records.map((record) => gzipSync(record))));
  writeFileSync(at(`${name}.jsonl`), rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
}
