import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Range } from '../../model/range.ts';
import { rankTemplates } from '../../study/rank-templates.ts';
import { SiteTemplates } from '../../study/site-templates.ts';
import { Database } from '../database.ts';
import { StudyTables } from './study-tables.ts';

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
  await database.run('CREATE TABLE pages (page UINTEGER, url VARCHAR)');
  const sites = new Map<string, SiteTemplates>();
  const addPage = async (
    page: number,
    site: string,
    url: string,
    templates: [id: string, at: number, size: number][],
  ) => {
    await database.run(`INSERT INTO pages VALUES (${page}, '${url}')`);
    const ranges = templates.flatMap(([template, start, size]): Range[] => [
      { start, end: start + size, label: 'template', score: 1, template, reason: '' },
      { start: start + size, end: start + size + 5, label: 'content', score: 1, template: '', reason: '' },
    ]);
    if (!sites.has(site)) sites.set(site, new SiteTemplates(site, 'dom'));
    sites.get(site)!.add(page, '', ranges);
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
  const tables = new StudyTables(database, database.connection);
  for (const site of sites.values()) await tables.add(rankTemplates(site.data()));
  await tables.write(['dom', 'text'], files);
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

test('without templates the tables are there and empty', async () => {
  const empty = { aggregates: 'a', schemas: 's', pageSchemas: 'p' };
  for (const name of ['aggregates', 'schemas', 'pageSchemas'] as const) {
    empty[name] = join(folder, `empty-${name}.parquet`);
  }
  const other = await Database.open();
  await other.run('CREATE TABLE pages (page UINTEGER, url VARCHAR)');
  await new StudyTables(other, other.connection).write(['dom'], empty);
  for (const file of Object.values(empty)) expect(await other.rows(`FROM '${file}'`)).toEqual([]);
  other.close();
});

test('detectors come in the order asked for, whichever was met first', async () => {
  const of = { ...files, aggregates: join(folder, 'ordered.parquet') };
  const other = await Database.open();
  await other.run('CREATE TABLE pages (page UINTEGER, url VARCHAR)');
  const tables = new StudyTables(other, other.connection);
  const range: Range = { start: 0, end: 9, label: 'template', score: 1, template: 'one', reason: '' };
  for (const [site, detector] of [
    ['a.example', 'text'],
    ['b.example', 'dom'],
    ['b.example', 'text'],
  ]) {
    const templates = new SiteTemplates(site, detector);
    templates.add(1, '', [range]);
    await tables.add(rankTemplates(templates.data()));
  }
  await tables.write(['dom', 'text'], of);
  const rows = await other.rows<{ site: string; detector: string }>(`FROM '${of.aggregates}'`);
  other.close();
  expect(rows.map(({ detector, site }) => `${detector} ${site}`)).toEqual([
    'dom b.example',
    'text a.example',
    'text b.example',
  ]);
});
