/** Queries of the study whose answers are easily got wrong, on tables small enough to be counted by hand. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Database } from '../database.ts';
import { STUDY_QUERIES } from './queries.ts';

let database: Database;
beforeAll(async () => {
  database = await Database.open();
  await database.run(`CREATE TABLE pages (page UINTEGER, site VARCHAR, url VARCHAR, time VARCHAR, snapshot VARCHAR,
    text_text_share FLOAT, dom_html_share FLOAT, dom_text_share FLOAT, dom_link_share FLOAT)`);
  await database.run('CREATE TABLE page_schemas (page UINTEGER, detector VARCHAR, schema UINTEGER)');
  await database.run('CREATE TABLE categories (site VARCHAR, category VARCHAR)');
});
afterAll(() => database.close());

test('a category is the mean over its sites of the average page; all sites count once overall', async () => {
  let page = 100;
  const add = (site: string, ...shares: number[]): Promise<void> =>
    database.run(
      `INSERT INTO pages VALUES (${page}, '${site}', 'http://${site}/${page++}', '', 'all', ${shares.join(', ')})`,
    );
  await add('a.example', 0.25, 0.5, 0.75, 1);
  await add('a.example', 0.75, 0.5, 0.25, 0);
  await add('b.example', 1, 1, 1, 1);
  await add('without.example', 0, 0, 0, 0);
  await database.run(`INSERT INTO categories VALUES ('a.example', 'News'), ('b.example', 'News'),
    ('b.example', 'Wiki'), ('unknown.example', 'News')`);
  const half = { text_based: 0.75, dom_html: 0.75, dom_text: 0.75, dom_links: 0.75 };
  const whole = { text_based: 1, dom_html: 1, dom_text: 1, dom_links: 1 };
  expect(await database.rows(STUDY_QUERIES.categoryShares.sql())).toEqual([
    { category: 'News', sites: 2, ...half },
    { category: 'Wiki', sites: 1, ...whole },
    { category: 'OVERALL', sites: 2, ...half },
  ]);
});

test('a page changed schema when it went another way than its like', async () => {
  // by URL, the schemas at three times
  const schemas: Record<string, number[]> = {
    '/1': [1, 4, 4],
    '/2': [1, 4, 4],
    '/3': [1, 4, 4], // a new menu made 4 of 1
    '/4': [1, 2, 2], // but this became a listing
    '/5': [2, 2, 2],
    '/6': [3, 2, 2], // the only one of its kind, and went to one that was there
    '/7': [5, 6, 6], // the only one of its kind, and still is
  };
  let page = 1;
  for (const [path, numbers] of Object.entries(schemas)) {
    for (const [k, schema] of numbers.entries()) {
      const time = `200${k}-01-01T00:00:00Z`;
      await database.run(
        `INSERT INTO pages VALUES (${page}, 's', '${path}', '${time}', '200${k}', 0, 0, 0, 0)`,
      );
      await database.run(`INSERT INTO page_schemas VALUES (${page++}, 'dom', ${schema})`);
    }
  }
  const rows = await database.rows<{ url: string; schema_before: number; schema: number }>(
    STUDY_QUERIES.schemaChanges.sql('dom'),
  );
  expect(rows.map(({ url, schema_before, schema }) => [url, schema_before, schema])).toEqual([
    ['/4', 1, 2],
    ['/6', 3, 2],
  ]);
});

test('every site has its first rows, one of each page, and says how many there are', async () => {
  const lists = await Database.open();
  await lists.run(`CREATE TABLE pages AS
    SELECT (1000 * s + 10 * p + c)::UINTEGER AS page, 'site' || s AS site, 'http://site' || s || '/' || p AS url,
      '200' || c || '-01-01T00:00:00Z' AS time, 'Page ' || p AS title, 500 AS html_bytes, 100 * p + c AS text_bytes,
      0 AS dom_text_bytes
    FROM range(1, 4) AS sites(s), range(1, 6) AS paths(p), range(1, 3) AS captures(c)`);
  await lists.run('CREATE TABLE page_schemas (page UINTEGER, detector VARCHAR, schema UINTEGER)');
  await lists.run('CREATE TABLE schemas (site VARCHAR, detector VARCHAR, schema UINTEGER, outlier BOOLEAN)');
  const rows = await lists.rows<{ site: string; url: string; own_bytes: number; of_site: number }>(
    STUDY_QUERIES.ownContent.sql('dom', 2),
  );
  expect(rows.map(({ url, own_bytes, of_site }) => [url, own_bytes, of_site])).toEqual([
    ['http://site1/5', 502, 5],
    ['http://site1/4', 402, 5],
    ['http://site2/5', 502, 5],
    ['http://site2/4', 402, 5],
    ['http://site3/5', 502, 5],
    ['http://site3/4', 402, 5],
  ]);
  const unlike = await lists.rows<{ url: string; time: string; of_site: number }>(
    STUDY_QUERIES.outliers.sql('dom', 1),
  );
  expect(unlike.map(({ url, time, of_site }) => [url, time.slice(0, 4), of_site])).toEqual([
    ['http://site1/1', '2002', 5],
    ['http://site2/1', '2002', 5],
    ['http://site3/1', '2002', 5],
  ]);
  lists.close();
});
