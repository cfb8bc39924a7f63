/**
 * The tables that only all pages together can tell: those of `study/` and of `history/`. Each is a task, so that a
 * worker makes them while the thread that leads the run goes on with the rest of the folder.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { openFinishDatabase } from '../store/finish-database.ts';
import { writeHistory } from '../store/history/history-tables.ts';
import { rankSites } from '../store/ranked-sites.ts';
import { commitTask } from '../store/run-folder.ts';
import { SEQUENCES_FILE } from '../store/sequence-part.ts';
import { makeViews } from '../store/sql.ts';
import { StudyTables } from '../store/study/study-tables.ts';
import { emptyCounts } from './counts.ts';
import type { HistoryTask, StudyTask, TaskContext, TaskCounts } from './task.ts';

export async function makeStudy(task: StudyTask, context: TaskContext): Promise<TaskCounts> {
  const { folder, output, spill, labelFolders, job } = task;
  const database = await openFinishDatabase(spill);
  try {
    await makeViews(database, output, ['pages']);
    const files = labelFolders.map((label) => join(label, SEQUENCES_FILE));
    const sites = task.sites ?? (await rankSites(database, files));
    // rows are written by one connection while another reads those that follow
    const writer = await database.connect();
    try {
      const tables = new StudyTables(database, writer);
      for (const ranked of sites) {
        await tables.add(ranked);
        await context.pause();
      }
      await commitTask(folder, async (draft) => {
        const target = join(draft, 'study');
        mkdirSync(target);
        await tables.write(job.detectors, {
          aggregates: join(target, 'aggregates.parquet'),
          schemas: join(target, 'schemas.parquet'),
          pageSchemas: join(target, 'page_schemas.parquet'),
        });
      });
    } finally {
      writer.closeSync();
    }
  } finally {
    database.close();
  }
  return emptyCounts();
}

export async function makeHistory({
  folder,
  output,
  spill,
  labelFolders,
  years,
}: HistoryTask): Promise<TaskCounts> {
  const database = await openFinishDatabase(spill);
  try {
    await makeViews(database, output, ['pages']);
    await commitTask(folder, (draft) =>
      writeHistory(database, { ...years, folders: labelFolders, draft, target: join(draft, 'history') }),
    );
  } finally {
    database.close();
  }
  return emptyCounts();
}
