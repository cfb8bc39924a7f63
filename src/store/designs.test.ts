import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { Database } from './database.ts';
import { DesignPart } from './design-part.ts';
import { designTables } from './redesigns.ts';

const root = mkdtempSync(join(tmpdir(), 'chaff-designs-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** Pages of one site snapshot, the values of each. */
interface Snapshot {
  day: string;
  pages: number[][];
}

let folders = 0;

/** The designs of a site whose pages fall to tasks by `taskOf`. */
async function designsOf(snapshots: Snapshot[], taskOf: (page: number) => number = () => 0) {
  const database = await Database.open();
  const parts = new Map<number, { part: DesignPart; draft: string }>();
  const partOf = (task: number) => {
    let found = parts.get(task);
    if (!found) {
      const draft = join(root, String(folders++));
      mkdirSync(draft);
      found = { part: new DesignPart({ draft }), draft };
      parts.set(task, found);
    }
    return found.part;
  };
  for (const [group, { day, pages }] of snapshots.entries()) {
    for (const [page, values] of pages.entries()) {
      const time = `${day}T00:00:0${page}Z`;
      partOf(taskOf(page)).add({ group, site: 'example.com', snapshot: day, time }, values);
    }
  }
  for (const { part } of parts.values()) part.close();
  for (const sql of designTables([...parts.values()].map(({ draft }) => draft))) await database.run(sql);
  const rows = await database.rows('SELECT * FROM designs ORDER BY snapshot');
  database.close();
  return rows;
}

const five = (values: number[]) => Array.from({ length: 5 }, () => values);
const OLD = { day: '2001-01-01', pages: five([1, 2, 3, 4, 5, 6]) };

test('values on as many pages as before are kept, new and lost ones are not', async () => {
  const rows = await designsOf([OLD, { day: '2002-01-01', pages: five([4, 5, 6, 7, 8, 9]) }]);
  expect(rows).toEqual([
    {
      site: 'example.com',
      snapshot: '2002-01-01',
      since: '2001-01-01',
      first: '2002-01-01',
      last: '2002-01-01',
      pages: 5,
      kept: 3 / 9,
      links_kept: null,
      values_changed: 6,
    },
  ]);
});

test('a value counts by the share of pages that have it, and not at all when few do', async () => {
  const rare = [[1, 2, 3, 4, 5, 6], [1, 2, 3, 4, 5, 6], ...Array.from({ length: 6 }, () => [1, 2, 3, 4, 5])];
  const only = rare.map((page, at) => (at === 0 ? [...page, 70] : page));
  // value 6 fell from all pages to a quarter, value 70 is on one of eight
  const [row] = await designsOf([OLD, { day: '2002-01-01', pages: only }]);
  expect(row.kept).toBe(5.25 / 6);
});

test('the result does not depend on the division into tasks', async () => {
  const young = { day: '2002-01-01', pages: [...five([1, 2, 3, 4, 9]), [1, 2], [2, 9]] };
  const whole = await designsOf([OLD, young]);
  expect(whole).toHaveLength(1);
  expect(await designsOf([OLD, young], (page) => page % 3)).toEqual(whole);
});

test('a small snapshot is skipped, and its neighbours are compared', async () => {
  const small = { day: '2002-01-01', pages: [[90, 91, 92, 93, 94, 95]] };
  const rows = await designsOf([OLD, small, { day: '2003-01-01', pages: OLD.pages }]);
  expect(rows).toMatchObject([{ snapshot: '2003-01-01', since: '2001-01-01', kept: 1 }]);
});

test('a site whose design is entirely new kept nothing', async () => {
  const rows = await designsOf([{ day: '2000-01-01', pages: five([]) }, OLD]);
  expect(rows).toMatchObject([{ snapshot: '2001-01-01', kept: 0 }]);
});

test('too few values give no share', async () => {
  expect(
    await designsOf([
      { day: '2000-01-01', pages: five([1, 2]) },
      { day: '2001-01-01', pages: five([3, 4]) },
    ]),
  ).toEqual([]);
});
