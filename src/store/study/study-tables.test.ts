import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Range } from '../../model/range.ts';
import { SiteStudy } from '../../study/site-study.ts';
import { SiteTemplates } from '../../study/site-templates.ts';
import { Database } from '../database.ts';
import { writeStudyTables } from './site-tables.ts';
import { StudyPart } from './study-part.ts';

const folder = mkdtempSync(join(tmpdir(), 'chaff-study-'));
const files = {
  aggregates: join(folder, 'aggregates.parquet'),
  schemas: join(folder, 'schemas.parquet'),
  pageSchemas: join(folder, 'page_schemas.parquet'),
};
let database: Database;

/** Writes figures of sites into a folder as tasks do. */
function leave(name: string, studies: readonly SiteStudy[]): string {
  const task = join(folder, name);
  mkdirSync(task);
  const part = new StudyPart(task);
  for (const study of studies) part.add(study);
  part.close();
  return task;
}

// two sites; on the first, stories with header, menu and footer, and two listings without the menu
beforeAll(async () => {
  database = await Database.open();
  const sites = new Map<string, { templates: SiteTemplates; urls: [page: number, url: string][] }>();
  const addPage = (
    page: number,
    site: string,
    url: string,
    templates: [id: string, at: number, size: number][],
  ) => {
    const ranges = templates.flatMap(([template, start, size]): Range[] => [
      { start, end: start + size, label: 'template', score: 1, template, reason: '' },
      { start: start + size, end: start + size + 5, label: 'content', score: 1, template: '', reason: '' },
    ]);
    if (!sites.has(site)) sites.set(site, { templates: new SiteTemplates(site, 'dom'), urls: [] });
    sites.get(site)!.templates.add(page, '', ranges);
    sites.get(site)!.urls.push([page, url]);
  };
  for (let page = 1; page <= 6; page++) {
    addPage(page, 'news.example', `http://news.example/story/${page}.html`, [
      ['head', 0, 100],
      ['menu', 200, 400],
      ['foot', 900 + page, 50],
    ]);
  }
  for (let page = 7; page <= 8; page++) {
    addPage(page, 'news.example', `http://news.example/list/${page}.html`, [
      ['head', 0, 100],
      ['foot', 300, 50],
    ]);
  }
  addPage(9, 'other.example', 'http://other.example/', [['only', 10, 30]]);
  const studies = Array.from(sites.values(), ({ templates, urls }) => {
    const study = new SiteStudy([templates.data()], new Map());
    for (const [page, url] of urls) study.addUrl(page, url);
    return study;
  });
  // each by a task of its own, and the order of tasks does not matter
  const tasks = studies.map((study, k) => leave(`task-${k}`, [study])).reverse();
  await writeStudyTables(database, tasks, ['dom', 'text'], files);
});

afterAll(() => {
  database.close();
  rmSync(folder, { recursive: true, force: true });
});

test('whole templates of each site have the bytes that they cover so far', async () => {
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
  await writeStudyTables(other, [leave('nothing', [])], ['dom'], empty);
  for (const file of Object.values(empty)) expect(await other.rows(`FROM '${file}'`)).toEqual([]);
  other.close();
});

test('detectors are in the given order', async () => {
  const ordered = {
    aggregates: join(folder, 'ordered-aggregates.parquet'),
    schemas: join(folder, 'ordered-schemas.parquet'),
    pageSchemas: join(folder, 'ordered-pages.parquet'),
  };
  const range: Range = { start: 0, end: 9, label: 'template', score: 1, template: 'one', reason: '' };
  const gather = (page: number, site: string, detector: string) => {
    const templates = new SiteTemplates(site, detector);
    templates.add(page, '', [range]);
    return templates.data();
  };
  const studies = [
    new SiteStudy([gather(1, 'a.example', 'text')], new Map()),
    new SiteStudy([gather(2, 'b.example', 'text'), gather(2, 'b.example', 'dom')], new Map()),
  ];
  const other = await Database.open();
  await writeStudyTables(other, [leave('ordered', studies)], ['dom', 'text'], ordered);
  const rows = await other.rows<{ site: string; detector: string }>(`FROM '${ordered.aggregates}'`);
  other.close();
  expect(rows.map(({ detector, site }) => `${detector} ${site}`)).toEqual([
    'dom b.example',
    'text a.example',
    'text b.example',
  ]);
});
