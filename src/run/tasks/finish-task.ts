/**
 * Tasks that combine the results of several label tasks: a site with pages in several of them, and the tables of
 * `history/`. A worker makes the history while the leading thread completes the rest of the folder.
 */
import { join } from 'node:path';
import { openFinishDatabase } from '../../store/database.ts';
import { makeViews } from '../../store/folder-sql.ts';
import { writeHistory } from '../../store/history/history-tables.ts';
import { readSharedSite, SEQUENCES_FILE } from '../../store/sequence-part.ts';
import { StudyPart } from '../../store/study/study-part.ts';
import { commitTask } from '../../store/task-parts.ts';
import type { HistoryTask, StudyTask, TaskContext, TaskCounts } from './task.ts';
import { newTaskCounts } from './task-record.ts';

/** Combines the results of shared sites; runs a `StudyTask`. */
export async function studySites(task: StudyTask, context: TaskContext): Promise<TaskCounts> {
  const { spill, sites } = task;
  const database = await openFinishDatabase(spill);
  try {
    await commitTask(task, async (draft) => {
      const part = new StudyPart(draft);
      for (const { site, labelFolders, pageFiles } of sites) {
        const sequenceFiles = labelFolders.map((label) => join(label, SEQUENCES_FILE));
        const study = await readSharedSite(database, { site, sequenceFiles, pageFiles });
        if (study) part.add(study);
        await context.pause();
      }
      part.close();
    });
  } finally {
    database.close();
  }
  return newTaskCounts();
}

/** Writes the tables of `history/`; runs a `HistoryTask`. */
export async function makeHistory(task: HistoryTask): Promise<TaskCounts> {
  const { output, spill, labelFolders, years } = task;
  const database = await openFinishDatabase(spill);
  try {
    await makeViews(database, output, ['pages']);
    await commitTask(task, (draft) =>
      writeHistory(database, { ...years, folders: labelFolders, draft, target: join(draft, 'history') }),
    );
  } finally {
    database.close();
  }
  return newTaskCounts();
}
