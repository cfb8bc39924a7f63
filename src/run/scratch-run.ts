/**
 * A run that hands out rows and leaves no folder: the inputs, a scratch folder, the threads and the plan are
 * there while the work is done and gone afterwards; at its end all captures are accounted for.
 */
import { join } from 'node:path';
import type { Problem } from '../model/problem.ts';
import { closeInputs, openInputs } from '../read/open-inputs.ts';
import type { Plan, PlanOptions } from '../store/plan.ts';
import { PROBLEMS_FILE, readProblems } from '../store/problem-parts.ts';
import { localExecutor } from './executors/local.ts';
import type { Job } from './job.ts';
import type { StreamSummary } from './label-stream.ts';
import type { RunOptions } from './report-run.ts';
import { checkAccounts, countCaptures, unresolvedRevisit } from './run-accounts.ts';
import { withScratchFolder } from './scratch-folder.ts';
import type { StageContext } from './stages/run-stage.ts';
import { type LabelStage, surveyAndPlan, surveyNames } from './stages/stages.ts';

export interface ScratchRun {
  context: StageContext;
  plan: Plan;
  /** Problems met before any task ran. */
  problems: Problem[];
}

export type ScratchRunOptions = Pick<RunOptions, 'workers' | 'signal' | 'onProgress' | 'stdin'> &
  Pick<PlanOptions, 'captures'>;

/** Surveys and plans the inputs (names, globs, folders, `-`) and does the work with them. */
export async function withScratchRun<T>(
  names: string[],
  job: Job,
  { workers, signal, onProgress, stdin, captures }: ScratchRunOptions,
  work: (run: ScratchRun) => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted();
  const { inputs, problems } = await openInputs(names, { stdin, limits: job.limits });
  try {
    return await withScratchFolder(async (folder) => {
      const executor = await localExecutor({ workers, signal });
      const context: StageContext = { folder, inputs, job, executor, signal, onProgress };
      try {
        const plan = await surveyAndPlan(context, { captures });
        return await work({ context, plan, problems });
      } finally {
        await executor.release();
      }
    });
  } finally {
    await closeInputs(inputs);
  }
}

/** Checks that no capture was lost, tells every problem in canonical order and counts them. */
export async function sumUpRun(
  run: ScratchRun,
  { names: tasks, selected }: Pick<LabelStage, 'names' | 'selected'>,
  onProblem?: (problem: Problem) => void,
): Promise<StreamSummary> {
  const { captures, pages, skipped, htmlBytes } = await countCaptures(run.context, run.plan, tasks, selected);
  checkAccounts({ captures, pages, skipped });
  return { captures, pages, skipped, problems: await countProblems(run, tasks, onProblem), htmlBytes };
}

/** Tells every problem in canonical order and counts them by code. */
export async function countProblems(
  { context, plan, problems }: ScratchRun,
  tasks: string[],
  onProblem?: (problem: Problem) => void,
): Promise<Record<string, number>> {
  for (const revisit of plan.unresolvedRevisits()) problems.push(unresolvedRevisit(revisit));
  const parts = [...surveyNames(context.inputs), ...tasks].map((name) =>
    join(context.folder.taskFolder(name), PROBLEMS_FILE),
  );
  const counts: Record<string, number> = {};
  for (const problem of readProblems(parts, problems)) {
    counts[problem.code] = (counts[problem.code] ?? 0) + 1;
    onProblem?.(problem);
  }
  return counts;
}
