/**
 * The two stages of making training rows, over tasks: sites learnt and labelled, then their pages measured
 * with what names tell on other sites.
 */
import { join } from 'node:path';
import { FEATURES } from '../../detect/page/feature-list.ts';
import type { LabelRule } from '../../detect/page/site-labels.ts';
import type { ScratchRun } from '../scratch-run.ts';
import { MODELS_FILE } from '../tasks/model-part.ts';
import { type LabelledSite, readLabelledSites } from '../tasks/site-label-task.ts';
import type { ModelPlace, Task, TrainTask } from '../tasks/task.ts';
import { readTrainingRows } from '../tasks/train-task.ts';
import { HEAD_WIDTH } from '../tasks/training-rows.ts';
import { runOnSamples } from './run-on-pages.ts';
import { inputsOf, runStage, taskName } from './run-stage.ts';
import { collectSites, makeLexicon, type TrainingGroup, type TrainingSites } from './training-sites.ts';
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
  { minPages, labels, pages }: { minPages: number; labels: LabelRule; pages: number },
): Promise<LabelledSites> {
  const { folder, job } = context;
  const large = new Set<number>();
  const tooSmall = { groups: 0, urls: 0 };
  for await (const { group, urls } of plan.groupSizes()) {
    if (urls >= minPages) {
      large.add(group);
      continue;
    }
    tooSmall.groups++;
    tooSmall.urls += urls;
  }
  const work = { kind: 'label-sites' as const, labels, pagesPerGroup: pages };
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

interface MeasureOptions extends Pick<TrainTask, 'labels' | 'layout' | 'browser'> {
  parts: number;
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
  { parts, siteRows, rows, labels, layout, browser }: MeasureOptions,
): Promise<MeasuredSites> {
  const { folder, job } = context;
  const { groups, numbers } = sites;
  const lexicons = Array.from({ length: parts }, (_, part) => makeLexicon(sites, { part, parts }));
  const rowsPerGroup = Math.max(1, Math.min(siteRows, Math.floor(rows / groups.length)));
  const cuts = cutByPages(groups, job.sample);
  const tasks = cuts.map((_, k) => taskName('train', k));
  await runStage(context, 'measure', tasks, async (k): Promise<Task> => {
    const own = groups.slice(cuts[k].first, cuts[k].end);
    const pages = await plan.pagesAmong(own.flatMap((group) => group.pages));
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
      const end = at + count * (HEAD_WIDTH + FEATURES.length);
      blocks.push({ site: numbers.get(groups[first + index].site)!, rows: all.subarray(at, end) });
      at = end;
    }
  }
  return { blocks, tasks };
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
