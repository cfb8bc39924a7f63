import { expect, test } from 'vitest';
import { Database } from '../database.ts';
import { readDrawnSchemas, rowsOfASite, SHOWN_ROWS } from './read-site-lists.ts';

test('the more sites, the fewer rows of each are read, and never fewer than are shown', () => {
  expect(rowsOfASite(1)).toBe(100);
  expect(rowsOfASite(400)).toBe(50);
  expect(rowsOfASite(100_000)).toBe(SHOWN_ROWS);
});

test('the first twelve schemas of a site are drawn, and others and outliers that its own changes name', async () => {
  const database = await Database.open();
  // two sites with the schemas 1 to 20, of which the last two are outliers; the page of schema 3 of b.example is 103
  await database.run(`CREATE TABLE schemas AS SELECT CASE WHEN k < 21 THEN 'a.example' ELSE 'b.example' END AS site,
      ((k - 1) % 20 + 1)::UINTEGER AS schema, 'dom' AS detector, 5::UINTEGER AS pages, 0.05::FLOAT AS share, '/' AS pattern,
      ['T'] AS templates, (k - 1) % 20 >= 18 AS outlier, CASE WHEN k < 21 THEN k ELSE k + 80 END AS typical_page
    FROM range(1, 41) AS numbers(k)`);
  await database.run(`CREATE TABLE pages AS SELECT typical_page AS page, site, '/' || typical_page AS url, '' AS title,
      10::UINTEGER AS html_bytes, '2001' AS time FROM schemas`);
  await database.run(
    "CREATE TABLE page_schemas AS SELECT typical_page AS page, 'dom' AS detector, schema FROM schemas",
  );
  await database.run(`CREATE TABLE ranges AS SELECT page, 'dom' AS detector, 2 AS "start", 8 AS "end", 'template' AS label,
      7 AS template FROM pages`);
  await database.run(`CREATE TABLE templates AS FROM (VALUES ('a.example', 'dom', 7, 30), ('b.example', 'dom', 7, 40))
    AS rows(site, detector, template, pages)`);
  const folder = { ask: <T>(sql: string) => database.rows<T>(sql) };
  const drawnOf = async (sites: string[], changes: Parameters<typeof readDrawnSchemas>[3]) => {
    const drawn = await readDrawnSchemas(folder, 'dom', sites, changes);
    return drawn.map(({ site, schema }) => `${site[0]}${schema}`);
  };
  const first = (site: string) => Array.from({ length: 12 }, (_, k) => `${site}${k + 1}`);
  const changes = [
    { site: 'a.example', schema_before: 14, schema: 20 },
    { site: 'b.example', schema_before: 2, schema: 17 },
    { site: 'c.example', schema_before: 13, schema: 16 },
  ];
  expect(await drawnOf(['a.example', 'b.example'], [])).toEqual([...first('a'), ...first('b')]);
  expect(await drawnOf(['a.example', 'b.example'], changes)).toEqual([
    ...[...first('a'), 'a14', 'a20'],
    ...[...first('b'), 'b17'],
  ]);
  expect(await drawnOf(['b.example'], changes)).toEqual([...first('b'), 'b17']);
  expect(await drawnOf([], changes)).toEqual([]);
  const [drawn] = await readDrawnSchemas(folder, 'dom', ['b.example'], []);
  expect(drawn).toMatchObject({ typical_page: 101, stretches: [{ start: 2, end: 8, pages: 40 }] });
  database.close();
});
