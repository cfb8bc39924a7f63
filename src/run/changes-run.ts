/**
 * Finds what changed between the captures of every site. The stages are survey, plan, learn and label, where each page
 * is compared with the previous capture of its URL; then the database groups all changes.
 */
import { type ChangeClass, type ChangeRow, countCompared, readChanges } from '../store/change-rows.ts';
import { Database } from '../store/database.ts';
import { countFewSnapshots } from '../store/redesigns.ts';
import { checkJob } from './job.ts';
import { type ProblemOptions, type RunOptions, type RunSummary, withSession } from './session.ts';
import type { StageContext } from './stages/run-stage.ts';
import { chunkLabelTasks, labelAll, learnAll } from './stages/site-stages.ts';

/** Options of `runChanges`. */
export interface ChangesRunOptions extends RunOptions, ProblemOptions {
  /** Classes of changes to list. @default all */
  only?: readonly ChangeClass[];
  /** Called with every row, ordered by site, snapshot and class. */
  onChange: (row: ChangeRow) => void | Promise<void>;
}

/** The accounts of a comparison of captures. */
export interface ChangesSummary extends RunSummary {
  /** Number of pages that were compared with an earlier capture. */
  compared: number;
  /** Number of sites with too few snapshots for finding redesigns of a part. */
  fewSnapshots: number;
}

/** Memory of the database that groups the changes; larger data spills to disk. */
const GROUPING_DATABASE_MB = 512;

/** Finds the changes between the captures of the inputs (names, globs, folders, `-`). */
export async function runChanges(names: string[], options: ChangesRunOptions): Promise<ChangesSummary> {
  const { only, onChange, onProblem, detectors = ['dom'] } = options;
  const job = checkJob({ ...options, detectors });
  return withSession(names, job, { ...options, readsAllPages: true }, async (session) => {
    const stage = chunkLabelTasks(session);
    const { find } = await learnAll(session, stage);
    await labelAll(session, stage, { find, output: { kind: 'changes' } });
    const found = await groupChanges(session, stage.names, { only, onChange });
    return { ...session.summarize(stage, onProblem), ...found };
  });
}

async function groupChanges(
  { folder, signal, onProgress }: StageContext,
  tasks: string[],
  { only, onChange }: Pick<ChangesRunOptions, 'only' | 'onChange'>,
): Promise<Pick<ChangesSummary, 'compared' | 'fewSnapshots'>> {
  onProgress?.({ stage: 'analyse', done: 0, total: 1, pages: 0, bytes: 0 });
  const database = await Database.open({
    spillFolder: folder.workFolder('changes-spill'),
    memoryMb: GROUPING_DATABASE_MB,
    threads: 2,
  });
  try {
    const folders = tasks.map((name) => folder.taskFolder(name));
    for await (const row of readChanges(database, { folders, only })) {
      signal?.throwIfAborted();
      await onChange(row);
    }
    const compared = await countCompared(database, folders);
    onProgress?.({ stage: 'analyse', done: 1, total: 1, pages: compared, bytes: 0 });
    return { compared, fewSnapshots: await countFewSnapshots(database, folders) };
  } finally {
    database.close();
  }
}
