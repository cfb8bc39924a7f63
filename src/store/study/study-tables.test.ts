import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Database } from '../database.ts';
import { writeStudyTables } from './study-tables.ts';

const folder = mkdtempSync(join(tmpdir(), 'chaff-study-'));
const files = {
  aggregates: join(folder, 'aggregates.parquet'),
  schemas: join(folder, 'schemas.parquet'),
  pageSchemas: join(folder, 'page_schemas.parquet'),
};
let database: Database;

// two sites; on the first, stories with header, menu and footer, and two listings without the menu
beforeAll(async () => {
  database = await Database.open();
  await database.run('CREATE TABLE pages (page UINTEGER, site VARCHAR, url VARCHAR)');
  await database.run(
    'CREATE TABLE ranges (page UINTEGER, detector VARCHAR, "start" UINTEGER, "end" UINTEGER, label VARCHAR, template VARCHAR)',
  );
  const addPage = async (
    page: number,
    site: string,
    url: string,
    templates: [id: string, at: number, size: number][],
  ) => {
    await database.run(`INSERT INTO pages VALUES (${page}, '${site}', '${url}')`);
    for (const [id, at, size] of templates) {
      await database.run(
        `INSERT INTO ranges VALUES (${page}, 'dom', ${at}, ${at + size}, 'template', '${id}'), (${page}, 'dom', ${at + size}, ${at + size + 5}, 'content', '')`,
      );
    }
  };
  for (let page = 1; page <= 6; page++) {
    await addPage(page, 'news.example', `http://news.example/story/${page}.html`, [
      ['head', 0, 100],
      ['menu', 200, 400],
      ['foot', 900 + page, 50],
    ]);
  }
  for (let page = 7; page <= 8; page++) {
    await addPage(page, 'news.example', `http://news.example/list/${page}.html`, [
      ['head', 0, 100],
      ['foot', 300, 50],
    ]);
  }
  await addPage(9, 'other.example', 'http://other.example/', [['only', 10, 30]]);
  await database.run(`
    CREATE TABLE templates AS
    SELECT site, detector, template, count(*) AS pages, sum("end" - "start") AS total_bytes
    FROM ranges JOIN pages USING (page) WHERE label = 'template' GROUP BY ALL`);
  await writeStudyTables(database, { detectors: ['dom', 'text'], files });
});

afterAll(() => {
  database.close();
  rmSync(folder, { recursive: true, force: true });
});

test('whole templates of each site, with what they cover so far', async () => {
  const rows = await database.rows(
    `SELECT site, aggregate, array_to_string(templates, ' ') AS templates, pages, occurrences, total_bytes,
       covered_bytes, all_bytes, hashes_so_far FROM '${files.aggregates}' ORDER BY site, aggregate`,
  );
  expect(rows).toEqual([
    // the header is on most pages, and the footer on more of the pages after it than the menu is
    {
      site: 'news.example',
      aggregate: 1,
      templates: 'head foot',
      pages: 8,
      occurrences: 8,
      total_bytes: 1200,
      covered_bytes: 1200,
      all_bytes: 3600,
      hashes_so_far: 2,
    },
    {
      site: 'news.example',
      aggregate: 2,
      templates: 'menu',
      pages: 6,
      occurrences: 6,
      total_bytes: 2400,
      covered_bytes: 3600,
      all_bytes: 3600,
      hashes_so_far: 3,
    },
    {
      site: 'other.example',
      aggregate: 1,
      templates: 'only',
      pages: 1,
      occurrences: 1,
      total_bytes: 30,
      covered_bytes: 30,
      all_bytes: 30,
      hashes_so_far: 1,
    },
  ]);
});

test('the schemas of each site, named by their URLs, each with a page that is typical', async () => {
  const rows = await database.rows(
    `SELECT site, schema, pages, pattern, typical_page, array_to_string(templates, ' ') AS templates
     FROM '${files.schemas}' ORDER BY site, schema`,
  );
  expect(rows).toEqual([
    {
      site: 'news.example',
      schema: 1,
      pages: 6,
      pattern: '/story/*.html',
      typical_page: 1,
      templates: 'head menu foot',
    },
    {
      site: 'news.example',
      schema: 2,
      pages: 2,
      pattern: '/list/*.html',
      typical_page: 7,
      templates: 'head foot',
    },
    { site: 'other.example', schema: 1, pages: 1, pattern: '/', typical_page: 9, templates: 'only' },
  ]);
});

test('every page with a template has its schema', async () => {
  const rows = await database.rows<{ page: number; schema: number }>(
    `SELECT page, schema FROM '${files.pageSchemas}' ORDER BY page`,
  );
  expect(rows.map(({ page, schema }) => [page, schema])).toEqual([
    [1, 1],
    [2, 1],
    [3, 1],
    [4, 1],
    [5, 1],
    [6, 1],
    [7, 2],
    [8, 2],
    [9, 1],
  ]);
});
