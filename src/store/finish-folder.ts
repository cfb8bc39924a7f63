/** The last stage of a run: what only all parts together can tell. */
import { mkdirSync, readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import type { Problem } from '../model/problem.ts';
import type { SiteCategory } from '../study/site-categories.ts';
import { ColumnBuffer } from './column-buffer.ts';
import { Database, quoteList } from './database.ts';
import { writeHistory } from './history/history-tables.ts';
import { SIGHTINGS_FILE } from './label-part.ts';
import { mergeProblems } from './problem-parts.ts';
import { partNumber, type RunFolder } from './run-folder.ts';
import { makeViews } from './sql.ts';
import { writeStudyTables } from './study/study-tables.ts';
import { type TemplateSources, writeTemplates } from './templates.ts';

/** Memory of the database; it spills what exceeds it. And what it may take when that is too little. */
const FINISH_MB = 128;
const MOST_FINISH_MB = 1024;

export interface FinishSources {
  /** Names of the label tasks. */
  tasks: string[];
  /** Parquet files of problems that tasks have left. */
  problemParts: string[];
  /** Problems of the run itself. */
  problems: Problem[];
  detectors: readonly string[];
  /** Categories of sites; without any there is no table of them. */
  categories: readonly SiteCategory[];
  /** The years whose history is told, when it was gathered. */
  history?: { fromYear: number; toYear: number };
}

export interface FinishCounts {
  sites: number;
  snapshots: number;
  templates: number;
  problems: Record<string, number>;
}

/** Writes `templates/` and `problems.jsonl` from the published parts. */
export async function finishFolder(
  folder: RunFolder,
  { tasks, problemParts, problems, detectors, categories, history }: FinishSources,
): Promise<FinishCounts> {
  const database = await Database.open({
    spillFolder: folder.work('spill'),
    memoryMb: FINISH_MB,
    mostMb: MOST_FINISH_MB,
    threads: 1, // several would each take memory of their own, and cut files into row groups as they please
  });
  try {
    const draft = folder.work('problems.jsonl');
    const problemCounts = await mergeProblems(database, problemParts, problems, draft);
    renameSync(draft, join(folder.path, 'problems.jsonl'));

    mkdirSync(join(folder.path, 'templates'), { recursive: true });
    if (tasks.length === 0) return { sites: 0, snapshots: 0, templates: 0, problems: problemCounts };
    const pages = partsOf(folder, 'pages');
    const templates = await publishTemplates(database, folder, {
      pages,
      ranges: partsOf(folder, 'ranges'),
      sightings: tasks.map((name) => join(folder.taskFolder(name), SIGHTINGS_FILE)),
    });
    await makeViews(database, folder.path);
    await publishStudy(database, folder, detectors);
    if (categories.length > 0) await publishCategories(database, folder, categories);
    if (history) {
      await writeHistory(database, {
        ...history,
        folders: tasks.map((name) => folder.taskFolder(name)),
        draft: folder.work('.'),
        target: join(folder.path, 'history'),
      });
    }
    const [{ sites, snapshots }] = await database.rows<{ sites: number; snapshots: number }>(
      `SELECT count(DISTINCT site) AS sites, count(*) AS snapshots
       FROM (SELECT DISTINCT site, snapshot FROM read_parquet(${quoteList(pages)}))`,
    );
    return { sites, snapshots, templates, problems: problemCounts };
  } finally {
    database.close();
  }
}

/** The parts of `templates/`, put in place when all are written. */
async function publishTemplates(
  database: Database,
  folder: RunFolder,
  sources: TemplateSources,
): Promise<number> {
  const drafts: string[] = [];
  const templates = await writeTemplates(database, sources, (part) => {
    drafts[part] = folder.work(`templates-${partName(part)}`);
    return drafts[part];
  });
  for (const [part, draft] of drafts.entries()) {
    renameSync(draft, join(folder.path, 'templates', partName(part)));
  }
  return templates;
}

function partName(part: number): string {
  return `${partNumber(part)}.parquet`;
}

/** The tables of `study/`, each put in place whole. */
async function publishStudy(
  database: Database,
  folder: RunFolder,
  detectors: readonly string[],
): Promise<void> {
  const names = { aggregates: 'aggregates', schemas: 'schemas', pageSchemas: 'page_schemas' };
  const drafts = Object.values(names).map((name) => folder.work(`${name}.parquet`));
  const [aggregates, schemas, pageSchemas] = drafts;
  await writeStudyTables(database, { detectors, files: { aggregates, schemas, pageSchemas } });
  mkdirSync(join(folder.path, 'study'), { recursive: true });
  for (const [k, name] of Object.values(names).entries()) {
    renameSync(drafts[k], join(folder.path, 'study', `${name}.parquet`));
  }
}

async function publishCategories(
  database: Database,
  folder: RunFolder,
  categories: readonly SiteCategory[],
): Promise<void> {
  const rows = new ColumnBuffer({ site: 'VARCHAR', category: 'VARCHAR' });
  for (const [site, category] of categories) rows.add(site, category);
  const draft = folder.work('categories.parquet');
  await rows.toParquet(database, draft);
  renameSync(draft, join(folder.path, 'study', 'categories.parquet'));
}

function partsOf(folder: RunFolder, kind: string): string[] {
  return readdirSync(join(folder.path, kind))
    .sort()
    .map((name) => join(folder.path, kind, name));
}
