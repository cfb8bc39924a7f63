/** Queries of the study whose answers are easily got wrong, on tables small enough to be counted by hand. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Database } from '../database.ts';
import { STUDY_QUERIES } from './study-queries.ts';

let database: Database;
beforeAll(async () => {
  database = await Database.open();
  await database.run(`CREATE TABLE pages (page UINTEGER, site VARCHAR, url VARCHAR, url_key VARCHAR, time VARCHAR, snapshot VARCHAR,
    text_bytes UINTEGER, links UINTEGER, text_text_share FLOAT, dom_html_share FLOAT, dom_text_share FLOAT,
    dom_link_share FLOAT)`);
  await database.run('CREATE TABLE page_schemas (page UINTEGER, detector VARCHAR, schema UINTEGER)');
  await database.run('CREATE TABLE categories (site VARCHAR, category VARCHAR)');
});
afterAll(() => database.close());

const meansOf = (share: number) => ({
  text_based: share,
  dom_html: share,
  dom_text: share,
  dom_links: share,
});

const bySize = (share: number) => ({
  text_based_by_size: share,
  dom_html_by_size: share,
  dom_text_by_size: share,
  dom_links_by_size: share,
});

const rounded = (row: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      typeof value === 'number' ? Number(value.toFixed(6)) : value,
    ]),
  );

test('a category is the mean over its sites of the average page; all sites count once overall', async () => {
  let page = 100;
  const add = (site: string, ...shares: number[]): Promise<void> =>
    database.run(
      `INSERT INTO pages VALUES (${page}, '${site}', 'http://${site}/${page}', '${site})/${page++ % 2}', '', 'all', 90, 9, ${shares.join(', ')})`,
    );
  await add('a.example', 0.25, 0.5, 0.75, 1);
  await add('a.example', 0.75, 0.5, 0.25, 0);
  await add('b.example', 1, 1, 1, 1);
  await add('without.example', 0, 0, 0, 0);
  await database.run(`INSERT INTO categories VALUES ('a.example', 'News'), ('b.example', 'News'),
    ('b.example', 'Wiki'), ('unknown.example', 'News')`);
  // a.example has two pages of 0.5 on average and b.example one of 1: 0.75 over sites, 2/3 by size
  const both = { ...meansOf(0.75), ...bySize(2 / 3) };
  const rows = await database.rows<Record<string, unknown>>(STUDY_QUERIES.categoryShares.sql());
  expect(rows.map(rounded)).toEqual(
    [
      { category: 'News', sites: 2, pages: 3, ...both },
      { category: 'Wiki', sites: 1, pages: 1, ...meansOf(1), ...bySize(1) },
      { category: 'OVERALL', sites: 2, pages: 3, ...both },
    ].map(rounded),
  );
  const [means] = await database.rows<Record<string, unknown>>(STUDY_QUERIES.siteMeans.sql());
  // the site without a category counts here; text and dom differ on single pages of a.example, not on average
  expect(rounded(means)).toEqual(rounded({ sites: 3, pages: 4, ...meansOf(0.5), ...bySize(0.5), apart: 0 }));
  const named = await database.rows<{ site: string; categories: string }>(
    STUDY_QUERIES.siteSharesWithCategories.sql(),
  );
  expect(named.map(({ site, categories }) => [site, categories])).toEqual([
    ['b.example', 'News/Wiki'],
    ['without.example', ''],
    ['a.example', 'News'],
  ]);
  await add('b.example', 1, 1, 1, 1);
  // pages 102 and 104 are one, however their URLs are written
  const shares = await database.rows<{ site: string; pages: number }>(STUDY_QUERIES.siteShares.sql());
  expect(shares.map(({ site, pages }) => [site, pages])).toEqual([
    ['b.example', 1],
    ['without.example', 1],
    ['a.example', 2],
  ]);
});

test('a page that was captured several times counts once, as its latest capture has it', async () => {
  const add = (page: number, time: string, share: number): Promise<void> =>
    database.run(
      `INSERT INTO pages VALUES (${page}, 'often.example', '/${page}', '/${page % 10}', '${time}', 'all', 90, 9, ${Array(4).fill(share).join(', ')})`,
    );
  await add(301, '2001', 0.25);
  await add(311, '2003', 0.5);
  await add(321, '2002', 0.75);
  await add(302, '2001', 1);
  const rows = await database.rows<{ site: string }>(STUDY_QUERIES.siteShares.sql());
  expect(rows.find(({ site }) => site === 'often.example')).toEqual({
    site: 'often.example',
    pages: 2,
    ...meansOf(0.75),
  });
});

test('a page without text or links does not count in their shares', async () => {
  await database.run(`INSERT INTO pages VALUES (200, 'thin.example', '/1', '/1', '', 'all', 90, 0, 0.5, 0.5, 0.5, 0),
    (201, 'thin.example', '/2', '/2', '', 'all', 0, 4, 0, 0.25, 0, 1), (202, 'bare.example', '/1', '/1', '', 'all', 0, 0, 0, 0, 0, 0)`);
  const rows = await database.rows<{ site: string }>(STUDY_QUERIES.siteShares.sql());
  expect(rows.filter(({ site }) => ['thin.example', 'bare.example'].includes(site))).toEqual([
    { site: 'bare.example', pages: 1, text_based: null, dom_html: 0, dom_text: null, dom_links: null },
    { site: 'thin.example', pages: 2, text_based: 0.5, dom_html: 0.375, dom_text: 0.5, dom_links: 1 },
  ]);
});

test('a site of several snapshots is one among those that settings were tried on', async () => {
  await database.run(`CREATE TABLE settings AS FROM (VALUES ('a', '2001', 'x', 10, 0.2), ('a', '2002', 'x', 30, 0.4),
    ('b', '2001', 'x', 80, 0.9)) AS rows(site, snapshot, settings, windows, text_share)`);
  const [row] = await database.rows<{ windows: number; text_share: number; sites: number }>(
    STUDY_QUERIES.settings.sql(),
  );
  expect(row).toMatchObject({ windows: 50, sites: 2 });
  expect(row.text_share).toBeCloseTo(0.6, 9);
});

test('a page changes schema when it differs from the other pages of its schema', async () => {
  // by page, the schemas at three times, each time under a URL of its own
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
        `INSERT INTO pages VALUES (${page}, 's', '${path}?${k}', '${path}', '${time}', '200${k}', 90, 9, 0, 0, 0, 0)`,
      );
      await database.run(`INSERT INTO page_schemas VALUES (${page++}, 'dom', ${schema})`);
    }
  }
  const rows = await database.rows<{ url: string; schema_before: number; schema: number }>(
    STUDY_QUERIES.schemaChanges.sql('dom'),
  );
  expect(rows.map(({ url, schema_before, schema }) => [url, schema_before, schema])).toEqual([
    ['/4?1', 1, 2],
    ['/6?1', 3, 2],
  ]);
});

test('every site has its first rows, one per page, and their total number', async () => {
  const lists = await Database.open();
  await lists.run(`CREATE TABLE pages AS
    SELECT (1000 * s + 10 * p + c)::UINTEGER AS page, 'site' || s AS site, 'http://site' || s || '/' || p || '?' || c AS url,
      'site' || s || ')/' || p AS url_key, '200' || c || '-01-01T00:00:00Z' AS time, 'Page ' || p AS title, 500 AS html_bytes, 100 * p + c AS text_bytes,
      0 AS dom_text_bytes
    FROM range(1, 4) AS sites(s), range(1, 6) AS paths(p), range(1, 3) AS captures(c)`);
  await lists.run('CREATE TABLE page_schemas (page UINTEGER, detector VARCHAR, schema UINTEGER)');
  await lists.run('CREATE TABLE schemas (site VARCHAR, detector VARCHAR, schema UINTEGER, outlier BOOLEAN)');
  const rows = await lists.rows<{ site: string; url: string; own_bytes: number; of_site: number }>(
    STUDY_QUERIES.ownContent.sql('dom', 2),
  );
  expect(rows.map(({ url, own_bytes, of_site }) => [url, own_bytes, of_site])).toEqual([
    ['http://site1/5?2', 502, 5],
    ['http://site1/4?2', 402, 5],
    ['http://site2/5?2', 502, 5],
    ['http://site2/4?2', 402, 5],
    ['http://site3/5?2', 502, 5],
    ['http://site3/4?2', 402, 5],
  ]);
  const unlike = await lists.rows<{ url: string; time: string; of_site: number }>(
    STUDY_QUERIES.outliers.sql('dom', 1),
  );
  expect(unlike.map(({ url, time, of_site }) => [url, time.slice(0, 4), of_site])).toEqual([
    ['http://site1/1?2', '2002', 5],
    ['http://site2/1?2', '2002', 5],
    ['http://site3/1?2', '2002', 5],
  ]);
  lists.close();
});

/** Templates on sites x and y by the detector `text`, each on pages with these numbers of bytes of text and of links. */
async function sharedTemplates(
  templates: Record<string, { text: string; pages: number; textBytes: number; links: number }>,
): Promise<Database> {
  const shared = await Database.open();
  await shared.run('CREATE TABLE pages (page UINTEGER, text_bytes UINTEGER, links UINTEGER)');
  await shared.run('CREATE TABLE ranges (page UINTEGER, detector VARCHAR, template VARCHAR)');
  await shared.run(`CREATE TABLE templates (site VARCHAR, detector VARCHAR, template VARCHAR, pages UINTEGER,
    latest_occurrences BIGINT, size_bytes BIGINT, latest_bytes BIGINT, text VARCHAR)`);
  let page = 0;
  for (const [name, { text, pages, textBytes, links }] of Object.entries(templates)) {
    await shared.run(`INSERT INTO pages VALUES (${++page}, ${textBytes}, ${links})`);
    await shared.run(`INSERT INTO ranges VALUES (${page}, 'text', '${name}')`);
    for (const site of ['x', 'y'])
      await shared.run(
        `INSERT INTO templates VALUES ('${site}', 'text', '${name}', ${pages}, ${pages}, 40, ${40 * pages}, '${text}')`,
      );
  }
  return shared;
}

test('templates on several sites have the likely cause that their text and pages suggest', async () => {
  const shared = await sharedTemplates({
    ruler: { text: '-'.repeat(40), pages: 9, textBytes: 2000, links: 3 },
    script: { text: '', pages: 9, textBytes: 2000, links: 3 },
    wiki: { text: 'Jump to: navigation, search What links here', pages: 9, textBytes: 914, links: 36 },
    missing: {
      text: 'Not Found. The requested URL was not found on this server.',
      pages: 9,
      textBytes: 100,
      links: 5,
    },
    moved: { text: 'The document has moved here.', pages: 9, textBytes: 40, links: 1 },
    licence: { text: 'Permission is granted'.repeat(30), pages: 2, textBytes: 900, links: 4 },
  });
  const rows = await shared.rows<{ template: string; likely_cause: string }>(
    STUDY_QUERIES.sharedBySites.sql('text'),
  );
  expect(Object.fromEntries(rows.map(({ template, likely_cause }) => [template, likely_cause]))).toEqual({
    ruler: 'decoration',
    script: 'markup',
    wiki: 'shared software',
    missing: 'error page or notice',
    moved: 'redirect notice',
    licence: 'text in common',
  });
  shared.close();
});

test('a template on several sites is one template', async () => {
  const shared = await sharedTemplates({
    often: { text: 'often', pages: 9, textBytes: 100, links: 1 },
    seldom: { text: 'seldom', pages: 1, textBytes: 100, links: 1 },
  });
  expect(await shared.rows(STUDY_QUERIES.rankFrequency.sql('text'))).toEqual([
    { rank: 1, occurrences: 18, share_so_far: 0.9 },
    { rank: 2, occurrences: 2, share_so_far: 1 },
  ]);
  // of 800 bytes one copy of 40 has to be sent, of each
  expect(await shared.rows(STUDY_QUERIES.cache.sql('text'))).toEqual([
    { entries: 1, occurrences: 0.9, bytes_saved: 0.85 },
    { entries: 2, occurrences: 1, bytes_saved: 0.9 },
  ]);
  expect(await shared.rows(STUDY_QUERIES.templateCounts.sql('text'))).toEqual([
    { templates: 2, occurrences: 20, on_several_sites: 2 },
  ]);
  shared.close();
});
