/**
 * The stages that every site-level command shares: survey → plan → learn → label. Each hands tasks to an
 * executor and skips those that an earlier, stopped run has committed.
 */

import { join } from 'node:path';
import type { Input } from '../../read/input.ts';
import { type OtherCaptures, Plan, type PlanOptions } from '../../store/plan.ts';
import type { PlannedPage } from '../../store/planned-page.ts';
import { partNumber } from '../../store/run-folder.ts';
import { SURVEY_FILE } from '../../store/survey-part.ts';
import { drawnPages, readsUnselected } from '../job.ts';
import { wantsCapturesOf } from '../tasks/learn-task.ts';
import { MODELS_FILE } from '../tasks/model-part.ts';
import type { LabelOutput, ModelPlace, Task } from '../tasks/task.ts';
import { type Cut, cutPages, groupsOfSeveralCuts } from './cut-tasks.ts';
import { splitByLayout } from './layout-sites.ts';
import { runOnSamples } from './run-on-pages.ts';
import { inputsOf, readCounts, runStage, type StageContext, taskName } from './run-stage.ts';
import { SelectedPages } from './selected-pages.ts';
import { type SharedSite, sharedSitesOf } from './shared-sites.ts';

export interface SurveyOptions extends Pick<PlanOptions, 'captures'> {
  /**
   * Guess where gzip members of pages end, which saves inflating them. Only for a run that reads every page of the
   * plan, and starts again without it when a stage throws a `WrongGuess`. @default false
   */
  guess?: boolean;
}

/** Surveys every input and plans the pages. */
export async function surveyAndPlan(
  context: StageContext,
  { captures, guess = false }: SurveyOptions = {},
): Promise<Plan> {
  const { folder, inputs, job, signal, onProgress } = context;
  const names = surveyNames(inputs);
  const tasks = inputs.map(
    (input, ordinal) => (): Task => ({
      kind: 'survey',
      name: names[ordinal],
      folder: folder.taskFolder(names[ordinal]),
      job,
      inputs: { [ordinal]: input },
      input: ordinal,
      guess,
    }),
  );
  await runStage(context, 'survey', names, (k) => tasks[k](), {
    bytesOf: (k) => inputs[k].sizeBytes,
    largestFirst: (k) => inputs[k].sizeBytes,
  });
  signal?.throwIfAborted();
  for (const [ordinal, input] of inputs.entries()) {
    const { checked, guessed } = readCounts(folder, names[ordinal]);
    input.checked = checked;
    input.guessed = guessed;
  }
  onProgress?.({ stage: 'plan', done: 0, total: 1, pages: 0, bytes: 0 });
  const surveys = names.map((name) => join(folder.taskFolder(name), SURVEY_FILE));
  const options: PlanOptions = {
    snapshot: job.snapshot,
    sample: drawnPages(job),
    // a limit is on selected pages: see selected-pages.ts
    limit: readsUnselected(job) ? undefined : (job.limit ?? undefined),
    captures,
    sitesChosen: { minPages: job.minSitePages, most: job.drawSites, seed: job.seed },
  };
  const sites = await splitByLayout(context, surveys, options);
  const plan = Plan.make(surveys, { ...options, sites });
  onProgress?.({ stage: 'plan', done: 1, total: 1, pages: plan.pageCount, bytes: 0 });
  return plan;
}

export function surveyNames(inputs: Input[]): string[] {
  return inputs.map((_, ordinal) => taskName('survey', ordinal));
}

/** Where the models of a group lie; undefined when it is not learnt yet. */
export type FindModels = (group: number) => ModelPlace | undefined;

/**
 * Learns site snapshots: all, or with the cuts of label tasks only those that several tasks need. The others
 * are learnt by the task that labels them, which has their pages read and parsed then.
 */
export async function learnAll(
  context: StageContext,
  plan: Plan,
  label?: LabelStage,
): Promise<{ names: string[]; find: FindModels }> {
  const { folder } = context;
  const shared = label ? groupsOfSeveralCuts(label.cuts) : await selectedGroups(context, plan);
  const { names, cuts } = await runOnSamples(context, plan, 'learn', { kind: 'learn' }, shared);
  return {
    names,
    find(group) {
      if (shared && !shared.has(group)) return undefined;
      const k = lastFrom(cuts.length, group, (at) => cuts[at].firstGroup);
      return { file: join(folder.taskFolder(names[k]), MODELS_FILE), index: group - cuts[k].firstGroup };
    },
  };
}

/** The site snapshots with a selected page; undefined when all have one. */
async function selectedGroups({ job }: StageContext, plan: Plan): Promise<Set<number> | undefined> {
  const selected = await SelectedPages.of(plan, job);
  if (!selected) return undefined;
  const groups = new Set<number>();
  for (const { page, group } of plan.pageSizes()) if (selected.has(page)) groups.add(group);
  return groups;
}

/** Of tasks in order, the last that begins at `value` or before. */
function lastFrom(count: number, value: number, beginOf: (task: number) => number): number {
  let low = 0;
  for (let high = count; high - low > 1; ) {
    const middle = (low + high) >>> 1;
    if (beginOf(middle) <= value) low = middle;
    else high = middle;
  }
  return low;
}

export interface LabelStage {
  names: string[];
  cuts: Cut[];
  /** The pages to label, where those are not all of the plan. */
  selected?: SelectedPages;
}

/** Most site snapshots of a label task that has only some pages of each. */
const SELECTED_GROUPS = 64;

export async function cutLabelTasks({ job }: StageContext, plan: Plan): Promise<LabelStage> {
  const selected = await SelectedPages.of(plan, job);
  const cuts = cutPages(selected ? selectedSizes(plan, selected) : plan.pageSizes(), {
    taskPages: job.partPages,
    taskGroups: selected && SELECTED_GROUPS,
  });
  return { cuts, names: cuts.map((_, k) => taskName('label', k)), selected };
}

/** The site snapshots of some pages, in order, as half-open spans without others between. */
function spansOf(pages: readonly PlannedPage[]): (readonly [first: number, end: number])[] {
  const spans: [number, number][] = [];
  for (const { group } of pages) {
    const last = spans.at(-1);
    if (last && group <= last[1]) last[1] = Math.max(last[1], group + 1);
    else spans.push([group, group + 1]);
  }
  return spans;
}

function* selectedSizes(plan: Plan, selected: SelectedPages): ReturnType<Plan['pageSizes']> {
  for (const size of plan.pageSizes()) if (selected.has(size.page)) yield size;
}

export interface LabelAllOptions {
  find: FindModels;
  output: LabelOutput;
  /** The sites that several of the tasks have pages of. */
  sharedSites?: readonly SharedSite[];
  /** Waited for before task `k` is made. */
  before?: (k: number) => Promise<void>;
  /** Hears of each task as it is committed. */
  onTask?: (k: number) => void;
}

/** Labels every page. */
export async function labelAll(
  context: StageContext,
  plan: Plan,
  { names, cuts, selected }: LabelStage,
  { find, output, sharedSites = [], before, onTask }: LabelAllOptions,
): Promise<void> {
  const { folder, job } = context;
  const wantsCaptures = wantsCapturesOf(job);
  const isCompared = output.kind === 'changes' || output.kind === 'history';
  /** The folders of the tasks before `k` that have the pages before those of `k`. */
  const foldersBefore = (k: number, captures: Record<number, OtherCaptures>): Record<number, string> => {
    const folders: Record<number, string> = {};
    for (const { previous } of Object.values(captures)) {
      if (!previous || previous.page >= cuts[k].firstPage) continue;
      const before = lastFrom(cuts.length, previous.page, (at) => cuts[at].firstPage);
      folders[previous.page] = folder.taskFolder(names[before]);
    }
    return folders;
  };
  const makeTask = async (k: number): Promise<Task> => {
    await before?.(k);
    const { firstPage, endPage, firstGroup, endGroup } = cuts[k];
    const pages = selected
      ? plan.pagesAmong(selected.between(firstPage, endPage))
      : plan.pages(firstPage, endPage);
    const spans = selected ? spansOf(pages) : [[firstGroup, endGroup] as const];
    const groups = spans.flatMap(([first, end]) => plan.groups(first, end));
    const placed = groups.map((group) => ({ ...group, models: find(group.group) }));
    const isLearntHere = placed.some(({ models }) => models === undefined);
    const samples: PlannedPage[] = [];
    const captureSamples: PlannedPage[] | undefined = isLearntHere && wantsCaptures ? [] : undefined;
    for (const [first, end] of isLearntHere ? spans : []) {
      samples.push(...plan.samples(first, end, pages));
      captureSamples?.push(...plan.captureSamples(first, end, pages));
    }
    const otherCaptures =
      wantsCaptures || isCompared
        ? plan.otherCaptures(firstPage, endPage, { next: wantsCaptures })
        : undefined;
    const earlier = isCompared ? foldersBefore(k, otherCaptures ?? {}) : undefined;
    const others = Object.values(otherCaptures ?? {}).flatMap(
      ({ previous, next, earlier = [], later = [] }) => [previous, next, ...earlier, ...later],
    );
    return {
      kind: 'label',
      name: names[k],
      part: partNumber(k),
      folder: folder.taskFolder(names[k]),
      job,
      inputs: inputsOf(context, [
        ...pages,
        ...samples,
        ...(captureSamples ?? []),
        ...others.filter((page) => page !== undefined),
      ]),
      groups: placed,
      samples,
      captureSamples,
      pages,
      sharedSites: sharedSitesOf(k, sharedSites),
      otherCaptures,
      earlier,
      output,
    };
  };
  await runStage(context, 'label', names, makeTask, {
    onTask,
    // who waits for a task wants them in order
    largestFirst: before || isCompared ? undefined : (k) => cuts[k].bytes,
    // a page is compared with what the task of the capture before it has stored
    strands: isCompared ? context.executor.width : undefined,
  });
}
