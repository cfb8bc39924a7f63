/**
 * Trains a page-level model from archives without labels by people. The stages are survey, plan, learning and labelling
 * of sites, rows, a classifier for each class of area, and a check. By default every site has the same weight whatever
 * its size; the figures of the model are measured on sites that the classifier has not seen.
 *
 * Sites are numbered by a seeded hash of their names and divided into parts by that number, so that neither the order
 * of inputs nor the number of workers changes the model.
 */
import type { BrowserLayoutOptions } from '../browse/browser-layout.ts';
import {
  FEATURE_SETS,
  type FeatureSet,
  featuresOf,
  NODE_CHOICES,
  type NodeChoice,
} from '../detect/page/feature-list.ts';
import {
  assembleModel,
  CALIBRATIONS,
  type CalibrationName,
  CLASSIFIERS,
  type ClassifierName,
  DEFAULT_PARTS,
  type FittedClassifiers,
  fitClassifiers,
  JUDGING_SETTINGS,
  type JudgingSettings,
  type TrainingTable,
} from '../detect/page/fit-classifiers.ts';
import type { Lexicon } from '../detect/page/lexicon.ts';
import { areaClassOf, encodePageModel, type ModelCard, type PageModel } from '../detect/page/page-model.ts';
import { PENALTY_KINDS, type PenaltyKind } from '../detect/page/section-penalty.ts';
import { LABEL_RULES, type LabelRule, SITE_LEVEL } from '../detect/page/site-labels.ts';
import type { BoostedTreesOptions } from '../learn/train-boosted-trees.ts';
import { checkChoice, checkNumber } from '../model/check-option.ts';
import type { Problem } from '../model/problem.ts';
import type { Accounts } from '../model/totals.ts';
import { checkJob, checkWholeOption, type JobOptions } from './job.ts';
import { type ProblemOptions, type RunningOptions, type Session, withSession } from './session.ts';
import {
  checkHeldOut,
  type LabelledSites,
  labelAllSites,
  type MeasuredSites,
  makeLexicon,
  makeTable,
  measureAll,
  WEIGHTINGS,
  type Weighting,
} from './stages/train-stages.ts';
import { LAYOUTS, type LayoutKind } from './tasks/task.ts';
import type { CheckedPages } from './tasks/train-tasks.ts';

/** The inputs are not sufficient for a model; the message says what is missing. */
export class TrainingError extends Error {
  override name = 'TrainingError';
}

/** A trained page-level model with its figures. */
export interface TrainResult extends FittedClassifiers, Accounts {
  model: PageModel;
  /** Number of sites that gave rows, and of those with too few pages. */
  sites: number;
  sitesTooSmall: number;
  rows: number;
  /** Counts of pages judged by models that have not seen their site, and of those left with almost no text. */
  checked: CheckedPages;
}

/** Largest share of held-out pages left with almost no text; above it a model is suspect. */
const MAX_EMPTY_SHARE = 0.1;

/** Trains a model on the sites of the inputs (names, globs, folders, `-`). */
export async function runTrain(names: string[], options: TrainOptions = {}): Promise<TrainResult> {
  const settings = checkTrainOptions(options);
  const judging = judgingOf(settings);
  const { signal, onProgress, onProblem } = options;
  const { site, include, exclude, statuses, waczPages, limits, sample, seed, snapshot } = options;
  const job = checkJob({
    ...{ site, include, exclude, statuses, waczPages, limits, sample, seed, snapshot },
    detectors: settings.labels === 'any' ? ['dom', 'text'] : ['dom'],
    detectorOptions: {
      dom: { ...(settings.labels === 'sitelevel' ? SITE_LEVEL : {}), lowerShare: settings.share },
    },
  });
  return withSession(names, job, options, async (session) => {
    const labelled = await labelAllSites(session, settings);
    const { sites } = labelled;
    checkSites(labelled, settings);
    const parts = Math.min(DEFAULT_PARTS, sites.numbers.size);
    const width = featuresOf(settings.features).length;
    // the paper does not use names of elements as features
    const lexiconOf = (without?: { part: number; parts: number }): Lexicon =>
      settings.features === 'paper' ? { words: [], weights: [] } : makeLexicon(sites, without);
    const lexicons = Array.from({ length: parts }, (_, part) => lexiconOf({ part, parts }));
    const measured = await measureAll(session, sites, { ...settings, lexicons, width });
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
    const accounts = account(session, labelled, measured, onProblem);
    const card = { ...describe(settings, job.sample), pages: accounts.pages, ...options.card };
    const model = assembleModel(fitted, table, { lexicon: lexiconOf(), judging, card });
    const checked = await checkHeldOut(session, sites, {
      ...settings,
      models: fitted.heldOut.map((classes, part) =>
        classes ? encodePageModel({ ...model, classes, lexicon: lexicons[part] }) : null,
      ),
    });
    addCheckToCard(model.card, checked);
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

/** A warning for a model that leaves almost no text of too many held-out pages, or that cannot be checked. */
export function warningOf({ pages, empty }: CheckedPages): string | undefined {
  if (pages === 0)
    return 'it could not be checked on sites held out: the other sites do not suffice for a model';
  if (empty <= MAX_EMPTY_SHARE * pages) return undefined;
  return `almost no text is left of ${empty} of ${pages} pages of sites held out: train it on more sites`;
}

/** Adds the result of the check to the card, as a limit if the model is suspect. */
function addCheckToCard(card: ModelCard, checked: CheckedPages): void {
  const { pages, empty } = checked;
  if (pages > 0) {
    card.figures['pages of sites held out: almost no text left'] = Math.round((1e4 * empty) / pages) / 1e4;
  }
  const warning = warningOf(checked);
  if (warning !== undefined) card.limits = card.limits === NOT_GIVEN ? warning : `${card.limits}; ${warning}`;
}

function checkSites(
  { sites, tasks, tooSmall }: LabelledSites,
  { minPages, minSites }: Pick<TrainSettings, 'minPages' | 'minSites'>,
): void {
  const { numbers, withoutTemplates } = sites;
  if (numbers.size >= minSites) return;
  if (tasks.length === 0) {
    throw new TrainingError(
      `a model is trained on sites of at least ${minPages} pages (--min-pages), and none of ${tooSmall.groups} has`,
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
  const override = numbers.size >= 2 ? `; --min-sites ${numbers.size} trains on them anyway` : '';
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

/** Accounts for every capture: a page used for training, or the reason for leaving it out. */
function account(
  session: Session,
  { sites, tasks, tooSmall }: LabelledSites,
  measured: MeasuredSites,
  onProblem?: (problem: Problem) => void,
): Accounts {
  const also = { ...sites.unused, ...(tooSmall.urls > 0 ? { 'too-few-pages': tooSmall.urls } : {}) };
  const rest = { code: 'not-sampled', also };
  const { captures, pages, skipped } = session.countCaptures({ names: measured.tasks }, rest);
  const problems = session.countProblems([...tasks, ...measured.tasks], onProblem);
  return { captures, pages, skipped, problems };
}

const NOT_GIVEN = 'not given';

function describe(settings: TrainSettings, sample: number) {
  const { classifier, features, calibration, nodes, labels, share, pages, minPages } = settings;
  const { siteRows, weights, layout } = settings;
  const today = new Date().toISOString().slice(0, 10);
  const cardSettings = {
    ...{ classifier, features, calibration, nodes, labels, share, sample, pages, minPages },
    allPages: settings.allPages ? 'yes' : 'no',
    ...{ siteRows, weights, layout },
  };
  return { name: 'page', date: today, data: NOT_GIVEN, limits: NOT_GIVEN, settings: cardSettings };
}

/** Options of `runTrain`. */
export interface TrainOptions
  extends Pick<
      JobOptions,
      'site' | 'include' | 'exclude' | 'statuses' | 'waczPages' | 'limits' | 'sample' | 'seed' | 'snapshot'
    >,
    RunningOptions,
    ProblemOptions {
  /** @default 'logistic' */
  classifier?: ClassifierName;
  /** @default 'all' */
  features?: FeatureSet;
  /** @default 'platt' */
  calibration?: CalibrationName;
  /** Which nodes of a page are examples and are judged by the model; see feature-list.ts. @default 'blocks' */
  nodes?: NodeChoice;
  /** Constant c of the smoothing penalty, at least 0. @default 0.01; 0.0005 for trees */
  penalty?: number;
  /** What the smoothing penalty depends on; see section-penalty.ts. @default 'area' */
  penaltyKind?: PenaltyKind;
  /** Rule that makes a node template; see site-labels.ts. @default 'html' */
  labels?: LabelRule;
  /** Maximum number of pages of a site snapshot to train with, from 1. @default 40 */
  pages?: number;
  /** Minimum share of a site's sampled pages with a node for calling it template, 0 to 1. @default 0.1 */
  share?: number;
  /** Minimum number of pages of a site, from 2. @default 8 */
  minPages?: number;
  /** Minimum number of sites with pages to train with, from 2. @default 4 */
  minSites?: number;
  /** Also train with near-duplicates and with pages of which the site's templates leave nothing. @default false */
  allPages?: boolean;
  /** Whether sites or nodes have equal weight. @default 'sites' */
  weights?: Weighting;
  /** Maximum number of rows of one site snapshot, from 10. @default 4000 */
  siteRows?: number;
  /** Maximum number of rows of all sites, from 100, which bounds the memory. @default 300,000 */
  rows?: number;
  /** Where boxes of nodes come from: an estimate, or Chromium with the contents of the archives. @default 'estimate' */
  layout?: LayoutKind;
  /** Only with layout `browser`: pages at the same time, and most time of each. */
  browser?: Pick<BrowserLayoutOptions, 'tabs' | 'pageMs'>;
  /** Settings of the boosted trees. */
  trees?: BoostedTreesOptions;
  /** Strength of the logistic regression's regularisation, above 0. */
  l2?: number;
  /** Fields of the model's card. */
  card?: Partial<Pick<ModelCard, 'name' | 'date' | 'data' | 'limits'>>;
}

/** Few and shallow trees for a small file, with regularisation for noisy labels. */
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

/** Default options of `runTrain`. */
export const TRAIN_DEFAULTS = {
  classifier: 'logistic' as ClassifierName,
  features: 'all' as FeatureSet,
  calibration: 'platt' as CalibrationName,
  nodes: 'blocks' as NodeChoice,
  penaltyKind: 'area' as PenaltyKind,
  labels: 'html' as LabelRule,
  layout: 'estimate' as LayoutKind,
  pages: 40,
  share: 0.1,
  minPages: 8,
  minSites: 4,
  allPages: false,
  weights: 'sites' as Weighting,
  siteRows: 4000,
  rows: 300_000,
};

/** Checked options with their defaults. */
type TrainSettings = typeof TRAIN_DEFAULTS & Pick<TrainOptions, 'trees' | 'l2' | 'browser' | 'penalty'>;

/** How the model judges pages. Default values are left out of its file. */
function judgingOf({ classifier, penalty, penaltyKind, nodes }: TrainSettings): JudgingSettings {
  return {
    ...JUDGING_SETTINGS[classifier],
    ...(penalty === undefined ? {} : { penalty }),
    ...(penaltyKind === TRAIN_DEFAULTS.penaltyKind ? {} : { penaltyKind }),
    ...(nodes === TRAIN_DEFAULTS.nodes ? {} : { nodes }),
  };
}

/** Fills in the defaults; throws a RangeError that names the option and what it accepts. */
function checkTrainOptions(options: TrainOptions): TrainSettings {
  const { classifier, labels, pages, share, minPages, siteRows, rows, layout, browser, trees, l2 } = options;
  const { features, calibration, nodes, penalty, penaltyKind, minSites, allPages, weights } = options;
  const settings: TrainSettings = {
    classifier: classifier ?? TRAIN_DEFAULTS.classifier,
    features: features ?? TRAIN_DEFAULTS.features,
    calibration: calibration ?? TRAIN_DEFAULTS.calibration,
    nodes: nodes ?? TRAIN_DEFAULTS.nodes,
    penalty,
    penaltyKind: penaltyKind ?? TRAIN_DEFAULTS.penaltyKind,
    labels: labels ?? TRAIN_DEFAULTS.labels,
    pages: pages ?? TRAIN_DEFAULTS.pages,
    share: share ?? TRAIN_DEFAULTS.share,
    minPages: minPages ?? TRAIN_DEFAULTS.minPages,
    minSites: minSites ?? TRAIN_DEFAULTS.minSites,
    allPages: allPages ?? TRAIN_DEFAULTS.allPages,
    weights: weights ?? TRAIN_DEFAULTS.weights,
    siteRows: siteRows ?? TRAIN_DEFAULTS.siteRows,
    rows: rows ?? TRAIN_DEFAULTS.rows,
    layout: layout ?? TRAIN_DEFAULTS.layout,
    browser,
    trees: { ...TREE_DEFAULTS, ...trees },
    l2,
  };
  checkChoice('classifier', settings.classifier, CLASSIFIERS);
  checkChoice('features', settings.features, FEATURE_SETS);
  checkChoice('calibration', settings.calibration, CALIBRATIONS);
  checkChoice('nodes', settings.nodes, NODE_CHOICES);
  checkChoice('penaltyKind', settings.penaltyKind, PENALTY_KINDS);
  checkChoice('labels', settings.labels, LABEL_RULES);
  checkChoice('weights', settings.weights, WEIGHTINGS);
  checkChoice('layout', settings.layout, LAYOUTS);
  if (penalty !== undefined) checkNumber('penalty', penalty, { min: 0, max: 1000 });
  checkWholeOption('pages', settings.pages, 1);
  checkWholeOption('minPages', settings.minPages, 2);
  checkWholeOption('minSites', settings.minSites, 2);
  checkWholeOption('siteRows', settings.siteRows, 10);
  checkWholeOption('rows', settings.rows, 100);
  return settings;
}
