/** Last stage of a run: makes the tables that need the parts of all tasks. */
import { mkdirSync, readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import type { Problem } from '../model/problem.ts';
import type { SiteCategory } from '../study/site-categories.ts';
import { type Database, openFinishDatabase } from './database.ts';
import { makeViews } from './folder-sql.ts';
import { SIGHTINGS_FILE } from './label-part.ts';
import { mergeProblems } from './problem-parts.ts';
import { partNumber, type RunFolder } from './run-folder.ts';
import { publishAnnotated, writeWireframes } from './sampled-part.ts';
import { joinSettingsParts, writeSiteTemplates, writeStudyTables } from './study/site-tables.ts';
import type { RowOf, Table, WrittenColumns } from './table.ts';
import { TableRows } from './table-rows.ts';
import { CATEGORIES, COLLECTIONS } from './tables.ts';

/** Results of tasks and settings of a run from which the tables are made. */
export interface FinishSources {
  /** Names of the label tasks. */
  tasks: string[];
  /** Files of problems that tasks have written. */
  problemParts: string[];
  /** Problems found outside tasks. */
  problems: Problem[];
  /** Categories of sites; when empty, the table is not written. */
  categories: readonly SiteCategory[];
  /** Collections of sites; when empty, the table is not written. */
  collections: readonly SiteCategory[];
  /** Files with rows of compared settings; when undefined, the table is not written. */
  settingsParts?: readonly string[];
  /** Folders of the tasks that joined the data of a site from several label tasks. */
  studied: readonly string[];
  detectors: readonly string[];
  /** Resolves when the tables of `history/` are made, with the folders of the tasks that hold them. */
  made: Promise<string[]>;
}

/** Totals that are known only at the end of a run. */
interface FinishCounts {
  sites: number;
  snapshots: number;
  templates: number;
  problems: Record<string, number>;
}

/** Totals of the finish, and resources that the report still needs. */
export interface Finished {
  counts: FinishCounts;
  /** Resolves when `history/` is in place; the other files of the folder can be read before. */
  rest: Promise<void>;
  /** Open database for the report; the caller closes it. */
  database: Database;
}

/** Writes all tables that need the published parts of all tasks; returns when all but `history/` are in place. */
export async function finishFolder(folder: RunFolder, sources: FinishSources): Promise<Finished> {
  const database = await openFinishDatabase(folder.work('spill'));
  try {
    return { ...(await finishWith(database, folder, sources)), database };
  } catch (error) {
    database.close();
    throw error;
  }
}

async function finishWith(
  database: Database,
  folder: RunFolder,
  sources: FinishSources,
): Promise<Omit<Finished, 'database'>> {
  const { tasks, problemParts, problems, made } = sources;
  const draft = folder.work('problems.jsonl');
  const problemCounts = mergeProblems(problemParts, problems, draft);
  renameSync(draft, join(folder.path, 'problems.jsonl'));

  mkdirSync(join(folder.path, 'templates'), { recursive: true });
  if (tasks.length === 0) {
    return {
      counts: { sites: 0, snapshots: 0, templates: 0, problems: problemCounts },
      rest: Promise.resolve(),
    };
  }
  const templates = await publishTemplates(database, folder, sources);
  await publishStudy(database, folder, sources);
  await makeViews(database, folder.path, ['pages']);
  const [counted] = await database.rows<{ sites: number; snapshots: number }>(
    `SELECT count(DISTINCT site) AS sites, count(*) AS snapshots
       FROM (SELECT DISTINCT site, snapshot FROM pages)`,
  );
  const rest = made.then((folders) => publishHistory(folder, folders));
  rest.catch(() => {}); // the code that awaits it handles the error
  return { counts: { ...counted, templates, problems: problemCounts }, rest };
}

/** Folders of the tasks that have written rows of sites. */
function studiedFolders(
  folder: RunFolder,
  { tasks, studied }: Pick<FinishSources, 'tasks' | 'studied'>,
): string[] {
  return [...tasks.map((task) => folder.taskFolder(task)), ...studied];
}

/** Writes the parts of `templates/` and moves them into place together; returns the number of templates. */
async function publishTemplates(
  database: Database,
  folder: RunFolder,
  sources: Pick<FinishSources, 'tasks' | 'studied'>,
): Promise<number> {
  const drafts: string[] = [];
  const partName = (part: number) => `${partNumber(part)}.parquet`;
  const sightings = sources.tasks.map((task) => join(folder.taskFolder(task), SIGHTINGS_FILE));
  const taskFolders = studiedFolders(folder, sources);
  const count = await writeSiteTemplates(database, { taskFolders, sightings }, (part) => {
    drafts[part] = folder.work(`templates-${partName(part)}`);
    return drafts[part];
  });
  for (const [part, draft] of drafts.entries()) {
    renameSync(draft, join(folder.path, 'templates', partName(part)));
  }
  return count;
}

/** Writes the tables of `study/`; each is moved into place when it is complete. */
async function publishStudy(database: Database, folder: RunFolder, sources: FinishSources): Promise<void> {
  const { detectors, categories, collections, settingsParts } = sources;
  const draft = folder.workFolder('study');
  await writeStudyTables(database, studiedFolders(folder, sources), detectors, {
    aggregates: join(draft, 'aggregates.parquet'),
    schemas: join(draft, 'schemas.parquet'),
    pageSchemas: join(draft, 'page_schemas.parquet'),
  });
  const tasks = sources.tasks.map((task) => folder.taskFolder(task));
  await writeWireframes(database, tasks, join(draft, 'wireframes.parquet'));
  moveTables(draft, join(folder.path, 'study'));
  publishAnnotated(tasks, folder.path);
  publishRows(
    folder,
    CATEGORIES,
    categories.map(([site, category]) => ({ site, category })),
  );
  publishRows(
    folder,
    COLLECTIONS,
    collections.map(([site, collection]) => ({ site, collection })),
  );
  if (settingsParts) await publishSettings(database, folder, settingsParts);
}

function publishHistory(folder: RunFolder, made: readonly string[]): void {
  for (const task of made) moveTables(join(task, 'history'), join(folder.path, 'history'));
}

/** Moves all tables of a folder; tables that an earlier try has moved are already in place. */
function moveTables(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  for (const table of readdirSync(from)) renameSync(join(from, table), join(to, table));
}

/** Writes a table of `study/` from its rows; writes no file when there are no rows. */
function publishRows<C extends WrittenColumns>(
  folder: RunFolder,
  { name, columns }: Table<C>,
  rows: readonly RowOf<C>[],
): void {
  if (rows.length === 0) return;
  const table = new TableRows(columns);
  for (const row of rows) table.add(row);
  const draft = folder.work(`${name}.parquet`);
  table.toParquet(draft);
  renameSync(draft, join(folder.path, 'study', `${name}.parquet`));
}

async function publishSettings(
  database: Database,
  folder: RunFolder,
  parts: readonly string[],
): Promise<void> {
  const draft = folder.work('settings.parquet');
  await joinSettingsParts(database, parts, draft);
  renameSync(draft, join(folder.path, 'study', 'settings.parquet'));
}
