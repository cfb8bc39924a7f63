/**
 * The preset on an archive small enough to follow by hand. Two pages, captured on days 1 and 3; on day 2 page a was an
 * error page of another layout. All other captures have the same layout (similarity 1) and these words:
 *
 *   menu   Home News Contact Us    on every capture
 *   text   four words of the page, the same in both of its captures
 *   visits three words that no other capture has
 *   end    The End                 on every capture
 */
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { chaff, rowsOf } from '../../../test/command-line.ts';
import type { ExplainedArm, Explanation } from '../../model/explanation.ts';
import type { Range } from '../../model/range.ts';
import { writeSampleArchive } from '../../research/generated-sites/write-archive.ts';

const folder = mkdtempSync(join(tmpdir(), 'chaff-test-'));
const inline = ['--workers', '0', '-q'];

const day = (d: number) => `2016-09-0${d}T00:00:00Z`;
const page = (name: string, d: number, text: string) => ({
  url: `http://t.example/${name}`,
  time: day(d),
  html: `<html><body><div><p>Home News Contact Us</p><p>${text}</p><p>${name}${d}x ${name}${d}y ${name}${d}z</p><p>The End</p></div></body></html>`,
});
const archive = join(folder, 'tiny.jsonl');
writeFileSync(
  archive,
  [
    page('a', 1, 'red green blue pink'),
    {
      url: 'http://t.example/a',
      time: day(2),
      html: '<table><tr><td>Not found</td></tr></table>',
    },
    page('a', 3, 'red green blue pink'),
    page('b', 1, 'one two three four'),
    page('b', 3, 'one two three four'),
  ]
    .map((row) => JSON.stringify(row))
    .join('\n'),
);

type Row = { url: string; time: string; ranges: Range[] } & Explanation;

async function label(...args: string[]): Promise<Map<string, Row>> {
  const result = await chaff(['label', archive, '--preset', 'lesniak-2017', '--explain', ...args, ...inline]);
  const rows = rowsOf(result) as unknown as Row[];
  return new Map(rows.map((row) => [`${row.url.at(-1)} ${Number(row.time.slice(8, 10))}`, row]));
}

const shown = ({ stretches }: Row) => stretches.map(({ text, pattern, label }) => [text, pattern, label]);
const armsOf = ({ crosses }: Row) =>
  crosses[0].arms.map(({ arm, url, time }) => `${arm} ${url.at(-1)} ${Number(time.slice(8, 10))}`);

test('crosses are of captures of any time, the error page is in none of them, and the tables decide', async () => {
  const rows = await label();
  // equally similar: the capture nearest in time is up, the second, of the same page, down (section 2.3)
  expect(armsOf(rows.get('a 1')!)).toEqual(['up b 1', 'down b 3', 'next a 3']);
  expect(armsOf(rows.get('a 3')!)).toEqual(['up b 3', 'down b 1', 'previous a 1']);
  expect(armsOf(rows.get('b 1')!)).toEqual(['up a 1', 'down a 3', 'next b 3']);
  expect(rows.get('a 1')!.crosses[0].bits).toBe('11101');
  // menu in all: template. Text in the other capture alone: content. The rest is in no table: the visits of this capture,
  // and the two last words, which lxml drops as a matching block of two
  expect(shown(rows.get('a 1')!)).toEqual([
    ['Home News Contact Us', 'B.5 11101/11101', 'template'],
    ['red green blue pink', 'B.5 11101/10001', 'content'],
    ['a1x a1y a1z', '', 'unsure'],
    ['The End', '', 'unsure'],
  ]);
  expect(shown(rows.get('a 3')!)[1]).toEqual(['red green blue pink', 'B.5 11110/10010', 'content']);
});

test('the error page is like no other: it is kept as unsure', async () => {
  const { crosses, ranges } = (await label()).get('a 2')!;
  expect(crosses).toEqual([]);
  expect(ranges.map((range) => range.label)).toEqual(['unsure']);
});

test('T002 takes for template what is in no table', async () => {
  const rows = await label('--cross-variant', 'T002');
  expect(rows.get('a 1')!.stretches.map((stretch) => stretch.label)).toEqual([
    'template',
    'content',
    'template',
    'template',
  ]);
});

test('by the diff of Chaff the words at the end of a page are kept, however few', async () => {
  const rows = await label('--cross-diff', 'chaff');
  expect(shown(rows.get('a 1')!)[3]).toEqual(['The End', 'B.5 11101/11101', 'template']);
});

test('the job names the preset, with the seed of the thesis for the forest alone', async () => {
  const out = join(folder, 'report');
  await chaff(['report', archive, '--preset', 'lesniak-2017', '-o', out, ...inline]);
  const { options, timings } = JSON.parse(readFileSync(join(out, 'run.json'), 'utf8'));
  const { preset, seed, detectors, detectorOptions } = options;
  expect([preset, seed, detectors[0]]).toEqual(['lesniak-2017', 0, 'cross']);
  expect(detectorOptions.cross).toMatchObject({ variant: 'T001', seed: 2_047_226_289, diff: 'lxml' });
  // the phases of section 4.3
  expect(Object.keys(timings.stepSeconds.label)).toEqual(
    expect.arrayContaining(['annotate', 'classify', 'propagate', 'train', 'reclassify']),
  );
});

test('eval scores captures by their time, page by page and by the cross, and T001 differs from T002', async () => {
  const gold = join(folder, 'gold.jsonl');
  const rows = [day(1), '20160903000000'].map((time) => ({
    url: 'http://t.example/a',
    time,
    text: 'red green blue pink',
  }));
  writeFileSync(gold, rows.map((row) => JSON.stringify(row)).join('\n'));
  const args = ['eval', archive, '--gold', gold, '--preset', 'lesniak-2017', '--detectors', 'T001', 'T002'];
  const { code, stdout } = await chaff([...args, '--classes', '--crosses', '--documents', '-q']);
  expect(code).toBe(0);
  // 13 words: T001 keeps the text and the five unsure words, T002 the text alone
  const url = 'http://t\\.example/a';
  expect(stdout).toMatch(new RegExp(`^${url} +2016-09-01T00:00:00Z +T001 +11101 +4 +0 +5 +4 +61\\.5 `, 'm'));
  expect(stdout).toMatch(new RegExp(`^${url} +2016-09-01T00:00:00Z +T002 +11101 +4 +0 +0 +9 +100\\.0 `, 'm'));
  expect(stdout).toMatch(new RegExp(`^${url} +2016-09-03T00:00:00Z +T001 +11110 +4 +0 +5 +4 `, 'm'));
  expect(stdout).toMatch(/^cross 11110 +T001 +61\.5 /m);
  expect(stdout).toContain('2 gold pages, 2 scored, 0 missing');
});

test('thresholds of single sites are read from a file', async () => {
  const thresholds = join(folder, 'thresholds.csv');
  writeFileSync(thresholds, 'site,threshold\nt.example,0\n');
  // everything is similar enough now: the error page has neighbours, and is one
  const rows = await label('--cross-thresholds', thresholds);
  expect(rows.get('a 2')!.crosses[0].bits).toBe('11111');
  expect(armsOf(rows.get('a 1')!)).toContain('next a 2');
});

test('label and groups find the same crosses', async () => {
  const { warc } = await writeSampleArchive(folder, { sites: 1, pagesPerSite: 12, captures: 3, odd: false });
  const args = [warc, '--preset', 'lesniak-2017', ...inline];
  const labelled = rowsOf(await chaff(['label', ...args, '--explain'])) as unknown as Row[];
  const listed = rowsOf(await chaff(['groups', ...args, '--crosses', '--format', 'jsonl']));
  expect(labelled.length).toBe(36);
  const crossOf = new Map(listed.map((row) => [`${row.url} ${row.time}`, row]));
  let captures = 0;
  for (const { url, time, crosses } of labelled) {
    const arms = new Map<string, ExplainedArm>((crosses[0]?.arms ?? []).map((arm) => [arm.arm, arm]));
    const row = crossOf.get(`${url} ${time}`)!;
    expect([arms.get('up')?.url, arms.get('up')?.time]).toEqual([
      row.up ?? undefined,
      row.up_time ?? undefined,
    ]);
    expect([arms.get('down')?.url, arms.get('down')?.time]).toEqual([
      row.down ?? undefined,
      row.down_time ?? undefined,
    ]);
    if (crosses.length === 0) continue;
    expect(arms.get('previous')?.time).toBe(row.previous_time ?? undefined);
    expect(arms.get('next')?.time).toBe(row.next_time ?? undefined);
    captures += Number(arms.has('previous')) + Number(arms.has('next'));
  }
  expect(captures).toBeGreaterThan(20);
});
