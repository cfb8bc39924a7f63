/**
 * The stages that site-level commands share: learn, then label. A report adds two: sites with pages in several tasks,
 * and compared settings of the text detector. Each stage passes tasks to an executor and skips tasks that an earlier,
 * stopped run has committed.
 */
import { join } from 'node:path';
import type { OtherCaptures } from '../../store/plan.ts';
import type { PlannedPage } from '../../store/planned-page.ts';
import { partNumber } from '../../store/run-folder.ts';
import { SETTINGS_FILE } from '../../store/study/site-tables.ts';
import { learnsCapturesOf, wantsCapturesOf } from '../tasks/learn-task.ts';
import type { LabelOutput, ModelPlace, StudyTask, Task } from '../tasks/task.ts';
import { type Chunk, chunkPages, groupsOfSeveralChunks } from './chunk-tasks.ts';
import type { SelectedPages } from './plan-stage.ts';
import {
  inputsOf,
  type PlannedContext,
  readCounts,
  runOnSamples,
  runStage,
  type StageContext,
  taskName,
} from './run-stage.ts';

/** A planned run, with the pages to label unless these are all planned pages. */
export interface LabelStageContext extends PlannedContext {
  readonly selected?: SelectedPages;
}

/** Finds the models of a group; undefined when the group is not learnt yet. */
export type FindModels = (group: number) => ModelPlace | undefined;

/**
 * Learns site snapshots: all, or with `label` only those that several label tasks need. Other snapshots are learnt by
 * the task that labels them, which has read and parsed their pages by then.
 */
export async function learnAll(
  context: LabelStageContext,
  label?: LabelStage,
): Promise<{ names: string[]; find: FindModels }> {
  const shared = label ? groupsOfSeveralChunks(label.chunks) : selectedGroups(context);
  const { names, chunks } = await runOnSamples(context, 'learn', { kind: 'learn' }, shared);
  return {
    names,
    find(group) {
      if (shared && !shared.has(group)) return undefined;
      const k = lastFrom(chunks.length, group, (at) => chunks[at].firstGroup);
      return { task: names[k], index: group - chunks[k].firstGroup };
    },
  };
}

/** The site snapshots with a selected page; undefined when all snapshots have one. */
function selectedGroups({ plan, selected }: LabelStageContext): Set<number> | undefined {
  return selected && new Set(Array.from(selected.sizes(plan), ({ group }) => group));
}

/** Index of the last task that begins at `value` or before. */
function lastFrom(count: number, value: number, beginOf: (task: number) => number): number {
  let low = 0;
  for (let high = count; high - low > 1; ) {
    const middle = (low + high) >>> 1;
    if (beginOf(middle) <= value) low = middle;
    else high = middle;
  }
  return low;
}

/** The label tasks of a run. */
export interface LabelStage {
  names: string[];
  chunks: Chunk[];
  /** The pages to label, unless these are all planned pages. */
  selected?: SelectedPages;
}

/** Maximum number of site snapshots of a label task when only some pages of each are labelled. */
const SELECTED_GROUPS = 64;

/** Divides the pages to label into tasks. */
export function chunkLabelTasks({ job, plan, selected }: LabelStageContext): LabelStage {
  const chunks = chunkPages(selected ? selected.sizes(plan) : plan.pageSizes(), {
    taskPages: job.partPages,
    taskGroups: selected && SELECTED_GROUPS,
  });
  return { chunks, names: chunks.map((_, k) => taskName('label', k)), selected };
}

/** The site snapshots of some pages, as consecutive half-open spans. */
function spansOf(pages: readonly PlannedPage[]): (readonly [first: number, end: number])[] {
  const spans: [number, number][] = [];
  for (const { group } of pages) {
    const last = spans.at(-1);
    if (last && group <= last[1]) last[1] = Math.max(last[1], group + 1);
    else spans.push([group, group + 1]);
  }
  return spans;
}

/** Options of `labelAll`. */
export interface LabelAllOptions {
  find: FindModels;
  output: LabelOutput;
  /** The sites with pages in several of the tasks. */
  sharedSites?: readonly SharedSite[];
  /** Awaited before task `k` is made. */
  before?: (k: number) => Promise<void>;
  /** Called when a task is committed. */
  onTask?: (k: number) => void;
}

/** Labels every page. */
export async function labelAll(
  context: LabelStageContext,
  { names, chunks, selected }: LabelStage,
  { find, output, sharedSites = [], before, onTask }: LabelAllOptions,
): Promise<void> {
  const { folder, job, plan } = context;
  const wantsCaptures = wantsCapturesOf(job);
  const learnsCaptures = learnsCapturesOf(job);
  const isCompared = output.kind === 'changes' || output.kind === 'history';
  /** For each page of task `k`, the earlier task with its previous capture. */
  const tasksBefore = (k: number, captures: Record<number, OtherCaptures>): Record<number, string> => {
    const tasks: Record<number, string> = {};
    for (const { previous } of Object.values(captures)) {
      if (!previous || previous.page >= chunks[k].firstPage) continue;
      const before = lastFrom(chunks.length, previous.page, (at) => chunks[at].firstPage);
      tasks[previous.page] = names[before];
    }
    return tasks;
  };
  const makeTask = async (k: number): Promise<Task> => {
    await before?.(k);
    const { firstPage, endPage, firstGroup, endGroup } = chunks[k];
    const pages = selected
      ? plan.pagesAmong(selected.between(firstPage, endPage))
      : plan.pages(firstPage, endPage);
    const spans = selected ? spansOf(pages) : [[firstGroup, endGroup] as const];
    const groups = spans.flatMap(([first, end]) => plan.groups(first, end));
    const placed = groups.map((group) => ({ ...group, models: find(group.group) }));
    const isLearntHere = placed.some(({ models }) => models === undefined);
    const samples: PlannedPage[] = [];
    const captureSamples: PlannedPage[] | undefined = isLearntHere && learnsCaptures ? [] : undefined;
    for (const [first, end] of isLearntHere ? spans : []) {
      samples.push(...plan.samples(first, end, pages));
      captureSamples?.push(...plan.captureSamples(first, end, pages));
    }
    const otherCaptures =
      wantsCaptures || isCompared
        ? plan.otherCaptures(firstPage, endPage, { next: wantsCaptures })
        : undefined;
    const earlier = isCompared ? tasksBefore(k, otherCaptures ?? {}) : undefined;
    const others = Object.values(otherCaptures ?? {}).flatMap(
      ({ previous, next, earlier = [], later = [] }) => [previous, next, ...earlier, ...later],
    );
    return {
      kind: 'label',
      name: names[k],
      part: partNumber(k),
      folder: folder.workPath,
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
    // rows are written in order
    largestFirst: before || isCompared ? undefined : (k) => chunks[k].bytes,
    // a page is compared with the capture that an earlier task has stored
    strands: isCompared ? context.executor.width : undefined,
  });
}

/**
 * A site with pages in several label tasks, half-open. For all other sites the label task writes the final results. For
 * a shared site it writes intermediate results, and later tasks combine these, some sites each.
 */
export interface SharedSite {
  site: string;
  firstTask: number;
  endTask: number;
}

/** Maximum number of label tasks whose shared sites one task combines. */
const LABEL_TASKS = 32;

/** Finds the sites of several chunks; `groupsOf` returns the site snapshots of a range of groups. */
export function findSharedSites(
  chunks: readonly Chunk[],
  groupsOf: (first: number, end: number) => { site: string }[],
): SharedSite[] {
  const shared: SharedSite[] = [];
  for (let k = 1; k < chunks.length; k++) {
    // the last group of the previous task and the first of this one, which may be the same
    const between = groupsOf(chunks[k - 1].endGroup - 1, chunks[k].firstGroup + 1);
    const site = between[0].site;
    if (between.at(-1)!.site !== site) continue;
    const last = shared.at(-1);
    if (last?.site === site) last.endTask = k + 1;
    else shared.push({ site, firstTask: k - 1, endTask: k + 1 });
  }
  return shared;
}

/** The sites of a label task that other tasks have pages of too. */
export function sharedSitesOf(task: number, shared: readonly SharedSite[]): string[] {
  return shared
    .filter(({ firstTask, endTask }) => firstTask <= task && task < endTask)
    .map(({ site }) => site);
}

/**
 * Combines the intermediate results of shared sites after all label tasks are published; returns the folders of the
 * tasks.
 */
export async function studySharedSites(
  { folder, job, executor }: StageContext,
  label: readonly string[],
  shared: readonly SharedSite[],
): Promise<string[]> {
  const runs = chunkSharedSites(shared);
  const tasks = runs.map((sites, k): StudyTask => {
    const name = taskName('study', k);
    return {
      kind: 'study',
      name,
      folder: folder.workPath,
      job,
      inputs: {},
      spill: folder.work(`${name}-spill`),
      sites: sites.map(({ site, firstTask, endTask }) => ({
        site,
        labelFolders: label.slice(firstTask, endTask).map((each) => folder.taskFolder(each)),
        pageFiles: label
          .slice(firstTask, endTask)
          .map((_, at) => join(folder.path, 'pages', `${partNumber(firstTask + at)}.parquet`)),
      })),
    };
  });
  const missing = tasks.filter(({ name }) => !folder.isCommitted(name));
  await Promise.all(missing.map((task) => executor.run(task)));
  return tasks.map(({ name }) => folder.taskFolder(name));
}

function chunkSharedSites(shared: readonly SharedSite[]): SharedSite[][] {
  const runs: SharedSite[][] = [];
  for (const site of shared) {
    const run = runs.at(-1);
    if (run && site.endTask - run[0].firstTask <= LABEL_TASKS) run.push(site);
    else runs.push([site]);
  }
  return runs;
}

/** The result of comparing settings of the text detector. */
export interface ComparedSettings {
  /** Paths of the tables that the tasks have written. */
  parts: string[];
  /** Seconds of learning by settings, over all sites. */
  seconds: Record<string, number>;
}

/** Tries the settings of `compareSettings` on every site; undefined when the job lists none. */
export async function compareAllSettings(context: PlannedContext): Promise<ComparedSettings | undefined> {
  const { folder, job } = context;
  if (job.compareSettings.length === 0) return undefined;
  const { names } = await runOnSamples(context, 'settings', { kind: 'settings' });
  const seconds: Record<string, number> = {};
  for (const name of names) {
    for (const [settings, spent] of Object.entries(readCounts(folder, name).settingsSeconds ?? {})) {
      seconds[settings] = (seconds[settings] ?? 0) + spent;
    }
  }
  return { parts: names.map((name) => join(folder.taskFolder(name), SETTINGS_FILE)), seconds };
}
