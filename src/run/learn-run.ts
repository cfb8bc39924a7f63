/** Learns every site snapshot of some archives, to be saved and applied to other pages. */
import type { SiteModel } from '../detect/detector.ts';
import type { Problem } from '../model/problem.ts';
import { checkJob } from './job.ts';
import { type RunOptions, withSession } from './session.ts';
import { learnAll } from './stages/site-stages.ts';
import { makeDetectors, readModels } from './tasks/learn-task.ts';

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
  return withSession(names, job, { workers, signal, onProgress, stdin }, async (session) => {
    const { names: tasks, find } = await learnAll(session);
    const detectors = makeDetectors(job);
    const models: SiteModel[] = [];
    for (const { group } of session.plan.groupSizes()) {
      const found = find(group);
      if (found) models.push(...readModels(found.file, found.index, detectors));
    }
    const counted = session.countCaptures({ names: tasks }, { code: 'not-sampled' });
    const { captures, pages, skipped } = counted;
    return { models, captures, pages, skipped, problems: session.countProblems(tasks, onProblem) };
  });
}
