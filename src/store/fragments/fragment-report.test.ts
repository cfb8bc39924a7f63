import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Database, quote } from '../database.ts';
import { hasFragments, readFragmentFigures } from './fragment-report.ts';

let folder: string;
/** Members of 3000 complete classes, and the average sizes of what is compared. */
const members = (at: number): number => 2 + (at % 7) ** 3;
const size = (at: number): number => 256 + at * 3;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'chaff-figures-'));
  mkdirSync(join(folder, 'fragments'));
  const database = await Database.open();
  const write = (query: string, file: string) =>
    database.run(`COPY (${query}) TO ${quote(join(folder, 'fragments', file))} (FORMAT parquet)`);
  await write(
    `SELECT 'complete' AS relation, format('{:016x}', i) AS class, CASE WHEN i % 10 = 0 THEN 'composite' ELSE 'primitive' END AS kind,
       1 AS parts, 2 AS pages, (2 + pow(i % 7, 3))::UINTEGER AS members, 1 AS sites, (500 + i * 3)::DOUBLE AS avg_bytes,
       (256 + i * 3)::DOUBLE AS avg_complete_bytes,
       100 AS structural_bytes, (i * 10)::BIGINT AS saved_bytes, 'p' AS place, 't' AS text, 0 AS page, 's' AS site, 'u' AS url
     FROM range(3000) r(i)`,
    'classes.parquet',
  );
  await write(
    `SELECT i AS page, 's' || (i % 3) AS site, 1000 AS html_bytes, (i % 5)::UINTEGER AS complete_fragments,
       500 AS complete_shared_bytes, ((i % 101) / 100)::FLOAT AS complete_share, 0::UINTEGER AS structural_fragments,
       0 AS structural_shared_bytes, 0::FLOAT AS structural_share
     FROM range(1010) r(i)`,
    'pages.parquet',
  );
  database.close();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('sums are those of the tables', async () => {
  expect(hasFragments(folder)).toBe(true);
  expect(hasFragments(join(folder, 'none'))).toBe(false);
  const { sites, pages, htmlBytes, relations, classes, compression } = await readFragmentFigures(folder);
  expect({ sites, pages, htmlBytes, compression }).toEqual({ sites: 3, pages: 1010, htmlBytes: 1_010_000 });
  expect(relations[0]).toMatchObject({
    classes: 3000,
    composites: 300,
    sharedPages: 808,
    sharedBytes: 505_000,
  });
  expect(relations[1]).toMatchObject({ relation: 'structural', classes: 0, members: 0, savedBytes: 0 });
  expect(classes).toHaveLength(200);
  expect(classes[0]).toMatchObject({ savedBytes: 29_990, relation: 'complete' });
});

test('a distribution is kept in few points, each of them exact', async () => {
  const figures = await readFragmentFigures(folder, { relations: ['complete'] });
  const check = ([{ points, total, median, largest }]: typeof figures.sizes, values: number[]) => {
    const sorted = values.toSorted((a, b) => a - b);
    expect(points.length).toBeLessThanOrEqual(500);
    expect(points[0][0]).toBe(sorted[0]);
    for (const [value, count] of points) expect(count).toBe(sorted.filter((each) => each <= value).length);
    expect(points.at(-1)).toEqual([sorted.at(-1), sorted.length]);
    expect([total, median, largest]).toEqual([
      sorted.length,
      sorted[(sorted.length >> 1) - 1],
      sorted.at(-1),
    ]);
  };
  check(
    figures.sizes,
    Array.from({ length: 3000 }, (_, at) => size(at)),
  );
  check(
    figures.members,
    Array.from({ length: 3000 }, (_, at) => members(at)),
  );
  check(
    figures.shares,
    Array.from({ length: 1010 }, (_, at) => at % 101),
  );
  expect(figures.members[0].points).toHaveLength(7);
});

test('a relation without classes has empty lines', async () => {
  const { members, sizes } = await readFragmentFigures(folder, { relations: ['structural'] });
  expect([members[0], sizes[0]]).toMatchObject([
    { total: 0, points: [] },
    { total: 0, points: [] },
  ]);
});
