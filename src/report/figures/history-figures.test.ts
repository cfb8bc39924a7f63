import { expect, test } from 'vitest';
import { NO_HISTORY } from '../../../test/history-sample.ts';
import type { History } from '../../store/history/read-history.ts';
import { historyFigures } from './change-history-figures.ts';
import { renderFigure } from './figure.ts';

const seconds = (day: string): number => Date.parse(day) / 1000;
/** What a snapshot has besides its shares. */
const APART = { links_pooled: 0, html_pooled: 0, text_pooled: 0, small: false };
const figure = (history: Partial<History>, id: string) =>
  historyFigures({ ...NO_HISTORY, ...history }).find((each) => each.id === id);

test('every figure of section 6 is there, and says why where nothing can be drawn', () => {
  const figures = historyFigures(NO_HISTORY);
  for (const id of ['table-01', 'table-02', ...[10, 11, 12, 13, 14, 15].map((n) => `figure-${n}`)]) {
    const found = figures.find((each) => each.id === id);
    expect(found?.absent, id).toMatch(/\.$/);
  }
  expect(new Set(figures.map(({ id }) => id)).size).toBe(figures.length);
});

const SNAPSHOT = {
  site: 'a.example',
  snapshot: '1',
  moment: 0,
  pages: 1,
  links: 0,
  html: 0,
  text: 0,
  ...APART,
};

test('a figure without data gives the correct reason', () => {
  for (const id of ['figure-10', 'table-02'])
    expect(figure({}, id)?.absent).toBe('There is no snapshot: no capture is in the history.');
  expect(figure({ snapshots: [SNAPSHOT] }, 'figure-10')?.absent).toMatch(/^There is one snapshot only/);
  // two captures of a page are not history of its texts, but can be compared
  for (const id of ['figure-13', 'figure-14']) expect(figure({}, id)?.absent).toContain('three times');
  expect(figure({}, 'figure-15')?.absent).toMatch(/^No page was captured twice/);
  const magnitudeSummary: History['magnitudeSummary'] = [
    { part: 'whole page', compared: 7, changed: 0, large: null },
    { part: 'without templates', compared: 7, changed: 0, large: null },
  ];
  expect(figure({ magnitudeSummary }, 'figure-15')?.absent).toBe(
    'No capture of a page differs in a word from the one before; 7 were compared.',
  );
  expect(figure({ snapshots: [SNAPSHOT] }, 'figure-16')?.absent).toContain('no site has two snapshots');
  const two = [SNAPSHOT, { ...SNAPSHOT, snapshot: '2' }];
  expect(figure({ snapshots: two }, 'figure-16')?.absent).toBe('No template was seen to come or to go.');
});

test('values shorter than a month give no curve by months, and the figure says so', () => {
  const durations = [{ region: 'rest' as const, days_from: 0, count: 6 }];
  expect(figure({ durations }, 'figure-13')?.absent).toMatch(
    /^What was seen to come and to go did so within a month/,
  );
});

test('one pair, no change and no trend are reported', () => {
  const magnitudes = [{ part: 'whole page' as const, magnitude_from: 0, changes: 1, share: 1 }];
  const magnitudeSummary: History['magnitudeSummary'] = [
    { part: 'whole page', compared: 1, changed: 1, large: 0 },
    { part: 'without templates', compared: 1, changed: 0, large: null },
  ];
  expect(figure({ magnitudes, magnitudeSummary }, 'figure-15')?.sentence).toBe(
    'Whole page: 100\u00a0% of 1 pair differs, 0\u00a0% of these by 65 % and more; without templates: none of 1 pair differs.',
  );
  const trends: History['trends'] = [
    { kind: 'links', points: 2, mean: 0.3, yearly: 0, growth: 0, at_1970: 0.3, r2: 1 },
  ];
  const snapshots = [SNAPSHOT, { ...SNAPSHOT, snapshot: '2', moment: seconds('2001-01-01') }];
  expect(figure({ snapshots, trends }, 'figure-10')?.sentence).toContain(
    '; the trend neither rises nor falls.',
  );
});

const REDESIGNS: History['redesigns'] = [
  {
    site: 'a.example',
    since: '2001-01-01',
    first: '2001-01-03',
    why: 'words',
    confidence: 0.9,
    pages: 9,
    changed: 'words 0.7',
  },
  {
    site: 'b.example',
    since: '2003-01-01',
    first: '2003-01-03',
    why: 'design',
    confidence: 0.6,
    pages: 7,
    changed: '',
  },
];

test('the table of redesigns counts smaller changes, and says where they are not looked for', () => {
  const table = figure({ redesigns: REDESIGNS, smallerChanges: REDESIGNS.slice(1) }, 'table-06');
  expect(table?.columns).toEqual(['site', 'since', 'first', 'why', 'confidence', 'pages', 'changed']);
  expect(table?.sentence).toMatch(
    /^2 redesigns were found\. .* 1 smaller change of templates is in the table/,
  );
  const share = { moment: 0, pages: 1, links: 0, html: 0, text: 0, ...APART };
  const snapshots = ['a', 'a', 'a', 'b', 'b'].map((site, k) => ({ site, snapshot: `${k}`, ...share }));
  expect(figure({ redesigns: REDESIGNS, snapshots }, 'table-06')?.sentence).toMatch(
    /1 site has fewer than three snapshots: .* smaller changes are not looked for there\.$/,
  );
  expect(figure({ snapshots: snapshots.slice(3) }, 'table-06')?.absent).toMatch(
    /^No redesign was found\. 1 site has fewer than three snapshots/,
  );
});

test('snapshots with too few pages are drawn apart or left out, and one without links has no point', () => {
  const trends: History['trends'] = [
    { kind: 'links', points: 2, mean: 0.3, yearly: 0.1, growth: 0.3, at_1970: 0, r2: 1 },
  ];
  const at = (day: string, links: number | null, small = false) => ({
    ...{ ...SNAPSHOT, snapshot: day, moment: seconds(day), links, small },
  });
  const snapshots = [
    at('2000-01-01', 0.2),
    at('2001-01-01', 0.4),
    at('2002-01-01', null),
    at('2003-01-01', 0.9, true),
  ];
  const marked = figure({ snapshots, trends }, 'figure-10');
  expect(marked?.plot?.series.map(({ name, points }) => [name, points.length])).toEqual([
    ['snapshots', 2],
    ['too few pages to learn from', 1],
    ['trend', 2],
  ]);
  expect(marked?.plot?.series[2].points[1][0]).toBe(Date.parse('2001-01-01'));
  expect(marked?.sentence).toMatch(
    /1 snapshot with too few pages .* is drawn apart and no part of the trend\.$/,
  );
  expect(marked?.rows.map((row) => [row[4], row[6]])).toEqual([
    [0.2, ''],
    [0.4, ''],
    ['', ''],
    [0.9, 'small'],
  ]);
  const out = figure({ snapshots, trends, smallSnapshots: 'leave-out' }, 'figure-10');
  expect(out?.plot?.series.map(({ name }) => name)).toEqual(['snapshots', 'trend']);
  expect(out?.sentence).toContain('is left out');
});

test('Tables 1 and 2 show collections side by side, and Table 1 has totals', () => {
  const year = { snapshots: 1, sites: 1, pages: 5, snapshots_per_site: 1 };
  const snapshotYears = [
    { collection: 'popular', year: 2001, ...year },
    { collection: 'popular', year: null, ...year },
    { collection: 'unbiased', year: 2003, ...year, pages: 7 },
    { collection: 'unbiased', year: null, ...year, pages: 7 },
  ];
  const first = figure({ snapshotYears }, 'table-01');
  expect(first?.columns).toEqual([
    'year',
    ...['snapshots', 'sites', 'pages', 'snapshots_per_site'].map((kind) => `popular ${kind}`),
    ...['snapshots', 'sites', 'pages', 'snapshots_per_site'].map((kind) => `unbiased ${kind}`),
  ]);
  expect(first?.rows).toEqual([
    ['2001', 1, 1, 5, 1, 0, 0, 0, 0],
    ['2003', 0, 0, 0, 0, 1, 1, 7, 1],
    ['total', 1, 1, 5, 1, 1, 1, 7, 1],
  ]);
  expect(first?.sentence).toBe(
    'popular: 5 pages in 1 snapshot of 1 site; unbiased: 7 pages in 1 snapshot of 1 site, from 2001 to 2003.',
  );
  const shares = { sites: 2, links: 0.5, html: 0.4, text: null };
  const periods = ['2000–2001', '2002–2004', 'all'].flatMap((period) => [
    { collection: 'popular', period, ...shares },
    ...(period === '2000–2001' ? [] : [{ collection: 'unbiased', period, ...shares, links: 0.25 }]),
  ]);
  const second = figure({ periods }, 'table-02');
  expect(second?.rows[0]).toEqual(['2000–2001', 2, 0.5, 0.4, '', 0, '', '', '']);
  expect(second?.rows[1]).toEqual(['2002–2004', 2, 0.5, 0.4, '', 2, 0.25, 0.4, '']);
  expect(second?.sentence).toContain('unbiased: links – and 25\u00a0%');
});

test('the snapshots name the captures that are left out', () => {
  const leftOut: History['leftOut'] = [
    { why: 'no time', pages: 2, earliest: '', latest: '' },
    { why: 'other year', pages: 1, earliest: '1970-01-01T00:00:00Z', latest: '1970-01-01T00:00:00Z' },
  ];
  const year = { collection: '', snapshots: 1, sites: 1, pages: 5, snapshots_per_site: 1 };
  const years = [
    { ...year, year: 2001 },
    { ...year, year: null },
  ];
  expect(figure({ leftOut, snapshotYears: years }, 'table-01')?.sentence).toBe(
    '5 pages in 1 snapshot of 1 site, of 2001. Left out: 2 without a time, 1 of years not asked for.',
  );
  expect(figure({ leftOut }, 'table-01')?.absent).toContain('Left out: 2 without a time');
});

test('the trend is drawn from the first snapshot to the last, within what a share can be', () => {
  const snapshots = ['2000-01-01', '2010-01-01'].map((day, k) => ({
    site: 'a.example',
    snapshot: day,
    moment: seconds(day),
    pages: 3,
    links: 0.2 + 0.7 * k,
    html: 0,
    text: 0,
    ...APART,
  }));
  const yearly = 0.15; // steeper than the points, so that it leaves the picture
  const at_1970 = 0.2 - (yearly * seconds('2000-01-01')) / 31_557_600;
  const trends: History['trends'] = [
    { kind: 'links', points: 2, mean: 0.55, yearly, growth: 0.27, at_1970, r2: 1 },
  ];
  const drawn = figure({ snapshots, trends }, 'figure-10');
  const [points, line] = drawn?.plot?.series ?? [];
  expect(points).toMatchObject({
    name: 'snapshots',
    points: [[Date.parse('2000-01-01'), 0.2], expect.anything()],
  });
  expect(line.points[0][1]).toBeCloseTo(0.2, 9);
  expect(line.points[1]).toEqual([Date.parse('2010-01-01'), 1]);
  expect(drawn?.sentence).toBe(
    'On average 55\u00a0% of the links of a snapshot’s average page lie inside templates; the trend rises by 15.0 points a year, 27.0 % of the mean.',
  );
});

test('small shares have an axis that shows them, and says where it ends', () => {
  const snapshots = ['2000-01-01', '2010-01-01'].map((day, k) => ({
    site: 'a.example',
    snapshot: day,
    moment: seconds(day),
    pages: 3,
    links: 0.001 + 0.0137 * k,
    html: 0.9,
    text: 0,
    ...APART,
  }));
  const own = { points: 2, mean: 0.01, yearly: null, growth: null, at_1970: null, r2: null };
  const trends: History['trends'] = [
    { kind: 'links', ...own },
    { kind: 'html', ...own },
  ];
  expect(figure({ snapshots, trends }, 'figure-10')?.plot?.y).toMatchObject({
    label: 'share of links inside templates (axis ends at 1.5\u00a0%)',
    to: 0.015,
  });
  expect(figure({ snapshots, trends }, 'figure-11')?.plot?.y).toMatchObject({
    label: 'share of HTML inside templates',
    to: 1,
  });
});

test('several sites have a small plot each, with the name above it, and very many say how many are drawn', () => {
  const drawn = (sites: number) => {
    const snapshots = Array.from({ length: sites }, (_, k) => ({
      ...SNAPSHOT,
      site: `${k}.example`,
      links: 0.5,
    }));
    const trend = { points: 8, mean: 0.5, yearly: 0, growth: 0, at_1970: 0.5, r2: 1 };
    return figure({ snapshots, trends: [{ kind: 'links', ...trend }] }, 'figure-10')!;
  };
  const html = renderFigure(drawn(8));
  expect(html.match(/class="series s0 marks"/g)).toHaveLength(8);
  expect(html).toContain('>7.example</text>');
  expect(html).not.toContain('class="legend"');
  expect(drawn(30).plot?.facets).toHaveLength(24);
  expect(drawn(30).sentence).toContain('Drawn are the 24 sites with the most snapshots, of 30.');
});

test('gain per year is in points and growth in per cent, both with their sign', () => {
  const own = { site: 'a.example', points: 9, mean: 0.1, at_1970: 0, r2: 1, first: 0.1, last: 0.1 };
  const siteTrends: History['siteTrends'] = [
    { ...own, kind: 'links', yearly: null, growth: null },
    { ...own, kind: 'html', yearly: -0.000372, growth: -0.0037 },
    { ...own, kind: 'text', yearly: 0.4038, growth: 4.04 },
  ];
  const html = renderFigure(figure({ siteTrends }, 'table-07')!);
  expect(html).toContain('<th scope="col" class="number">yearly, points</th>');
  expect(html).toContain('<td class="number">−0.04</td><td class="number">−0.37\u00a0%</td>');
  expect(html).toContain('<td class="number">+40.4</td><td class="number">+404\u00a0%</td>');
});

test('snapshots that cover less than a year have no yearly trend, and it is said', () => {
  const none = { points: 2, mean: 0.5, yearly: null, growth: null, at_1970: 0, r2: 1 };
  const snapshots = [SNAPSHOT, { ...SNAPSHOT, snapshot: '2', moment: 73 * 86_400 }];
  const drawn = figure({ snapshots, trends: [{ kind: 'links', ...none }] }, 'figure-10');
  expect(drawn?.plot?.series.map(({ kind }) => kind)).toEqual(['points']);
  expect(drawn?.sentence).toMatch(/; the snapshots cover less than a year, .*\.$/);
  const own = { site: 'a.example', kind: 'links' as const, first: 0.1, last: 0.9 };
  const short = { ...none, ...own };
  expect(figure({ siteTrends: [short] }, 'table-07')?.sentence).toBe(
    '1 site covers less than a year: too short a time for a yearly trend.',
  );
  const long = { ...short, site: 'b.example', yearly: 0.1, growth: 0.2 };
  expect(figure({ siteTrends: [short, long] }, 'table-07')?.sentence).toMatch(
    /grew for links on 1, HTML on 0, text on 0 of 1 site;.* 1 site covers less than a year/,
  );
});

test('sentences begin with a capital letter', () => {
  const durations = { region: 'rest' as const, days_from: 50, count: 3 };
  const durationSummary = [
    { region: 'rest' as const, count: 3, median_days: 60, mean_days: 60, two_years: 0 },
    { region: 'template' as const, count: 1, median_days: 70, mean_days: 70, two_years: 0 },
  ];
  expect(figure({ durations: [durations], durationSummary }, 'figure-14')?.sentence).toBe(
    'The rest: half of 3 lasted 60 days or less, 0\u00a0% two years and more; templates: the only one lasted 70 days.',
  );
  const magnitudes = [{ part: 'whole page' as const, magnitude_from: 0, changes: 1, share: 1 }];
  const magnitudeSummary = [{ part: 'whole page' as const, compared: 2, changed: 1, large: 0 }];
  expect(figure({ magnitudes, magnitudeSummary }, 'figure-15')?.sentence).toMatch(/^Whole page: 50/);
});

test('bars of Figure 14 stay wide enough to be seen, while its file keeps to fifty days', () => {
  const days = Array.from({ length: 219 }, (_, k) => 50 * k);
  const durations = days.map((days_from) => ({ region: 'rest' as const, days_from, count: 1 }));
  const long = figure({ durations }, 'figure-14');
  expect(long?.rows).toHaveLength(219);
  expect(long?.plot).toMatchObject({ binWidth: 200, x: { label: 'duration in days, steps of 200' } });
  const [{ points }] = long!.plot!.series;
  expect(points.slice(0, 2)).toEqual([
    [100, 4],
    [300, 4],
  ]);
  expect(points.reduce((sum, [, count]) => sum + count, 0)).toBe(219);
  const short = figure({ durations: durations.slice(0, 60) }, 'figure-14');
  expect(short?.plot?.binWidth).toBe(50);
});

test('both axes of Figure 15 are in per cent', () => {
  const magnitudes = [{ part: 'whole page' as const, magnitude_from: 0, changes: 1, share: 1 }];
  expect(figure({ magnitudes }, 'figure-15')?.plot).toMatchObject({
    x: { scale: 'share' },
    y: { scale: 'share' },
  });
});

test('births and deaths are counted by day, lives by what was seen whole', () => {
  const life = (template: string, born: number | null, died: number | null) => ({
    site: 'a.example',
    template,
    snapshots: 1,
    born,
    died,
    days: born === null || died === null ? null : (died - born) / 86_400,
  });
  const [one, two] = [seconds('2001-01-01'), seconds('2001-01-11')];
  const lives = [life('x', one, two), life('y', one, null), life('z', null, two), life('w', null, null)];
  const drawn = figure({ templateLives: lives }, 'figure-16');
  expect(drawn?.plot?.series.map(({ name, points }) => [name, points])).toEqual([
    ['came', [[1000 * one, 2]]],
    ['went', [[1000 * two, 2]]],
  ]);
  expect(drawn?.sentence).toContain('the one seen to do both lived 10 days.');
  const both = figure({ templateLives: [...lives, life('v', one, one + 86_400)] }, 'figure-16');
  expect(both?.sentence).toContain('of 2 seen to do both, half lived 6 days or less.');
  expect(drawn?.rows[3]).toEqual(['a.example', 'w', 1, '', '', '']);
});
