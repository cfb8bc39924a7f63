/**
 * The table of templates: what the ranges of all pages say about each. Pages are distinct URLs, so that many
 * captures of one page do not make its own text look shared. The large groupings are over numbers (of page,
 * URL, time, template), and spill to disk when they must.
 */
import { copyToParquet } from './column-buffer.ts';
import { type Database, quoteList } from './database.ts';

export interface TemplateSources {
  pages: string[];
  ranges: string[];
  sightings: string[];
}

export async function writeTemplates(
  database: Database,
  { pages, ranges, sightings }: TemplateSources,
  path: string,
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
  await copyToParquet(
    database,
    `SELECT site, detector, template, pages, occurrences, total_bytes // occurrences AS size_bytes, total_bytes,
       coalesce(first.time, '') AS first_seen, coalesce(last.time, '') AS last_seen,
       coalesce(samples.text, '') AS text, coalesce(samples.links, 0)::UINTEGER AS links,
       CASE WHEN coalesce(targets, '') = '' THEN [] ELSE string_split(targets, chr(10)) END AS targets
     FROM totals JOIN page_counts USING (id) JOIN sites USING (site_id)
       LEFT JOIN (FROM ${allSightings} SEMI JOIN firsts USING (site, detector, template, page)) samples
         USING (site, detector, template)
       LEFT JOIN moments first ON first_moment = first.moment LEFT JOIN moments last ON last_moment = last.moment
     ORDER BY site, detector, pages DESC, total_bytes DESC, template`,
    path,
  );
  const [{ n }] = await database.rows<{ n: number }>('SELECT count(*) AS n FROM totals');
  for (const table of ['page_counts', 'page_urls', 'firsts', 'totals', 'moments', 'sites']) {
    await database.run(`DROP TABLE ${table}`);
  }
  return n;
}
