/**
 * The two stages of making training rows, over tasks: sites learnt and labelled, then their pages measured
 * with what names tell on other sites.
 */
import { join } from 'node:path';
import type { Lexicon } from '../../detect/page/lexicon.ts';
import type { LabelRule } from '../../detect/page/site-labels.ts';
import type { ScratchRun } from '../scratch-run.ts';
import { type CheckedPages, readCheckedPages } from '../tasks/check-model-task.ts';
import { MODELS_FILE } from '../tasks/model-part.ts';
import { type LabelledSite, readLabelledSites } from '../tasks/site-label-task.ts';
import type { CheckModelTask, ModelPlace, Task, TrainTask } from '../tasks/task.ts';
import { readTrainingRows } from '../tasks/train-task.ts';
import { HEAD_WIDTH } from '../tasks/training-rows.ts';
import { runOnSamples } from './run-on-pages.ts';
import { inputsOf, runStage, taskName } from './run-stage.ts';
import { collectSites, type TrainingGroup, type TrainingSites } from './training-sites.ts';
import type { RowBlock } from './training-table.ts';

export interface LabelledSites {
  sites: TrainingSites;
  tasks: string[];
  /** Those with fewer pages than asked for, which were not read. */
  tooSmall: { groups: number; urls: number };
}

/** Learns and labels the sampled pages of every site that has enough of them. */
export async function labelAllSites(
  { context, plan }: ScratchRun,
  {
    minPages,
    labels,
    pages,
    allPages,
  }: { minPages: number; labels: LabelRule; pages: number; allPages: boolean },
): Promise<LabelledSites> {
  const { folder, job } = context;
  const large = new Set<number>();
  const tooSmall = { groups: 0, urls: 0 };
  for (const { group, urls } of plan.groupSizes()) {
    if (urls >= minPages) {
      large.add(group);
      continue;
    }
    tooSmall.groups++;
    tooSmall.urls += urls;
  }
  const work = { kind: 'label-sites' as const, labels, pagesPerGroup: pages, allPages };
  const { names: tasks } = await runOnSamples(context, plan, 'label', work, large);
  function* labelled(): Generator<{ site: LabelledSite; models: ModelPlace }> {
    for (const name of tasks) {
      const path = folder.taskFolder(name);
      const file = join(path, MODELS_FILE);
      for (const [index, site] of readLabelledSites(path).entries()) yield { site, models: { file, index } };
    }
  }
  return { sites: collectSites(labelled(), job.seed), tasks, tooSmall };
}

interface MeasureOptions extends Pick<TrainTask, 'labels' | 'nodes' | 'width' | 'layout' | 'browser'> {
  /** What names tell, by part, learnt from sites of the others. */
  lexicons: Lexicon[];
  siteRows: number;
  rows: number;
}

export interface MeasuredSites {
  blocks: RowBlock[];
  tasks: string[];
}

/** Rows of all pages that are trained with; what names tell each site was learnt from others. */
export async function measureAll(
  { context, plan }: ScratchRun,
  sites: TrainingSites,
  { lexicons, siteRows, rows, labels, nodes, width, layout, browser }: MeasureOptions,
): Promise<MeasuredSites> {
  const { folder, job } = context;
  const { groups, numbers } = sites;
  const parts = lexicons.length;
  const rowsPerGroup = Math.max(1, Math.min(siteRows, Math.floor(rows / groups.length)));
  const cuts = cutByPages(groups, job.sample);
  const tasks = cuts.map((_, k) => taskName('train', k));
  await runStage(context, 'measure', tasks, async (k): Promise<Task> => {
    const own = groups.slice(cuts[k].first, cuts[k].end);
    const pages = plan.pagesAmong(own.flatMap((group) => group.pages));
    const byNumber = new Map(pages.map((planned) => [planned.page, planned]));
    return {
      kind: 'train',
      name: tasks[k],
      folder: folder.taskFolder(tasks[k]),
      job,
      inputs: inputsOf(context, pages),
      groups: own.map(({ site, models, frequent, pages: wanted }) => ({
        models,
        frequent,
        part: numbers.get(site)! % parts,
        pages: wanted.map((page) => byNumber.get(page)!),
      })),
      lexicons,
      labels,
      nodes,
      width,
      rowsPerGroup,
      layout,
      browser,
    };
  });
  const blocks: RowBlock[] = [];
  for (const [k, { first }] of cuts.entries()) {
    const { rows: all, counts } = readTrainingRows(folder.taskFolder(tasks[k]));
    let at = 0;
    for (const [index, count] of counts.entries()) {
      const end = at + count * (HEAD_WIDTH + width);
      blocks.push({ site: numbers.get(groups[first + index].site)!, rows: all.subarray(at, end) });
      at = end;
    }
  }
  return { blocks, tasks };
}

/** Pages that are judged anew to check a model, of all sites. */
const CHECKED_PAGES = 400;

/** Judges some pages of every site by the model that has not seen the site; how many of them have no text left. */
export async function checkHeldOut(
  { context, plan }: ScratchRun,
  { groups, numbers }: TrainingSites,
  { models, layout, browser }: Pick<CheckModelTask, 'models' | 'layout' | 'browser'>,
): Promise<CheckedPages> {
  const { folder, job } = context;
  const pagesPerGroup = Math.max(1, Math.floor(CHECKED_PAGES / groups.length));
  const some = groups.map((group) => ({ ...group, pages: group.pages.slice(0, pagesPerGroup) }));
  const cuts = cutByPages(some, job.sample);
  const tasks = cuts.map((_, k) => taskName('check', k));
  await runStage(context, 'check', tasks, async (k): Promise<Task> => {
    const own = some.slice(cuts[k].first, cuts[k].end);
    const pages = plan.pagesAmong(own.flatMap((group) => group.pages));
    const byNumber = new Map(pages.map((planned) => [planned.page, planned]));
    return {
      kind: 'check-model',
      name: tasks[k],
      folder: folder.taskFolder(tasks[k]),
      job,
      inputs: inputsOf(context, pages),
      groups: own.map(({ site, pages: wanted }) => ({
        part: numbers.get(site)! % models.length,
        pages: wanted.map((page) => byNumber.get(page)!),
      })),
      models,
      layout,
      browser,
    };
  });
  const checked: CheckedPages = { pages: 0, empty: 0 };
  for (const name of tasks) {
    const { pages, empty } = readCheckedPages(folder.taskFolder(name));
    checked.pages += pages;
    checked.empty += empty;
  }
  return checked;
}

/** Neighbouring groups share a task until it has as many pages as the sample of one. */
function cutByPages(groups: readonly TrainingGroup[], pages: number): { first: number; end: number }[] {
  const cuts: { first: number; end: number }[] = [];
  let size = pages;
  for (const [index, group] of groups.entries()) {
    if (size + group.pages.length > pages) {
      cuts.push({ first: index, end: index });
      size = 0;
    }
    cuts.at(-1)!.end = index + 1;
    size += group.pages.length;
  }
  return cuts;
}
