import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { SIGNATURE_COMPONENTS } from '../study/capture.ts';
import { FIRST_LINK_VALUE, FIRST_TAG_STYLE_VALUE } from '../study/design-values.ts';
import { ChangePart } from './change-part.ts';
import { type ChangeRow, readChanges } from './change-rows.ts';
import { Database } from './database.ts';
import { DesignPart } from './design-part.ts';
import { countFewSnapshots, REDESIGN_CLASSES } from './redesigns.ts';

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
  for await (const row of readChanges(database, { folders: [folder], only: REDESIGN_CLASSES }))
    rows.push(row);
  database.close();
  return rows;
}

const QUIET: Snapshot[] = upTo(6).map(() => ({ newWords: 3 }));
const withStep = (at: number, step: Snapshot, of = QUIET) => of.toSpliced(at, 1, { ...of[at], ...step });
/** The value that a step brings stays. */
const from = (at: number, values: Snapshot['values']) =>
  QUIET.map((one, k) => (k < at ? one : { ...one, values }));

test('a site that changes as much as usual is not redesigned, however much that is', async () => {
  expect(await redesignsOf(QUIET)).toEqual([]);
  const busy = upTo(6).map((k) => ({ newWords: 30 + k, layout: 0.4, values: () => upTo(40, 10 * k) }));
  expect(await redesignsOf(busy)).toEqual([]);
});

test('more changed words than usual are a smaller change, and its row has the measures', async () => {
  expect(await redesignsOf(withStep(3, { newWords: 13 }))).toEqual([
    {
      class: 'smaller-change',
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
      newTemplateShare: 0.13,
      layoutSimilarity: 1,
      designKept: 1,
      linksKept: null,
      why: 'words',
      // new words alone are not a redesign
      confidence: 0,
      url: null,
      time: null,
    },
  ]);
  expect(await redesignsOf(withStep(3, { newWords: 12 }))).toEqual([]);
});

test('layouts and designs show a smaller change in the same way', async () => {
  const layout = await redesignsOf(withStep(2, { layout: 0.25 }));
  expect(layout).toMatchObject([{ snapshot: '2003-01-01', class: 'smaller-change', why: 'layout' }]);
  const design = await redesignsOf(from(2, exchanged(3)));
  expect(design).toMatchObject([
    { snapshot: '2003-01-01', class: 'smaller-change', why: 'design', designKept: 0.86 },
  ]);
});

test('one value more or less is not a redesign, even on a site with few values', async () => {
  const poor = (count: number) =>
    QUIET.map((one, k) => ({ ...one, values: () => upTo(k < 3 ? count : count - 2) }));
  // two of ten values went
  expect(await redesignsOf(poor(10))).toEqual([]);
  const three = QUIET.map((one, k) => ({ ...one, values: () => upTo(k < 3 ? 10 : 7) }));
  expect(await redesignsOf(three)).toMatchObject([
    { snapshot: '2004-01-01', class: 'redesign', designKept: 0.7 },
  ]);
});

test('a change must exceed the usual change by three times its spread', async () => {
  // shares of 0 to 20 %: median 10, spread 5
  const restless = [0, 0, 5, 10, 15, 20, 10].map((newWords) => ({ newWords }));
  expect(await redesignsOf([...restless, { newWords: 32 }])).toEqual([]);
  expect(await redesignsOf([...restless, { newWords: 33 }])).toMatchObject([
    { why: 'words', class: 'smaller-change' },
  ]);
});

test('several smaller changes are found, each at its date, among quiet steps', async () => {
  const busy = withStep(2, { newWords: 25 }, withStep(4, { newWords: 25 }, [...QUIET, ...QUIET]));
  expect((await redesignsOf(busy)).map((row) => [row.snapshot, row.class])).toEqual([
    ['2003-01-01', 'smaller-change'],
    ['2005-01-01', 'smaller-change'],
  ]);
});

test('a redesign is reported once and does not count as usual', async () => {
  const both = withStep(3, { newWords: 20 }, from(2, exchanged(20)).slice(0, 5));
  expect((await redesignsOf(both)).map((row) => [row.snapshot, row.class])).toEqual([
    ['2003-01-01', 'redesign'],
    ['2004-01-01', 'smaller-change'],
  ]);
});

test('neither a rewritten text nor one more box around every page is a redesign', async () => {
  expect(await redesignsOf(withStep(3, { newWords: 95 }))).toMatchObject([
    { class: 'smaller-change', why: 'words' },
  ]);
  expect(await redesignsOf(withStep(3, { layout: 0.98 }))).toMatchObject([
    { class: 'smaller-change', why: 'layout' },
  ]);
  expect(await redesignsOf(withStep(3, { newWords: 95, layout: 0.98 }))).toMatchObject([
    { class: 'redesign', why: 'words layout' },
  ]);
});

test('a menu with new targets is a redesign, even when names and files stay', async () => {
  const withLinks = (first: number) => () => [...upTo(40), ...upTo(30, FIRST_LINK_VALUE + first)];
  const menus = (moved: number) =>
    QUIET.map((one, k) => ({ ...one, values: withLinks(k < 3 ? 1 : 1 + moved) }));
  expect(await redesignsOf(menus(30))).toMatchObject([
    { class: 'redesign', snapshot: '2004-01-01', why: 'links', designKept: 1, linksKept: 0 },
  ]);
  expect(await redesignsOf(menus(5))).toMatchObject([{ class: 'smaller-change', why: 'links' }]);
});

test('colours that move from tags to the style sheet are not a redesign, other colours in the tags are one', async () => {
  const coloured = (colours: (at: number) => number[]) =>
    QUIET.map((one, at) => ({ ...one, values: () => [...upTo(10), ...colours(at)] }));
  const before = upTo(20, FIRST_TAG_STYLE_VALUE);
  const after = upTo(20, FIRST_TAG_STYLE_VALUE + 100);
  expect(await redesignsOf(coloured((at) => (at < 3 ? before : [])))).toEqual([]);
  expect(await redesignsOf(coloured((at) => (at < 3 ? [] : before)))).toEqual([]);
  expect(await redesignsOf(coloured((at) => (at < 3 ? before : after)))).toMatchObject([
    { class: 'redesign', snapshot: '2004-01-01', why: 'design' },
  ]);
});

test('a front page that exchanges its links at every crawl was not redesigned', async () => {
  const values = (k: number) => () => [...upTo(40), ...upTo(30, FIRST_LINK_VALUE + 20 * k)];
  expect(await redesignsOf(QUIET.map((one, k) => ({ ...one, values: values(k) })))).toEqual([]);
});

test('confidence is 0.5 where a quarter changed beyond the usual, and 1 when nothing is left', async () => {
  // values that went: 10 of 40 are at the line, 9 below it
  const lost = (count: number) => () => upTo(40 - count, 1 + count);
  expect(await redesignsOf(from(3, lost(10)))).toMatchObject([{ class: 'redesign', confidence: 0.5 }]);
  expect(await redesignsOf(from(3, lost(9)))).toMatchObject([{ class: 'smaller-change', confidence: 0.45 }]);
  expect(await redesignsOf(from(3, exchanged(40)))).toMatchObject([{ class: 'redesign', confidence: 1 }]);
  // of two snapshots nothing is usual: a fifth is taken for it
  const two = (count: number) => [{}, { values: lost(count) }];
  expect(await redesignsOf(two(16))).toMatchObject([{ class: 'redesign', confidence: 0.5 }]);
  expect(await redesignsOf(two(15))).toEqual([]);
});

test('a different mix of pages is not a smaller change', async () => {
  // half of the pages are of another kind, which has a third of its values for itself: 0.71 of the design is kept
  const kinds = (url: number) => [...upTo(20), ...upTo(10, url < 10 ? 100 : 200)];
  const mixed = [0, 0, 5, 5, 0, 0].map((shift) => ({
    urls: upTo(10, shift),
    values: kinds,
    newWords: 3,
  }));
  expect(await redesignsOf(mixed)).toEqual([]);
});

test('URLs that are missing in the snapshot of a redesign cause no second one later', async () => {
  const values = (at: number) => (at < 3 ? undefined : exchanged(5));
  const some = QUIET.map((one, at) => ({
    ...one,
    values: values(at),
    ...(at === 3 ? { urls: upTo(6, 0) } : {}),
  }));
  expect(await redesignsOf(some)).toMatchObject([
    { snapshot: '2004-01-01', class: 'smaller-change', compared: 6 },
  ]);
});

test('a snapshot of few URLs is skipped, and the step spans it', async () => {
  const values = (at: number) => (at < 3 ? undefined : exchanged(5));
  const some = QUIET.map((one, at) => ({
    ...one,
    values: values(at),
    ...(at === 3 ? { urls: [0, 1] } : {}),
  }));
  expect(await redesignsOf(some)).toMatchObject([
    { snapshot: '2005-01-01', since: '2003-01-01', class: 'smaller-change', compared: 8 },
  ]);
});

test('with fewer than three snapshots no usual change is known, and no smaller change is found', async () => {
  const two = withStep(1, { newWords: 40 }, QUIET.slice(0, 2));
  expect(await redesignsOf(two)).toEqual([]);
  expect(await redesignsOf(withStep(2, { newWords: 40 }, QUIET.slice(0, 3)))).toMatchObject([
    { class: 'smaller-change' },
  ]);
  const database = await Database.open();
  expect(await countFewSnapshots(database, [folderOf(two)])).toBe(1);
  expect(await countFewSnapshots(database, [folderOf(QUIET.slice(0, 3))])).toBe(0);
  expect(await countFewSnapshots(database, [])).toBe(0);
  database.close();
});

test('a redesign is reported once, even when some pages are captured again only later', async () => {
  const even = URLS.filter((url) => url % 2 === 0);
  const odd = URLS.filter((url) => url % 2 === 1);
  const made: Snapshot = { newWords: 90, layout: 0.9, values: () => upTo(40, 100) };
  const after: Snapshot = { values: () => upTo(40, 100) };
  const rows = await redesignsOf([{}, {}, { ...made, urls: even }, { ...made, urls: odd }, after]);
  expect(rows).toMatchObject([
    {
      snapshot: '2003-01-01',
      since: '2002-01-01',
      class: 'redesign',
      why: 'words layout design',
      compared: 5,
    },
  ]);
  // by words and layout, and with pages beside them that have not changed since
  const some = { newWords: 90, layout: 0.9, urls: [...even, 1] };
  const later = { ...made, values: () => upTo(40), urls: odd };
  expect(await redesignsOf([{}, {}, some, later])).toMatchObject([
    { snapshot: '2003-01-01', why: 'words layout' },
  ]);
});
