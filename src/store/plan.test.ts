import { mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { urlHash } from '../analysis/url-hash.ts';
import { pageKey } from '../model/page-key.ts';
import { siteOf } from '../model/site.ts';
import { Database } from './database.ts';
import { Plan, type PlanOptions } from './plan.ts';
import type { PlannedPage } from './planned-page.ts';
import type { SnapshotRule } from './snapshot-rule.ts';
import { SURVEY_FILE, SurveyPart, type SurveyRow } from './survey-part.ts';

const database = await Database.open();
afterAll(() => database.close());

interface Row {
  url: string;
  time?: string;
  digest?: string;
  skip?: SurveyRow['skip'];
  revisit?: SurveyRow['revisit'];
}

/** Plans over inputs given as lists of captures; their files are called `0.warc`, `1.warc`, … */
async function plan(
  inputs: Row[][],
  options: Partial<PlanOptions & { memoryMb: number; keptPages: number }> = {},
): Promise<Plan> {
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
    part.close({});
    surveys.push(join(draft, SURVEY_FILE));
  }
  return Plan.make(surveys, {
    snapshot: 'all',
    sample: 200,
    ...options,
    folder,
  });
}

const page = (n: number, site = 'a.example') => ({ url: `http://${site}/${n}` });

test('sites of too few pages are left out, and of the others a sample is drawn by the seed', async () => {
  const sites = ['a', 'b', 'c', 'd', 'e', 'f'];
  const large = sites.flatMap((name) => [1, 2, 3].map((n) => page(n, `${name}.example`)));
  // two pages, one of them captured twice
  const small = [page(1, 'small.example'), page(2, 'small.example'), page(2, 'small.example')];
  const drawn = async (minPages: number, most: number | null, seed = 0) => {
    const planned = await plan([[...large, ...small]], { sitesChosen: { minPages, most, seed } });
    const found = new Set((await planned.pages(1, 100)).map(({ url }) => siteOf(url)));
    return { sites: [...found], skips: await planned.countSkips(), pages: planned.pageCount };
  };
  expect(await drawn(1, null)).toMatchObject({ skips: {}, pages: 21 });
  expect(await drawn(3, null)).toEqual({
    sites: sites.map((name) => `${name}.example`),
    skips: { filtered: 3 },
    pages: 18,
  });
  const two = await drawn(3, 2);
  expect(two).toMatchObject({ skips: { filtered: 15 }, pages: 6 });
  expect(await drawn(3, 2)).toEqual(two);
  const seeds = await Promise.all([1, 2, 3, 4].map((seed) => drawn(3, 2, seed)));
  expect(new Set([two, ...seeds].map((each) => each.sites.join())).size).toBeGreaterThan(1);
});

test('pages are numbered by site, then file, then offset', async () => {
  const planned = await plan([
    [page(1, 'b.example'), page(2)],
    [page(3, 'b.example'), page(4)],
  ]);
  const urls = (await planned.pages(1, 100)).map(({ page, url }) => [page, url]);
  expect(urls).toEqual([
    [1, 'http://a.example/2'],
    [2, 'http://a.example/4'],
    [3, 'http://b.example/1'],
    [4, 'http://b.example/3'],
  ]);
  planned.close();
});

test('a revisit is read where its original lies, also in another input', async () => {
  const original = { ...page(1), digest: 'sha1:X' };
  const revisit = { ...page(2), revisit: { payloadDigest: 'sha1:X', url: '', time: '' } };
  const planned = await plan([[revisit], [original]]);
  const pages = await planned.pages(1, 100);
  const found = pages.find(({ url }) => url.endsWith('/2')) as PlannedPage;
  expect(found).toMatchObject({
    input: 1,
    at: { file: '1.warc', offset: 0 },
    as: { file: '0.warc', url: 'http://a.example/2' },
  });
  planned.close();
});

test('pages that are kept are those that the database holds', async () => {
  const rows: Row[] = Array.from({ length: 40 }, (_, k) => page(k, k % 2 ? 'a.example' : 'b.example'));
  rows.push({ url: 'http://a.example/"\\\n\u0000\u2028é😀', digest: 'sha1:X' });
  rows.push({ ...page(99), revisit: { payloadDigest: 'sha1:X', url: '', time: '' } });
  const plans = [await plan([rows], { limit: 30 }), await plan([rows], { limit: 30, keptPages: 41 })];
  const [kept, held] = await Promise.all(
    plans.map(async (planned) => {
      const sizes: object[] = [];
      for await (const size of planned.pageSizes()) sizes.push(size);
      return {
        sizes,
        all: await planned.pages(1, 100),
        some: await planned.pages(7, 12),
        among: await planned.pagesAmong([40, 3, 3, 9]),
        samples: await planned.samples(0, 2),
        lastSamples: await planned.samples(1, 2, await planned.pages(30, 35)),
        groups: await planned.groups(0, 2),
        lastGroups: await planned.groups(1, 2),
      };
    }),
  );
  expect(kept).toEqual(held);
  expect(kept.all.length).toBe(42);
  expect(kept.lastGroups).toEqual([{ group: 1, site: 'b.example', snapshot: 'all' }]);
  expect(new Set(kept.lastSamples.map(({ group }) => group))).toEqual(new Set([1]));
  expect(kept.sizes.length).toBe(30);
  expect(kept.among.map((planned) => planned.page)).toEqual([3, 9, 40]);
  expect(kept.all.some(({ url }) => url === 'http://a.example/"\\\n\u0000\u2028é😀')).toBe(true);
  for (const planned of plans) planned.close();
});

test('a revisit prefers the original of its own URL, and without a digest the one it names', async () => {
  const planned = await plan([
    [
      { ...page(1), digest: 'sha1:X' },
      { ...page(2), digest: 'sha1:X' },
      { ...page(3), time: '2020-01-01T00:00:00Z' },
      { ...page(2), time: '2021-01-01T00:00:00Z', revisit: { payloadDigest: 'sha1:X', url: '', time: '' } },
      { ...page(4), revisit: { payloadDigest: '', url: 'http://a.example/3', time: '2020-01-01T00:00:00Z' } },
    ],
  ]);
  const revisits = (await planned.pages(1, 100)).filter(({ as }) => as);
  expect(revisits.map(({ at }) => at.offset)).toEqual([100, 200]);
  planned.close();
});

test('a revisit without an original is skipped and told; one of an image is an image', async () => {
  const planned = await plan([
    [
      { ...page(1), revisit: { payloadDigest: 'sha1:GONE', url: '', time: '' } },
      { ...page(2), digest: 'sha1:PNG', skip: 'not-html' },
      { ...page(3), revisit: { payloadDigest: 'sha1:PNG', url: '', time: '' } },
      page(4),
    ],
  ]);
  expect(planned.pageCount).toBe(1);
  expect(await planned.countSkips()).toEqual({ 'not-html': 2, 'revisit-unresolved': 1 });
  const told: string[] = [];
  for await (const batch of planned.unresolvedRevisits()) told.push(...batch.map(({ url }) => url));
  expect(told).toEqual(['http://a.example/1']);
  planned.close();
});

test('a revisit that no filter leaves out is a page, also when its original was left out', async () => {
  const planned = await plan([
    [
      { ...page(1, 'b.example'), digest: 'sha1:X', skip: 'filtered' },
      { ...page(2), revisit: { payloadDigest: 'sha1:X', url: '', time: '' } },
    ],
  ]);
  expect(await planned.pages(1, 100)).toMatchObject([
    { at: { offset: 0 }, as: { url: 'http://a.example/2' } },
  ]);
  expect(await planned.countSkips()).toEqual({ filtered: 1 });
  planned.close();
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
  test(`snapshot ${rule} groups captures by time`, async () => {
    const rows = days.map((day, n) => ({ ...page(n), time: day === '' ? '' : `${day}T12:00:00Z` }));
    const planned = await plan([rows], { snapshot: rule });
    const groups = await planned.groups(0, 100);
    const counts: Record<string, number> = {};
    for (const { group } of await planned.pages(1, 100)) {
      const { snapshot } = groups[group];
      counts[snapshot] = (counts[snapshot] ?? 0) + 1;
    }
    expect(counts).toEqual(expected);
    planned.close();
  });
}

test('a sample is the smallest URL hashes, one capture per URL, whatever the order', async () => {
  const rows = Array.from({ length: 60 }, (_, n) => ({
    ...page(n % 40),
    time: `2020-01-0${1 + Math.floor(n / 40)}T00:00:00Z`,
  }));
  const sampled = async (inputs: Row[][]) => {
    const planned = await plan(inputs, { sample: 5 });
    const samples = await planned.samples(0, 1);
    expect(await planned.samples(0, 1, await planned.pages(2, 5))).toEqual(samples);
    const urls = samples.map(({ url, time }) => `${url} ${time}`);
    planned.close();
    return urls;
  };
  const urls = await sampled([rows]);
  expect(await sampled([rows.slice(30).reverse(), rows.slice(0, 30)])).toEqual(urls);
  expect(new Set(urls.map((line) => line.split(' ')[0])).size).toBe(urls.length);
  expect(urls.every((line) => line.endsWith('2020-01-01T00:00:00Z'))).toBe(true);
  const hashes = urls.map((line) => urlHash(line.split(' ')[0]));
  expect(hashes).toEqual([...hashes].sort((a, b) => (a < b ? -1 : 1)));
});

test('URLs of one page are one in a sample, and follow each other in time', async () => {
  const visits = Array.from({ length: 12 }, (_, n) => ({
    url: `http://a.example/${n % 4}?PHPSESSID=${String(n).padStart(32, 'a')}`,
    time: `202${Math.floor(n / 4)}-01-01T00:00:00Z`,
  }));
  const shouted = { url: 'http://www.A.example/0', time: '2030-01-01T00:00:00Z' };
  const planned = await plan([[...visits, shouted]]);
  const sample = await planned.samples(0, 1);
  expect(new Set(sample.map(({ url }) => pageKey(url))).size).toBe(4);
  expect(sample).toHaveLength(4);
  for (const { url } of sample) {
    const same = [...visits, shouted].filter((visit) => pageKey(visit.url) === pageKey(url));
    expect(same.every((visit) => urlHash(visit.url) >= urlHash(url))).toBe(true);
  }
  for await (const { urls } of planned.groupSizes()) expect(urls).toBe(4);
  const others = await planned.otherCaptures(1, 14);
  expect(others[5]).toMatchObject({ previous: { page: 1 }, next: { page: 9 } });
  expect(others[9]).toMatchObject({ previous: { page: 5 }, next: { page: 13 } });
  planned.close();
});

test('captures dated before 1970 are planned, and come before later ones', async () => {
  const times = [
    '1969-12-31T23:59:59Z',
    '0001-01-01T00:00:00Z',
    '1970-01-01T00:00:00Z',
    '9999-12-31T23:59:59Z',
  ];
  const rows = times.map((time) => ({ ...page(1), time }));
  const all = await plan([rows]);
  expect((await all.pages(1, 100)).map(({ time }) => time)).toEqual(times);
  expect((await all.samples(0, 1)).map(({ time }) => time)).toEqual([times[1]]);
  all.close();
  const newest = await plan([rows.slice(0, 2)], { captures: 'last' });
  expect((await newest.pages(1, 100)).map(({ time }) => time)).toEqual([times[0]]);
  newest.close();
});

test('a limit keeps the first pages, counts the rest as filtered, and learns from them', async () => {
  const planned = await plan([[page(1), page(2), page(3)]], { limit: 2 });
  expect(planned.pageCount).toBe(2);
  const sizes: number[] = [];
  for await (const { page: number } of planned.pageSizes()) sizes.push(number);
  expect(sizes).toEqual([1, 2]);
  expect(await planned.samples(0, 1)).toHaveLength(3);
  expect(await planned.countSkips()).toEqual({ filtered: 1 });
  planned.close();
});

test('only the newest capture of a URL is planned when asked so, and the others are counted', async () => {
  const rows = (times: string[]) => times.map((time) => ({ ...page(1), time }));
  const planned = await plan(
    [
      [...rows(['2021-01-01T00:00:00Z', '', '2019-01-01T00:00:00Z']), page(2)],
      [page(2), ...rows(['2020-06-01T00:00:00Z'])],
    ],
    { captures: 'last', limit: 2 },
  );
  const pages = await planned.pages(1, 100);
  expect(pages.map(({ url, time, at }) => [url, time, at.file, at.offset])).toEqual([
    ['http://a.example/1', '2021-01-01T00:00:00Z', '0.warc', 0],
    ['http://a.example/2', '2020-01-01T00:00:00Z', '1.warc', 0],
  ]);
  expect(await planned.countSkips()).toEqual({ superseded: 4 });
  planned.close();
});

test('the newest capture of a page is of whichever of its URLs, unless each URL is to have one', async () => {
  const visits = [1, 2, 3].map((n) => ({
    url: `http://a.example/?PHPSESSID=${String(n).padStart(32, 'a')}`,
    time: `202${n % 3}-01-01T00:00:00Z`,
  }));
  const timesOf = async (captures: 'last' | 'last of URL') => {
    const planned = await plan([visits], { captures });
    const pages = await planned.pages(1, 100);
    planned.close();
    return pages.map(({ time }) => time.slice(0, 4)).sort();
  };
  expect(await timesOf('last')).toEqual(['2022']);
  expect(await timesOf('last of URL')).toEqual(['2020', '2021', '2022']);
});

test('no captures make an empty plan', async () => {
  const planned = await plan([[]]);
  expect(planned.pageCount).toBe(0);
  expect(await planned.groups(0, 10)).toEqual([]);
  planned.close();
});

test('a page knows the captures of its URL before and after, across files and snapshots', async () => {
  const made = await plan(
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
  const pages = await made.pages(1, made.pageCount + 1);
  const others = await made.otherCaptures(1, made.pageCount + 1);
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
  // captures of one time are no order, and those of none stand nowhere
  expect(timesOf('http://a.example/y', '2012-01-01T00:00:00Z')).toEqual([undefined, undefined]);
  expect(timesOf('http://a.example/x', '')).toEqual([undefined, undefined]);
  made.close();
});

test('a plan that the memory of the database is too small for is made with more', async () => {
  const captures = Array.from({ length: 20_000 }, (_, n) => page(n, `${n % 7}.example`));
  const planned = await plan([captures], { memoryMb: 4 });
  expect(planned.pageCount).toBe(captures.length);
  planned.close();
});

test('detectors with captures get those up to four captures away, nearest first, and none of the same time', async () => {
  const times = [1, 2, 3, 4, 5, 6, 6].map((day) => `2010-01-0${day}T00:00:00Z`);
  const made = await plan([times.map((time) => ({ url: 'http://a.example/x', time }))], { snapshot: 'all' });
  const others = await made.otherCaptures(1, 8);
  const days = (list: PlannedPage[] | undefined) => list?.map(({ time }) => Number(time.slice(8, 10)));
  expect([days(others[1].earlier), days(others[1].later)]).toEqual([[], [2, 3, 4, 5]]);
  expect(days(others[6].earlier)).toEqual([5, 4, 3, 2]);
  expect(days(others[7].earlier)).toEqual([5, 4, 3]);
  expect(days(others[5].later)).toEqual([6, 6]);
  made.close();
});

test('samples of captures have one of each page first, then a second of each, up to the size of the sample', async () => {
  const captures = ['x', 'y', 'z'].flatMap((name) =>
    [1, 2, 3].map((day) => ({ url: `http://a.example/${name}`, time: `2010-01-0${day}T00:00:00Z` })),
  );
  const made = await plan([captures], { snapshot: 'all' });
  const pages = await made.captureSamples(0, 1);
  expect(pages.length).toBe(9);
  for (const round of [0, 3, 6]) {
    expect(new Set(pages.slice(round, round + 3).map(({ url }) => url)).size).toBe(3);
  }
  // the same pages as those that other detectors learn from, in their order
  const samples = await made.samples(0, 1);
  expect(pages.slice(0, 3).map(({ url }) => url)).toEqual(samples.map(({ url }) => url));
  made.close();
});
