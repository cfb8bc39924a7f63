/** Every query of a history on tables small enough to be counted by hand. */
import { beforeAll, expect, test } from 'vitest';
import { Database } from '../database.ts';
import { HISTORY_QUERIES } from './history-queries.ts';

const DAY = 86_400;
const seconds = (time: string): number => Date.parse(time) / 1000;
/** A year of the length that the queries count in. */
const YEAR = 365.25 * DAY;

let database: Database;
const ask = <T = Record<string, unknown>>(name: keyof typeof HISTORY_QUERIES): Promise<T[]> =>
  database.rows<T>(HISTORY_QUERIES[name].sql('dom'));

interface PageRow {
  site: string;
  snapshot: string;
  moment: number;
  /** Links, bytes of HTML and of text; and how many of each lie inside templates. */
  all: [number, number, number];
  inside: [number, number, number];
  /** Templates on it. */
  templates?: string[];
  isLeftOut?: boolean;
}

const T0 = seconds('2000-01-01T00:00:00Z');

/**
 * Site `a` has three snapshots a year apart, with a share of links of 0.2, 0.3, 0.4; site `b` two, four years apart, with 0.5 and
 * 0.9. Shares of HTML are all 0.25, and nothing of the text is template. Large pages of `a` must not weigh more than
 * small ones of `b`.
 */
const PAGES: PageRow[] = [
  {
    site: 'a',
    snapshot: 'a1',
    moment: T0,
    all: [100, 4000, 50],
    inside: [15, 1000, 0],
    templates: ['m', 'x'],
  },
  { site: 'a', snapshot: 'a1', moment: T0, all: [100, 4000, 50], inside: [25, 1000, 0], templates: ['m'] },
  {
    site: 'a',
    snapshot: 'a2',
    moment: T0 + YEAR,
    all: [1000, 8, 9],
    inside: [300, 2, 0],
    templates: ['m', 'y'],
  },
  {
    site: 'a',
    snapshot: 'a3',
    moment: T0 + 2 * YEAR,
    all: [10, 8, 0],
    inside: [4, 2, 0],
    templates: ['m', 'z'],
  },
  { site: 'b', snapshot: 'b1', moment: T0 + 2 * YEAR, all: [2, 4, 7], inside: [1, 1, 0], templates: ['m'] },
  { site: 'b', snapshot: 'b2', moment: T0 + 6 * YEAR, all: [10, 4, 7], inside: [9, 1, 0], templates: ['n'] },
  // without a time, and at a time that does not count
  {
    site: 'a',
    snapshot: 'undated',
    moment: 0,
    all: [1, 1, 1],
    inside: [1, 1, 1],
    templates: ['u'],
    isLeftOut: true,
  },
  {
    site: 'b',
    snapshot: 'b0',
    moment: seconds('1970-01-01T00:00:09Z'),
    all: [1, 1, 1],
    inside: [1, 1, 1],
    isLeftOut: true,
  },
];

interface CaptureRow {
  change: number;
  rest_change: number;
}

/** Changes of pairs of captures, which are compared with page 1. */
const CHANGES: CaptureRow[] = [
  { change: 0, rest_change: 0 },
  { change: 0.1, rest_change: 0.15 },
  { change: 0.149999, rest_change: 0.65 },
  { change: 0.65, rest_change: 1 },
];

/** Bracketed values: region, first day and last day since T0. */
const VALUES: [region: string, begins: number, ends: number][] = [
  ['rest', 10, 20],
  ['rest', 20, 70],
  ['rest', 40, 140],
  ['template', 10, 760],
  ['template', 40, 90],
];

beforeAll(async () => {
  database = await Database.open();
  await database.run(`CREATE TABLE pages (page UINTEGER, site VARCHAR, snapshot VARCHAR, time VARCHAR, links UINTEGER,
    html_bytes UINTEGER, text_bytes UINTEGER, dom_links UINTEGER, dom_html_bytes UINTEGER, dom_text_bytes UINTEGER, url_key VARCHAR, problems VARCHAR)`);
  await database.run(
    'CREATE TABLE ranges (page UINTEGER, detector VARCHAR, label VARCHAR, template VARCHAR)',
  );
  await database.run(`CREATE TABLE history_captures (page UINTEGER, moment BIGINT, previous UINTEGER, change DOUBLE,
    rest_change DOUBLE)`);
  await database.run(
    'CREATE TABLE history_values (region VARCHAR, bracketed BOOLEAN, begins DOUBLE, ends DOUBLE, days DOUBLE)',
  );
  await database.run(`CREATE TABLE history_redesigns (site VARCHAR, since VARCHAR, first VARCHAR, class VARCHAR, why VARCHAR,
    confidence FLOAT, pages UINTEGER, changed VARCHAR)`);
  for (const [k, { site, snapshot, moment, all, inside, templates = [], isLeftOut }] of PAGES.entries()) {
    const time = moment === 0 ? '' : new Date(1000 * moment).toISOString();
    await database.run(
      `INSERT INTO pages VALUES (${k + 1}, '${site}', '${snapshot}', '${time}', ${all.join(', ')}, ${inside.join(', ')}, '/${k + 1}', '')`,
    );
    if (!isLeftOut)
      await database.run(`INSERT INTO history_captures VALUES (${k + 1}, ${moment}, NULL, NULL, NULL)`);
    for (const template of templates)
      await database.run(`INSERT INTO ranges VALUES (${k + 1}, 'dom', 'template', '${template}'),
        (${k + 1}, 'dom', 'content', ''), (${k + 1}, 'text', 'template', 'other')`);
  }
  for (const [region, begins, ends] of VALUES) {
    await database.run(`INSERT INTO history_values VALUES
      ('${region}', true, ${T0 + begins * DAY}, ${T0 + ends * DAY}, ${ends - begins})`);
  }
  // of which the end was not seen
  await database.run(`INSERT INTO history_values VALUES ('rest', false, ${T0}, NULL, NULL)`);
  await database.run(`INSERT INTO history_redesigns VALUES ('b', '2001-01-01', '2001-02-01', 'smaller-change', 'design', 0.125, 9, 'design 0.3'),
    ('a', '2005-01-01', '2005-02-01', 'redesign', 'words layout', 0.75, 7, 'words 0.6 layout 0.8'), ('a', '2001-01-01', '2001-02-01', 'redesign', 'words', 1, 5, '')`);
});

interface Snapshot {
  links: number | null;
  text: number | null;
  links_pooled: number | null;
  text_pooled: number | null;
  pages: number;
  small: boolean;
}

test('the share of a snapshot is that of its average page, and null without text', async () => {
  const rows = await ask('snapshots');
  const shares = (links: number, text: number | null = 0) => ({
    ...{ links, html: 0.25, text, links_pooled: links, html_pooled: 0.25, text_pooled: text, small: false },
  });
  expect(rows).toEqual([
    { site: 'a', snapshot: 'a1', moment: T0, pages: 2, ...shares(0.2) },
    { site: 'a', snapshot: 'a2', moment: T0 + YEAR, pages: 1, ...shares(0.3) },
    { site: 'a', snapshot: 'a3', moment: T0 + 2 * YEAR, pages: 1, ...shares(0.4, null) },
    { site: 'b', snapshot: 'b1', moment: T0 + 2 * YEAR, pages: 1, ...shares(0.5) },
    { site: 'b', snapshot: 'b2', moment: T0 + 6 * YEAR, pages: 1, ...shares(0.9) },
  ]);
});

/** Does something to the tables and takes it back. */
async function meanwhile(work: () => Promise<void>): Promise<void> {
  await database.run('BEGIN');
  try {
    await work();
  } finally {
    await database.run('ROLLBACK');
  }
}

test('long pages weigh more only in the pooled share, and captures of a page count as one', () =>
  meanwhile(async () => {
    // two pages: one with 2 of 2 links, captured twice with 0 of 2 the second time; and one with 0 of 96
    await database.run(`INSERT INTO pages VALUES (90, 'c', 'c1', '', 2, 4, 0, 2, 1, 0, '/p', ''),
      (91, 'c', 'c1', '', 2, 4, 0, 0, 1, 0, '/p', ''), (92, 'c', 'c1', '', 96, 4, 8, 0, 1, 2, '/q', '')`);
    await database.run(
      `INSERT INTO history_captures SELECT page, ${T0}, NULL, NULL, NULL FROM pages WHERE site = 'c'`,
    );
    const [row] = (await ask<Snapshot & { site: string }>('snapshots')).filter(({ site }) => site === 'c');
    // (1 + 0) / 2 of the one page and 0 of the other; only the latter has text
    expect(row).toMatchObject({ pages: 2, links: 0.25, links_pooled: 0.02, text: 0.25, text_pooled: 0.25 });
  }));

test('a snapshot with too few pages to learn from is small, and not in trends and periods', () =>
  meanwhile(async () => {
    await database.run(`UPDATE pages SET problems = 'bad-url too-few-pages' WHERE snapshot = 'b2'`);
    const rows = await ask<Snapshot>('snapshots');
    expect(rows.map(({ small }) => small)).toEqual([false, false, false, false, true]);
    const [links] = await ask<{ points: number; mean: number }>('trends');
    expect(links.points).toBe(4);
    expect(links.mean).toBeCloseTo(0.35, 12);
    const periods = await ask<{ period: string; sites: number; links: number }>('periods');
    expect(periods.at(-1)).toMatchObject({ period: 'all', sites: 2, links: 0.4 });
    // a detector that judges each page alone needs no other
    expect(HISTORY_QUERIES.snapshots.sql('page')).not.toContain('too-few-pages');
  }));

test('Tables 1 and 2 are by collection, and Table 2 has the chosen periods', () =>
  meanwhile(async () => {
    await database.run(`CREATE TABLE collections AS
      FROM (VALUES ('a', 'large'), ('b', 'all'), ('a', 'all')) AS rows(site, collection)`);
    const options = {
      collections: true,
      periods: [
        { fromYear: 2000, toYear: 2001 },
        { fromYear: 2005, toYear: 2005 },
      ],
    };
    const years = await database.rows(HISTORY_QUERIES.snapshotYears.sql('dom', undefined, options));
    expect(years).toEqual([
      { collection: 'all', year: 2000, snapshots: 2, sites: 1, pages: 3, snapshots_per_site: 2 },
      { collection: 'all', year: 2001, snapshots: 2, sites: 2, pages: 2, snapshots_per_site: 1 },
      { collection: 'all', year: 2005, snapshots: 1, sites: 1, pages: 1, snapshots_per_site: 1 },
      { collection: 'all', year: null, snapshots: 5, sites: 2, pages: 6, snapshots_per_site: 2.5 },
      { collection: 'large', year: 2000, snapshots: 2, sites: 1, pages: 3, snapshots_per_site: 2 },
      { collection: 'large', year: 2001, snapshots: 1, sites: 1, pages: 1, snapshots_per_site: 1 },
      { collection: 'large', year: null, snapshots: 3, sites: 1, pages: 4, snapshots_per_site: 3 },
    ]);
    const periods = await database.rows<{ collection: string; period: string; sites: number; links: number }>(
      HISTORY_QUERIES.periods.sql('dom', undefined, options),
    );
    // a: 0.2, 0.3, 0.4 in 2000 and 2001; b: 0.5 in 2001, 0.9 in 2005
    const rows = periods.map(({ collection, period, sites, links }) => [
      `${collection} ${period}`,
      sites,
      Number(links.toFixed(9)),
    ]);
    expect(rows).toEqual([
      ['all 2000–2001', 2, 0.4],
      ['all 2005', 1, 0.9],
      ['all all', 2, 0.5],
      ['large 2000–2001', 1, 0.3],
      ['large all', 1, 0.3],
    ]);
  }));

test('Table 1 counts snapshots, sites and pages by their year in UTC', async () => {
  // years of 365.25 days from 1 January 2000 on end at 31 December 2000, 06:00, and so on
  expect(await ask('snapshotYears')).toEqual([
    { collection: '', year: 2000, snapshots: 2, sites: 1, pages: 3, snapshots_per_site: 2 },
    { collection: '', year: 2001, snapshots: 2, sites: 2, pages: 2, snapshots_per_site: 1 },
    { collection: '', year: 2005, snapshots: 1, sites: 1, pages: 1, snapshots_per_site: 1 },
    { collection: '', year: null, snapshots: 5, sites: 2, pages: 6, snapshots_per_site: 2.5 },
  ]);
});

test('a trend is the line through all snapshots', async () => {
  const rows = await ask<{ kind: string; mean: number; yearly: number; growth: number; r2: number }>(
    'trends',
  );
  expect(rows.map(({ kind }) => kind)).toEqual(['links', 'html', 'text']);
  const [links, html, text] = rows;
  // years 0 1 2 2 6, mean 2.2; shares .2 .3 .4 .5 .9, mean .46: 20.8 square years, 2.44 share-years
  const slope = 2.44 / 20.8;
  expect(links).toMatchObject({ points: 5 });
  expect(links.mean).toBeCloseTo(0.46, 12);
  expect(links.yearly).toBeCloseTo(slope, 9);
  expect(links.growth).toBeCloseTo(slope / 0.46, 9);
  expect(html.yearly).toBeCloseTo(0, 9);
  expect(text).toMatchObject({ mean: 0, growth: null });
});

test('a site’s own trend is the line through its snapshots', async () => {
  const rows = await ask<{
    site: string;
    kind: string;
    yearly: number;
    growth: number;
    first: number;
    last: number;
  }>('siteTrends');
  const links = rows.filter(({ kind }) => kind === 'links');
  expect(links.map(({ site, first, last }) => [site, first, last])).toEqual([
    ['a', 0.2, 0.4],
    ['b', 0.5, 0.9],
  ]);
  expect(links[0].yearly).toBeCloseTo(0.1, 9);
  expect(links[0].growth).toBeCloseTo(0.1 / 0.3, 9);
  expect(links[1].yearly).toBeCloseTo(0.1, 9);
});

test('snapshots that cover less than a year have no yearly trend', async () => {
  await database.run('BEGIN');
  try {
    // six years become seven months
    await database.run(`UPDATE history_captures SET moment = ${T0} + (moment - ${T0}) // 10`);
    for (const name of ['trends', 'siteTrends'] as const) {
      const [links] = await ask(name);
      expect(links, name).toMatchObject({ kind: 'links', yearly: null, growth: null });
      expect(links.mean, name).toBeGreaterThan(0);
    }
  } finally {
    await database.run('ROLLBACK');
  }
});

test('Table 2 counts every site once, whatever its size and number of snapshots', async () => {
  const rows = await ask<{ period: string; sites: number; links: number; html: number; text: number }>(
    'periods',
  );
  // half-way from 2000 to 2005 is nearest to the end of 2002, before which a has .2 .3 .4 and b .5
  expect(rows.map(({ period, sites }) => [period, sites])).toEqual([
    ['before 2003', 2],
    ['from 2003', 1],
    ['all', 2],
  ]);
  expect(rows[0].links).toBeCloseTo((0.3 + 0.5) / 2, 12);
  expect(rows[1].links).toBeCloseTo(0.9, 12);
  expect(rows[2].links).toBeCloseTo((0.3 + 0.7) / 2, 12);
  expect(rows.map(({ html, text }) => [html, text])).toEqual([
    [0.25, 0],
    [0.25, 0],
    [0.25, 0],
  ]);
});

test('the average duration at a time is over the values of that time', async () => {
  const rows = await ask<{ moment: number; region: string; days: number; active: number }>(
    'durationsOverTime',
  );
  const at = (region: string, day: string) =>
    rows.find((row) => row.region === region && row.moment === seconds(`${day}T00:00:00Z`));
  // 1 February is day 31, 1 March day 60, 1 April day 91
  expect(at('rest', '2000-01-01')).toBeUndefined();
  expect(at('rest', '2000-02-01')).toMatchObject({ days: 50, active: 1 });
  expect(at('rest', '2000-03-01')).toMatchObject({ days: 75, active: 2 });
  expect(at('rest', '2000-04-01')).toMatchObject({ days: 100, active: 1 });
  expect(at('rest', '2000-06-01')).toBeUndefined();
  expect(at('template', '2000-03-01')).toMatchObject({ days: 400, active: 2 });
  expect(at('template', '2000-04-01')).toMatchObject({ days: 750, active: 1 });
  expect(rows.filter(({ region }) => region === 'template').length).toBe(24); // from 2000-02 to 2002-01
});

test('the histogram counts in steps of fifty days', async () => {
  expect(await ask('durations')).toEqual([
    { region: 'rest', days_from: 0, count: 1 },
    { region: 'rest', days_from: 50, count: 1 },
    { region: 'rest', days_from: 100, count: 1 },
    { region: 'template', days_from: 50, count: 1 },
    { region: 'template', days_from: 750, count: 1 },
  ]);
  const [rest, template] = await ask<{ mean_days: number }>('durationSummary');
  expect(rest).toMatchObject({ region: 'rest', count: 3, median_days: 50, two_years: 0 });
  expect(rest.mean_days).toBeCloseTo(160 / 3, 9);
  expect(template).toEqual({
    region: 'template',
    count: 2,
    median_days: 400,
    mean_days: 400,
    two_years: 0.5,
  });
});

test('magnitudes of change are in steps of a twentieth, without captures that did not change', async () => {
  await withChanges(async () => {
    expect(await ask('magnitudes')).toEqual([
      { part: 'whole page', magnitude_from: 0.1, changes: 2, share: 2 / 3 },
      { part: 'whole page', magnitude_from: 0.65, changes: 1, share: 1 / 3 },
      { part: 'without templates', magnitude_from: 0.15, changes: 1, share: 1 / 3 },
      { part: 'without templates', magnitude_from: 0.65, changes: 1, share: 1 / 3 },
      { part: 'without templates', magnitude_from: 0.95, changes: 1, share: 1 / 3 },
    ]);
    expect(await ask('magnitudeSummary')).toEqual([
      { part: 'whole page', compared: 4, changed: 3, large: 1 / 3 },
      { part: 'without templates', compared: 4, changed: 3, large: 2 / 3 },
    ]);
  });
});

/** With captures that were compared, which other tests would count. */
async function withChanges(run: () => Promise<void>): Promise<void> {
  for (const { change, rest_change } of CHANGES)
    await database.run(`INSERT INTO history_captures VALUES (999, 0, 1, ${change}, ${rest_change})`);
  await run();
  await database.run('DELETE FROM history_captures WHERE page = 999');
}

test('a template begins and ends half-way between snapshots, unless it is in the first or last', async () => {
  expect(await ask('templateLives')).toEqual([
    { site: 'a', template: 'y', snapshots: 1, born: T0 + 0.5 * YEAR, died: T0 + 1.5 * YEAR, days: 365.25 },
    { site: 'a', template: 'z', snapshots: 1, born: T0 + 1.5 * YEAR, died: null, days: null },
    { site: 'a', template: 'x', snapshots: 1, born: null, died: T0 + 0.5 * YEAR, days: null },
    { site: 'a', template: 'm', snapshots: 3, born: null, died: null, days: null },
    { site: 'b', template: 'n', snapshots: 1, born: T0 + 4 * YEAR, died: null, days: null },
    { site: 'b', template: 'm', snapshots: 1, born: null, died: T0 + 4 * YEAR, days: null },
  ]);
});

test('redesigns are ordered by site and date', async () => {
  const [first, second] = [
    { since: '2001-01-01', first: '2001-02-01' },
    { since: '2005-01-01', first: '2005-02-01' },
  ];
  expect(await ask('redesigns')).toEqual([
    { site: 'a', ...first, why: 'words', confidence: 1, pages: 5, changed: '' },
    {
      site: 'a',
      ...second,
      why: 'words layout',
      confidence: 0.75,
      pages: 7,
      changed: 'words 0.6 layout 0.8',
    },
  ]);
  expect(await ask('smallerChanges')).toEqual([
    { site: 'b', ...first, why: 'design', confidence: 0.13, pages: 9, changed: 'design 0.3' },
  ]);
});

test('pages that the history leaves out are counted by reason', async () => {
  expect(await ask('leftOut')).toMatchObject([
    { why: 'no time', pages: 1, earliest: '' },
    { why: 'other year', pages: 1, earliest: '1970-01-01T00:00:09.000Z' },
  ]);
  await database.run(
    `INSERT INTO pages VALUES (77, 'a', 'a1', '2000-01-01T00:00:00Z', 1, 1, 1, 1, 1, 1, '/77', '')`,
  );
  expect((await ask<{ why: string }>('leftOut')).map(({ why }) => why)).toEqual([
    'no time',
    'other year',
    'same moment',
  ]);
  await database.run('DELETE FROM pages WHERE page = 77');
});

test('years and months are in UTC, whatever the time zone of the machine', async () => {
  const before = {
    years: await ask('snapshotYears'),
    months: await ask('durationsOverTime'),
    periods: await ask('periods'),
  };
  try {
    await database.run(`SET TimeZone = 'Pacific/Honolulu'`);
  } catch {
    return; // a database built without zones knows UTC alone
  }
  expect({
    years: await ask('snapshotYears'),
    months: await ask('durationsOverTime'),
    periods: await ask('periods'),
  }).toEqual(before);
});
