/** The last stage of a run: what only all parts together can tell. */
import { existsSync, mkdirSync, readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import type { Problem } from '../model/problem.ts';
import type { RankedTemplates } from '../study/rank-templates.ts';
import type { SiteCategory } from '../study/site-categories.ts';
import { ColumnBuffer } from './column-buffer.ts';
import type { Database } from './database.ts';
import { openFinishDatabase } from './finish-database.ts';
import { SIGHTINGS_FILE } from './label-part.ts';
import { mergeProblems } from './problem-parts.ts';
import { rankSites } from './ranked-sites.ts';
import { partNumber, type RunFolder } from './run-folder.ts';
import { SEQUENCES_FILE } from './sequence-part.ts';
import { joinSettingsParts } from './settings-part.ts';
import { makeViews } from './sql.ts';
import { TemplateTable } from './templates.ts';

export interface FinishSources {
  /** Names of the label tasks. */
  tasks: string[];
  /** Parquet files of problems that tasks have left. */
  problemParts: string[];
  /** Problems of the run itself. */
  problems: Problem[];
  /** Categories of sites; without any there is no table of them. */
  categories: readonly SiteCategory[];
  /** Rows of settings that were compared; without any there is no table of them. */
  settingsParts?: readonly string[];
  /**
   * Makes the tables of `study/` and `history/`, and names the tasks that have them. Called when the sites are ranked; it
   * is given those that are held.
   */
  makeTables: (sites: RankedTemplates[] | undefined) => Promise<string[]>;
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
  const database = await openFinishDatabase(folder.work('spill'));
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
    const files = tasks.map((task) => join(folder.taskFolder(task), SEQUENCES_FILE));
    const sites = await rankSites(database, files);
    const made = sources.makeTables(Array.isArray(sites) ? sites : undefined);
    made.catch(() => {}); // whoever waits for the rest hears of it
    const templates = await publishTemplates(database, folder, { tasks, sites });
    const [counted] = await database.rows<{ sites: number; snapshots: number }>(
      `SELECT count(DISTINCT site) AS sites, count(*) AS snapshots
       FROM (SELECT DISTINCT site, snapshot FROM pages)`,
    );
    const rest = made
      .then((names) => publishRest(database, folder, names, sources))
      .finally(() => database.close());
    rest.catch(() => {}); // whoever waits for it hears of it
    return { counts: { ...counted, templates, problems: problemCounts }, rest };
  } catch (error) {
    database.close();
    throw error;
  }
}

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

/** The tables that tasks have made, each put in place whole, and those that take no time. */
async function publishRest(
  database: Database,
  folder: RunFolder,
  made: readonly string[],
  { categories, settingsParts }: Pick<FinishSources, 'categories' | 'settingsParts'>,
): Promise<void> {
  for (const kind of ['study', 'history']) {
    for (const task of made) {
      const from = join(folder.taskFolder(task), kind);
      if (!existsSync(from)) continue;
      mkdirSync(join(folder.path, kind), { recursive: true });
      for (const table of readdirSync(from)) renameSync(join(from, table), join(folder.path, kind, table));
    }
  }
  if (categories.length > 0) publishCategories(folder, categories);
  if (settingsParts) await publishSettings(database, folder, settingsParts);
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
