/**
 * Joins the rows of sites that tasks have written into tables: `templates`, those of `study/` (by detector, sites
 * in the order of their pages), and the compared settings. Pages are distinct URLs, so that many captures of one
 * page do not make its own text look shared.
 */
import { type Database, quote, quoteFiles } from '../database.ts';
import { type RowOf, u32 } from '../table.ts';
import { copyToParquet, TableRows } from '../table-rows.ts';
import { SETTINGS } from '../tables.ts';
import { type StudyFile, studyFiles } from './study-part.ts';

/** Paths of the tables to write. */
export interface StudyTableFiles {
  aggregates: string;
  schemas: string;
  pageSchemas: string;
}

/** Writes the tables of `study/` from the folders of tasks, detectors in the order given. */
export async function writeStudyTables(
  database: Database,
  taskFolders: readonly string[],
  detectors: readonly string[],
  files: StudyTableFiles,
): Promise<void> {
  const rows = (kind: StudyFile) => `read_parquet(${quoteFiles(studyFiles(taskFolders, kind))})`;
  const found = await database.rows<{ detector: string }>(
    `SELECT DISTINCT detector FROM ${rows('page_schemas')}`,
  );
  const met = detectors.filter((name) => found.some(({ detector }) => detector === name));
  await database.run(
    `CREATE TYPE study_detector AS ENUM (${(met.length > 0 ? met : ['']).map(quote).join(', ')})`,
  );
  const detector = 'detector::study_detector';
  await copyToParquet(
    database,
    `SELECT site, ${detector} AS detector, aggregate, string_split(templates, ' ') AS templates, hashes, pages, occurrences,
       total_bytes, covered_bytes, all_bytes, hashes_so_far, (covered_bytes / all_bytes)::FLOAT AS covered_share
     FROM ${rows('aggregates')} t ORDER BY t.${detector}, place, aggregate`,
    files.aggregates,
  );
  await copyToParquet(
    database,
    `SELECT site, ${detector} AS detector, schema, pages, share, pattern, typical_page,
       string_split(templates, ' ') AS templates, outlier
     FROM ${rows('schemas')} t ORDER BY t.${detector}, place, schema`,
    files.schemas,
  );
  await copyToParquet(
    database,
    `SELECT page, ${detector} AS detector, schema, likeness FROM ${rows('page_schemas')} t
     ORDER BY page, t.detector`,
    files.pageSchemas,
  );
}

/** Maximum number of templates of one part. */
const PART_TEMPLATES = 16_384;

/**
 * Writes the parts of `templates` to the files that `partOf` returns; returns the number of templates. `sightings` are
 * files with the text of each template on the first page of a task.
 */
export async function writeSiteTemplates(
  database: Database,
  { taskFolders, sightings }: { taskFolders: readonly string[]; sightings: readonly string[] },
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
           FROM (SELECT site, detector, template, page AS first_page, text, links, targets, role, place
                 FROM read_parquet(${quoteFiles(sightings)}))
             SEMI JOIN slice USING (site, detector, template, first_page))
       SELECT site, detector, template, pages, occurrences, total_bytes // occurrences AS size_bytes, total_bytes,
         latest_occurrences, latest_bytes, first_seen, last_seen, coalesce(text, '') AS text, coalesce(links, 0)::UINTEGER AS links,
         CASE WHEN coalesce(targets, '') = '' THEN [] ELSE string_split(targets, chr(10)) END AS targets,
         coalesce(role, '') AS role, coalesce(place, '') AS place
       FROM slice LEFT JOIN samples USING (site, detector, template, first_page)
       ORDER BY row`,
      partOf(part),
    );
  }
  await database.run('DROP TABLE ranked');
  return count;
}

/** File of a task with rows of compared settings. */
export const SETTINGS_FILE = 'settings.parquet';

/** Columns of compared settings, with the index of the setting in the order of the user. */
const PLACED_COLUMNS = { ...SETTINGS.columns, place: u32() };

/** Figures of one compared setting on one site snapshot. */
export type SettingsRow = RowOf<typeof PLACED_COLUMNS>;

/** Writes the rows of compared settings of one task. */
export function writeSettingsPart(rows: readonly SettingsRow[], file: string): void {
  const table = new TableRows(PLACED_COLUMNS);
  for (const row of rows) table.add(row);
  table.toParquet(file);
}

/** Joins all parts into one table, by site, snapshot and the order in which the settings were given. */
export async function joinSettingsParts(
  database: Database,
  parts: readonly string[],
  file: string,
): Promise<void> {
  await copyToParquet(
    database,
    `SELECT * EXCLUDE (place) FROM read_parquet(${quoteFiles(parts)}) ORDER BY site, snapshot, place`,
    file,
  );
}
