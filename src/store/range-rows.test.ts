import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, test } from 'vitest';
import type { Label, Range } from '../model/range.ts';
import type { Role } from '../model/role.ts';
import { Database } from './database.ts';
import { RangeRows } from './range-rows.ts';

const folder = mkdtempSync(join(tmpdir(), 'chaff-range-rows-'));
const database = await Database.open();
afterAll(() => {
  database.close();
  rmSync(folder, { recursive: true, force: true });
});

let rows: RangeRows;
beforeEach(() => {
  rows = new RangeRows();
});

function range(start: number, label: Label, template = '', reason = '', role?: Role): Range {
  return { start, end: start + 10, label, score: 0.5, template, reason, role };
}

async function written(): Promise<object[]> {
  const path = join(folder, 'ranges.parquet');
  rows.toParquet(path);
  return database.rows(`SELECT * FROM '${path}'`);
}

function rowOf(
  page: number,
  detector: string,
  { start, end, label, score, template, reason, role = '' as Role }: Range,
): object {
  return { page, detector, start, end, label, score, template, reason, role };
}

test('a row has the values of its range, whatever earlier ranges of its template had', async () => {
  const pages = [
    [range(0, 'content'), range(10, 'template', 'a', 'on 2 of 3 pages'), range(20, 'template', 'b', 'x')],
    [
      range(0, 'unsure', '', 'too few pages'),
      range(10, 'template', 'a', 'on 2 of 3 pages'),
      range(20, 'content', '', '', 'title'),
      range(30, 'content'),
      range(40, 'template', 'a', 'on 2 of 3 pages', 'footer'),
    ],
    [
      range(0, 'template', '', 'by itself'),
      range(10, 'unsure', 'a', ''),
      range(20, 'template', 'a', 'again'),
    ],
    [],
  ];
  const expected: object[] = [];
  for (const [page, ranges] of pages.entries()) {
    for (const detector of ['dom', 'text']) {
      rows.add(page, 'a.example', detector, ranges);
      for (const range of ranges) expected.push(rowOf(page, detector, range));
    }
  }
  expect(await written()).toEqual(expected);
});

test('a template is fresh once for each detector and site', () => {
  const ranges = [range(0, 'template', 'a'), range(10, 'content'), range(20, 'template', 'a')];
  expect(rows.add(1, 'a.example', 'dom', ranges)).toEqual([ranges[0]]);
  expect(rows.add(1, 'a.example', 'text', ranges)).toEqual([ranges[0]]);
  expect(rows.add(2, 'a.example', 'dom', ranges)).toEqual([]);
  expect(rows.add(3, 'b.example', 'dom', ranges)).toEqual([ranges[0]]);
});

test('a range that is not a template is never fresh, and does not make its template known', () => {
  const unsure = range(0, 'unsure', 'a');
  const template = range(10, 'template', 'a');
  expect(rows.add(1, 'a.example', 'dom', [unsure, range(20, 'template', '')])).toEqual([]);
  expect(rows.add(2, 'a.example', 'dom', [template])).toEqual([template]);
});

test('the next file has words of its own, and templates stay known', async () => {
  const ranges = [range(0, 'template', 'a', 'first'), range(10, 'template', 'b', 'second')];
  rows.add(1, 'a.example', 'dom', ranges);
  await written();
  expect(rows.rowCount).toBe(0);
  expect(rows.add(2, 'a.example', 'dom', ranges.toReversed())).toEqual([]);
  expect(await written()).toEqual(ranges.toReversed().map((range) => rowOf(2, 'dom', range)));
});

test('rows made during or after the use of others share no data with them', async () => {
  const before = rows;
  before.add(1, 'a.example', 'dom', [range(0, 'template', 'aaaaaaaaaaaaaaaa')]);
  rows = new RangeRows();
  rows.add(2, 'a.example', 'text', [range(5, 'content')]);
  expect(await written()).toEqual([rowOf(2, 'text', range(5, 'content'))]);
  rows.close();
  before.close();
  rows = new RangeRows();
  expect(rows.rowCount).toBe(0);
  rows.add(3, 'b.example', 'page', [range(7, 'unsure')]);
  expect(await written()).toEqual([rowOf(3, 'page', range(7, 'unsure'))]);
});
