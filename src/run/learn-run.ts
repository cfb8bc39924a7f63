/** Learns every site snapshot of some archives, to be saved and applied to other pages. */
import type { SiteModel } from '../detect/detector.ts';
import type { Problem } from '../model/problem.ts';
import { closeInputs, openInputs } from '../read/open-inputs.ts';
import { checkJob } from './job.ts';
import { makeDetectors } from './learn-task.ts';
import { localExecutor } from './local.ts';
import { readModels } from './model-part.ts';
import type { RunOptions } from './report-run.ts';
import { withScratchFolder } from './scratch-folder.ts';
import { learnAll, surveyAndPlan } from './stages.ts';

export interface LearnResult {
  /** By site, snapshot and detector. */
  models: SiteModel[];
  problems: Problem[];
  /** Captures met, and pages that the models were learnt from. */
  captures: number;
}

export async function runLearn(names: string[], options: RunOptions = {}): Promise<LearnResult> {
  const { workers, signal, onProgress, stdin, ...jobOptions } = options;
  const job = checkJob(jobOptions);
  signal?.throwIfAborted();
  const { inputs, problems } = await openInputs(names, { stdin, limits: job.limits });
  try {
    return await withScratchFolder(async (folder) => {
      const executor = await localExecutor({ workers, signal });
      try {
        const context = { folder, inputs, job, executor, signal, onProgress };
        const plan = await surveyAndPlan(context);
        try {
          const { find } = await learnAll(context, plan);
          const detectors = makeDetectors(job);
          const models: SiteModel[] = [];
          for await (const { group } of plan.groupSizes()) {
            const { file, index } = find(group)!;
            models.push(...readModels(file, index, detectors));
          }
          return { models, problems, captures: await plan.countCaptures() };
        } finally {
          plan.close();
        }
      } finally {
        await executor.release();
      }
    });
  } finally {
    await closeInputs(inputs);
  }
}
