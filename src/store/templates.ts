/**
 * The table of templates: what the ranges of all pages say about each. Pages are distinct URLs, so that many
 * captures of one page do not make its own text look shared. The large groupings are over numbers (of page,
 * URL, time, template), and spill to disk when they must. Texts are joined last, for some thousand templates at a
 * time, each a part of the table: a detector that names templates for every page has as many as there are pages.
 */
import { copyToParquet } from './column-buffer.ts';
import { type Database, quoteList } from './database.ts';

export interface TemplateSources {
  pages: string[];
  ranges: string[];
  sightings: string[];
}

/** Templates of one part. */
const PART_TEMPLATES = 16_384;

/** Writes the parts of the table to the files that `partOf` names; the number of templates. */
export async function writeTemplates(
  database: Database,
  { pages, ranges, sightings }: TemplateSources,
  partOf: (part: number) => string,
): Promise<number> {
  const allPages = `read_parquet(${quoteList(pages)})`;
  const templateRanges = `read_parquet(${quoteList(ranges)}) JOIN page_urls USING (page)
    WHERE label = 'template' AND template <> ''`;
  const tables = [
    `CREATE TABLE sites AS
     SELECT row_number() OVER (ORDER BY site)::UINTEGER AS site_id, site FROM (SELECT DISTINCT site FROM ${allPages})`,
    `CREATE TABLE moments AS
     SELECT row_number() OVER (ORDER BY time)::UINTEGER AS moment, time
     FROM (SELECT DISTINCT time FROM ${allPages} WHERE time <> '')`,
    `CREATE TABLE page_urls AS
     SELECT page, site_id, url_page, moment
     FROM ${allPages} JOIN (SELECT site, url, min(page) AS url_page FROM ${allPages} GROUP BY ALL) USING (site, url)
       JOIN sites USING (site) LEFT JOIN moments USING (time)`,
    `CREATE TABLE totals AS
     SELECT row_number() OVER ()::UINTEGER AS id, * FROM (
       SELECT site_id, detector, template, count(*) AS occurrences, sum("end" - "start")::BIGINT AS total_bytes,
         min(moment) AS first_moment, max(moment) AS last_moment
       FROM ${templateRanges} GROUP BY ALL)`,
    // pairs of numbers: with the names of templates they would take three times the memory
    `CREATE TABLE page_counts AS
     SELECT id, count(*)::UINTEGER AS pages FROM (
       SELECT DISTINCT id, url_page
       FROM (SELECT site_id, detector, template, url_page FROM ${templateRanges})
         JOIN totals USING (site_id, detector, template))
     GROUP BY id`,
  ];
  for (const sql of tables) await database.run(sql);
  // which of several is the first is told by numbers, so that texts are held once
  const allSightings = `read_parquet(${quoteList(sightings)})`;
  await database.run(`
    CREATE TABLE firsts AS
    SELECT site, detector, template, min(page) AS page FROM ${allSightings} GROUP BY ALL`);
  await database.run(`
    CREATE TABLE ranked AS
    SELECT row_number() OVER () AS place, * FROM (
      SELECT site, detector, template, firsts.page AS first_page, pages, occurrences, total_bytes,
        coalesce(first.time, '') AS first_seen, coalesce(last.time, '') AS last_seen
      FROM totals JOIN page_counts USING (id) JOIN sites USING (site_id)
        LEFT JOIN firsts USING (site, detector, template)
        LEFT JOIN moments first ON first_moment = first.moment LEFT JOIN moments last ON last_moment = last.moment
      ORDER BY site, detector, pages DESC, total_bytes DESC, template)`);
  for (const table of ['page_counts', 'page_urls', 'firsts', 'totals', 'moments', 'sites']) {
    await database.run(`DROP TABLE ${table}`);
  }
  const [{ n }] = await database.rows<{ n: number }>('SELECT count(*) AS n FROM ranked');
  for (let part = 0; part === 0 || part * PART_TEMPLATES < n; part++) {
    const from = part * PART_TEMPLATES;
    await copyToParquet(
      database,
      `WITH slice AS (FROM ranked WHERE place > ${from} AND place <= ${from + PART_TEMPLATES}),
         samples AS (
           FROM (SELECT site, detector, template, page AS first_page, text, links, targets FROM ${allSightings})
             SEMI JOIN slice USING (site, detector, template, first_page))
       SELECT site, detector, template, pages, occurrences, total_bytes // occurrences AS size_bytes, total_bytes,
         first_seen, last_seen, coalesce(text, '') AS text, coalesce(links, 0)::UINTEGER AS links,
         CASE WHEN coalesce(targets, '') = '' THEN [] ELSE string_split(targets, chr(10)) END AS targets
       FROM slice LEFT JOIN samples USING (site, detector, template, first_page)
       ORDER BY place`,
      partOf(part),
    );
  }
  await database.run('DROP TABLE ranked');
  return n;
}
