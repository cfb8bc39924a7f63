/** Stages whose tasks differ only in what they do: on all pages of a plan, or on the samples of its site snapshots. */
import type { Plan } from '../../store/plan.ts';
import { wantsCapturesOf } from '../tasks/learn-task.ts';
import type { DigestTask, LearnTask, SettingsTask, SignTask, SiteLabelTask, Task } from '../tasks/task.ts';
import { cutGroups, cutPages, type GroupCut } from './cut-tasks.ts';
import { inputsOf, type Progress, runStage, type StageContext, taskName } from './run-stage.ts';

type PageWork = Pick<DigestTask, 'kind' | 'minBytes'> | Pick<SignTask, 'kind' | 'tokens' | 'permutations'>;
type SampleWork =
  | Pick<LearnTask, 'kind'>
  | Pick<SettingsTask, 'kind'>
  | Pick<SiteLabelTask, 'kind' | 'labels' | 'pagesPerGroup' | 'allPages'>;

/** Hands out all pages; the names of the tasks. */
export async function runOnPages(
  context: StageContext,
  plan: Plan,
  stage: Progress['stage'],
  work: PageWork,
): Promise<string[]> {
  const { folder, job } = context;
  const cuts = cutPages(plan.pageSizes(), { taskPages: job.partPages });
  const names = cuts.map((_, k) => taskName(work.kind, k));
  await runStage(context, stage, names, async (k): Promise<Task> => {
    const pages = plan.pages(cuts[k].firstPage, cuts[k].endPage);
    return {
      ...work,
      name: names[k],
      folder: folder.taskFolder(names[k]),
      job,
      inputs: inputsOf(context, pages),
      pages,
    };
  });
  return names;
}

/** Hands out the sampled pages of site snapshots: of all, or of some groups only. */
export async function runOnSamples(
  context: StageContext,
  plan: Plan,
  stage: Progress['stage'],
  work: SampleWork,
  only?: Set<number>,
): Promise<{ names: string[]; cuts: GroupCut[] }> {
  const { folder, job } = context;
  const cuts = cutGroups(plan.groupSizes(), job.sample, only);
  const names = cuts.map((_, k) => taskName(work.kind, k));
  await runStage(context, stage, names, async (k): Promise<Task> => {
    const { firstGroup, endGroup } = cuts[k];
    const samples = plan.samples(firstGroup, endGroup);
    const wantsCaptures = work.kind === 'learn' && wantsCapturesOf(job);
    const captureSamples = wantsCaptures ? plan.captureSamples(firstGroup, endGroup) : undefined;
    return {
      ...work,
      name: names[k],
      folder: folder.taskFolder(names[k]),
      job,
      inputs: inputsOf(context, [...samples, ...(captureSamples ?? [])]),
      groups: plan.groups(firstGroup, endGroup),
      samples,
      ...(captureSamples && { captureSamples }),
    };
  });
  return { names, cuts };
}
