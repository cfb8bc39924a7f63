import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { chaff, rowsOf } from '../../test/command-line.ts';
import { readTruth } from '../../test/read-truth.ts';
import { warcRecord } from '../../test/sample-archives.ts';
import { writeSampleArchive } from '../research/generated-sites/write-archive.ts';
import type { ChangeRow } from '../store/change-rows.ts';

const folder = mkdtempSync(join(tmpdir(), 'chaff-changes-'));
const at = (name: string) => join(folder, name);
const inline = ['--workers', '0', '-q'];
let archive = '';
let rows: ChangeRow[] = [];
/** Day on which the second template generation was first captured. */
let redesignDay = '9999';

beforeAll(async () => {
  const sample = await writeSampleArchive(folder, {
    sites: 1,
    pagesPerSite: 40,
    languages: ['en'],
    charsets: 'utf-8',
    generations: 2,
    captures: 2,
  });
  archive = sample.warc;
  for await (const { generation, time } of readTruth(sample.truth)) {
    if (generation === 1 && time < redesignDay) redesignDay = time.slice(0, 10);
  }
  rows = await changesOf(archive);
}, 60_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function changesOf(path: string, ...args: string[]): Promise<ChangeRow[]> {
  return rowsOf(await chaff(['changes', path, '--format', 'jsonl', ...inline, ...args])) as never;
}

interface Capture {
  url?: string;
  time?: string;
  html: string;
}

function warc(name: string, captures: Capture[]): string {
  writeFileSync(at(name), Buffer.concat(captures.map((capture) => warcRecord(capture))));
  return at(name);
}

/** A site of ten pages with texts of their own. */
function crawl(time: string, change: (body: string, page: number) => string = (body) => body): Capture[] {
  return Array.from({ length: 10 }, (_, page) => {
    const words = Array.from({ length: 30 }, (_, k) => `word${page * 100 + k}`).join(' ');
    const body = `<ul id="menu"><li>Home</li><li>News</li><li>About our paper</li></ul>
      <article><h1>Title of ${page}</h1><p>${words}</p></article>
      <p id="footer">All rights reserved by the Herald</p>`;
    return { url: `http://example.com/${page}`, time, html: `<body>${change(body, page)}</body>` };
  });
}

const FIRST = '2016-01-02T03:04:05Z';
const SECOND = '2017-03-02T03:04:05Z';

test('the redesign is found at the day of the new template, and no other', () => {
  const redesigns = rows.filter((row) => row.class === 'redesign');
  expect(redesigns).toMatchObject([{ site: 'en1.example', first: redesignDay, pages: 40, compared: 40 }]);
  expect(redesigns[0].since < redesignDay).toBe(true);
  expect(redesigns[0].newTemplateShare).toBeGreaterThan(0.5);
  expect(redesigns[0].layoutSimilarity).toBeLessThan(0.5);
  expect(redesigns[0].designKept).toBeLessThan(0.1);
  expect(redesigns[0].why).toMatch(/^words (layout )?design( links)?$/);
  expect(redesigns[0].confidence).toBeGreaterThan(0.5);
});

/** A crawl under other URLs, in a design of its own: the classes and files of `theme`. */
function themed(time: string, folder: string, theme: string): Capture[] {
  return crawl(time, (body) =>
    body
      .replace(
        '<ul id="menu">',
        `<link rel="stylesheet" href="/a/${theme}.css"><ul class="${theme}-nav ${theme}-top">`,
      )
      .replace('<article>', `<article class="${theme}-main">`)
      .replace('<p id="footer">', `<p class="${theme}-foot">`),
  ).map((capture) => ({ ...capture, url: capture.url!.replace('.com/', `.com/${folder}/`) }));
}

test('a redesign that left no URL is found by its design, and its row says what was measured', async () => {
  const path = warc('moved.warc', [...themed(FIRST, 'old', 'plain'), ...themed(SECOND, 'new', 'fancy')]);
  expect(await changesOf(path)).toEqual([
    {
      class: 'redesign',
      site: 'example.com',
      snapshot: '2017-03-02',
      since: '2016-01-02',
      first: '2017-03-02',
      last: '2017-03-02',
      pages: 10,
      compared: 0,
      designKept: 0,
      why: 'design',
      confidence: 1,
    },
  ]);
  const { stdout, stderr } = await chaff(['changes', path, '--workers', '0']);
  expect(stdout).toContain('redesign  0 % of the design was kept (confidence 1.00)');
  expect(stderr).toContain('only designs could be compared');
});

test('captures of a page are compared though each visit has another URL of it', async () => {
  const second = crawl(SECOND, (body) => body.replace('by the Herald', 'by the Tribune'));
  const plain = await changesOf(warc('no-visits.warc', [...crawl(FIRST), ...second]));
  expect(plain.map(({ class: name, pages, compared }) => [name, pages, compared])).toEqual([
    ['template', 10, 10],
  ]);
  const visits = [...crawl(FIRST), ...second].map((capture, k) => ({
    ...capture,
    url: `${capture.url}?PHPSESSID=${k.toString(16).padStart(32, '0')}`,
  }));
  const found = await changesOf(warc('visits.warc', visits));
  expect(found.map((row) => ({ ...row, url: row.url?.replace(/\?.*/, '') }))).toEqual(plain);
});

const THIRD = '2018-05-02T03:04:05Z';

test('a part of the template that is new, where it was quiet before, is a smaller change, listed when asked for', async () => {
  const renewed = crawl(THIRD, (body) => body.replace('by the Herald', 'for Tribune readers'));
  const path = warc('part.warc', [...crawl(FIRST), ...crawl(SECOND), ...renewed]);
  const { stdout, stderr } = await chaff(['changes', path, '--only', 'smaller-change', '--workers', '0']);
  expect(stdout.split('\n').slice(1)).toEqual([
    '  2018-05-02 (10 pages compared, since 2017-03-02)',
    "    smaller   change of the template: 27 % of the template's words are new, layouts are 100 % alike",
    '',
  ]);
  expect(stderr).not.toContain('fewer than three snapshots');
  const folded = (await chaff(['changes', path, '--workers', '0'])).stdout;
  expect(folded).not.toContain('smaller   ');
  expect(folded).toContain('  1 smaller change of the template is not listed (2018-05-02); -v lists it\n');
  expect((await chaff(['changes', path, '-v', '--workers', '0'])).stdout).toContain(
    '    smaller   change of',
  );
  expect((await chaff(['changes', path, '--only', 'redesign', '--workers', '0'])).stdout).toBe('');
});

test('two snapshots are too few for smaller changes, and a message says so when they were requested', async () => {
  const renewed = crawl(SECOND, (body) => body.replace('by the Herald', 'for Tribune readers'));
  const path = warc('two-snapshots.warc', [...crawl(FIRST), ...renewed]);
  const { stdout, stderr } = await chaff(['changes', path, '--only', 'smaller-change', '--workers', '0']);
  expect(stdout).toBe('');
  expect(stderr).toContain(
    'chaff: 1 site has fewer than three snapshots: what it usually changes is not known, so smaller changes are not looked for there\n',
  );
  for (const args of [['-q'], ['--only', 'template']])
    expect((await chaff(['changes', path, ...args, '--workers', '0'])).stderr).not.toContain(
      'fewer than three',
    );
});

test('other URLs in the same design are not a redesign', async () => {
  const path = warc('more.warc', [...themed(FIRST, 'old', 'plain'), ...themed(SECOND, 'new', 'plain')]);
  expect(await changesOf(path)).toEqual([]);
});

test('a redesign that left texts and URLs as they were is found by its design', async () => {
  const path = warc('same-texts.warc', [...themed(FIRST, 'x', 'plain'), ...themed(SECOND, 'x', 'fancy')]);
  expect(await changesOf(path)).toMatchObject([
    {
      class: 'redesign',
      compared: 10,
      newTemplateShare: 0,
      designKept: 0,
      why: expect.stringMatching(/design$/),
    },
  ]);
});

test('too few pages or too few values in common say nothing about a design', async () => {
  const few = warc('few.warc', [
    ...themed(FIRST, 'old', 'plain').slice(0, 4),
    ...themed(SECOND, 'new', 'fancy').slice(0, 4),
  ]);
  expect(await changesOf(few)).toEqual([]);
  const bare = (captures: Capture[]) =>
    captures.map((capture) => ({ ...capture, html: capture.html.replace(/<link[^>]*>|<ul[^>]*>/g, '') }));
  const poor = warc('poor.warc', [
    ...bare(themed(FIRST, 'old', 'plain')),
    ...bare(themed(SECOND, 'new', 'fancy')),
  ]);
  expect(await changesOf(poor)).toEqual([]);
});

test('a change of the menu is one row for all pages', () => {
  const menu = rows.filter(
    (row) => row.class === 'template' && row.snapshot !== redesignDay && row.pages === 40,
  );
  expect(menu.length).toBeGreaterThanOrEqual(2);
  const places = menu.map(({ snapshot, place, new: text, old }) => `${snapshot} ${place} ${old} ${text}`);
  expect(new Set(places).size).toBe(menu.length);
});

test('dates and counters are slots, a row for each place', () => {
  const slots = rows.filter(
    (row) => row.class === 'slot' && row.snapshot !== redesignDay && row.pages === 40,
  );
  expect(slots.filter((row) => /^Visitors: \d+$/.test(row.new!))).toHaveLength(2);
  expect(slots.filter((row) => /^\w+ \d+, \d{4}$/.test(row.new!))).toHaveLength(2);
  expect(rows.some((row) => row.class === 'content' && /Visitors: \d/.test(`${row.old}${row.new}`))).toBe(
    false,
  );
});

test('rows come by site, date, class and pages', () => {
  const order = ['redesign', 'template', 'slot', 'content'];
  const keys = rows.map(
    (row) => `${row.snapshot} ${order.indexOf(row.class)} ${String(1e6 - row.pages).padStart(7, '0')}`,
  );
  expect(keys).toEqual([...keys].sort());
});

test('a footer that changed everywhere is one row with its date, pages, place and both texts', async () => {
  const changed = crawl(SECOND, (body) => body.replace('Herald', 'Tribune'));
  expect(await changesOf(warc('footer.warc', [...crawl(FIRST), ...changed]))).toEqual([
    {
      class: 'template',
      site: 'example.com',
      snapshot: '2017-03-02',
      since: '2016-01-02',
      first: '2017-03-02',
      last: '2017-03-02',
      pages: 10,
      compared: 10,
      kind: 'changed',
      place: 'html > body > p#footer',
      old: 'All rights reserved by the Herald',
      new: 'All rights reserved by the Tribune',
      newWords: 1,
      lostWords: 1,
      url: 'http://example.com/0',
      time: SECOND,
    },
  ]);
});

test('an article that was rewritten is content, with its URL and its words', async () => {
  const changed = crawl(SECOND, (body, page) =>
    page === 3 ? body.replace(/word310.*word319/, 'no more') : body,
  );
  expect(await changesOf(warc('edit.warc', [...crawl(FIRST), ...changed]))).toMatchObject([
    { class: 'content', url: 'http://example.com/3', kind: 'changed', blocks: 1, newWords: 2, lostWords: 10 },
  ]);
});

test('the table has a line for each row under its site and date', async () => {
  const changed = crawl(SECOND, (body, page) =>
    body
      .replace('<li>News</li>', '')
      .replace('</p></article>', page === 3 ? ' and more</p></article>' : '$&'),
  );
  const { stdout } = await chaff(['changes', warc('table.warc', [...crawl(FIRST), ...changed]), ...inline]);
  expect(stdout.split('\n').map((line) => line.replace(/ +/g, ' ').trim())).toEqual([
    'example.com',
    '2017-03-02 (10 pages compared, since 2016-01-02)',
    'template on 10 of 10 pages removed body > ul#menu > li: − “News”',
    expect.stringMatching(/^content \+2 −0 words http:\/\/example\.com\/3: “word300 .*…” → “word300 .*…”$/),
    '',
  ]);
});

test('--only lists the classes that were asked for', async () => {
  const only = await changesOf(archive, '--only', 'redesign,slot');
  expect(only).toEqual(rows.filter((row) => row.class === 'redesign' || row.class === 'slot'));
});

test('-o writes a file', async () => {
  const args = ['changes', archive, '--only', 'redesign', '--format', 'csv', '-o', at('changes.csv')];
  expect((await chaff([...args, ...inline])).stdout).toBe('');
  const [header, row, ...rest] = readFileSync(at('changes.csv'), 'utf8').trim().split('\n');
  expect(header).toMatch(/^class,site,snapshot,since,first,last,pages,compared,kind,place,old,new,/);
  expect(row).toMatch(/^redesign,en1\.example,/);
  expect(rest).toEqual([]);
});

test('with one capture of each URL there is nothing to compare, and that is said', async () => {
  const { code, stdout, stderr } = await chaff(['changes', warc('one.warc', crawl(FIRST)), '--workers', '0']);
  expect([code, stdout]).toEqual([0, '']);
  expect(stderr).toContain('no URL was captured at two times: there is nothing to compare');
  expect(stderr).toContain('captures read 10 = 10 labelled + 0 skipped');
});

test('captures of one time have no order: nothing changed', async () => {
  const same = warc('same.warc', [
    ...crawl(FIRST),
    ...crawl(FIRST, (body) => body.replace('Herald', 'Tribune')),
  ]);
  expect(await changesOf(same)).toEqual([]);
});

test('captures out of order are compared by their times', async () => {
  const [old, young] = [crawl(FIRST), crawl(SECOND, (body) => body.replace('Herald', 'Tribune'))];
  const ordered = await changesOf(warc('ordered.warc', [...old, ...young]));
  const mixed = await changesOf(warc('mixed.warc', [...young.slice(5), ...old, ...young.slice(0, 5)]));
  expect(mixed.map(({ url: _u, ...row }) => row)).toEqual(ordered.map(({ url: _u, ...row }) => row));
});

test.each(['1991-08-06T00:00:00Z', '1970-01-01T00:00:00Z', '9999-12-31T23:59:59Z'])(
  'a capture of %s is a capture like any other',
  async (time) => {
    const changed = crawl(time, (body) => body.replace('Herald', 'Tribune'));
    const [row, ...rest] = await changesOf(warc('odd-time.warc', [...crawl(FIRST), ...changed]));
    expect(rest).toEqual([]);
    expect(row).toMatchObject({ class: 'template', pages: 10, kind: 'changed' });
  },
);

test('captures without a time are labelled and compared with nothing', async () => {
  const undated = crawl('', (body) => body.replace('Herald', 'Tribune'));
  const { stdout, stderr } = await chaff([
    'changes',
    warc('undated.warc', [...crawl(FIRST), ...undated]),
    '--workers',
    '0',
  ]);
  expect(stdout).toBe('');
  expect(stderr).toContain('nothing to compare');
});

test('URLs that differ only by case are one page, as in a history', async () => {
  const upper = crawl(SECOND, (body) => body.replace('Herald', 'Tribune')).map((capture) => ({
    ...capture,
    url: capture.url!.replace('example.com/', 'example.com/A'),
  }));
  const lower = crawl(FIRST).map((capture) => ({
    ...capture,
    url: capture.url!.replace('example.com/', 'example.com/a'),
  }));
  expect(await changesOf(warc('case.warc', [...lower, ...upper]))).toMatchObject([
    { class: 'template', pages: 10, compared: 10 },
  ]);
});

test('fewer pages than a site needs make no redesign and no template', async () => {
  const two = (time: string, word: string) =>
    [1, 2].map((page) => ({ url: `http://example.com/${page}`, time, html: `<p>${word} ${word}s</p>` }));
  const found = await changesOf(warc('two.warc', [...two(FIRST, 'old'), ...two(SECOND, 'new')]));
  expect(found.map((row) => row.class)).toEqual(['content', 'content']);
});

test('what pages say does no harm to a screen or a spreadsheet', async () => {
  const evil = crawl(SECOND, (body, page) =>
    page === 1 ? body.replace(/<p>.*<\/p>/, '<p>=cmd() \u202egnp.exe \u009b31m &#27;[2J</p>') : body,
  );
  const path = warc('evil.warc', [...crawl(FIRST), ...evil]);
  for (const format of ['table', 'csv']) {
    const { stdout } = await chaff(['changes', path, '--format', format, ...inline]);
    expect(stdout).toContain('cmd()');
    expect(stdout).not.toMatch(/[\u202e\u009b\u001b]/);
    if (format === 'csv') expect(stdout).not.toMatch(/,"?=cmd/);
  }
});

test('a damaged input is a problem, which the exit code reports', async () => {
  const whole = readFileSync(warc('whole.warc', [...crawl(FIRST), ...crawl(SECOND)]));
  writeFileSync(at('cut.warc'), whole.subarray(0, -30));
  expect((await chaff(['changes', at('cut.warc'), ...inline])).code).toBe(3);
  expect((await chaff(['changes', at('cut.warc'), '--strict', ...inline])).code).toBe(1);
});

test.each([
  [['changes', 'x.warc', '--only', 'footer'], /redesign,smaller-change,template,slot,content/],
  [['changes', 'x.warc', '--format', 'xml'], /table, jsonl, csv/],
  [['changes'], /missing required argument/],
])('wrong usage %j is refused with what was expected', async (args, message) => {
  const { code, stderr } = await chaff(args);
  expect(code).toBe(2);
  expect(stderr).toMatch(message);
});
