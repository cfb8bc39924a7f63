/** Learns every site snapshot of some archives, to be saved and applied to other pages. */
import type { SiteModel } from '../detect/detector.ts';
import type { Accounts } from '../model/totals.ts';
import { checkJob } from './job.ts';
import { type ProblemOptions, type RunOptions, withSession } from './session.ts';
import { learnAll } from './stages/site-stages.ts';
import { makeDetectors, readModels } from './tasks/learn-task.ts';

/** What is learnt is not labelled: `limit` does not apply. */
export interface LearnRunOptions extends Omit<RunOptions, 'limit'>, ProblemOptions {}

/** `pages` are those that the models were learnt from; `not-sampled` are those that the sample of a site leaves out. */
export interface LearnResult extends Accounts {
  /** By site, snapshot and detector. */
  models: SiteModel[];
}

export async function runLearn(names: string[], options: LearnRunOptions = {}): Promise<LearnResult> {
  const job = checkJob(options);
  return withSession(names, job, options, async (session) => {
    const { names: tasks, find } = await learnAll(session);
    const detectors = makeDetectors(job);
    const models: SiteModel[] = [];
    for (const { group } of session.plan.groupSizes()) {
      const found = find(group);
      if (found) models.push(...readModels(found.file, found.index, detectors));
    }
    const counted = session.countCaptures({ names: tasks }, { code: 'not-sampled' });
    const { captures, pages, skipped } = counted;
    return { models, captures, pages, skipped, problems: session.countProblems(tasks, options.onProblem) };
  });
}
