/**
 * A page-level model from archives, without people: survey → plan → sites learnt and labelled → rows → a
 * classifier for each class of area → a check. By default every site counts the same whatever its size; the figures
 * of the model are of sites that the classifier had not seen.
 *
 * Sites are numbered by a seeded hash of their names and fall into parts by that number, so that neither the
 * order of inputs nor the number of workers has a say in the model.
 */

import { featuresOf } from '../detect/page/feature-list.ts';
import {
  assembleModel,
  DEFAULT_PARTS,
  type FittedClassifiers,
  fitClassifiers,
  type TrainingTable,
} from '../detect/page/fit-classifiers.ts';
import type { Lexicon } from '../detect/page/lexicon.ts';
import { areaClassOf, encodePageModel, type ModelCard, type PageModel } from '../detect/page/page-model.ts';
import { SITE_LEVEL } from '../detect/page/site-labels.ts';
import type { Problem } from '../model/problem.ts';
import { checkJob } from './job.ts';
import { countProblems, type ScratchRun, withScratchRun } from './scratch-run.ts';
import { sumCounts } from './stages/run-stage.ts';
import {
  checkHeldOut,
  type LabelledSites,
  labelAllSites,
  type MeasuredSites,
  measureAll,
} from './stages/train-stages.ts';
import { makeLexicon } from './stages/training-sites.ts';
import { makeTable } from './stages/training-table.ts';
import type { CheckedPages } from './tasks/check-model-task.ts';
import type { UnusedCode } from './tasks/site-label-task.ts';
import { checkTrainOptions, judgingOf, type TrainOptions, type TrainSettings } from './train-settings.ts';

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
  /** Pages of the sites, judged by models that have not seen their site, and how many have almost no text left. */
  checked: CheckedPages;
}

/** A model is suspect when it leaves almost no text of a larger share of the pages of sites held out. */
export const MOST_EMPTY_SHARE = 0.1;

/** Trains a model on the sites of the inputs (names, globs, folders, `-`). */
export async function runTrain(names: string[], options: TrainOptions = {}): Promise<TrainResult> {
  const settings = checkTrainOptions(options);
  const judging = judgingOf(settings);
  const { workers, signal, onProgress, stdin, onProblem } = options;
  const { site, include, exclude, limits, sample, seed, snapshot } = options;
  const job = checkJob({
    ...{ site, include, exclude, limits, sample, seed, snapshot },
    detectors: settings.labels === 'any' ? ['dom', 'text'] : ['dom'],
    detectorOptions: {
      dom: { ...(settings.labels === 'sitelevel' ? SITE_LEVEL : {}), lowerShare: settings.share },
    },
  });
  return withScratchRun(names, job, { workers, signal, onProgress, stdin }, async (run) => {
    const labelled = await labelAllSites(run, settings);
    const { sites } = labelled;
    checkSites(labelled, settings);
    const parts = Math.min(DEFAULT_PARTS, sites.numbers.size);
    const width = featuresOf(settings.features).length;
    // names of elements are no feature of the paper
    const lexiconOf = (without?: { part: number; parts: number }): Lexicon =>
      settings.features === 'paper' ? { words: [], weights: [] } : makeLexicon(sites, without);
    const lexicons = Array.from({ length: parts }, (_, part) => lexiconOf({ part, parts }));
    const measured = await measureAll(run, sites, { ...settings, lexicons, width });
    const table = makeTable(measured.blocks, {
      width,
      siteCount: sites.numbers.size,
      areaClassOf: (area) => areaClassOf(area, judging.areaBounds),
      weights: settings.weights,
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
    const card = { ...describe(settings, job.sample), pages: accounts.pages, ...options.card };
    const model = assembleModel(fitted, table, { lexicon: lexiconOf(), judging, card });
    const checked = await checkHeldOut(run, sites, {
      ...settings,
      models: fitted.heldOut.map((classes, part) =>
        classes ? encodePageModel({ ...model, classes, lexicon: lexicons[part] }) : null,
      ),
    });
    tellChecked(model.card, checked);
    return {
      ...fitted,
      ...accounts,
      model,
      sites: sites.numbers.size,
      sitesTooSmall: labelled.tooSmall.groups,
      rows: table.classes.length,
      checked,
    };
  });
}

/** What is wrong with a model that leaves almost no text of too many pages of sites held out, or cannot be checked. */
export function warningOf({ pages, empty }: CheckedPages): string | undefined {
  if (pages === 0)
    return 'it could not be checked on sites held out: the other sites do not suffice for a model';
  if (empty <= MOST_EMPTY_SHARE * pages) return undefined;
  return `almost no text is left of ${empty} of ${pages} pages of sites held out: train it on more sites`;
}

/** Writes what the check found on the card, among the limits when the model is suspect. */
function tellChecked(card: ModelCard, checked: CheckedPages): void {
  const { pages, empty } = checked;
  if (pages > 0) {
    card.figures['pages of sites held out: almost no text left'] = Math.round((1e4 * empty) / pages) / 1e4;
  }
  const warning = warningOf(checked);
  if (warning !== undefined) card.limits = card.limits === UNTOLD ? warning : `${card.limits}; ${warning}`;
}

function checkSites(
  { sites, tasks, tooSmall }: LabelledSites,
  { minPages, minSites }: Pick<TrainSettings, 'minPages' | 'minSites'>,
): void {
  const { numbers, withoutTemplates } = sites;
  if (numbers.size >= minSites) return;
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
  const small =
    tooSmall.groups > 0 ? `; ${tooSmall.groups} had fewer than ${minPages} pages (--min-pages)` : '';
  const override = numbers.size >= 2 ? `; --min-sites ${numbers.size} trains on them all the same` : '';
  throw new TrainingError(
    `a model is trained on at least ${minSites} sites, the more the better, and ${numbers.size} ` +
      `${numbers.size === 1 ? 'has' : 'have'} pages to train with: ${[...numbers.keys()].sort().join(', ')}${small}${override}`,
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
  const skipped: TrainResult['skipped'] = plan.countSkips();
  for (const more of [sites.unused, late]) {
    for (const [code, count] of Object.entries(more) as [UnusedCode, number][]) {
      skipped[code] = (skipped[code] ?? 0) + count;
    }
  }
  if (tooSmall.urls > 0) skipped['too-few-pages'] = tooSmall.urls;
  const captures = plan.countCaptures();
  const known = Object.values(skipped).reduce((sum, count) => sum + count, pages);
  if (known > captures) throw new Error(`${captures} captures but ${known} accounted for: a bug in Chaff`);
  if (known < captures) skipped['not-sampled'] = captures - known;
  const problems = await countProblems(run, [...tasks, ...measured.tasks], onProblem);
  return { captures, pages, skipped, problems };
}

const UNTOLD = 'not told';

function describe(settings: TrainSettings, sample: number) {
  const { classifier, features, calibration, nodes, labels, share, pages, minPages } = settings;
  const { siteRows, weights, layout } = settings;
  const today = new Date().toISOString().slice(0, 10);
  const told = {
    ...{ classifier, features, calibration, nodes, labels, share, sample, pages, minPages },
    allPages: settings.allPages ? 'yes' : 'no',
    ...{ siteRows, weights, layout },
  };
  return { name: 'page', date: today, data: UNTOLD, limits: UNTOLD, settings: told };
}
