/**
 * What pages of several label tasks tell together: a site that is in several of them, and the tables of `history/`, which a
 * worker makes while the thread that leads the run goes on with the rest of the folder.
 */
import { join } from 'node:path';
import { openFinishDatabase } from '../../store/database.ts';
import { makeViews } from '../../store/folder-sql.ts';
import { writeHistory } from '../../store/history/history-tables.ts';
import { commitTask } from '../../store/run-folder.ts';
import { readSharedSite, SEQUENCES_FILE } from '../../store/sequence-part.ts';
import { StudyPart } from '../../store/study/study-part.ts';
import type { HistoryTask, StudyTask, TaskContext, TaskCounts } from './task.ts';
import { emptyCounts } from './task-record.ts';

export async function studySites(
  { folder, spill, sites }: StudyTask,
  context: TaskContext,
): Promise<TaskCounts> {
  const database = await openFinishDatabase(spill);
  try {
    await commitTask(folder, async (draft) => {
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
