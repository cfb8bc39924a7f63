import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { chaff, rowsOf } from '../../test/command-line.ts';
import { readTruth } from '../../test/read-truth.ts';
import { warcRecord } from '../../test/sample-archives.ts';
import { writeSampleArchive } from '../research/generated-sites/write-archive.ts';

const folder = mkdtempSync(join(tmpdir(), 'chaff-groups-'));
const at = (name: string) => join(folder, name);
const inline = ['--workers', '0', '-q'];
let archive = '';
const kindOf = new Map<string, string>();

beforeAll(async () => {
  const sample = await writeSampleArchive(folder, {
    sites: 1,
    pagesPerSite: 60,
    languages: ['en'],
    charsets: 'utf-8',
    generations: 1,
    captures: 2,
    start: '2016-03-01',
  });
  archive = sample.warc;
  for await (const { url, kind } of readTruth(sample.truth)) kindOf.set(url, kind);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function warc(name: string, pages: { url?: string; time?: string; html: string }[]): string {
  writeFileSync(at(name), Buffer.concat(pages.map((page) => warcRecord(page))));
  return at(name);
}

test('groups of a site are its page kinds, and the sums are printed', async () => {
  const { code, stdout, stderr } = await chaff(['groups', archive, '--workers', '0']);
  expect(code).toBe(0);
  expect(stdout).toMatch(/: 1\d\d pages in \d+ groups\ngroup +pages +share +alike +pattern +typical page\n/);
  expect(stdout).toContain('/forum/viewtopic.php?f=*&t=*');
  expect(stderr).toMatch(/captures read \d+ = \d+ grouped \+ \d+ skipped/);
});

test('every page is a member of a group of its kind', async () => {
  const rows = rowsOf(await chaff(['groups', archive, '--members', '--format', 'jsonl', ...inline]));
  const kindsOf = new Map<unknown, Set<string>>();
  for (const { group, url } of rows) {
    if (!kindsOf.has(group)) kindsOf.set(group, new Set());
    kindsOf.get(group)!.add(kindOf.get(url as string)!);
  }
  for (const kinds of kindsOf.values()) expect(kinds.size).toBe(1);
  expect(kindsOf.size).toBeLessThan(9);
});

test('crosses name the pages above and below and the times before and after', async () => {
  const rows = rowsOf(await chaff(['groups', archive, '--crosses', '--format', 'jsonl', ...inline]));
  expect(rows.some(({ up }) => up === null)).toBe(true); // nothing is like the front page
  expect(rows.filter(({ next_time }) => next_time !== null).length).toBeGreaterThanOrEqual(50);
  for (const row of rows) {
    expect(row.up).not.toBe(row.url);
    if (row.up !== null) expect(row.up_similarity).toBeGreaterThanOrEqual(0.6);
    else expect([row.down, row.up_time, row.up_similarity]).toEqual([null, null, null]);
    if (row.previous_time !== null) expect((row.previous_time as string) < (row.time as string)).toBe(true);
    if (row.next_time !== null) expect((row.next_time as string) > (row.time as string)).toBe(true);
    for (const similarity of [row.previous_similarity, row.next_similarity]) {
      if (similarity !== null) expect(similarity).toBeGreaterThanOrEqual(0.6);
    }
  }
});

test('crosses in csv have a column for every value', async () => {
  const { stdout } = await chaff(['groups', archive, '--crosses', '--format', 'csv', ...inline]);
  expect(stdout).toMatch(/^site,group,url,time,up,up_time,up_similarity,/);
});

test('-o writes a file, with the tokens of the thesis and other permutations when asked', async () => {
  const args = ['--tokens', 'layers', '--permutations', '64', '--threshold', '0.5', '--format', 'jsonl'];
  expect((await chaff(['groups', archive, '-o', at('groups.jsonl'), ...args, ...inline])).stdout).toBe('');
  const rows = readFileSync(at('groups.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(Object.keys(rows[0])).toEqual([
    'site',
    'group',
    'pages',
    'urls',
    'share',
    'similarity',
    'pattern',
    'url',
    'time',
  ]);
});

test('one page, identical pages of one time and empty pages are groups too', async () => {
  const empty = warc('empty.warc', [
    { html: '<html></html>' },
    { url: 'http://example.com/2', html: '<!-- -->' },
  ]);
  expect((await chaff(['groups', empty, ...inline])).stdout).toMatch(/^example.com: 2 pages in 1 group\n/);
  const one = await chaff(['groups', warc('one.warc', [{ html: '<p>x' }]), ...inline]);
  expect([one.code, one.stdout.split('\n')[0]]).toEqual([0, 'example.com: 1 page in 1 group']);
  const same = warc(
    'same.warc',
    Array.from({ length: 5 }, () => ({ html: '<p>x' })),
  );
  const [row] = rowsOf(await chaff(['groups', same, '--format', 'jsonl', ...inline]));
  expect(row).toMatchObject({ group: 1, urls: 1, similarity: 1 });
  for (const cross of rowsOf(await chaff(['groups', same, '--crosses', '--format', 'jsonl', ...inline]))) {
    expect([cross.up, cross.previous_time, cross.next_time]).toEqual([null, null, null]);
  }
});

test('a page of 5 MB is grouped', async () => {
  const big = warc('big.warc', [
    { html: `<ul>${`<li><a href=x title="${'long '.repeat(18)}">word</a>`.repeat(45_000)}</ul>` },
    { url: 'http://example.com/2', html: '<ul><li><a href=y>word</a></ul>' },
  ]);
  const { code, stdout } = await chaff(['groups', big, ...inline, '--max-nodes', '2000000']);
  expect([code, stdout.split('\n')[0]]).toEqual([0, 'example.com: 2 pages in 1 group']);
});

test('what a page calls itself does no harm to a screen', async () => {
  const url = 'http://example.com/\u202egnp.exe\u009b31m';
  const { stdout } = await chaff([
    'groups',
    warc('odd.warc', [{ url, html: '<p>x' }]),
    '--members',
    ...inline,
  ]);
  expect(stdout).not.toMatch(/[\u202e\u009b]/);
});

test('a damaged input is a problem, which the exit code reports', async () => {
  writeFileSync(
    at('cut.warc'),
    readFileSync(warc('whole.warc', [{ html: '<p>x' }, { html: '<p>y' }])).subarray(0, -30),
  );
  expect((await chaff(['groups', at('cut.warc'), ...inline])).code).toBe(3);
  expect((await chaff(['groups', at('cut.warc'), '--strict', ...inline])).code).toBe(1);
});

test.each([
  [['groups', 'x.warc', '--threshold', '1'], /0.01 to 0.99/],
  [['groups', 'x.warc', '--permutations', '4'], /16 to 1024/],
  [['groups', 'x.warc', '--members', '--crosses'], /cannot be used with/],
  [['groups', 'x.warc', '--site', 'layout'], /host, domain or path:N/],
  [['learn', 'x.warc', '--site', 'layout', '-o', 'm'], /does not know the layout/],
])('wrong usage %j is refused with what was expected', async (args, message) => {
  const { code, stderr } = await chaff(args);
  expect(code).toBe(2);
  expect(stderr).toMatch(message);
});

test('--site layout strips, labels and reports every layout as a site of its own', async () => {
  const stripped = rowsOf(await chaff(['strip', archive, '--site', 'layout', ...inline]));
  const sites = new Map<unknown, Set<string>>();
  for (const { site, url } of stripped) {
    expect(site).toMatch(/^[^#]+#\d+$/);
    if (!sites.has(site)) sites.set(site, new Set());
    sites.get(site)!.add(kindOf.get(url as string)!);
  }
  for (const kinds of sites.values()) expect(kinds.size).toBe(1);
  expect(sites.size).toBeGreaterThanOrEqual(4);

  const labelled = rowsOf(await chaff(['label', archive, '--site', 'layout:0.6', ...inline]));
  expect(labelled.length).toBe(stripped.length);
  expect(new Set(labelled.map(({ site }) => site))).toEqual(new Set(sites.keys()));

  const few = rowsOf(await chaff(['label', archive, '--site', 'layout', '--limit', '7', ...inline]));
  expect(few.map(({ url, site }) => [url, site])).toEqual(
    labelled.slice(0, 7).map(({ url, site }) => [url, site]),
  );

  const out = at('layout.chaff');
  expect((await chaff(['report', archive, '--site', 'layout', '-o', out, ...inline])).code).toBeOneOf([0, 3]);
  const { stdout } = await chaff(['sql', out, 'select distinct site from pages', '--format', 'jsonl']);
  expect(
    new Set(
      stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).site),
    ),
  ).toEqual(new Set(sites.keys()));
});
