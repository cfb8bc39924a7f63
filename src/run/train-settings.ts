/** The settings of a training, checked and with their defaults. */
import type { BrowserLayoutOptions } from '../browse/browser-layout.ts';
import { checkNumber } from '../detect/check-option.ts';
import { FEATURE_SETS, type FeatureSet } from '../detect/page/feature-list.ts';
import {
  CALIBRATIONS,
  type CalibrationName,
  CLASSIFIERS,
  type ClassifierName,
  JUDGING_SETTINGS,
  type JudgingSettings,
} from '../detect/page/fit-classifiers.ts';
import { NODE_CHOICES, type NodeChoice } from '../detect/page/judged-nodes.ts';
import type { ModelCard } from '../detect/page/page-model.ts';
import { PENALTY_KINDS, type PenaltyKind } from '../detect/page/section-penalty.ts';
import { LABEL_RULES, type LabelRule } from '../detect/page/site-labels.ts';
import type { BoostedTreesOptions } from '../learn/train-boosted-trees.ts';
import type { Problem } from '../model/problem.ts';
import { checkWhole, type JobOptions } from './job.ts';
import type { RunOptions } from './report-run.ts';
import { WEIGHTINGS, type Weighting } from './stages/training-table.ts';
import { LAYOUTS, type LayoutKind } from './tasks/task.ts';

export interface TrainOptions
  extends Pick<JobOptions, 'site' | 'include' | 'exclude' | 'limits' | 'sample' | 'seed' | 'snapshot'>,
    Pick<RunOptions, 'workers' | 'signal' | 'onProgress' | 'stdin'> {
  /** @default 'logistic' */
  classifier?: ClassifierName;
  /** @default 'all' */
  features?: FeatureSet;
  /** @default 'platt' */
  calibration?: CalibrationName;
  /** Which nodes of a page are examples, and are judged by the model: see judged-nodes.ts. @default 'blocks' */
  nodes?: NodeChoice;
  /** Constant c of the penalty that the model smooths with, from 0. @default 0.01; 0.0005 for trees */
  penalty?: number;
  /** What that penalty depends on: see section-penalty.ts. @default 'area' */
  penaltyKind?: PenaltyKind;
  /** What makes a node template: see site-labels.ts. @default 'html' */
  labels?: LabelRule;
  /** Pages of a site snapshot to train with, of those it is learnt from, from 1. @default 40 */
  pages?: number;
  /** Share of the sampled pages of a site that makes a node template, 0 to 1. @default 0.1 */
  share?: number;
  /** Pages a site must have, from 2. @default 8 */
  minPages?: number;
  /** Sites that must have pages to train with, from 2. @default 4 */
  minSites?: number;
  /** Train also with pages that repeat another, or of which the templates of the site leave nothing. @default false */
  allPages?: boolean;
  /** Whether every site counts the same, or every node. @default 'sites' */
  weights?: Weighting;
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

export type TrainSettings = typeof TRAIN_DEFAULTS &
  Pick<TrainOptions, 'trees' | 'l2' | 'browser' | 'penalty'>;

/** How the model will judge. What is as by default is left out of its file. */
export function judgingOf({ classifier, penalty, penaltyKind, nodes }: TrainSettings): JudgingSettings {
  return {
    ...JUDGING_SETTINGS[classifier],
    ...(penalty === undefined ? {} : { penalty }),
    ...(penaltyKind === TRAIN_DEFAULTS.penaltyKind ? {} : { penaltyKind }),
    ...(nodes === TRAIN_DEFAULTS.nodes ? {} : { nodes }),
  };
}

/** Fills in the defaults; throws a RangeError that names the option and what it accepts. */
export function checkTrainOptions(options: TrainOptions): TrainSettings {
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
  checkOneOf('classifier', settings.classifier, CLASSIFIERS);
  checkOneOf('features', settings.features, FEATURE_SETS);
  checkOneOf('calibration', settings.calibration, CALIBRATIONS);
  checkOneOf('nodes', settings.nodes, NODE_CHOICES);
  checkOneOf('penaltyKind', settings.penaltyKind, PENALTY_KINDS);
  checkOneOf('labels', settings.labels, LABEL_RULES);
  checkOneOf('weights', settings.weights, WEIGHTINGS);
  checkOneOf('layout', settings.layout, LAYOUTS);
  if (penalty !== undefined) checkNumber('penalty', penalty, { min: 0, max: 1000 });
  checkWhole('pages', settings.pages, 1);
  checkWhole('minPages', settings.minPages, 2);
  checkWhole('minSites', settings.minSites, 2);
  checkWhole('siteRows', settings.siteRows, 10);
  checkWhole('rows', settings.rows, 100);
  return settings;
}

function checkOneOf(name: string, value: string, known: readonly string[]): void {
  if (!known.includes(value)) throw new RangeError(`${name} must be ${known.join(' or ')}, not "${value}"`);
}
