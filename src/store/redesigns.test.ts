import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { SIGNATURE_COMPONENTS } from '../study/capture.ts';
import { ChangePart } from './change-part.ts';
import { type ChangeRow, readChanges } from './change-rows.ts';
import { Database } from './database.ts';
import { DesignPart } from './design-part.ts';
import { countFewSnapshots } from './redesigns.ts';

const root = mkdtempSync(join(tmpdir(), 'chaff-redesigns-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** A snapshot of a site: what its pages have, and how they differ from what their URLs had before. */
interface Snapshot {
  /** Numbers of the URLs; @default 0 to 9. */
  urls?: number[];
  /** Design values of each page; @default 1 to 40. */
  values?: (url: number) => number[];
  /** Of 100 words of the template, those that are new. */
  newWords?: number;
  /** Share of the layout that is another. */
  layout?: number;
}

const URLS = Array.from({ length: 10 }, (_, url) => url);
const upTo = (count: number, from = 1) => Array.from({ length: count }, (_, k) => from + k);
/** The values 1 to 40, of which some are others. */
const exchanged = (count: number) => () => [...upTo(40 - count, 1 + count), ...upTo(count, 100)];

let folders = 0;

/** A folder as a task leaves it; snapshots are a year apart. */
function folderOf(snapshots: Snapshot[]): string {
  const draft = join(root, String(folders++));
  mkdirSync(draft);
  const designs = new DesignPart({ draft });
  const changes = new ChangePart({ draft });
  const captured = snapshots.map(({ urls = URLS }) => urls);
  const timeOf = (group: number) => `${2001 + group}-01-01T00:00:00Z`;
  for (const [
    group,
    { urls = URLS, values = () => upTo(40), newWords = 0, layout = 0 },
  ] of snapshots.entries()) {
    for (const url of urls) {
      const previous = captured.findLastIndex((own, at) => at < group && own.includes(url));
      const next = captured.findIndex((own, at) => at > group && own.includes(url));
      const page = { site: 'example.com', snapshot: timeOf(group).slice(0, 10), time: timeOf(group) };
      const others = { previousGroup: indexOrNone(previous), nextGroup: indexOrNone(next) };
      designs.add({ ...page, group, ...others }, values(url));
      if (previous < 0) continue;
      const compared = { ...page, page: 100 * group + url, url: `/${url}`, previousTime: timeOf(previous) };
      changes.add(compared, {
        changes: [],
        lostWords: 0,
        templateWords: 100,
        newTemplateWords: newWords,
        contentWords: 50,
        newContentWords: 0,
        layoutComponents: Math.round((1 - layout) * SIGNATURE_COMPONENTS),
      });
    }
  }
  designs.close();
  changes.close();
  return draft;
}

function indexOrNone(index: number): number | undefined {
  return index < 0 ? undefined : index;
}

async function redesignsOf(snapshots: Snapshot[]): Promise<ChangeRow[]> {
  const database = await Database.open();
  const rows: ChangeRow[] = [];
  const folder = folderOf(snapshots);
  for await (const row of readChanges(database, { folders: [folder], only: ['redesign'] })) rows.push(row);
  database.close();
  return rows;
}

const QUIET: Snapshot[] = upTo(6).map(() => ({ newWords: 3 }));
const withStep = (at: number, step: Snapshot, of = QUIET) => of.toSpliced(at, 1, { ...of[at], ...step });
/** The value that a step brings stays. */
const from = (at: number, values: Snapshot['values']) =>
  QUIET.map((one, k) => (k < at ? one : { ...one, values }));

test('a site that changes as much as always is not redesigned, however much that is', async () => {
  expect(await redesignsOf(QUIET)).toEqual([]);
  const busy = upTo(6).map((k) => ({ newWords: 30 + k, layout: 0.4, values: () => upTo(40, 10 * k) }));
  expect(await redesignsOf(busy)).toEqual([]);
});

test('words beyond what is usual are the redesign of a part, and its row says what was measured', async () => {
  expect(await redesignsOf(withStep(3, { newWords: 13 }))).toEqual([
    {
      class: 'redesign',
      site: 'example.com',
      snapshot: '2004-01-01',
      since: '2003-01-01',
      first: '2004-01-01',
      last: '2004-01-01',
      pages: 10,
      compared: 10,
      kind: null,
      place: null,
      old: null,
      new: null,
      blocks: null,
      newWords: 130,
      lostWords: 0,
      size: 'part',
      newTemplateShare: 0.13,
      layoutSimilarity: 1,
      designKept: 1,
      why: 'words',
      // at its line by words, nothing by layout and design
      confidence: 0.17,
      url: null,
      time: null,
    },
  ]);
  expect(await redesignsOf(withStep(3, { newWords: 12 }))).toEqual([]);
});

test('layouts and designs tell of a part likewise', async () => {
  const layout = await redesignsOf(withStep(2, { layout: 0.25 }));
  expect(layout).toMatchObject([{ snapshot: '2003-01-01', size: 'part', why: 'layout' }]);
  const design = await redesignsOf(from(2, exchanged(3)));
  expect(design).toMatchObject([{ snapshot: '2003-01-01', size: 'part', why: 'design', designKept: 0.86 }]);
});

test('a value more or less is no redesign, though a site with few values changes by much', async () => {
  const poor = (count: number) =>
    QUIET.map((one, k) => ({ ...one, values: () => upTo(k < 3 ? count : count - 2) }));
  // two of ten values went
  expect(await redesignsOf(poor(10))).toEqual([]);
  const three = QUIET.map((one, k) => ({ ...one, values: () => upTo(k < 3 ? 10 : 7) }));
  expect(await redesignsOf(three)).toMatchObject([{ snapshot: '2004-01-01', size: 'part', designKept: 0.7 }]);
});

test('what a site does now and then must be exceeded by three times the spread', async () => {
  // shares of 0 to 20 %: median 10, spread 5
  const restless = [0, 0, 5, 10, 15, 20, 10].map((newWords) => ({ newWords }));
  expect(await redesignsOf([...restless, { newWords: 32 }])).toEqual([]);
  expect(await redesignsOf([...restless, { newWords: 33 }])).toMatchObject([{ why: 'words', size: 'part' }]);
});

test('several parts are found each at its date, while most steps are quiet', async () => {
  const busy = withStep(2, { newWords: 25 }, withStep(4, { newWords: 25 }, [...QUIET, ...QUIET]));
  expect((await redesignsOf(busy)).map(({ snapshot, size }) => [snapshot, size])).toEqual([
    ['2003-01-01', 'part'],
    ['2005-01-01', 'part'],
  ]);
});

test('a whole redesign is one, and not what is usual', async () => {
  const both = withStep(2, { newWords: 90 }, withStep(3, { newWords: 20 }, QUIET.slice(0, 5)));
  expect((await redesignsOf(both)).map(({ snapshot, size }) => [snapshot, size])).toEqual([
    ['2003-01-01', 'whole'],
    ['2004-01-01', 'part'],
  ]);
});

test('confidence is the same thing for both sizes: 0.5 at the lines, 1 when nothing is left', async () => {
  const all = { newWords: 50, layout: 0.75 };
  const [whole] = await redesignsOf(withStep(3, { ...all, newWords: 51 }, from(3, exchanged(10))));
  expect(whole).toMatchObject({ size: 'whole', why: 'words', designKept: 0.6, confidence: 0.5 });
  // 3 + 10 % of the words and a tenth of the layout are at the lines, two of 40 values exchanged a little beyond
  const [part] = await redesignsOf(withStep(3, { newWords: 13, layout: 0.1 }, from(3, exchanged(2))));
  expect(part).toMatchObject({ size: 'part', confidence: 0.51 });
});

test('another mix of pages is no redesign of a part', async () => {
  // half of the pages are of another kind, which has a third of its values for itself: 0.71 of the design is kept
  const kinds = (url: number) => [...upTo(20), ...upTo(10, url < 10 ? 100 : 200)];
  const mixed = [0, 0, 5, 5, 0, 0].map((shift) => ({
    urls: upTo(10, shift),
    values: kinds,
    newWords: 3,
  }));
  expect(await redesignsOf(mixed)).toEqual([]);
});

test('URLs that missed the snapshot of a redesign do not make a second one when they are back', async () => {
  const values = (at: number) => (at < 3 ? undefined : exchanged(5));
  const some = QUIET.map((one, at) => ({
    ...one,
    values: values(at),
    ...(at === 3 ? { urls: upTo(6, 0) } : {}),
  }));
  expect(await redesignsOf(some)).toMatchObject([{ snapshot: '2004-01-01', size: 'part', compared: 6 }]);
});

test('a snapshot of few URLs is passed over: the step leads across it', async () => {
  const values = (at: number) => (at < 3 ? undefined : exchanged(5));
  const some = QUIET.map((one, at) => ({
    ...one,
    values: values(at),
    ...(at === 3 ? { urls: [0, 1] } : {}),
  }));
  expect(await redesignsOf(some)).toMatchObject([
    { snapshot: '2005-01-01', since: '2003-01-01', size: 'part', compared: 8 },
  ]);
});

test('with fewer than three snapshots nothing is usual, and no part is found', async () => {
  const two = withStep(1, { newWords: 40 }, QUIET.slice(0, 2));
  expect(await redesignsOf(two)).toEqual([]);
  expect(await redesignsOf(withStep(2, { newWords: 40 }, QUIET.slice(0, 3)))).toMatchObject([
    { size: 'part' },
  ]);
  const database = await Database.open();
  expect(await countFewSnapshots(database, [folderOf(two)])).toBe(1);
  expect(await countFewSnapshots(database, [folderOf(QUIET.slice(0, 3))])).toBe(0);
  expect(await countFewSnapshots(database, [])).toBe(0);
  database.close();
});

test('a redesign is told once, though other pages are met again only later', async () => {
  const even = URLS.filter((url) => url % 2 === 0);
  const odd = URLS.filter((url) => url % 2 === 1);
  const made: Snapshot = { newWords: 90, layout: 0.9, values: () => upTo(40, 100) };
  const after: Snapshot = { values: () => upTo(40, 100) };
  const rows = await redesignsOf([{}, {}, { ...made, urls: even }, { ...made, urls: odd }, after]);
  expect(rows).toMatchObject([
    { snapshot: '2003-01-01', since: '2002-01-01', size: 'whole', why: 'words layout design', compared: 5 },
  ]);
  // by its words alone, and with pages beside them that have not changed since
  const some = { newWords: 90, urls: [...even, 1] };
  expect(await redesignsOf([{}, {}, some, { ...made, values: () => upTo(40), urls: odd }])).toMatchObject([
    { snapshot: '2003-01-01', why: 'words' },
  ]);
});
