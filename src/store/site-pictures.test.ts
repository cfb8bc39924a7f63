import { expect, test } from 'vitest';
import { Database } from './database.ts';
import { BAR_STEP, readPictures } from './site-pictures.ts';

/** Two sites of three pages each; every page begins with a template, ends with another and has one unsure range. */
async function openTables(): Promise<Database> {
  const database = await Database.open();
  await database.run(`CREATE TABLE pages AS
    SELECT page::UINTEGER AS page, IF(page <= 3, 'a.example', 'b.example') AS site, 'http://x/' || page AS url,
      '2009-04-01T12:00:00Z' AS time, 'Page ' || page AS title, (1000 + page)::UINTEGER AS html_bytes
    FROM range(1, 7) t(page)`);
  await database.run(`CREATE TABLE ranges AS
    SELECT page, detector, "start"::UINTEGER AS "start", "end"::UINTEGER AS "end", label, template
    FROM pages, (VALUES ('dom'), ('text')) d(detector),
      (VALUES (500, 900, 'template', 'rare'), (0, 100, 'template', 'common'), (100, 200, 'content', ''),
        (200, 300, 'unsure', 'doubted')) r("start", "end", label, template)`);
  await database.run(`CREATE TABLE templates AS
    SELECT site, detector, template, pages, 3 AS occurrences, 100 AS size_bytes, pages * 100 AS total_bytes,
      '' AS first_seen, '' AS last_seen, 'text of ' || template AS text,
      'menu' AS role, 'nav.main' AS place
    FROM (VALUES ('a.example'), ('b.example')) s(site), (VALUES ('dom'), ('text')) d(detector),
      (VALUES ('rare', 2), ('common', 3)) t(template, pages)`);
  return database;
}

const all = { sites: ['b.example', 'a.example'], detectors: ['dom', 'text'], mostBars: 9, mostTemplates: 9 };

test('pictures come by site and detector, pages longest first, ranges in order and without content', async () => {
  const database = await openTables();
  const pictures = await readPictures(database, all);
  expect(pictures.map(({ site, detector }) => `${site} ${detector}`)).toEqual([
    'b.example dom',
    'b.example text',
    'a.example dom',
    'a.example text',
  ]);
  const [{ bars, templates, templateCount }] = pictures;
  expect(bars.map(({ page }) => page)).toEqual([6, 5, 4]);
  expect(bars[0]).toMatchObject({ url: 'http://x/6', title: 'Page 6', sizeBytes: 1006 });
  expect(bars[0].ranges).toEqual([0, 100, 0, 0, 200, 300, -1, 1, 500, 900, 1, 0]);
  expect(templates.map(({ id, text }) => `${id}: ${text}`)).toEqual([
    'common: text of common',
    'rare: text of rare',
  ]);
  expect(templateCount).toBe(2);
  database.close();
});

test('a template beyond the list is counted but not named', async () => {
  const database = await openTables();
  const [{ bars, templates, templateCount }] = await readPictures(database, { ...all, mostTemplates: 1 });
  expect(templates.map(({ id }) => id)).toEqual(['common']);
  expect(templateCount).toBe(2);
  expect(bars[0].ranges.filter((_, k) => k % BAR_STEP === 2)).toEqual([0, -1, -1]);
  database.close();
});

test('a sample of the pages is the same for every detector and any order of the table', async () => {
  const database = await openTables();
  const sample = async () => {
    const pictures = await readPictures(database, { ...all, mostBars: 2 });
    return pictures.map(({ bars }) => bars.map(({ page }) => page));
  };
  const before = await sample();
  expect(before[0]).toHaveLength(2);
  expect(before[1]).toEqual(before[0]);
  await database.run('CREATE TABLE reversed AS SELECT * FROM pages ORDER BY page DESC');
  await database.run('DROP TABLE pages');
  await database.run('ALTER TABLE reversed RENAME TO pages');
  expect(await sample()).toEqual(before);
  database.close();
});
