/**
 * The acceptance of `chaff history`: sites with births, deaths, changing slots and a redesign that are written down,
 * and every date, duration, share and magnitude found again, as exactly as the times of the captures allow.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FolderSql } from '../src/store/folder-sql.ts';
import { HISTORY_QUERIES } from '../src/store/history/history-queries.ts';
import { chaff } from './command-line.ts';
import {
  type Block,
  captureOf,
  capturesOf,
  htmlOf,
  magnitude,
  momentOf,
  ownWords,
  plainText,
  type ScriptedSite,
  textOf,
  warcOf,
} from './scripted-history.ts';

const DAY = 86_400;
const folder = mkdtempSync(join(tmpdir(), 'chaff-generated-history-'));
const output = join(folder, 'out');
let sql: FolderSql;

/** Irregular, with a gap of years. */
const CRAWLS = [
  '1999-03-01',
  '1999-11-12',
  '2000-04-05',
  '2004-01-30',
  '2004-06-01',
  '2010-10-10',
  '2011-02-28',
] as const;
const PAGES = 12;

const everywhere = (at: (crawl: number) => string): Block => ({ shared: true, at });
const story = (version: (crawl: number, page: number) => string | number, name = 's'): Block => ({
  shared: false,
  at: (crawl, page) =>
    `<div class="story"><h1>${ownWords(3, 'h', name, page)}</h1><p>${ownWords(30, name, page, version(crawl, page))}</p><a href="/x${name}${page}">${ownWords(1, 'l', name, page)}</a></div>`,
});
const MENU = `<ul id="menu"><li><a href="/home">Home of all</a></li><li><a href="/news">News and more</a></li><li><a href="/about">About this paper</a></li></ul>`;

/** A notice is there at crawls 2 and 3; the footer is another one from crawl 5 on; stories change by page. */
const births: ScriptedSite = {
  host: 'births.example',
  pages: PAGES,
  crawls: CRAWLS,
  blocks: [
    everywhere(() => MENU),
    story((crawl, page) => storyVersion(crawl, page)),
    everywhere((crawl) =>
      crawl === 2 || crawl === 3 ? '<div id="notice"><b>Our servers move to another town soon</b></div>' : '',
    ),
    story(() => 0, 'second'),
    everywhere((crawl) =>
      crawl < 5
        ? '<div id="foot"><i>All rights reserved by the old owner</i></div>'
        : '<div id="foot"><i>Copyright held by the new company</i> <a href="/legal">Imprint</a></div>',
    ),
  ],
};

/** Of every three pages one keeps its story, one changes it once, one twice. */
function storyVersion(crawl: number, page: number): number {
  if (page % 3 === 0) return 0;
  if (page % 3 === 1) return crawl < 3 ? 0 : 1;
  return crawl < 2 ? 0 : crawl < 5 ? 1 : 2;
}

/** A site whose first line has another text at each crawl. */
const slots: ScriptedSite = {
  host: 'slots.example',
  pages: PAGES,
  crawls: CRAWLS,
  blocks: [
    everywhere((crawl) => `<p id="today">Saying number ${'abcdefg'[crawl]} of these seven</p>`),
    story(() => 0),
    everywhere(() => MENU),
  ],
};

/** Everything but the stories is another design, in other words and places, from crawl 4 on. */
const redesign: ScriptedSite = {
  host: 'redesign.example',
  pages: PAGES,
  crawls: CRAWLS,
  blocks: [
    everywhere((crawl) =>
      crawl < 4
        ? `<table class="head" bgcolor="#ffcc00"><tr><td class="logo"><img src="/logo.gif"></td><td class="tabs">${MENU}</td></tr></table>`
        : '<header class="top-bar"><nav class="drawer"><a class="brand" href="/">Entry</a> <a class="item" href="/stories">Stories</a> <a class="item" href="/people">People</a></nav></header>',
    ),
    {
      shared: false,
      at: (crawl, page) =>
        crawl < 4
          ? `<center class="body"><font face="Arial" color="#333333">${ownWords(40, 'r', page)}</font></center>`
          : `<main class="grid"><article class="card"><section class="prose"><p>${ownWords(40, 'r', page)}</p></section></article></main>`,
    },
    everywhere((crawl) =>
      crawl < 4
        ? '<table class="foot"><tr><td>Best viewed at six hundred pixels</td></tr></table>'
        : '<footer class="site-footer"><small>Made by a studio with care</small></footer>',
    ),
  ],
};

const SITES = [births, slots, redesign];

beforeAll(async () => {
  const archive = join(folder, 'history.warc');
  writeFileSync(archive, warcOf(SITES.flatMap(capturesOf)));
  const { code, stderr } = await chaff(['history', archive, '-o', output, '--workers', '0', '-q']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  sql = await FolderSql.open(output);
}, 60_000);

afterAll(() => {
  sql?.close();
  rmSync(folder, { recursive: true, force: true });
});

async function rowsOf<T>(query: string): Promise<T[]> {
  const { columns, rows } = await sql.query(query);
  const all: T[] = [];
  for await (const batch of rows)
    for (const row of batch)
      all.push(
        Object.fromEntries(
          row.map((value, k) => [columns[k].name, columns[k].type === 'BIGINT' ? Number(value) : value]),
        ) as T,
      );
  return all;
}

const middle = (a: number, b: number): number => (a + b) / 2;
/** When page `page` of a site was half-way from the crawl before `crawl` to it. */
const before = (page: number, crawl: number): number =>
  middle(momentOf(births, page, crawl - 1), momentOf(births, page, crawl));

interface LastingValue {
  page: number;
  begins: number;
  ends: number;
  days: number;
}

const lastingValues = (site: ScriptedSite, region: string): Promise<LastingValue[]> =>
  rowsOf(`SELECT regexp_extract(url_key, '[0-9]+$')::INTEGER AS page, begins, ends, days FROM history_values
    WHERE bracketed AND site = '${site.host}' AND region = '${region}' ORDER BY page, begins`);

test('a template that came and went did so half-way between the captures of each page', async () => {
  const found = await lastingValues(births, 'template');
  // the menu with the notice; the menu alone is the first value, and the one with the new footer the last
  expect(found.length).toBe(PAGES);
  for (const { page, begins, ends, days } of found) {
    expect([begins, ends]).toEqual([before(page, 2), before(page, 4)]);
    expect(days).toBeCloseTo((before(page, 4) - before(page, 2)) / DAY, 9);
  }
});

test('of the stories only those that changed twice have a duration, and it is the right one', async () => {
  const found = await lastingValues(births, 'rest');
  expect(found.map(({ page }) => page)).toEqual([2, 5, 8, 11]);
  for (const { page, begins, ends, days } of found) {
    expect([begins, ends]).toEqual([before(page, 2), before(page, 5)]);
    expect(days).toBeCloseTo((before(page, 5) - before(page, 2)) / DAY, 9);
  }
});

test('a slot that changes at each crawl has as many values, and no redesign follows from it', async () => {
  const found = await lastingValues(slots, 'template');
  expect(found.length).toBe(PAGES * (CRAWLS.length - 2));
  expect(await lastingValues(slots, 'rest')).toEqual([]);
});

test('the magnitude of every change is that of the words of the script, with templates and without', async () => {
  const found = await rowsOf<{ url: string; crawl: number; change: number; rest_change: number }>(
    `SELECT url, dense_rank() OVER (PARTITION BY url ORDER BY moment)::INTEGER - 1 AS crawl, change, rest_change
     FROM history_captures JOIN pages USING (page) ORDER BY url, crawl`,
  );
  const expected = SITES.flatMap((site) =>
    capturesOf(site).map((capture) => {
      const { url, crawl, page } = capture;
      if (crawl === 0) return { url, crawl, change: null, rest_change: null };
      const old = captureOf(site, page, crawl - 1);
      const rest = magnitude(textOf(old, false), textOf(capture, false));
      return {
        url,
        crawl,
        change: rounded(magnitude(plainText(old.html), plainText(capture.html))),
        rest_change: rounded(rest),
      };
    }),
  );
  const key = ({ url, crawl }: { url: string; crawl: number }): string => `${url} ${crawl}`;
  const byKey = (a: { url: string; crawl: number }, b: { url: string; crawl: number }): number =>
    key(a) < key(b) ? -1 : 1;
  expect(found.sort(byKey)).toEqual(expected.sort(byKey));
  expect(expected.filter(({ change }) => change !== null && change > 0).length).toBeGreaterThan(50);
});

test('shares of links, HTML and text at every snapshot are those of the script', async () => {
  const kinds = ['links', 'html', 'text'] as const;
  type Shares = Record<(typeof kinds)[number] | `${(typeof kinds)[number]}_pooled`, number>;
  const found = await rowsOf<Shares & { site: string; pages: number }>(HISTORY_QUERIES.snapshots.sql('dom'));
  const measures = {
    links: (html: string) => html.split('<a ').length - 1,
    html: (html: string) => html.length,
    text: (html: string) => plainText(html).length,
  };
  expect(found.length).toBe(SITES.length * CRAWLS.length);
  for (const site of SITES) {
    const own = found.filter((row) => row.site === site.host);
    for (const [crawl, row] of own.entries()) {
      const captures = capturesOf(site).filter((capture) => capture.crawl === crawl);
      expect(row.pages).toBe(PAGES);
      for (const kind of kinds) {
        const sizes = captures.map((capture) => ({
          inside: measures[kind](htmlOf(capture, true)),
          all: measures[kind](capture.html),
        }));
        const sum = (of: 'inside' | 'all') => sizes.reduce((total, size) => total + size[of], 0);
        const shares = sizes.filter(({ all }) => all > 0).map(({ inside, all }) => inside / all);
        const mean = shares.reduce((total, share) => total + share, 0) / shares.length;
        // the white space between blocks is neither the one's nor the other's: one in some hundred bytes
        const most = kind === 'text' ? 0.01 : 1e-9;
        expect(Math.abs(row[kind] - mean)).toBeLessThan(most);
        expect(Math.abs(row[`${kind}_pooled`] - sum('inside') / sum('all'))).toBeLessThan(most);
      }
    }
  }
});

test('templates came and went half-way between the snapshots without them and with them', async () => {
  const lives = await rowsOf<{
    site: string;
    template: string;
    born: number | null;
    died: number | null;
    days: number | null;
  }>(HISTORY_QUERIES.templateLives.sql('dom'));
  const texts = await rowsOf<{ site: string; template: string; text: string }>(
    `SELECT site, template, text FROM templates WHERE detector = 'dom'`,
  );
  const rows = lives.map(({ site, template, born, died, days }) => {
    const known = texts.find((row) => row.site === site && row.template === template);
    return { site, text: plainText(known?.text ?? ''), born, died, days };
  });
  // between the last page of the crawl before and the first of the crawl
  const at = (crawl: number): number =>
    middle(momentOf(births, PAGES - 1, crawl - 1), momentOf(births, 0, crawl));
  const life = (site: ScriptedSite, start: string): object => {
    const found = rows.filter((row) => row.site === site.host && row.text.startsWith(start));
    expect(found.length, start).toBe(1);
    return found[0];
  };
  expect(life(births, 'Home of all')).toMatchObject({ born: null, died: null, days: null });
  expect(life(births, 'Our servers')).toMatchObject({
    born: at(2),
    died: at(4),
    days: (at(4) - at(2)) / DAY,
  });
  expect(life(births, 'All rights')).toMatchObject({ born: null, died: at(5), days: null });
  expect(life(births, 'Copyright held')).toMatchObject({ born: at(5), died: null, days: null });
  expect(rows.filter(({ site }) => site === births.host).length).toBe(4);

  for (let crawl = 1; crawl < CRAWLS.length - 1; crawl++) {
    const lasted = { born: at(crawl), died: at(crawl + 1), days: (at(crawl + 1) - at(crawl)) / DAY };
    expect(life(slots, `Saying number ${'abcdefg'[crawl]}`)).toMatchObject(lasted);
  }
  for (const { site, born, died } of rows.filter((row) => row.site === redesign.host))
    expect([site, [born, died].filter((moment) => moment !== null)]).toEqual([redesign.host, [at(4)]]);
});

/** A row of the queries of redesigns; the tests compare the other columns as a whole. */
interface RedesignRow {
  why: string;
  changed: string;
  confidence: number;
}

test('redesigns and smaller changes are dated between the crawls before and after them, and nothing else is one', async () => {
  const found = await rowsOf<RedesignRow>(HISTORY_QUERIES.redesigns.sql());
  const between = (crawl: number) => ({ since: CRAWLS[crawl - 1], first: CRAWLS[crawl] });
  expect(found.map(({ confidence, changed, ...row }) => row)).toEqual([
    { ...between(4), site: redesign.host, why: 'words layout design', pages: PAGES },
  ]);
  expect(found[0].confidence).toBeGreaterThan(0.9);
  const smaller = await rowsOf<RedesignRow>(HISTORY_QUERIES.smallerChanges.sql());
  expect(smaller.map(({ confidence, changed, ...row }) => row)).toEqual([
    // a notice came, and another footer; that the notice went left no words
    { ...between(2), site: births.host, why: 'words', pages: PAGES },
    { ...between(5), site: births.host, why: 'words', pages: PAGES },
  ]);
  // the shares that changed are given for every reason, and all of the words of a redesign are other ones
  for (const { why, changed } of [...found, ...smaller])
    for (const reason of why.split(' '))
      expect(changed).toMatch(new RegExp(`\\b${reason} (?:0\\.\\d+|1)\\b`));
  expect(found[0].changed).toMatch(/^words 1 /);
});

test('trends are the lines through the shares of the script', async () => {
  const trends = await rowsOf<{ site: string; kind: string; yearly: number }>(
    HISTORY_QUERIES.siteTrends.sql('dom'),
  );
  const links = trends.find(({ site, kind }) => site === births.host && kind === 'links');
  // three links of five in templates until the new footer brings one more
  const shares = CRAWLS.map((_, crawl) => (crawl < 5 ? 3 / 5 : 4 / 6));
  const years = CRAWLS.map((_, crawl) => momentOf(births, (PAGES - 1) / 2, crawl) / (365.25 * DAY));
  expect(links?.yearly).toBeCloseTo(slopeOf(years, shares), 6);
});

function slopeOf(x: number[], y: number[]): number {
  const mean = (values: number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [mx, my] = [mean(x), mean(y)];
  const along = x.reduce((sum, value, k) => sum + (value - mx) * (y[k] - my), 0);
  return along / x.reduce((sum, value) => sum + (value - mx) ** 2, 0);
}

function rounded(value: number): number {
  return Math.round(1e6 * value) / 1e6;
}
