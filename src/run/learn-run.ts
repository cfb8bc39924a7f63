/** Learns every site snapshot of some archives, for saving and applying to other pages. */
import type { SiteModel } from '../detect/detector.ts';
import type { Accounts } from '../model/totals.ts';
import { checkJob } from './job.ts';
import { type ProblemOptions, type RunOptions, withSession } from './session.ts';
import { learnAll } from './stages/site-stages.ts';
import { makeDetectors, readModels } from './tasks/learn-task.ts';

/** Options of `runLearn`; `limit` is omitted because nothing is labelled. */
export interface LearnRunOptions extends Omit<RunOptions, 'limit'>, ProblemOptions {}

/** The learnt models. `pages` counts those learnt from; `not-sampled` counts those outside the samples. */
export interface LearnResult extends Accounts {
  /** Models ordered by site, snapshot and detector. */
  models: SiteModel[];
}

/** Learns the models of every site snapshot of the inputs (names, globs, folders, `-`). */
export async function runLearn(names: string[], options: LearnRunOptions = {}): Promise<LearnResult> {
  const job = checkJob(options);
  return withSession(names, job, options, async (session) => {
    const { names: tasks, find } = await learnAll(session);
    const detectors = makeDetectors(job);
    const models: SiteModel[] = [];
    for (const { group } of session.plan.groupSizes()) {
      const found = find(group);
      if (found) models.push(...readModels({ ...found, folder: session.folder.workPath }, detectors));
    }
    const counted = session.countCaptures({ names: tasks }, { code: 'not-sampled' });
    const { captures, pages, skipped } = counted;
    return { models, captures, pages, skipped, problems: session.countProblems(tasks, options.onProblem) };
  });
}
