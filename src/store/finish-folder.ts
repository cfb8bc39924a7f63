/** The last stage of a run: what only all parts together can tell. */
import { mkdirSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Problem } from '../model/problem.ts';
import { type RankedTemplates, rankTemplates } from '../study/rank-templates.ts';
import type { SiteCategory } from '../study/site-categories.ts';
import { ColumnBuffer } from './column-buffer.ts';
import { Database } from './database.ts';
import { writeHistory } from './history/history-tables.ts';
import { SIGHTINGS_FILE } from './label-part.ts';
import { mergeProblems } from './problem-parts.ts';
import { partNumber, type RunFolder } from './run-folder.ts';
import { readSequenceParts, SEQUENCES_FILE } from './sequence-part.ts';
import { joinSettingsParts } from './settings-part.ts';
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
  /** Rows of settings that were compared; without any there is no table of them. */
  settingsParts?: readonly string[];
  /** The years whose history is told, when it was gathered. */
  history?: { fromYear: number; toYear: number };
}

export interface FinishCounts {
  sites: number;
  snapshots: number;
  templates: number;
  problems: Record<string, number>;
}

export interface Finished {
  counts: FinishCounts;
  /** Settles when `study/` and `history/` are in place too: until then other files of the folder may be read. */
  rest: Promise<void>;
}

/** Writes all that only the published parts together can tell; returns when `templates/` and `problems.jsonl` are there. */
export async function finishFolder(folder: RunFolder, sources: FinishSources): Promise<Finished> {
  const { tasks, problemParts, problems } = sources;
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
    if (tasks.length === 0) {
      database.close();
      return {
        counts: { sites: 0, snapshots: 0, templates: 0, problems: problemCounts },
        rest: Promise.resolve(),
      };
    }
    await makeViews(database, folder.path, ['pages']);
    const sites = rankSites(folder, tasks, await readRepeats(database));
    const templates = await publishTemplates(database, folder, { tasks, sites });
    const [counted] = await database.rows<{ sites: number; snapshots: number }>(
      `SELECT count(DISTINCT site) AS sites, count(*) AS snapshots
       FROM (SELECT DISTINCT site, snapshot FROM pages)`,
    );
    const rest = publishRest(database, folder, { ...sources, sites }).finally(() => database.close());
    rest.catch(() => {}); // whoever waits for it hears of it
    return { counts: { ...counted, templates, problems: problemCounts }, rest };
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Pages of URLs that were captured several times, by a number of the URL. */
type Repeats = ReadonlyMap<number, number>;

/** What tasks have gathered of all sites is held when it is no larger than this, else read again. */
const MOST_HELD_BYTES = 32 * 1024 * 1024;

/** The parts of `templates/`, put in place when all are written; the number of templates. */
async function publishTemplates(
  database: Database,
  folder: RunFolder,
  { tasks, sites }: Pick<FinishSources, 'tasks'> & { sites: Iterable<RankedTemplates> },
): Promise<number> {
  const table = await TemplateTable.open(database, database.connection);
  for (const ranked of sites) await table.add(ranked);
  const drafts: string[] = [];
  const partName = (part: number) => `${partNumber(part)}.parquet`;
  const sightings = tasks.map((task) => join(folder.taskFolder(task), SIGHTINGS_FILE));
  const count = await table.write(sightings, (part) => {
    drafts[part] = folder.work(`templates-${partName(part)}`);
    return drafts[part];
  });
  for (const [part, draft] of drafts.entries()) {
    renameSync(draft, join(folder.path, 'templates', partName(part)));
  }
  return count;
}

/** The templates of one site after another, detectors by name; to be gone through more than once. */
function rankSites(folder: RunFolder, tasks: string[], repeats: Repeats): Iterable<RankedTemplates> {
  const files = tasks.map((task) => join(folder.taskFolder(task), SEQUENCES_FILE));
  function* rankAll(): Generator<RankedTemplates> {
    for (const site of readSequenceParts(files)) {
      site.sort((a, b) => (a.detector < b.detector ? -1 : 1));
      for (const part of site) yield rankTemplates(part, repeats);
    }
  }
  const sizeBytes = files.reduce((sum, file) => sum + statSync(file).size, 0);
  return sizeBytes <= MOST_HELD_BYTES ? [...rankAll()] : { [Symbol.iterator]: rankAll };
}

async function publishRest(
  database: Database,
  folder: RunFolder,
  {
    tasks,
    detectors,
    categories,
    settingsParts,
    history,
    sites,
  }: FinishSources & { sites: Iterable<RankedTemplates> },
): Promise<void> {
  await publishStudy(database, folder, { detectors, sites });
  if (categories.length > 0) publishCategories(folder, categories);
  if (settingsParts) await publishSettings(database, folder, settingsParts);
  if (!history) return;
  await writeHistory(database, {
    ...history,
    folders: tasks.map((name) => folder.taskFolder(name)),
    draft: folder.work('.'),
    target: join(folder.path, 'history'),
  });
}

/** The tables of `study/`, each put in place whole. */
async function publishStudy(
  database: Database,
  folder: RunFolder,
  { detectors, sites }: Pick<FinishSources, 'detectors'> & { sites: Iterable<RankedTemplates> },
): Promise<void> {
  // rows are written by one connection while another reads those that follow
  const writer = await database.connect();
  try {
    const tables = new StudyTables(database, writer);
    for (const ranked of sites) {
      await tables.add(ranked);
      await new Promise((resolve) => setImmediate(resolve)); // others wait for this thread
    }
    const names = { aggregates: 'aggregates', schemas: 'schemas', pageSchemas: 'page_schemas' };
    const drafts = Object.values(names).map((name) => folder.work(`${name}.parquet`));
    const [aggregates, schemas, pageSchemas] = drafts;
    await tables.write(detectors, { aggregates, schemas, pageSchemas });
    mkdirSync(join(folder.path, 'study'), { recursive: true });
    for (const [k, name] of Object.values(names).entries()) {
      renameSync(drafts[k], join(folder.path, 'study', `${name}.parquet`));
    }
  } finally {
    writer.closeSync();
  }
}

/** Pages whose URL was captured several times, each with the first of them. Two numbers each, all at once. */
async function readRepeats(database: Database): Promise<Repeats> {
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

function publishCategories(folder: RunFolder, categories: readonly SiteCategory[]): void {
  const rows = new ColumnBuffer({ site: 'VARCHAR', category: 'VARCHAR' });
  for (const [site, category] of categories) rows.add(site, category);
  const draft = folder.work('categories.parquet');
  rows.toParquet(draft);
  renameSync(draft, join(folder.path, 'study', 'categories.parquet'));
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
