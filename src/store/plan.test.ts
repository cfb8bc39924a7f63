import { mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { urlHash } from '../analysis/byte-hash.ts';
import { pageKey } from '../model/page-key.ts';
import { siteOf } from '../model/site.ts';
import { Database, quote } from './database.ts';
import { Plan, type PlanOptions } from './plan.ts';
import { type PlannedPage, readPlannedPages } from './planned-page.ts';
import type { SnapshotRule } from './snapshot-rule.ts';
import { SURVEY_FILE, SurveyPart, type SurveyRow } from './survey-part.ts';

interface Row {
  url: string;
  time?: string;
  digest?: string;
  skip?: SurveyRow['skip'];
  revisit?: SurveyRow['revisit'];
}

/** Plans over inputs given as lists of captures; their files are called `0.warc`, `1.warc`, … */
function plan(inputs: Row[][], options: Partial<PlanOptions> = {}): Plan {
  const folder = mkdtempSync(join(tmpdir(), 'chaff-test-'));
  const surveys: string[] = [];
  for (const [input, rows] of inputs.entries()) {
    const draft = join(folder, String(input));
    mkdirSync(draft);
    const part = new SurveyPart({ draft, input });
    rows.forEach(({ url, time = '2020-01-01T00:00:00Z', digest = '', skip = '', revisit }, k) => {
      const capture = {
        file: `${input}.warc`,
        offset: k * 100,
        length: 100,
        url,
        time,
        status: 200,
        mime: 'text/html',
        recordId: '',
        payloadDigest: digest,
      };
      part.add({
        capture,
        site: siteOf(url),
        urlHash: urlHash(url),
        pageHash: urlHash(pageKey(url)),
        skip,
        revisit,
      });
    });
    part.close();
    surveys.push(join(draft, SURVEY_FILE));
  }
  return Plan.make(surveys, { snapshot: 'all', sample: 200, ...options });
}

const page = (n: number, site = 'a.example') => ({ url: `http://${site}/${n}` });

test('sites with too few pages are left out, and a seeded sample of the others is drawn', () => {
  const sites = ['a', 'b', 'c', 'd', 'e', 'f'];
  const large = sites.flatMap((name) => [1, 2, 3].map((n) => page(n, `${name}.example`)));
  // two pages, one of them captured twice
  const small = [page(1, 'small.example'), page(2, 'small.example'), page(2, 'small.example')];
  const drawn = (minPages: number, most: number | null, seed = 0) => {
    const planned = plan([[...large, ...small]], { sitesChosen: { minPages, most, seed } });
    const found = new Set(planned.pages(1, 100).map(({ url }) => siteOf(url)));
    return { sites: [...found], skips: planned.countSkips(), pages: planned.pageCount };
  };
  expect(drawn(1, null)).toMatchObject({ skips: {}, pages: 21 });
  expect(drawn(3, null)).toEqual({
    sites: sites.map((name) => `${name}.example`),
    skips: { filtered: 3 },
    pages: 18,
  });
  const two = drawn(3, 2);
  expect(two).toMatchObject({ skips: { filtered: 15 }, pages: 6 });
  expect(drawn(3, 2)).toEqual(two);
  const seeds = [1, 2, 3, 4].map((seed) => drawn(3, 2, seed));
  expect(new Set([two, ...seeds].map((each) => each.sites.join())).size).toBeGreaterThan(1);
});

test('pages are numbered by site, then file, then offset', () => {
  const planned = plan([
    [page(1, 'b.example'), page(2)],
    [page(3, 'b.example'), page(4)],
  ]);
  const urls = planned.pages(1, 100).map(({ page, url }) => [page, url]);
  expect(urls).toEqual([
    [1, 'http://a.example/2'],
    [2, 'http://a.example/4'],
    [3, 'http://b.example/1'],
    [4, 'http://b.example/3'],
  ]);
});

test('the body of a revisit is read from its original, also in another input', () => {
  const original = { ...page(1), digest: 'sha1:X' };
  const revisit = { ...page(2), revisit: { payloadDigest: 'sha1:X', url: '', time: '' } };
  const planned = plan([[revisit], [original]]);
  const pages = planned.pages(1, 100);
  const found = pages.find(({ url }) => url.endsWith('/2')) as PlannedPage;
  expect(found).toMatchObject({
    input: 1,
    at: { file: '1.warc', offset: 0 },
    as: { file: '0.warc', url: 'http://a.example/2' },
  });
});

test('planned pages are correct for any URL, and equal those in the file of places', async () => {
  const rows: Row[] = Array.from({ length: 40 }, (_, k) => page(k, k % 2 ? 'a.example' : 'b.example'));
  rows.push({ url: 'http://a.example/"\\\n\u0000\u2028é😀', digest: 'sha1:X' });
  rows.push({ ...page(99), revisit: { payloadDigest: 'sha1:X', url: '', time: '' } });
  const planned = plan([rows], { limit: 30 });
  const all = planned.pages(1, 100);
  expect(all.length).toBe(42);
  expect(all.some(({ url }) => url === 'http://a.example/"\\\n\u0000\u2028é😀')).toBe(true);
  expect(planned.groups(1, 2)).toEqual([{ group: 1, site: 'b.example', snapshot: 'all' }]);
  const lastSamples = planned.samples(1, 2, planned.pages(30, 35));
  expect(new Set(lastSamples.map(({ group }) => group))).toEqual(new Set([1]));
  expect([...planned.pageSizes()].length).toBe(30);
  expect(planned.pages(7, 12)).toEqual(all.slice(6, 11));
  expect(planned.pagesAmong([40, 3, 3, 9])).toEqual([all[2], all[8], all[39]]);

  const path = join(mkdtempSync(join(tmpdir(), 'chaff-test-')), 'places.parquet');
  planned.keepPlaces(path);
  const database = await Database.open();
  const kept: PlannedPage[] = [];
  for await (const one of readPlannedPages(database, `SELECT * FROM ${quote(path)} ORDER BY page`))
    kept.push(one);
  database.close();
  expect(kept).toEqual(all);
});

test('a revisit prefers the original of its own URL, and without a digest the one it names', () => {
  const planned = plan([
    [
      { ...page(1), digest: 'sha1:X' },
      { ...page(2), digest: 'sha1:X' },
      { ...page(3), time: '2020-01-01T00:00:00Z' },
      { ...page(2), time: '2021-01-01T00:00:00Z', revisit: { payloadDigest: 'sha1:X', url: '', time: '' } },
      { ...page(4), revisit: { payloadDigest: '', url: 'http://a.example/3', time: '2020-01-01T00:00:00Z' } },
    ],
  ]);
  const revisits = planned.pages(1, 100).filter(({ as }) => as);
  expect(revisits.map(({ at }) => at.offset)).toEqual([100, 200]);
});

test('a revisit without an original is skipped and reported; a revisit of an image is skipped as an image', () => {
  const planned = plan([
    [
      { ...page(1), revisit: { payloadDigest: 'sha1:GONE', url: '', time: '' } },
      { ...page(2), digest: 'sha1:PNG', skip: 'not-html' },
      { ...page(3), revisit: { payloadDigest: 'sha1:PNG', url: '', time: '' } },
      page(4),
    ],
  ]);
  expect(planned.pageCount).toBe(1);
  expect(planned.countSkips()).toEqual({ 'not-html': 2, 'revisit-unresolved': 1 });
  const urls: string[] = [];
  for (const { url } of planned.unresolvedRevisits()) urls.push(url);
  expect(urls).toEqual(['http://a.example/1']);
});

test('a selected revisit is a page, also when its original was left out', () => {
  const planned = plan([
    [
      { ...page(1, 'b.example'), digest: 'sha1:X', skip: 'filtered' },
      { ...page(2), revisit: { payloadDigest: 'sha1:X', url: '', time: '' } },
    ],
  ]);
  expect(planned.pages(1, 100)).toMatchObject([{ at: { offset: 0 }, as: { url: 'http://a.example/2' } }]);
  expect(planned.countSkips()).toEqual({ filtered: 1 });
});

const days = ['2019-12-20', '2020-01-10', '2020-02-05', '2020-04-01', '2020-04-02', ''];
const snapshots: [SnapshotRule, Record<string, number>][] = [
  ['all', { all: 6 }],
  ['year', { '2019': 1, '2020': 4, undated: 1 }],
  ['month', { '2019-12': 1, '2020-01': 1, '2020-02': 1, '2020-04': 2, undated: 1 }],
  ['gap:30', { '2019-12-20': 3, '2020-04-01': 2, undated: 1 }],
  ['gap:90', { '2019-12-20': 6 }],
];
for (const [rule, expected] of snapshots) {
  test(`snapshot ${rule} groups captures by time`, () => {
    const rows = days.map((day, n) => ({ ...page(n), time: day === '' ? '' : `${day}T12:00:00Z` }));
    const planned = plan([rows], { snapshot: rule });
    const groups = planned.groups(0, 100);
    const counts: Record<string, number> = {};
    for (const { group } of planned.pages(1, 100)) {
      const { snapshot } = groups[group];
      counts[snapshot] = (counts[snapshot] ?? 0) + 1;
    }
    expect(counts).toEqual(expected);
  });
}

test('a sample is the smallest URL hashes, one capture per URL, whatever the order', () => {
  const rows = Array.from({ length: 60 }, (_, n) => ({
    ...page(n % 40),
    time: `2020-01-0${1 + Math.floor(n / 40)}T00:00:00Z`,
  }));
  const sampled = (inputs: Row[][]) => {
    const planned = plan(inputs, { sample: 5 });
    const samples = planned.samples(0, 1);
    expect(planned.samples(0, 1, planned.pages(2, 5))).toEqual(samples);
    const urls = samples.map(({ url, time }) => `${url} ${time}`);
    return urls;
  };
  const urls = sampled([rows]);
  expect(sampled([rows.slice(30).reverse(), rows.slice(0, 30)])).toEqual(urls);
  expect(new Set(urls.map((line) => line.split(' ')[0])).size).toBe(urls.length);
  expect(urls.every((line) => line.endsWith('2020-01-01T00:00:00Z'))).toBe(true);
  const hashes = urls.map((line) => urlHash(line.split(' ')[0]));
  expect(hashes).toEqual([...hashes].sort((a, b) => (a < b ? -1 : 1)));
});

test('URLs of one page count once in a sample, and their captures are ordered by time', () => {
  const visits = Array.from({ length: 12 }, (_, n) => ({
    url: `http://a.example/${n % 4}?PHPSESSID=${String(n).padStart(32, 'a')}`,
    time: `202${Math.floor(n / 4)}-01-01T00:00:00Z`,
  }));
  const shouted = { url: 'http://www.A.example/0', time: '2030-01-01T00:00:00Z' };
  const planned = plan([[...visits, shouted]]);
  const sample = planned.samples(0, 1);
  expect(new Set(sample.map(({ url }) => pageKey(url))).size).toBe(4);
  expect(sample).toHaveLength(4);
  for (const { url } of sample) {
    const same = [...visits, shouted].filter((visit) => pageKey(visit.url) === pageKey(url));
    expect(same.every((visit) => urlHash(visit.url) >= urlHash(url))).toBe(true);
  }
  for (const { urls } of planned.groupSizes()) expect(urls).toBe(4);
  const others = planned.otherCaptures(1, 14);
  expect(others[5]).toMatchObject({ previous: { page: 1 }, next: { page: 9 } });
  expect(others[9]).toMatchObject({ previous: { page: 5 }, next: { page: 13 } });
});

test('captures dated before 1970 are planned, before later ones', () => {
  const times = [
    '1969-12-31T23:59:59Z',
    '0001-01-01T00:00:00Z',
    '1970-01-01T00:00:00Z',
    '9999-12-31T23:59:59Z',
  ];
  const rows = times.map((time) => ({ ...page(1), time }));
  const all = plan([rows]);
  expect(all.pages(1, 100).map(({ time }) => time)).toEqual(times);
  expect(all.samples(0, 1).map(({ time }) => time)).toEqual([times[1]]);
  const newest = plan([rows.slice(0, 2)], { captures: 'last' });
  expect(newest.pages(1, 100).map(({ time }) => time)).toEqual([times[0]]);
});

test('a limit keeps the first pages, counts the rest as filtered, and learns from them', () => {
  const planned = plan([[page(1), page(2), page(3)]], { limit: 2 });
  expect(planned.pageCount).toBe(2);
  const sizes: number[] = [];
  for (const { page: number } of planned.pageSizes()) sizes.push(number);
  expect(sizes).toEqual([1, 2]);
  expect(planned.samples(0, 1)).toHaveLength(3);
  expect(planned.countSkips()).toEqual({ filtered: 1 });
});

test('on request only the newest capture of a URL is planned, and the others are counted', () => {
  const rows = (times: string[]) => times.map((time) => ({ ...page(1), time }));
  const planned = plan(
    [
      [...rows(['2021-01-01T00:00:00Z', '', '2019-01-01T00:00:00Z']), page(2)],
      [page(2), ...rows(['2020-06-01T00:00:00Z'])],
    ],
    { captures: 'last', limit: 2 },
  );
  const pages = planned.pages(1, 100);
  expect(pages.map(({ url, time, at }) => [url, time, at.file, at.offset])).toEqual([
    ['http://a.example/1', '2021-01-01T00:00:00Z', '0.warc', 0],
    ['http://a.example/2', '2020-01-01T00:00:00Z', '1.warc', 0],
  ]);
  expect(planned.countSkips()).toEqual({ superseded: 4 });
});

test('the newest capture of a page can have any of its URLs, unless each URL keeps one', () => {
  const visits = [1, 2, 3].map((n) => ({
    url: `http://a.example/?PHPSESSID=${String(n).padStart(32, 'a')}`,
    time: `202${n % 3}-01-01T00:00:00Z`,
  }));
  const timesOf = (captures: 'last' | 'last of URL') => {
    const planned = plan([visits], { captures });
    const pages = planned.pages(1, 100);
    return pages.map(({ time }) => time.slice(0, 4)).sort();
  };
  expect(timesOf('last')).toEqual(['2022']);
  expect(timesOf('last of URL')).toEqual(['2020', '2021', '2022']);
});

test('no captures make an empty plan', () => {
  const planned = plan([[]]);
  expect(planned.pageCount).toBe(0);
  expect(planned.groups(0, 10)).toEqual([]);
});

test('a page knows the captures of its URL before and after, across files and snapshots', () => {
  const made = plan(
    [
      [
        { url: 'http://a.example/x', time: '2012-01-01T00:00:00Z' },
        { url: 'http://a.example/y', time: '2012-01-01T00:00:00Z' },
      ],
      [
        { url: 'http://a.example/x', time: '2010-01-01T00:00:00Z' },
        { url: 'http://a.example/x', time: '2011-01-01T00:00:00Z' },
        { url: 'http://a.example/y', time: '2012-01-01T00:00:00Z' },
        { url: 'http://a.example/x', time: '' },
      ],
    ],
    { snapshot: 'year' },
  );
  const pages = made.pages(1, made.pageCount + 1);
  const others = made.otherCaptures(1, made.pageCount + 1);
  const timesOf = (url: string, time: string) => {
    const { page } = pages.find((planned) => planned.url === url && planned.time === time)!;
    return [others[page]?.previous?.time, others[page]?.next?.time];
  };
  expect(timesOf('http://a.example/x', '2010-01-01T00:00:00Z')).toEqual([undefined, '2011-01-01T00:00:00Z']);
  expect(timesOf('http://a.example/x', '2011-01-01T00:00:00Z')).toEqual([
    '2010-01-01T00:00:00Z',
    '2012-01-01T00:00:00Z',
  ]);
  expect(timesOf('http://a.example/x', '2012-01-01T00:00:00Z')).toEqual(['2011-01-01T00:00:00Z', undefined]);
  const nextGroupOf = (url: string, time: string) => {
    const { page } = pages.find((planned) => planned.url === url && planned.time === time)!;
    return others[page]?.nextGroup;
  };
  const groupOf = (time: string) => pages.find((planned) => planned.time === time)!.group;
  expect(nextGroupOf('http://a.example/x', '2010-01-01T00:00:00Z')).toBe(groupOf('2011-01-01T00:00:00Z'));
  expect(nextGroupOf('http://a.example/x', '2012-01-01T00:00:00Z')).toBeUndefined();
  // captures with the same time, and those without a time, have no neighbours
  expect(timesOf('http://a.example/y', '2012-01-01T00:00:00Z')).toEqual([undefined, undefined]);
  expect(timesOf('http://a.example/x', '')).toEqual([undefined, undefined]);
});

test('capture-based detectors get captures up to four away, nearest first, none of the same time', () => {
  const times = [1, 2, 3, 4, 5, 6, 6].map((day) => `2010-01-0${day}T00:00:00Z`);
  const made = plan([times.map((time) => ({ url: 'http://a.example/x', time }))], { snapshot: 'all' });
  const others = made.otherCaptures(1, 8);
  const days = (list: PlannedPage[] | undefined) => list?.map(({ time }) => Number(time.slice(8, 10)));
  expect([days(others[1].earlier), days(others[1].later)]).toEqual([[], [2, 3, 4, 5]]);
  expect(days(others[6].earlier)).toEqual([5, 4, 3, 2]);
  expect(days(others[7].earlier)).toEqual([5, 4, 3]);
  expect(days(others[5].later)).toEqual([6, 6]);
});

test('samples of captures have one of each page first, then a second of each, up to the size of the sample', () => {
  const captures = ['x', 'y', 'z'].flatMap((name) =>
    [1, 2, 3].map((day) => ({ url: `http://a.example/${name}`, time: `2010-01-0${day}T00:00:00Z` })),
  );
  const made = plan([captures], { snapshot: 'all' });
  const pages = made.captureSamples(0, 1);
  expect(pages.length).toBe(9);
  for (const round of [0, 3, 6]) {
    expect(new Set(pages.slice(round, round + 3).map(({ url }) => url)).size).toBe(3);
  }
  // the same pages as those that other detectors learn from, in their order
  const samples = made.samples(0, 1);
  expect(pages.slice(0, 3).map(({ url }) => url)).toEqual(samples.map(({ url }) => url));
});
