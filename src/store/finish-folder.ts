/** The last stage of a run: what only all parts together can tell. */
import { mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import type { Problem } from '../model/problem.ts';
import type { SiteCategory } from '../study/site-categories.ts';
import { rankTemplates } from '../study/site-templates.ts';
import { ColumnBuffer } from './column-buffer.ts';
import { Database } from './database.ts';
import { writeHistory } from './history/history-tables.ts';
import { SIGHTINGS_FILE } from './label-part.ts';
import { mergeProblems } from './problem-parts.ts';
import { partNumber, type RunFolder } from './run-folder.ts';
import { readSequenceParts, SEQUENCES_FILE } from './sequence-part.ts';
import { makeViews } from './sql.ts';
import { StudyTables } from './study/study-tables.ts';
import { TemplateTable } from './templates.ts';

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
    const templates = await publishTemplates(database, folder, { tasks, detectors });
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
       FROM (SELECT DISTINCT site, snapshot FROM pages)`,
    );
    return { sites, snapshots, templates, problems: problemCounts };
  } finally {
    database.close();
  }
}

/** The parts of `templates/` and the tables of `study/`, put in place when all are written; the number of templates. */
async function publishTemplates(
  database: Database,
  folder: RunFolder,
  { tasks, detectors }: Pick<FinishSources, 'tasks' | 'detectors'>,
): Promise<number> {
  await makeViews(database, folder.path);
  const repeats = await readRepeats(database);
  // rows are written by one connection while another reads those that follow
  const writer = await database.connect();
  try {
    const table = await TemplateTable.open(database, writer);
    const study = new StudyTables(database, writer);
    const filesOf = (name: string) => tasks.map((task) => join(folder.taskFolder(task), name));
    for (const site of readSequenceParts(filesOf(SEQUENCES_FILE))) {
      for (const part of site.sort((a, b) => (a.detector < b.detector ? -1 : 1))) {
        const ranked = rankTemplates(part, repeats);
        await table.add(ranked);
        await study.add(ranked);
      }
    }
    const parts = new Map<string, string>(); // drafts, by where they belong
    const draftOf = (kind: string, name: string): string => {
      const draft = folder.work(`${kind}-${name}`);
      mkdirSync(join(folder.path, kind), { recursive: true });
      parts.set(join(folder.path, kind, name), draft);
      return draft;
    };
    const count = await table.write(filesOf(SIGHTINGS_FILE), (part) =>
      draftOf('templates', `${partNumber(part)}.parquet`),
    );
    await study.write(detectors, {
      aggregates: draftOf('study', 'aggregates.parquet'),
      schemas: draftOf('study', 'schemas.parquet'),
      pageSchemas: draftOf('study', 'page_schemas.parquet'),
    });
    for (const [place, draft] of parts) renameSync(draft, place);
    return count;
  } finally {
    writer.closeSync();
  }
}

/** Pages whose URL was captured several times, each with the first of them. Two numbers each, all at once. */
async function readRepeats(database: Database): Promise<Map<number, number>> {
  const repeats = new Map<number, number>();
  const rows = database.numbers(
    `SELECT page, first_page FROM pages JOIN (
       SELECT site, url, min(page) AS first_page FROM pages GROUP BY ALL HAVING count(*) > 1) USING (site, url)`,
  );
  for await (const { columns, rowCount } of rows) {
    const [pages, firsts] = columns;
    for (let row = 0; row < rowCount; row++) repeats.set(pages[row], firsts[row]);
  }
  return repeats;
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
