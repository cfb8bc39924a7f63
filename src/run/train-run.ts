/**
 * A page-level model from archives, without people: survey → plan → sites learnt and labelled → rows → a
 * classifier for each class of area. Every site counts the same whatever its size; what is told of the model
 * was measured on sites that the classifier had not seen.
 *
 * Sites are numbered by a seeded hash of their names and fall into parts by that number, so that neither the
 * order of inputs nor the number of workers has a say in the model.
 */

import type { BrowserLayoutOptions } from '../browse/browser-layout.ts';
import { assembleModel, JUDGING_SETTINGS } from '../detect/page/assemble-model.ts';
import { FEATURES } from '../detect/page/feature-list.ts';
import {
  CLASSIFIERS,
  type ClassifierName,
  DEFAULT_PARTS,
  type FittedClassifiers,
  fitClassifiers,
  type TrainingTable,
} from '../detect/page/fit-classifiers.ts';
import { areaClassOf, type ModelCard, type PageModel } from '../detect/page/page-model.ts';
import { LABEL_RULES, type LabelRule } from '../detect/page/site-labels.ts';
import type { BoostedTreesOptions } from '../learn/train-boosted-trees.ts';
import type { Problem } from '../model/problem.ts';
import { checkJob, checkWhole, type JobOptions } from './job.ts';
import type { RunOptions } from './report-run.ts';
import { countProblems, type ScratchRun, withScratchRun } from './scratch-run.ts';
import { sumCounts } from './stages/run-stage.ts';
import { type LabelledSites, labelAllSites, type MeasuredSites, measureAll } from './stages/train-stages.ts';
import { makeLexicon } from './stages/training-sites.ts';
import { makeTable } from './stages/training-table.ts';
import type { UnusedCode } from './tasks/site-label-task.ts';
import { LAYOUTS, type LayoutKind } from './tasks/task.ts';

export interface TrainOptions
  extends Pick<JobOptions, 'site' | 'include' | 'exclude' | 'limits' | 'sample' | 'seed' | 'snapshot'>,
    Pick<RunOptions, 'workers' | 'signal' | 'onProgress' | 'stdin'> {
  /** @default 'logistic' */
  classifier?: ClassifierName;
  /** What makes a node template: see site-labels.ts. @default 'html' */
  labels?: LabelRule;
  /** Pages of a site snapshot to train with, of those it is learnt from, from 1. @default 40 */
  pages?: number;
  /** Share of the sampled pages of a site that makes a node template, 0 to 1. @default 0.1 */
  share?: number;
  /** Pages a site must have, from 2. @default 8 */
  minPages?: number;
  /** Rows of one site snapshot, from 10. @default 4000 */
  siteRows?: number;
  /** Rows of all sites, from 100: what memory depends on. @default 300,000 */
  rows?: number;
  /** Where nodes stand: an estimate, or Chromium with what the archives hold. @default 'estimate' */
  layout?: LayoutKind;
  /** With layout `browser`: pages at the same time and the time of each. */
  browser?: Pick<BrowserLayoutOptions, 'tabs' | 'pageMs'>;
  /** Settings of the boosted trees. */
  trees?: BoostedTreesOptions;
  /** Strength of the logistic regression's regularisation, above 0. */
  l2?: number;
  /** What the card of the model says of itself. */
  card?: Partial<Pick<ModelCard, 'name' | 'date' | 'data' | 'limits'>>;
  /** Called with every problem, in canonical order, at the end. */
  onProblem?: (problem: Problem) => void;
}

/** Trees that are few and shallow enough for a small file, and regular enough for noisy labels. */
export const TREE_DEFAULTS: Readonly<BoostedTreesOptions> = {
  trees: 120,
  leaves: 31,
  depth: 8,
  learningRate: 0.1,
  minLeafWeight: 10,
  l2: 10,
  featureShare: 0.5,
  rowShare: 0.7,
  bins: 64,
  seed: 1,
};

/** The inputs cannot make a model: what they lack. */
export class TrainingError extends Error {
  override name = 'TrainingError';
}

export interface TrainResult extends FittedClassifiers {
  model: PageModel;
  /** Captures = pages used + all of skipped. */
  captures: number;
  pages: number;
  skipped: Partial<Record<UnusedCode, number>>;
  problems: Record<string, number>;
  /** Sites that gave rows, and those that had too few pages. */
  sites: number;
  sitesTooSmall: number;
  rows: number;
}

export const TRAIN_DEFAULTS = {
  classifier: 'logistic' as ClassifierName,
  labels: 'html' as LabelRule,
  layout: 'estimate' as LayoutKind,
  pages: 40,
  share: 0.1,
  minPages: 8,
  siteRows: 4000,
  rows: 300_000,
};

/** Trains a model on the sites of the inputs (names, globs, folders, `-`). */
export async function runTrain(names: string[], options: TrainOptions = {}): Promise<TrainResult> {
  const settings = checkTrainOptions(options);
  const judging = JUDGING_SETTINGS[settings.classifier];
  const { workers, signal, onProgress, stdin, onProblem } = options;
  const { site, include, exclude, limits, sample, seed, snapshot } = options;
  const job = checkJob({
    ...{ site, include, exclude, limits, sample, seed, snapshot },
    detectors: settings.labels === 'any' ? ['dom', 'text'] : ['dom'],
    detectorOptions: { dom: { lowerShare: settings.share } },
  });
  return withScratchRun(names, job, { workers, signal, onProgress, stdin }, async (run) => {
    const labelled = await labelAllSites(run, settings);
    const { sites } = labelled;
    checkSites(labelled, settings.minPages);
    const parts = Math.min(DEFAULT_PARTS, sites.numbers.size);
    const measured = await measureAll(run, sites, { parts, ...settings });
    const table = makeTable(measured.blocks, {
      width: FEATURES.length,
      siteCount: sites.numbers.size,
      areaClassOf: (area) => areaClassOf(area, judging.areaBounds),
    });
    checkClasses(table);
    const fitted = await fitClassifiers(table, {
      ...settings,
      areaClasses: judging.areaBounds.length + 1,
      parts,
      onFit: (done, total) => {
        signal?.throwIfAborted();
        onProgress?.({ stage: 'train', done, total, pages: 0, bytes: 0 });
      },
    });
    const accounts = await account(run, labelled, measured, onProblem);
    return {
      ...fitted,
      ...accounts,
      model: assembleModel(fitted, table, {
        lexicon: makeLexicon(sites),
        judging,
        card: { ...describe(settings, job.sample), pages: accounts.pages, ...options.card },
      }),
      sites: sites.numbers.size,
      sitesTooSmall: labelled.tooSmall.groups,
      rows: table.classes.length,
    };
  });
}

type TrainSettings = typeof TRAIN_DEFAULTS & Pick<TrainOptions, 'trees' | 'l2' | 'browser'>;

function checkTrainOptions(options: TrainOptions): TrainSettings {
  const { classifier, labels, pages, share, minPages, siteRows, rows, layout, browser, trees, l2 } = options;
  const settings: TrainSettings = {
    classifier: classifier ?? TRAIN_DEFAULTS.classifier,
    labels: labels ?? TRAIN_DEFAULTS.labels,
    pages: pages ?? TRAIN_DEFAULTS.pages,
    share: share ?? TRAIN_DEFAULTS.share,
    minPages: minPages ?? TRAIN_DEFAULTS.minPages,
    siteRows: siteRows ?? TRAIN_DEFAULTS.siteRows,
    rows: rows ?? TRAIN_DEFAULTS.rows,
    layout: layout ?? TRAIN_DEFAULTS.layout,
    browser,
    trees: { ...TREE_DEFAULTS, ...trees },
    l2,
  };
  if (!CLASSIFIERS.includes(settings.classifier)) {
    throw new RangeError(`classifier must be ${CLASSIFIERS.join(' or ')}, not "${settings.classifier}"`);
  }
  if (!LABEL_RULES.includes(settings.labels)) {
    throw new RangeError(`labels must be ${LABEL_RULES.join(' or ')}, not "${settings.labels}"`);
  }
  if (!LAYOUTS.includes(settings.layout)) {
    throw new RangeError(`layout must be ${LAYOUTS.join(' or ')}, not "${settings.layout}"`);
  }
  checkWhole('pages', settings.pages, 1);
  checkWhole('minPages', settings.minPages, 2);
  checkWhole('siteRows', settings.siteRows, 10);
  checkWhole('rows', settings.rows, 100);
  return settings;
}

function checkSites({ sites, tasks, tooSmall }: LabelledSites, minPages: number): void {
  const { numbers, withoutTemplates } = sites;
  if (numbers.size >= 2) return;
  if (tasks.length === 0) {
    const found = tooSmall.groups === 0 ? 'there are no pages' : `none of ${tooSmall.groups} has`;
    throw new TrainingError(
      `a model is trained on sites of at least ${minPages} pages (--min-pages), and ${found}`,
    );
  }
  if (numbers.size === 0) {
    throw new TrainingError(
      withoutTemplates > 0
        ? 'nothing repeats on the pages of any site: without templates there is nothing to learn'
        : 'no site has a page to train with: all repeat each other or have nothing but templates',
    );
  }
  throw new TrainingError(
    `a model is trained on several sites, the more the better, and only one has pages to train with: ${[...numbers.keys()][0]}`,
  );
}

function checkClasses({ classes }: TrainingTable): void {
  const templates = classes.reduce((sum, value) => sum + value, 0);
  if (templates > 0 && templates < classes.length) return;
  throw new TrainingError(
    templates === 0
      ? `nothing repeats on the pages of any site: all ${classes.length} nodes are content`
      : `nothing but templates is on the pages of these sites: all ${classes.length} nodes are template`,
  );
}

/** Every capture is a page that was trained with or has a reason why not. */
async function account(
  run: ScratchRun,
  { sites, tasks, tooSmall }: LabelledSites,
  measured: MeasuredSites,
  onProblem?: (problem: Problem) => void,
): Promise<Pick<TrainResult, 'captures' | 'pages' | 'skipped' | 'problems'>> {
  const { context, plan } = run;
  const { pages, skipped: late } = sumCounts(context.folder, measured.tasks);
  const skipped: TrainResult['skipped'] = await plan.countSkips();
  for (const more of [sites.unused, late]) {
    for (const [code, count] of Object.entries(more) as [UnusedCode, number][]) {
      skipped[code] = (skipped[code] ?? 0) + count;
    }
  }
  if (tooSmall.urls > 0) skipped['too-few-pages'] = tooSmall.urls;
  const captures = await plan.countCaptures();
  const known = Object.values(skipped).reduce((sum, count) => sum + count, pages);
  if (known > captures) throw new Error(`${captures} captures but ${known} accounted for: a bug in Chaff`);
  if (known < captures) skipped['not-sampled'] = captures - known;
  const problems = await countProblems(run, [...tasks, ...measured.tasks], onProblem);
  return { captures, pages, skipped, problems };
}

function describe(settings: TrainSettings, sample: number) {
  const { classifier, labels, share, pages, minPages, siteRows, layout } = settings;
  const today = new Date().toISOString().slice(0, 10);
  const told = { classifier, labels, share, sample, pages, minPages, siteRows, layout };
  return { name: 'page', date: today, data: 'not told', limits: 'not told', settings: told };
}
