/**
 * The table of templates: what the ranges of all pages say about each. Pages are distinct URLs, so that many
 * captures of one page do not make its own text look shared. The large grouping is over narrow columns
 * (a number per page, URL and time), and spills to disk when it must.
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
  await database.run(`
    CREATE TABLE page_urls AS
    SELECT page, dense_rank() OVER (ORDER BY site)::UINTEGER AS site_id, site,
      min(page) OVER (PARTITION BY site, url) AS url_page, time,
      CASE WHEN time <> '' THEN dense_rank() OVER (ORDER BY time)::UINTEGER END AS moment
    FROM read_parquet(${quoteList(pages)})`);
  await database.run(`
    CREATE TABLE totals AS
    SELECT site_id, detector, template, count(DISTINCT url_page)::UINTEGER AS pages, count(*) AS occurrences,
      sum("end" - "start")::BIGINT AS total_bytes, min(moment) AS first_moment, max(moment) AS last_moment
    FROM read_parquet(${quoteList(ranges)}) JOIN page_urls USING (page)
    WHERE label = 'template' AND template <> '' GROUP BY ALL`);
  await database.run(`
    CREATE TABLE samples AS
    SELECT site, detector, template, arg_min(text, page) AS text, arg_min(links, page) AS links,
      arg_min(targets, page) AS targets
    FROM read_parquet(${quoteList(sightings)}) GROUP BY ALL`);
  // several threads would cut the file into row groups as they please
  await database.run('SET threads = 1');
  await copyToParquet(
    database,
    `WITH sites AS (SELECT DISTINCT site_id, site FROM page_urls),
       moments AS (SELECT DISTINCT moment, time FROM page_urls)
     SELECT site, detector, template, pages, occurrences, total_bytes // occurrences AS size_bytes, total_bytes,
       coalesce(first.time, '') AS first_seen, coalesce(last.time, '') AS last_seen,
       coalesce(samples.text, '') AS text, coalesce(samples.links, 0)::UINTEGER AS links,
       CASE WHEN coalesce(targets, '') = '' THEN [] ELSE string_split(targets, chr(10)) END AS targets
     FROM totals JOIN sites USING (site_id) LEFT JOIN samples USING (site, detector, template)
       LEFT JOIN moments first ON first_moment = first.moment LEFT JOIN moments last ON last_moment = last.moment
     ORDER BY site, detector, pages DESC, total_bytes DESC, template`,
    path,
  );
  const [{ n }] = await database.rows<{ n: number }>('SELECT count(*) AS n FROM totals');
  return n;
}
