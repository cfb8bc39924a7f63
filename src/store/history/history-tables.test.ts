import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { pageKey } from '../../model/page-key.ts';
import { ChangePart } from '../change-part.ts';
import { Database } from '../database.ts';
import { DesignPart } from '../design-part.ts';
import { FIRST_HISTORY_YEAR, writeHistory } from './history-tables.ts';
import { ValuePart } from './value-part.ts';

const root = mkdtempSync(join(tmpdir(), 'chaff-history-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** A capture by what it says: one letter is a word, and what is inside templates is in upper case. */
interface Capture {
  url?: string;
  site?: string;
  /** A day, a moment, or empty. */
  time: string;
  says: string;
}

interface CaptureRow {
  page: number;
  url_key: string;
  moment: number;
  words: number;
  rest_words: number;
  previous: number | null;
  days: number | null;
  change: number | null;
  rest_change: number | null;
}

interface ValueRow {
  url_key: string;
  region: string;
  value: string;
  captures: number;
  bracketed: boolean;
  begins: number | null;
  ends: number | null;
  days: number | null;
}

let folders = 0;

async function historyOf(
  captures: Capture[],
  { fromYear = FIRST_HISTORY_YEAR, toYear = 2026, tasks = 1 } = {},
): Promise<{ captures: CaptureRow[]; values: ValueRow[] }> {
  const database = await Database.open();
  await database.run('CREATE TABLE pages (page UINTEGER, site VARCHAR, time VARCHAR)');
  const target = join(root, String(folders++));
  const parts: { draft: string; part: ValuePart }[] = [];
  for (let task = 0; task < tasks; task++) {
    const draft = join(target, `task-${task}`);
    mkdirSync(draft, { recursive: true });
    new ChangePart({ draft }).close();
    new DesignPart({ draft }).close();
    parts.push({ draft, part: new ValuePart({ draft }) });
  }
  for (const [k, { url = 'http://a.example/', site = 'a.example', time, says }] of captures.entries()) {
    const full = time.length === 10 ? `${time}T00:00:00Z` : time;
    await database.run(`INSERT INTO pages VALUES (${k + 1}, '${site}', '${full}')`);
    const template = says.replace(/[^A-Z]/g, '');
    const rest = says.replace(/[^a-z]/g, '');
    const restWords = wordsOf(rest);
    const words = wordsOf(template + rest);
    parts[k % tasks].part.add(k + 1, pageKey(url), { template, rest, words, restWords });
  }
  for (const { part } of parts) part.close();
  await writeHistory(database, {
    folders: parts.map(({ draft }) => draft),
    fromYear,
    toYear,
    draft: target,
    target,
  });
  const read = <T>(name: string, order: string): Promise<T[]> =>
    database.rows<T>(`FROM '${join(target, `${name}.parquet`)}' ORDER BY ${order}`);
  const found = {
    captures: await read<CaptureRow>('captures', 'page'),
    values: await read<ValueRow>('values', 'site, url_key, region, first_moment'),
  };
  database.close();
  return found;
}

function wordsOf(letters: string): Uint32Array {
  return Uint32Array.from(new Set(letters), (letter) => letter.charCodeAt(0)).sort();
}

const day = (text: string): number => Date.parse(text) / 1000;

/** The values of one region as `value: begin – end, days`, or what is not known of it. */
function textsOf(values: ValueRow[], region: string): string[] {
  const date = (moment: number | null): string =>
    moment === null ? '?' : new Date(1000 * moment).toISOString().replace('T00:00:00.000Z', '').slice(0, 16);
  return values
    .filter((row) => row.region === region)
    .map(({ value, begins, ends, bracketed, days }) => {
      expect(bracketed).toBe(days !== null);
      return `${value === '' ? 'nothing' : value}: ${date(begins)} – ${date(ends)}, ${days ?? '?'}`;
    });
}

test('a bracketed value begins and ends half-way between captures', async () => {
  const { values } = await historyOf([
    { time: '2000-01-01', says: 'M a' },
    { time: '2000-01-11', says: 'N a' },
    { time: '2000-01-21', says: 'N b' },
    { time: '2000-02-10', says: 'O c' },
  ]);
  // half-way from 1 to 11 January, and from 21 January to 10 February
  expect(textsOf(values, 'template')).toEqual([
    'M: ? – 2000-01-06, ?',
    'N: 2000-01-06 – 2000-01-31, 25',
    'O: 2000-01-31 – ?, ?',
  ]);
  expect(textsOf(values, 'rest')).toEqual([
    'a: ? – 2000-01-16, ?',
    'b: 2000-01-16 – 2000-01-31, 15',
    'c: 2000-01-31 – ?, ?',
  ]);
});

test('the duration is half the time between the captures before and after that between its own', async () => {
  const { values } = await historyOf([
    { time: '2000-01-01T00:00:00Z', says: 'a' },
    { time: '2000-01-02T12:00:00Z', says: 'b' },
    { time: '2000-01-02T18:00:01Z', says: 'c' },
  ]);
  const b = values.find(({ value }) => value === 'b');
  expect(b).toMatchObject({
    begins: (day('2000-01-01T00:00:00Z') + day('2000-01-02T12:00:00Z')) / 2,
    ends: (day('2000-01-02T12:00:00Z') + day('2000-01-02T18:00:01Z')) / 2,
  });
  expect(b?.days).toBeCloseTo((1.5 + 0.25 + 1 / 86_400) / 2, 12);
});

test('a value equal to the first or to the last is not bracketed, wherever it stands', async () => {
  const { values } = await historyOf(
    [...'abacdc'].map((says, k) => ({ time: `2000-01-${String(10 + 2 * k)}`, says })),
  );
  expect(values.filter(({ bracketed }) => bracketed).map(({ value }) => value)).toEqual(['b', 'd']);
});

test('a value that comes back between others is two values', async () => {
  const { values } = await historyOf(
    [...'abcbd'].map((says, k) => ({ time: `2000-01-${String(10 + 2 * k)}`, says })),
  );
  expect(textsOf(values, 'rest')).toEqual([
    'a: ? – 2000-01-11, ?',
    'b: 2000-01-11 – 2000-01-13, 2',
    'c: 2000-01-13 – 2000-01-15, 2',
    'b: 2000-01-15 – 2000-01-17, 2',
    'd: 2000-01-17 – ?, ?',
  ]);
});

test('an empty value between two templates ends one and begins the other, and is not bracketed', async () => {
  const { values } = await historyOf([
    { time: '2000-01-01', says: 'A' },
    { time: '2000-01-03', says: 'B' },
    { time: '2000-01-05', says: 'b' },
    { time: '2000-01-07', says: 'C' },
    { time: '2000-01-09', says: 'D' },
  ]);
  expect(textsOf(values, 'template')).toEqual([
    'A: ? – 2000-01-02, ?',
    'B: 2000-01-02 – 2000-01-04, 2',
    'nothing: 2000-01-04 – 2000-01-06, ?',
    'C: 2000-01-06 – 2000-01-08, 2',
    'D: 2000-01-08 – ?, ?',
  ]);
});

test('one capture has no change', async () => {
  const { captures, values } = await historyOf([{ time: '2000-01-01', says: 'M a' }]);
  expect(captures).toMatchObject([{ page: 1, previous: null, days: null, change: null, rest_change: null }]);
  expect(textsOf(values, 'template')).toEqual(['M: ? – ?, ?']);
  expect(textsOf(values, 'rest')).toEqual(['a: ? – ?, ?']);
});

test('captures are compared with the one before in time, whatever their order in the archive', async () => {
  const { captures } = await historyOf([
    { time: '2000-03-01', says: 'MN ab' },
    { time: '2000-01-01', says: 'MN cdef' },
    { time: '2000-02-01', says: 'MN abcd' },
  ]);
  expect(captures).toMatchObject([
    // {M N a b} and {M N a b c d}: 1 − 8/10; without templates 1 − 4/6
    { page: 1, previous: 3, days: 29, change: 0.2, rest_change: 0.333333 },
    { page: 2, previous: null, days: null, change: null, rest_change: null },
    // {M N a b c d} and {M N c d e f}: 1 − 8/12; without templates 1 − 4/8
    { page: 3, previous: 2, days: 31, change: 0.333333, rest_change: 0.5 },
  ]);
});

test('each page, site and region has its own history', async () => {
  const { captures, values } = await historyOf([
    { url: 'http://a.example/1', time: '2000-01-01', says: 'a' },
    { url: 'http://a.example/2', time: '2000-01-02', says: 'b' },
    { url: 'http://a.example/1', site: 'group 2', time: '2000-01-03', says: 'c' },
  ]);
  expect(captures.map(({ previous }) => previous)).toEqual([null, null, null]);
  expect(values.every(({ bracketed }) => !bracketed)).toBe(true);
});

test('of several captures at one moment the first in page order counts', async () => {
  const { captures, values } = await historyOf([
    { time: '2000-01-01', says: 'a' },
    { time: '2000-01-03', says: 'b' },
    { time: '2000-01-03', says: 'x' },
    { time: '2000-01-05', says: 'c' },
  ]);
  expect(captures.map(({ page, previous }) => [page, previous])).toEqual([
    [1, null],
    [2, 1],
    [4, 2],
  ]);
  expect(textsOf(values, 'rest')[1]).toBe('b: 2000-01-02 – 2000-01-04, 2');
});

test('captures without a time and of other years are left out, those of the first and last year are kept', async () => {
  const times = [
    '',
    '1970-01-01',
    '1995-12-31',
    '1996-01-01',
    '2010-06-01',
    '2026-12-31',
    '2027-01-01',
    '9999-01-01',
  ];
  const list = times.map((time, k) => ({ time, says: 'abcdefgh'[k] }));
  const kept = async (years?: { fromYear?: number; toYear?: number }) =>
    (await historyOf(list, years)).captures.map(({ page }) => times[page - 1]);
  expect(await kept()).toEqual(['1996-01-01', '2010-06-01', '2026-12-31']);
  expect(await kept({ fromYear: 2010, toYear: 2010 })).toEqual(['2010-06-01']);
  expect(await kept({ fromYear: 2011, toYear: 2012 })).toEqual([]);
  expect(await kept({ fromYear: 1000, toYear: 9999 })).toEqual(times.slice(1));
});

test('years without a capture only increase the time between two captures', async () => {
  const { captures, values } = await historyOf([
    { time: '2000-01-01', says: 'a' },
    { time: '2004-01-01', says: 'b' },
    { time: '2020-01-01', says: 'c' },
  ]);
  expect(captures.map(({ days }) => days)).toEqual([null, 1461, 5844]);
  expect(textsOf(values, 'rest')[1]).toBe(`b: 2001-12-31T12:00 – 2012-01-01, ${(1461 + 5844) / 2}`);
});

test('URLs that differ by case, session, www, scheme or port are one page', async () => {
  const urls = [
    'http://a.example/News/list.php?id=1',
    'http://www.a.example/news/List.php?id=1&PHPSESSID=0123456789abcdef0123456789abcdef',
    'https://a.example:443/news/list.php?PHPSESSID=fedcba9876543210fedcba9876543210&id=1',
    'http://a.example/news/list.php?id=2',
  ];
  const { captures } = await historyOf(urls.map((url, k) => ({ url, time: `2000-01-0${k + 1}`, says: 'a' })));
  expect(captures.map(({ previous }) => previous)).toEqual([null, 1, 2, null]);
});

test('the tables are the same however many tasks the captures were labelled in', async () => {
  const list = [...'abacabadabacaba'].map((says, k) => ({
    url: `http://a.example/${k % 3}`,
    time: `20${String(10 + k)}-01-01`,
    says: `${says.toUpperCase()} x${says}`,
  }));
  const one = await historyOf(list);
  expect(one.captures.filter(({ previous }) => previous !== null).length).toBe(12);
  expect(await historyOf(list, { tasks: 4 })).toEqual(one);
});
