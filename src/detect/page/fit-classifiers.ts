/**
 * Trains the classifiers of a page-level model on labelled rows of many sites: one classifier per area class,
 * as in section 5.2 of Chakrabarti, Kumar and Punera 2007, and the map from its scores to probabilities.
 *
 * Sites are divided into a few parts. Each part is scored by a classifier trained on the other parts. These
 * scores of unseen sites calibrate the final classifier, which is trained on all sites, and give the figures.
 * The nodes of one site are alike, so figures measured on sites of the training would be too good.
 *
 * Cost: one training more than there are parts.
 */
import {
  type Calibration,
  type ClassifierFigures,
  calibrate,
  measureAuc,
  measureClassifier,
  trainCalibration,
} from '../../learn/calibration.ts';
import { trainLogistic } from '../../learn/logistic-regression.ts';
import { type BoostedTreesOptions, trainBoostedTrees } from '../../learn/train-boosted-trees.ts';
import type { WeightedSet } from '../../learn/weighted-set.ts';
import { FEATURES } from './feature-list.ts';
import type { Lexicon } from './lexicon.ts';
import { HIDE_BELOW } from './page-features.ts';
import {
  AREA_BOUNDS,
  type AreaClass,
  type ModelCard,
  PAGE_MODEL_VERSION,
  type PageClassifier,
  type PageModel,
} from './page-model.ts';
import { classifyRow } from './row-scorer.ts';

/** All values of `ClassifierName`. */
export const CLASSIFIERS = ['logistic', 'trees'] as const;
/** Kind of classifier of a page-level model. */
export type ClassifierName = (typeof CLASSIFIERS)[number];

/**
 * Whether scores become probabilities by Platt scaling, learnt on held-out sites, or stay as the classifier
 * gives them.
 */
export const CALIBRATIONS = ['platt', 'none'] as const;
/** Name of a calibration. */
export type CalibrationName = (typeof CALIBRATIONS)[number];

/** Labelled rows of all sites, in parallel columns. */
export interface TrainingTable extends WeightedSet {
  /** Number of the site of each row, from 0. */
  site: Uint32Array;
  siteCount: number;
  /** Area class of each row. */
  areaClass: Uint8Array;
}

/** Options of `fitClassifiers`. */
export interface FitOptions {
  classifier: ClassifierName;
  /** Number of area classes. */
  areaClasses: number;
  /** @default 'platt' */
  calibration?: CalibrationName;
  /** Number of parts of the sites; each is held out once. @default 5 */
  parts?: number;
  l2?: number;
  trees?: BoostedTreesOptions;
  /** Called after each training; there are `parts` + 1 for each area class. */
  onFit?: (done: number, total: number) => void;
}

/** The classifier of one area class with its figures. */
interface FittedClass extends AreaClass {
  /** Measured on held-out sites, after calibration. */
  figures: ClassifierFigures;
}

/** Result of `fitClassifiers`. */
export interface FittedClassifiers {
  classes: FittedClass[];
  /**
   * For each part, the classifiers trained without it; undefined when the other parts are not enough to train
   * on.
   */
  heldOut: (AreaClass[] | undefined)[];
  /** Figures over all area classes. */
  figures: ClassifierFigures;
  /** For each feature, the loss of AUC on held-out sites when the feature is shuffled. */
  importance: Float64Array;
}

/** Default number of parts that sites are divided into. */
export const DEFAULT_PARTS = 5;
/** Number of rows of each part that are scored again with each feature shuffled. */
const SHUFFLED_ROWS = 800;

/**
 * Trains and measures the classifiers of a page-level model; yields to the event loop after each training.
 */
export async function fitClassifiers(table: TrainingTable, options: FitOptions): Promise<FittedClassifiers> {
  const { areaClasses, calibration: method = 'platt', parts = DEFAULT_PARTS, onFit } = options;
  const count = table.classes.length;
  const heldOut = new Float64Array(count).fill(Number.NaN);
  const importance = new Float64Array(table.width);
  let importanceWeight = 0;
  const classes: FittedClass[] = [];
  const blind: PageClassifier[][] = Array.from({ length: parts }, () => []);
  const total = areaClasses * (parts + 1);
  let done = 0;
  const yieldToEventLoop = async () => {
    onFit?.(++done, total);
    await new Promise<void>((resolve) => setImmediate(resolve));
  };

  for (let areaClass = 0; areaClass < areaClasses; areaClass++) {
    const own = rowsWhere(count, (row) => table.areaClass[row] === areaClass);
    // an area class without rows of both classes is trained on all rows
    const rows = hasBoth(table, own) ? own : rowsWhere(count, () => true);
    const scores = new Float64Array(count).fill(Number.NaN);
    for (let part = 0; part < parts; part++) {
      const isHeldOut = (row: number) => table.site[row] % parts === part;
      const seen = rows.filter((row) => !isHeldOut(row));
      const unseen = rows.filter(isHeldOut);
      if (unseen.length > 0 && hasBoth(table, seen)) {
        const classifier = trainOne(pick(table, seen), options);
        blind[part][areaClass] = classifier;
        for (const row of unseen) scores[row] = classifyRow(classifier, table.rows, row * table.width);
        importanceWeight += addImportance(importance, table, own.filter(isHeldOut), classifier);
      }
      await yieldToEventLoop();
    }
    const classifier = trainOne(pick(table, rows), options);
    const columns = columnsOf(
      table,
      scores,
      rows.filter((row) => !Number.isNaN(scores[row])),
    );
    const calibration: Calibration =
      method === 'none'
        ? { method }
        : trainCalibration(columns.scores, columns.classes, columns.weights, { method });
    const scored = own.filter((row) => !Number.isNaN(scores[row]));
    for (const row of scored) heldOut[row] = calibrate(calibration, scores[row]);
    classes.push({ classifier, calibration, figures: measureClassifier(columnsOf(table, heldOut, scored)) });
    await yieldToEventLoop();
  }
  const scored = rowsWhere(count, (row) => !Number.isNaN(heldOut[row]));
  if (importanceWeight > 0) for (let k = 0; k < table.width; k++) importance[k] /= importanceWeight;
  return {
    classes,
    heldOut: blind.map((classifiers) => withCalibrations(classifiers, classes)),
    figures: measureClassifier(columnsOf(table, heldOut, scored)),
    importance,
  };
}

function withCalibrations(
  classifiers: readonly (PageClassifier | undefined)[],
  classes: readonly AreaClass[],
): AreaClass[] | undefined {
  const made: AreaClass[] = [];
  for (const [k, { calibration }] of classes.entries()) {
    const classifier = classifiers[k];
    if (classifier) made.push({ classifier, calibration });
  }
  return made.length === classes.length ? made : undefined;
}

function trainOne(set: WeightedSet, { classifier, l2, trees }: FitOptions): PageClassifier {
  return classifier === 'logistic'
    ? { kind: 'logistic', model: trainLogistic(set, l2 === undefined ? {} : { l2 }) }
    : { kind: 'trees', model: trainBoostedTrees(set, trees) };
}

/**
 * Adds the loss of AUC from shuffling each feature on some rows, times the weight of the rows, and returns
 * the weight.
 */
function addImportance(
  importance: Float64Array,
  table: TrainingTable,
  rows: Uint32Array,
  classifier: PageClassifier,
): number {
  const { width } = table;
  const step = Math.max(1, Math.ceil(rows.length / SHUFFLED_ROWS));
  const some = rows.filter((_, k) => k % step === 0);
  if (!hasBoth(table, some)) return 0;
  const values = pick(table, some).rows;
  const scores = new Float64Array(some.length);
  const columns = { scores, classes: new Uint8Array(some.length), weights: new Float64Array(some.length) };
  let weight = 0;
  for (let k = 0; k < some.length; k++) {
    columns.classes[k] = table.classes[some[k]];
    columns.weights[k] = table.weights[some[k]];
    weight += columns.weights[k];
    scores[k] = classifyRow(classifier, values, k * width);
  }
  const whole = measureAuc(columns);
  const before = new Float32Array(some.length);
  // a fixed rotation serves as a shuffle, because row order is unrelated to it and the result is reproducible
  const turn = Math.floor(some.length * 0.618) || 1;
  for (let feature = 0; feature < width; feature++) {
    for (let k = 0; k < some.length; k++) before[k] = values[k * width + feature];
    for (let k = 0; k < some.length; k++) {
      values[k * width + feature] = before[(k + turn) % some.length];
    }
    for (let k = 0; k < some.length; k++) scores[k] = classifyRow(classifier, values, k * width);
    importance[feature] += weight * (whole - measureAuc(columns));
    for (let k = 0; k < some.length; k++) values[k * width + feature] = before[k];
  }
  return weight;
}

function rowsWhere(count: number, test: (row: number) => boolean): Uint32Array {
  return Uint32Array.from({ length: count }, (_, row) => row).filter(test);
}

function hasBoth({ classes }: TrainingTable, rows: Uint32Array): boolean {
  return rows.some((row) => classes[row] === 1) && rows.some((row) => classes[row] === 0);
}

/** Returns some rows as a set of their own. */
function pick({ rows: values, width, classes, weights }: TrainingTable, rows: Uint32Array): WeightedSet {
  const set: WeightedSet = {
    width,
    rows: new Float32Array(rows.length * width),
    classes: new Uint8Array(rows.length),
    weights: new Float64Array(rows.length),
  };
  for (let k = 0; k < rows.length; k++) {
    const row = rows[k];
    set.rows.set(values.subarray(row * width, (row + 1) * width), k * width);
    set.classes[k] = classes[row];
    set.weights[k] = weights[row];
  }
  return set;
}

function columnsOf({ classes, weights }: TrainingTable, scores: Float64Array, rows: Uint32Array) {
  const columns = {
    scores: new Float64Array(rows.length),
    classes: new Uint8Array(rows.length),
    weights: new Float64Array(rows.length),
  };
  for (let k = 0; k < rows.length; k++) {
    columns.scores[k] = scores[rows[k]];
    columns.classes[k] = classes[rows[k]];
    columns.weights[k] = weights[rows[k]];
  }
  return columns;
}

/**
 * Assembles a page-level model from fitted classifiers, the lexicon of all sites, the means of features in
 * both classes (for reasons), and its card with the figures of held-out sites.
 */

/** Settings that turn scores into labels. */
export type JudgingSettings = Pick<
  PageModel,
  'areaBounds' | 'penalty' | 'penaltyKind' | 'threshold' | 'level' | 'weighting' | 'nodes'
>;

/**
 * Settings by classifier: the paper's (sections 5.2 and 5.3), and those chosen for boosted trees, which need
 * no area classes.
 */
export const JUDGING_SETTINGS: Readonly<Record<ClassifierName, JudgingSettings>> = {
  logistic: { areaBounds: [...AREA_BOUNDS], penalty: 0.01, threshold: 0.5 },
  trees: {
    areaBounds: [],
    penalty: 0.0005,
    threshold: 0.5,
    level: {
      share: 0.1,
      margin: 1.9,
      least: 0.08,
      most: 0.85,
      links: 1.4,
      region: { share: 0.7, inside: 1.2, outside: 0.8 },
    },
    weighting: 'one',
  },
};

/** Parts of a model besides its classifiers. */
export interface AssembleOptions {
  lexicon: Lexicon;
  card: Omit<ModelCard, 'sites' | 'rows' | 'figures'>;
  judging: JudgingSettings;
}

/** Returns a page-level model of fitted classifiers. */
export function assembleModel(
  { classes, figures, importance }: Omit<FittedClassifiers, 'heldOut'>,
  table: TrainingTable,
  { lexicon, card, judging }: AssembleOptions,
): PageModel {
  const cardFigures: Record<string, number> = {};
  for (const [k, { figures: own }] of classes.entries()) addFigures(cardFigures, `area ${k + 1}`, own);
  addFigures(cardFigures, 'all areas', figures);
  return {
    version: PAGE_MODEL_VERSION,
    features: FEATURES.slice(0, table.width).map(({ name }) => name),
    hideBelow: HIDE_BELOW,
    ...judging,
    classes: classes.map(({ classifier, calibration }) => ({ classifier, calibration })),
    lexicon,
    importance: Array.from(importance, rounded),
    templateMean: meansOf(table, 1),
    contentMean: meansOf(table, 0),
    card: { ...card, sites: table.siteCount, rows: table.classes.length, figures: cardFigures },
  };
}

function addFigures(
  cardFigures: Record<string, number>,
  name: string,
  { auc, logLoss, accuracy }: FittedClassifiers['figures'],
): void {
  cardFigures[`${name}: AUC`] = rounded(auc);
  cardFigures[`${name}: log loss`] = rounded(logLoss);
  cardFigures[`${name}: accuracy`] = rounded(accuracy);
}

/** Returns the mean of each feature over the rows of a class. */
function meansOf({ rows, width, classes, weights }: TrainingTable, wanted: number): number[] {
  const sums = new Float64Array(width);
  let total = 0;
  for (let row = 0; row < classes.length; row++) {
    if (classes[row] !== wanted) continue;
    total += weights[row];
    for (let k = 0; k < width; k++) sums[k] += weights[row] * rows[row * width + k];
  }
  return Array.from(sums, (sum) => rounded(total > 0 ? sum / total : 0));
}

function rounded(value: number): number {
  return Math.round(value * 1e4) / 1e4;
}
