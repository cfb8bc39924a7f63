/**
 * Runs one stage: its tasks are passed to the executor, and tasks that an earlier, stopped run has committed are
 * skipped. Most stages run one kind of task on all planned pages, or on the samples of the site snapshots.
 */
import type { Input } from '../../read/raw-record.ts';
import { WrongGuess } from '../../read/record-context.ts';
import type { Plan } from '../../store/plan.ts';
import { partNumber, type RunFolder } from '../../store/run-folder.ts';
import { type Executor, runAll } from '../executors/executor.ts';
import type { Job } from '../job.ts';
import { learnsCapturesOf } from '../tasks/learn-task.ts';
import type {
  DigestTask,
  LearnTask,
  SettingsTask,
  SignTask,
  SiteLabelTask,
  Task,
  TaskCounts,
} from '../tasks/task.ts';
import { addCounts, newTaskCounts, readTaskCounts } from '../tasks/task-record.ts';
import { chunkGroups, chunkPages, type GroupChunk } from './chunk-tasks.ts';

/** How far a stage is. */
export interface Progress {
  stage:
    | 'fetch'
    | 'survey'
    | 'plan'
    | 'learn'
    | 'settings'
    | 'label'
    | 'digest'
    | 'analyse'
    | 'layout'
    | 'measure'
    | 'train'
    | 'check'
    | 'finish';
  /** Number of tasks. */
  done: number;
  total: number;
  /** Pages (captures in the survey) and bytes (HTML; stored bytes in the survey) of finished tasks. */
  pages: number;
  bytes: number;
}

/** What every stage needs of its run. */
export interface StageContext {
  folder: RunFolder;
  inputs: Input[];
  job: Job;
  executor: Executor;
  signal?: AbortSignal;
  onProgress?: (progress: Progress) => void;
}

/** A run with its plan. */
export interface PlannedContext extends StageContext {
  readonly plan: Plan;
}

/** Sums the counts of the committed tasks of a stage. */
export function sumCounts(folder: RunFolder, names: string[]): TaskCounts {
  const sum = newTaskCounts();
  for (const name of names) addCounts(sum, readCounts(folder, name));
  return sum;
}

/** Reads the counts of a committed task. */
export function readCounts(folder: RunFolder, name: string): TaskCounts {
  return readTaskCounts(folder.taskFolder(name));
}

/** Options of `runStage`; `k` is the index of a task. */
export interface StageOptions {
  /** Bytes of a task in the progress. @default its counted bytes of HTML */
  bytesOf?: (k: number) => number;
  /** Called when a task is committed. */
  onTask?: (k: number) => void;
  /** Sizes for starting large tasks first, so that threads finish at about the same time. */
  largestFirst?: (k: number) => number;
  /**
   * Starts tasks from this number of places in the list, in order from each, so that neighbours seldom run together.
   */
  strands?: number;
}

/** Runs the uncommitted tasks of a stage. Throws a `WrongGuess` when a task finds one. */
export async function runStage(
  { folder, executor, signal, onProgress }: StageContext,
  stage: Progress['stage'],
  names: string[],
  makeTask: (k: number) => Task | Promise<Task>,
  { bytesOf, onTask, largestFirst, strands }: StageOptions = {},
): Promise<void> {
  const progress: Progress = { stage, done: 0, total: names.length, pages: 0, bytes: 0 };
  const ordinals = new Map(names.map((name, k) => [name, k]));
  const book = (k: number, counts: TaskCounts) => {
    if (counts.wrongGuess) throw new WrongGuess();
    progress.done++;
    progress.pages += counts.pages;
    progress.bytes += bytesOf?.(k) ?? counts.htmlBytes;
    onProgress?.({ ...progress });
    onTask?.(k);
  };
  onProgress?.({ ...progress });
  async function* missing(): AsyncGenerator<Task> {
    const order = [...names.keys()];
    if (largestFirst) order.sort((a, b) => largestFirst(b) - largestFirst(a) || a - b);
    const length = Math.ceil(names.length / (strands ?? 1));
    if (strands) order.sort((a, b) => (a % length) - (b % length) || a - b);
    for (const k of order) {
      if (folder.isCommitted(names[k])) book(k, readCounts(folder, names[k]));
      else yield await makeTask(k);
    }
  }
  await runAll(executor, missing(), {
    signal,
    onDone: (task, counts) => book(ordinals.get(task.name)!, counts),
  });
}

/** The inputs of some pages, by ordinal. */
export function inputsOf({ inputs }: StageContext, pages: { input: number }[]): Record<number, Input> {
  const used: Record<number, Input> = {};
  for (const { input } of pages) used[input] = inputs[input];
  return used;
}

/** The name of a task, such as `label-00012`. */
export function taskName(stage: string, ordinal: number): string {
  return `${stage}-${partNumber(ordinal)}`;
}

type PageWork = Pick<DigestTask, 'kind' | 'minBytes'> | Pick<SignTask, 'kind' | 'tokens' | 'permutations'>;
type SampleWork =
  | Pick<LearnTask, 'kind'>
  | Pick<SettingsTask, 'kind'>
  | Pick<SiteLabelTask, 'kind' | 'labels' | 'pagesPerGroup' | 'allPages'>;

/** Runs a stage on all planned pages; returns the names of its tasks. */
export async function runOnPages(
  context: PlannedContext,
  stage: Progress['stage'],
  work: PageWork,
): Promise<string[]> {
  const { folder, job, plan } = context;
  const chunks = chunkPages(plan.pageSizes(), { taskPages: job.partPages });
  const names = chunks.map((_, k) => taskName(work.kind, k));
  await runStage(context, stage, names, async (k): Promise<Task> => {
    const pages = plan.pages(chunks[k].firstPage, chunks[k].endPage);
    return {
      ...work,
      name: names[k],
      folder: folder.workPath,
      job,
      inputs: inputsOf(context, pages),
      pages,
    };
  });
  return names;
}

/** Runs a stage on the sampled pages of all site snapshots, or of some groups only. */
export async function runOnSamples(
  context: PlannedContext,
  stage: Progress['stage'],
  work: SampleWork,
  only?: Set<number>,
): Promise<{ names: string[]; chunks: GroupChunk[] }> {
  const { folder, job, plan } = context;
  const chunks = chunkGroups(plan.groupSizes(), job.sample, only);
  const names = chunks.map((_, k) => taskName(work.kind, k));
  await runStage(context, stage, names, async (k): Promise<Task> => {
    const { firstGroup, endGroup } = chunks[k];
    const samples = plan.samples(firstGroup, endGroup);
    const learnsCaptures = work.kind === 'learn' && learnsCapturesOf(job);
    const captureSamples = learnsCaptures ? plan.captureSamples(firstGroup, endGroup) : undefined;
    return {
      ...work,
      name: names[k],
      folder: folder.workPath,
      job,
      inputs: inputsOf(context, [...samples, ...(captureSamples ?? [])]),
      groups: plan.groups(firstGroup, endGroup),
      samples,
      ...(captureSamples && { captureSamples }),
    };
  });
  return { names, chunks };
}
