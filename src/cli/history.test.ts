import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { chaff, rowsOf } from '../../test/command-line.ts';
import { warcRecord } from '../../test/sample-archives.ts';
import {
  capturesOf,
  isoTime,
  ownWords,
  type ScriptedCapture,
  type ScriptedSite,
  warcOf,
} from '../../test/scripted-history.ts';
import { DONE, WRONG_USAGE } from './context.ts';

const folder = mkdtempSync(join(tmpdir(), 'chaff-history-command-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let archives = 0;

function archiveOf(bytes: Uint8Array): string {
  const path = join(folder, `${archives++}.warc`);
  writeFileSync(path, bytes);
  return path;
}

async function historyOf(inputs: string[], ...args: string[]) {
  const output = join(folder, `${archives++}.history`);
  const result = await chaff(['history', ...inputs, '-o', output, '--workers', '0', ...args]);
  const ask = async <T>(query: string): Promise<T[]> =>
    rowsOf(await chaff(['sql', output, query, '--format', 'jsonl'])) as T[];
  return { ...result, output, ask };
}

/** Six pages with a menu and a footer, the footer another one at each crawl. */
const site = (crawls: string[]): ScriptedSite => ({
  host: 'paper.example',
  pages: 6,
  crawls,
  blocks: [
    { shared: true, at: () => '<ul><li>Home page</li><li>News of today</li><li>About us</li></ul>' },
    { shared: false, at: (crawl, page) => `<p>${ownWords(40, 's', page, Math.min(crawl, 2))}</p>` },
    { shared: true, at: (crawl) => `<div><i>Footer as of version ${'abcdefgh'[crawl]} here</i></div>` },
  ],
});

const THREE = site(['2001-01-01', '2002-01-01', '2003-01-01']);

test('the terminal shows shares, redesigns and where the report is', async () => {
  const { code, stderr, output } = await historyOf([archiveOf(warcOf(capturesOf(THREE)))]);
  expect(code).toBe(DONE);
  expect(stderr).toContain(
    'share of an average page inside templates by dom, at the first and the last snapshot',
  );
  expect(stderr).toMatch(/paper\.example +3 +2001-01-01 – 2003-01-01/);
  expect(stderr).toContain('no redesign was found');
  expect(stderr).not.toContain('not in the history');
  expect(stderr).toContain(join(output, 'report.html'));
  expect(readdirSync(join(output, 'history')).sort()).toEqual([
    'captures.parquet',
    'redesigns.parquet',
    'values.parquet',
  ]);
});

/** The site with a new menu at the fourth crawl. */
const renewed = (crawls: string[]): ScriptedSite => {
  const menu: ScriptedSite['blocks'][0] = {
    shared: true,
    at: (crawl) =>
      `<ul><li>${crawl < 3 ? 'Home page' : 'Start over'}</li><li>News</li><li>About us</li></ul>`,
  };
  return { ...site(crawls), blocks: [menu, ...site(crawls).blocks.slice(1)] };
};

const FOUR = renewed(['2001-01-01', '2002-01-01', '2003-01-01', '2004-01-01']);

test('smaller changes are counted, and the sites with too few snapshots for them', async () => {
  const young = { ...site(FOUR.crawls.slice(0, 2)), host: 'young.example' };
  const { code, stderr, ask } = await historyOf([
    archiveOf(warcOf([...capturesOf(FOUR), ...capturesOf(young)])),
  ]);
  expect(code).toBe(DONE);
  expect(stderr).toContain('no redesign was found\n1 smaller change of templates: -v lists them');
  expect(stderr).toContain('1 site has fewer than three snapshots: what it usually changes is not known');
  expect(await ask('SELECT site, class FROM history_redesigns')).toEqual([
    { site: 'paper.example', class: 'smaller-change' },
  ]);
});

test('a page that every visit has another URL of is one page for templates, shares and redesigns', async () => {
  const visits = capturesOf(FOUR).flatMap((capture) =>
    Array.from({ length: 3 }, (_, visit) => ({ ...capture, moment: capture.moment + visit })),
  );
  const session = (k: number) => k.toString(16).padStart(32, '0');
  const tablesOf = async (urlOf: (url: string, k: number) => string) => {
    const captures = visits.map((capture, k) => ({ ...capture, url: urlOf(capture.url, k) }));
    const { ask } = await historyOf([archiveOf(warcOf(captures))], '-q');
    return {
      templates: await ask('SELECT * FROM templates ORDER BY detector, template'),
      shares: await ask('SELECT page, dom_text_share, dom_html_share FROM pages ORDER BY page'),
      redesigns: await ask<{ class: string }>('FROM history_redesigns'),
    };
  };
  const plain = await tablesOf((url) => url);
  expect(plain.templates).not.toEqual([]);
  expect(plain.redesigns.map((row) => row.class)).toEqual(['smaller-change']);
  expect(await tablesOf((url, k) => `${url}?PHPSESSID=${session(k)}`)).toEqual(plain);
  expect(await tablesOf((url, k) => (k % 3 === 0 ? url.replace('http://', 'https://WWW.') : url))).toEqual(
    plain,
  );
});

test('one capture per URL: the report says what a history needs', async () => {
  const { code, output, ask } = await historyOf([archiveOf(warcOf(capturesOf(site(['2001-01-01']))))], '-q');
  expect(code).toBe(DONE);
  expect(await ask('SELECT count(*)::INTEGER AS n FROM history_captures WHERE previous IS NULL')).toEqual([
    { n: 6 },
  ]);
  expect(await ask('SELECT count(*)::INTEGER AS n FROM history_values WHERE bracketed')).toEqual([{ n: 0 }]);
  const report = readFileSync(join(output, 'report.html'), 'utf8');
  expect(report).toContain('that takes a page captured at least three times');
  expect(report).toContain('No page was captured twice');
  expect(report).toContain('nothing to compare it with');
});

test('captures out of order in the archive are put in order', async () => {
  const [ordered, reversed] = [capturesOf(THREE), capturesOf(THREE).reverse()];
  const query = `SELECT url, region, begins, ends, days, bracketed FROM history_values v JOIN pages p
    ON p.site = v.site AND p.time = strftime(make_timestamp(first_moment * 1000000), '%Y-%m-%dT%H:%M:%SZ') ORDER BY ALL`;
  const rows = await (await historyOf([archiveOf(warcOf(ordered))], '-q')).ask(query);
  expect(rows.length).toBe(36);
  expect(await (await historyOf([archiveOf(warcOf(reversed))], '-q')).ask(query)).toEqual(rows);
});

/** A capture like the first of the site, with some of it changed. */
function odd(change: Partial<ScriptedCapture> & { time?: string }): Buffer {
  const { url, moment, html } = { ...capturesOf(THREE)[0], ...change };
  return warcRecord({ url, html, time: change.time ?? isoTime(moment) });
}

test('captures of one page at one moment are reported, and one of them counts', async () => {
  const twice = Buffer.concat([warcOf(capturesOf(THREE)), odd({ html: '<p>Something else altogether</p>' })]);
  const { code, stderr, ask } = await historyOf([archiveOf(twice)]);
  expect(code).toBe(DONE);
  expect(stderr).toContain('not in the history: 1 at the moment of another capture of the page\n');
  expect(await ask('SELECT count(*)::INTEGER AS n FROM history_captures')).toEqual([{ n: 18 }]);
});

test('captures before 1996, in the future and of other years are reported and left out', async () => {
  const bytes = Buffer.concat([
    warcOf(capturesOf(THREE)),
    odd({ time: '1970-01-01T00:00:00Z' }),
    odd({ time: '1995-12-31T23:59:59Z' }),
    odd({ time: '2999-01-01T00:00:00Z' }),
  ]);
  const archive = archiveOf(bytes);
  const { code, stderr, ask } = await historyOf([archive]);
  // snapshots of one page each, which is too little to learn from: a note
  expect(code).toBe(DONE);
  expect(stderr).toContain('not in the history: 3 of years not asked for\n');
  expect(await ask('SELECT count(*)::INTEGER AS n FROM pages')).toEqual([{ n: 21 }]);
  expect(
    await ask(`SELECT min(time) AS first, max(time) AS last FROM history_captures JOIN pages USING (page)`),
  ).toEqual([{ first: '2001-01-01T00:00:00Z', last: '2003-01-01T05:00:00Z' }]);

  const narrow = await historyOf([archive], '--from-year', '2002', '--to-year', '2002');
  expect(narrow.stderr).toContain('not in the history: 15 of years not asked for\n');
  expect(narrow.stderr).toMatch(/paper\.example +1 +2002-01-01 – 2002-01-01/);

  const none = await historyOf([archive], '--from-year', '2010', '--to-year', '2012');
  expect(none.stderr).toContain('no capture has a time within the years asked for');
  expect(none.stderr).toContain('not in the history: 21 of years not asked for');
});

test('redesigns are those of the captures in the years asked for, whatever else there is', async () => {
  const redesignsOf = async (captures: ScriptedCapture[], ...args: string[]) => {
    const { ask } = await historyOf([archiveOf(warcOf(captures))], '-q', ...args);
    return ask<{ since: string; first: string }>('FROM history_redesigns ORDER BY first');
  };
  const within = capturesOf(FOUR);
  const redesigns = await redesignsOf(within);
  expect(redesigns).toMatchObject([{ since: '2003-01-01', first: '2004-01-01', class: 'smaller-change' }]);
  // the same pages with another template, at times that cannot be
  const other: ScriptedSite = {
    ...FOUR,
    crawls: ['1969-12-31', '1990-01-01', '9999-06-01'],
    blocks: [
      { shared: true, at: (crawl) => `<h1>${ownWords(30, 't', crawl)}</h1>` },
      ...FOUR.blocks.slice(1, 2),
    ],
  };
  expect(await redesignsOf([...within, ...capturesOf(other)])).toEqual(redesigns);
  const later = capturesOf({ ...other, crawls: ['2001-01-01', '2005-01-01', '2006-01-01'] });
  const all = [...within, ...later.filter(({ crawl }) => crawl > 0)];
  expect((await redesignsOf(all)).length).toBeGreaterThan(1);
  expect(await redesignsOf(all, '--to-year', '2004')).toEqual(redesigns);
});

test('captures with an impossible time are reported and left out', async () => {
  const bytes = Buffer.concat([warcOf(capturesOf(THREE)), odd({ time: '2001-02-30T00:00:00Z' })]);
  const { stderr } = await historyOf([archiveOf(bytes)]);
  expect(stderr).toContain('not in the history: 1 without a time\n');
});

test('years without a capture are not snapshots', async () => {
  const crawls = ['2001-01-01', '2004-01-01', '2020-01-01'];
  const { ask } = await historyOf([archiveOf(warcOf(capturesOf(site(crawls))))], '-q');
  expect(
    await ask(
      `SELECT snapshot, count(*)::INTEGER AS n FROM history_captures JOIN pages USING (page) GROUP BY ALL ORDER BY 1`,
    ),
  ).toEqual(crawls.map((snapshot) => ({ snapshot, n: 6 })));
});

test('URLs that differ only by session id or case are one page', async () => {
  const session = (k: number): string => String(k).repeat(26);
  const captures = capturesOf(THREE).map((capture) => ({
    ...capture,
    url: [
      capture.url,
      `${capture.url}?PHPSESSID=${session(capture.crawl)}`,
      capture.url.replace('page', 'Page'),
    ][capture.crawl],
  }));
  const { ask } = await historyOf([archiveOf(warcOf(captures))], '-q');
  expect(
    await ask(
      'SELECT count(DISTINCT url_key)::INTEGER AS pages, count(previous)::INTEGER AS compared FROM history_captures',
    ),
  ).toEqual([{ pages: 6, compared: 12 }]);
});

test('an archive without pages makes no history', async () => {
  const { code, stderr } = await historyOf([
    archiveOf(warcRecord({ type: 'request', block: 'GET / HTTP/1.1\r\n\r\n' })),
  ]);
  expect(code).toBe(1);
  expect(stderr).toContain('no pages: the input holds no captures');
});

test('wrong years are refused with what was expected', async () => {
  const archive = archiveOf(warcOf(capturesOf(THREE)));
  for (const year of ['99', '20001', 'soon', '-2000', '2000.5', '']) {
    const { code, stderr } = await historyOf([archive], `--from-year=${year}`);
    expect(code, year).toBe(WRONG_USAGE);
    expect(stderr, year).toContain('It must be a year of four digits');
  }
  const turned = await historyOf([archive], '--from-year', '2005', '--to-year', '2001');
  expect(turned).toMatchObject({ code: WRONG_USAGE, stdout: '' });
  expect(turned.stderr).toContain('--from-year 2005 is after --to-year 2001');
});

test('Table 2 has the periods asked for, and shows collections of the file side by side', async () => {
  const groups = join(folder, 'groups.csv');
  writeFileSync(groups, 'site,category,collection\npaper.example,News,popular\n');
  const options = ['-q', '--categories', groups, '--periods', '2001,2002-2003'];
  const { code, output } = await historyOf([archiveOf(warcOf(capturesOf(THREE)))], ...options);
  expect(code).toBe(DONE);
  const linesOf = (file: string) =>
    readFileSync(join(output, 'figures', file), 'utf8')
      .trim()
      .split(/\r?\n/);
  const [head, ...rows] = linesOf('table-02-periods.csv');
  expect(head).toBe('period,popular sites,popular links,popular html,popular text');
  expect(rows.map((row) => row.split(',')[0])).toEqual(['2001', '2002–2003', 'all']);
  expect(linesOf('table-01-snapshot-years.csv').at(-1)).toBe('total,3,1,18,3');
  expect(linesOf('table-08-category-periods.csv')[1]).toMatch(/^News,2001,1,/);
  const wrong = await historyOf([archiveOf(warcOf([]))], '--periods', '2003-2001');
  expect(wrong.stderr).toContain('It must be periods of years, such as 1996-2001,2002-2004');
});
