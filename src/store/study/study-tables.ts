/**
 * The tables of `study/`, put together from the rows that tasks have left of each site: one detector after another,
 * sites in the order of their pages.
 */

import { type Database, quote, quoteFiles } from '../database.ts';
import { copyToParquet } from '../table-rows.ts';
import { type StudyFile, studyFiles } from './study-part.ts';

export interface StudyTableFiles {
  aggregates: string;
  schemas: string;
  pageSchemas: string;
}

/** Writes the tables from what lies in the folders of tasks, detectors in the order given. */
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
