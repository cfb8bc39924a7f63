/** Learns every site snapshot of some archives, to be saved and applied to other pages. */
import type { SiteModel } from '../detect/detector.ts';
import type { Problem } from '../model/problem.ts';
import { checkJob } from './job.ts';
import type { RunOptions } from './report-run.ts';
import { countCaptures } from './run-accounts.ts';
import { countProblems, withScratchRun } from './scratch-run.ts';
import { learnAll } from './stages/stages.ts';
import { makeDetectors } from './tasks/learn-task.ts';
import { readModels } from './tasks/model-part.ts';

/** What is learnt is not labelled: `limit` does not apply. */
export interface LearnRunOptions extends Omit<RunOptions, 'limit'> {
  /** Called with every problem, in canonical order, at the end. */
  onProblem?: (problem: Problem) => void;
}

export interface LearnResult {
  /** By site, snapshot and detector. */
  models: SiteModel[];
  /** Captures = pages that the models were learnt from + all of skipped. */
  captures: number;
  pages: number;
  /** By code; `not-sampled` are pages that the sample of their site did without. */
  skipped: Partial<Record<string, number>>;
  problems: Record<string, number>;
}

export async function runLearn(names: string[], options: LearnRunOptions = {}): Promise<LearnResult> {
  const { workers, signal, onProgress, stdin, onProblem, ...jobOptions } = options;
  const job = checkJob(jobOptions);
  return withScratchRun(names, job, { workers, signal, onProgress, stdin }, async (run) => {
    const { context, plan } = run;
    const { names: tasks, find } = await learnAll(context, plan);
    const detectors = makeDetectors(job);
    const models: SiteModel[] = [];
    for (const { group } of plan.groupSizes()) {
      const found = find(group);
      if (found) models.push(...readModels(found.file, found.index, detectors));
    }
    const { captures, pages, skipped } = await countCaptures(context, plan, tasks);
    const known = Object.values(skipped).reduce((sum, count) => sum + count, pages);
    if (known > captures) throw new Error(`${captures} captures but ${known} accounted for: a bug in Chaff`);
    return {
      models,
      captures,
      pages,
      skipped: { ...skipped, ...(known < captures ? { 'not-sampled': captures - known } : {}) },
      problems: await countProblems(run, tasks, onProblem),
    };
  });
}
