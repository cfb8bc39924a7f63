/**
 * The table of templates, put together from the rows that tasks have left of each site (study/study-part.ts). Pages are
 * distinct URLs, so that many captures of one page do not make its own text look shared. Texts are joined last, for some
 * thousand templates at a time, each a part of the table: a detector that names templates for every page has as many as
 * there are pages.
 */

import { type Database, quoteFiles } from './database.ts';
import { studyFiles } from './study/study-part.ts';
import { copyToParquet } from './table-rows.ts';

/** Templates of one part. */
const PART_TEMPLATES = 16_384;

export interface TemplateSources {
  /** Of the tasks that have left rows of sites. */
  taskFolders: readonly string[];
  /** Files with the texts that templates have on the first page of a task. */
  sightings: readonly string[];
}

/** Writes the parts of the table to the files that `partOf` names; the number of templates. */
export async function writeTemplates(
  database: Database,
  { taskFolders, sightings }: TemplateSources,
  partOf: (part: number) => string,
): Promise<number> {
  await database.run(
    `CREATE TABLE ranked AS
     SELECT (row_number() OVER () - 1)::UINTEGER AS row, * EXCLUDE (place, rank)
     FROM (FROM read_parquet(${quoteFiles(studyFiles(taskFolders, 'ranked'))}) ORDER BY place, detector, rank)`,
  );
  const [{ count }] = await database.rows<{ count: number }>('SELECT count(*) AS count FROM ranked');
  for (let part = 0; part === 0 || part * PART_TEMPLATES < count; part++) {
    const from = part * PART_TEMPLATES;
    await copyToParquet(
      database,
      `WITH slice AS (FROM ranked WHERE row >= ${from} AND row < ${from + PART_TEMPLATES}),
         samples AS (
           FROM (SELECT site, detector, template, page AS first_page, text, links, targets
                 FROM read_parquet(${quoteFiles(sightings)}))
             SEMI JOIN slice USING (site, detector, template, first_page))
       SELECT site, detector, template, pages, occurrences, total_bytes // occurrences AS size_bytes, total_bytes,
         latest_occurrences, latest_bytes, first_seen, last_seen, coalesce(text, '') AS text, coalesce(links, 0)::UINTEGER AS links,
         CASE WHEN coalesce(targets, '') = '' THEN [] ELSE string_split(targets, chr(10)) END AS targets
       FROM slice LEFT JOIN samples USING (site, detector, template, first_page)
       ORDER BY row`,
      partOf(part),
    );
  }
  await database.run('DROP TABLE ranked');
  return count;
}
