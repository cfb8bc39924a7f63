/**
 * What changed between the captures of every site: survey → plan → learn → label, where each page is compared
 * with the capture of its URL before it, then one grouping of all changes in the database.
 */
import { join } from 'node:path';
import type { Problem } from '../model/problem.ts';
import { closeInputs, openInputs } from '../read/open-inputs.ts';
import { type ChangeClass, type ChangeRow, countCompared, readChanges } from '../store/changes.ts';
import { Database } from '../store/database.ts';
import type { Plan } from '../store/plan.ts';
import { readProblems } from '../store/problem-parts.ts';
import { PROBLEMS_FILE } from '../store/survey-part.ts';
import { checkJob } from './job.ts';
import type { StreamSummary } from './label-stream.ts';
import { localExecutor } from './local.ts';
import type { RunOptions } from './report-run.ts';
import { checkAccounts, countCaptures, unresolvedRevisit } from './run-accounts.ts';
import { withScratchFolder } from './scratch-folder.ts';
import {
  cutLabelTasks,
  labelAll,
  learnAll,
  type StageContext,
  surveyAndPlan,
  surveyNames,
} from './stages.ts';

export interface ChangesRunOptions extends RunOptions {
  /** Classes to list. @default all */
  only?: readonly ChangeClass[];
  /** Called with every row, by site, snapshot and class. */
  onChange: (row: ChangeRow) => void | Promise<void>;
  /** Called with every problem, in canonical order, at the end. */
  onProblem?: (problem: Problem) => void;
}

export interface ChangesSummary extends StreamSummary {
  /** Pages that have an earlier capture and were compared with it. */
  compared: number;
}

/** Memory of the database that groups the changes; what exceeds it goes to disk. */
const GROUPING_DATABASE_MB = 512;

/** Finds the changes between the captures of the inputs (names, globs, folders, `-`). */
export async function runChanges(names: string[], options: ChangesRunOptions): Promise<ChangesSummary> {
  const { only, onChange, onProblem, workers, signal, onProgress, stdin, ...jobOptions } = options;
  const job = checkJob(jobOptions);
  signal?.throwIfAborted();
  const { inputs, problems } = await openInputs(names, { stdin, limits: job.limits });
  try {
    return await withScratchFolder(async (folder) => {
      const executor = await localExecutor({ workers, signal });
      const context: StageContext = { folder, inputs, job, executor, signal, onProgress };
      let plan: Plan | undefined;
      try {
        plan = await surveyAndPlan(context);
        const { find } = await learnAll(context, plan);
        const stage = await cutLabelTasks(context, plan);
        await labelAll(context, plan, stage, { find, output: { kind: 'changes' } });
        const compared = await groupChanges(context, stage.names, { only, onChange });
        for await (const batch of plan.unresolvedRevisits()) problems.push(...batch.map(unresolvedRevisit));
        const { captures, pages, skipped, htmlBytes } = await countCaptures(context, plan, stage.names);
        checkAccounts({ captures, pages, skipped });
        const counts = await tellProblems(context, stage.names, { problems, onProblem });
        return { captures, pages, skipped, problems: counts, htmlBytes, compared };
      } finally {
        plan?.close();
        await executor.close();
      }
    });
  } finally {
    await closeInputs(inputs);
  }
}

async function groupChanges(
  { folder, signal, onProgress }: StageContext,
  tasks: string[],
  { only, onChange }: Pick<ChangesRunOptions, 'only' | 'onChange'>,
): Promise<number> {
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
    return compared;
  } finally {
    database.close();
  }
}

async function tellProblems(
  { folder, inputs }: StageContext,
  tasks: string[],
  { problems, onProblem }: { problems: Problem[]; onProblem?: (problem: Problem) => void },
): Promise<Record<string, number>> {
  const parts = [...surveyNames(inputs), ...tasks].map((name) =>
    join(folder.taskFolder(name), PROBLEMS_FILE),
  );
  const counts: Record<string, number> = {};
  const database = await Database.open();
  try {
    for await (const problem of readProblems(database, parts, problems)) {
      counts[problem.code] = (counts[problem.code] ?? 0) + 1;
      onProblem?.(problem);
    }
  } finally {
    database.close();
  }
  return counts;
}
