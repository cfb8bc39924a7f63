/**
 * A page-level model separates template from content on a page of an unseen site. It is plain data, stored as
 * JSON with a card that describes its training data, its quality and its limits. The package includes one.
 */
import { readFileSync } from 'node:fs';
import {
  type BoostedTrees,
  type BoostedTreesData,
  decodeBoostedTrees,
  encodeBoostedTrees,
} from '../../learn/boosted-trees.ts';
import type { Calibration } from '../../learn/calibration.ts';
import {
  decodeLinear,
  encodeLinear,
  type LinearModel,
  type LinearModelData,
} from '../../learn/logistic-regression.ts';
import {
  fields,
  listOf,
  mapOf,
  numberFrom,
  oneOf,
  refuse,
  type Shape,
  ShapeError,
  textShape,
  variants,
} from '../check-shape.ts';
import { FEATURES, NODE_CHOICES, type NodeChoice } from './feature-list.ts';
import type { Lexicon } from './lexicon.ts';
import type { ScoreLevel } from './normalize-scores.ts';
import { PENALTY_KINDS, type PenaltyKind } from './section-penalty.ts';

/** Incremented when the meaning of a feature or the form of the file changes. */
export const PAGE_MODEL_VERSION = 1;

/**
 * Bounds between the four area classes, in square pixels. Each class has its own classifier, because nodes
 * near the root differ from those near the leaves (section 5.2 of the paper): a line of text, a paragraph, a
 * box, a column or more. The paper does not print its bounds; these are ours.
 */
export const AREA_BOUNDS: readonly number[] = [12_000, 60_000, 300_000];

/** A trained classifier of judged nodes. */
export type PageClassifier =
  | { kind: 'logistic'; model: LinearModel }
  | { kind: 'trees'; model: BoostedTrees };

/** The classifier of an area class and the calibration of its scores. */
export interface AreaClass {
  classifier: PageClassifier;
  calibration: Calibration;
}

/** Describes a model to its users. */
export interface ModelCard {
  name: string;
  /** Date of the training, such as `2026-11-16`. */
  date: string;
  /** Training data, in a sentence; then in numbers. */
  data: string;
  sites: number;
  pages: number;
  rows: number;
  /** Settings of the training. */
  settings: Record<string, string | number>;
  /** Figures by name: on held-out sites, on gold. */
  figures: Record<string, number>;
  limits: string;
}

/** A page-level model, as described above. */
export interface PageModel {
  version: number;
  /** Names of the features, in the order of the columns. */
  features: string[];
  /** Minimum area of a judged node, in square pixels. */
  hideBelow: number;
  /** Bounds between the area classes, in square pixels, ascending. */
  areaBounds: number[];
  /** One entry more than there are bounds. */
  classes: AreaClass[];
  lexicon: Lexicon;
  /** Names of elements with replies of readers; without them replies are not searched for. */
  replies?: Lexicon;
  /** Constant c of the penalty. */
  penalty: number;
  /** Quantity that the penalty of a node depends on. @default 'area': c·A/Aᵢ */
  penaltyKind?: PenaltyKind;
  /** Smoothed (and normalised) scores from this one on are template. */
  threshold: number;
  /** How scores are normalised per page; absent for no normalisation. */
  level?: ScoreLevel;
  /**
   * Weight of a node in the smoothing: one plus the number of nodes hidden in it, or one. @default 'nodes'
   */
  weighting?: 'nodes' | 'one';
  /** Which nodes are judged; see feature-list.ts. @default 'blocks' */
  nodes?: NodeChoice;
  /** By feature, the data for reasons; see row-ranges.ts. */
  importance: number[];
  templateMean: number[];
  contentMean: number[];
  card: ModelCard;
}

/** Returns the class of an area in square pixels. */
export function areaClassOf(area: number, bounds: readonly number[] = AREA_BOUNDS): number {
  let areaClass = 0;
  while (areaClass < bounds.length && area >= bounds[areaClass]) areaClass++;
  return areaClass;
}

/** Returns the model as JSON text; equal models give equal texts. */
export function encodePageModel(model: PageModel): string {
  const { card, ...rest } = model;
  const plain = {
    card,
    ...rest,
    classes: model.classes.map(({ classifier, calibration }) => ({
      kind: classifier.kind,
      model:
        classifier.kind === 'logistic'
          ? encodeLinear(classifier.model)
          : encodeBoostedTrees(classifier.model),
      calibration,
    })),
  };
  return `${JSON.stringify(plain)}\n`;
}

/** Reads a model; throws an error that says what is wrong with the text. */
export function decodePageModel(text: string): PageModel {
  let plain: EncodedModel;
  try {
    plain = JSON.parse(text);
  } catch (error) {
    throw new TypeError('this is not a page-level model: it is not JSON', { cause: error });
  }
  if (typeof plain !== 'object' || plain === null || typeof plain.version !== 'number') {
    throw new TypeError('this is not a page-level model: it has no version');
  }
  if (plain.version !== PAGE_MODEL_VERSION) {
    throw new TypeError(
      `the page-level model has version ${plain.version}; this program reads version ${PAGE_MODEL_VERSION}`,
    );
  }
  // features are only ever added at the end
  const { features } = plain;
  const isKnown = (name: string, column: number) => name === FEATURES[column]?.name;
  if (!Array.isArray(features) || features.length === 0 || !features.every(isKnown)) {
    throw new TypeError('the page-level model has other features than this version of chaff; train it again');
  }
  checkPageModel(plain, features.length);
  return {
    ...plain,
    classes: plain.classes.map((encoded, k) => ({
      classifier: decodeClassifier(encoded, `classes[${k}].model`),
      calibration: encoded.calibration,
    })),
  };
}

type EncodedClass = { calibration: Calibration } & (
  | { kind: 'logistic'; model: LinearModelData }
  | { kind: 'trees'; model: BoostedTreesData }
);
type EncodedModel = Omit<PageModel, 'classes'> & { classes: EncodedClass[] };

function decodeClassifier({ kind, model }: EncodedClass, at: string): PageClassifier {
  if (kind === 'logistic') return { kind, model: decodeLinear(model) };
  try {
    return { kind, model: decodeBoostedTrees(model) };
  } catch (error) {
    throw new ShapeError(`${at}.${(error as Error).message}`, { cause: error });
  }
}

let packaged: PageModel | undefined;
let ofPaper: PageModel | undefined;

/** Returns the packaged model, which is read at the first call. */
export function packagedPageModel(): PageModel {
  packaged ??= decodePageModel(readFileSync(new URL('../../../models/page.json', import.meta.url), 'utf8'));
  return packaged;
}

/**
 * Returns the second packaged model, the system of Chakrabarti, Kumar and Punera 2007, which is read at the
 * first call.
 */
export function paperPageModel(): PageModel {
  ofPaper ??= decodePageModel(
    readFileSync(new URL('../../../models/page-paper.json', import.meta.url), 'utf8'),
  );
  return ofPaper;
}

/**
 * Shapes of a page-level model in JSON, except for its trees (`learn/boosted-trees.ts`). The bounds limit the
 * time and memory of opening a model.
 */

/** Sums and products of numbers within these bounds stay finite. */
const number = numberFrom(-1e30, 1e30);
const share = numberFrom(0, 1);
const area = numberFrom(0, 1e12);
const count = numberFrom(0, Number.MAX_SAFE_INTEGER, { whole: true });

const MAX_CLASSES = 64;
const MAX_TREES = 10_000;
/** Maximum number of nodes of one tree, and of all trees of a class. */
const MAX_TREE_NODES = 65_536;
const MAX_NODES = 250_000;
const MAX_WORDS = 100_000;
const MAX_STEPS = 1_000_000;

const card = fields({
  name: textShape,
  date: textShape,
  data: textShape,
  sites: count,
  pages: count,
  rows: count,
  settings: mapOf((value, at) => {
    if (typeof value !== 'string') number(value, at);
  }),
  figures: mapOf(number),
  limits: textShape,
});

const lexicon: Shape = (value, at) => {
  fields({ words: listOf(textShape, { most: MAX_WORDS }), weights: listOf(number, { most: MAX_WORDS }) })(
    value,
    at,
  );
  const { words, weights } = value as Record<string, unknown[]>;
  checkLength(`${at}.weights`, weights, words.length);
};

const isotonic: Shape = (value, at) => {
  const steps = listOf(share, { least: 1, most: MAX_STEPS });
  fields({ method: textShape, scores: steps, values: steps })(value, at);
  const { scores, values } = value as Record<string, number[]>;
  checkLength(`${at}.values`, values, scores.length);
  for (let k = 1; k < scores.length; k++) {
    if (scores[k] <= scores[k - 1]) refuse(`${at}.scores[${k}]`, `above ${scores[k - 1]}`, scores[k]);
    if (values[k] < values[k - 1]) refuse(`${at}.values[${k}]`, `${values[k - 1]} or more`, values[k]);
  }
};

const calibration = variants('method', {
  none: fields({ method: textShape }),
  platt: fields({ method: textShape, slope: numberFrom(0, 1e30), bias: number }),
  isotonic,
});

const level = fields(
  { share, margin: number, least: share, most: share },
  { links: number, region: fields({ share, inside: number, outside: number }) },
);

function classOf(width: number): Shape {
  const byFeature = listOf(number, { least: width, most: width });
  const perTree = listOf(listOf(number, { most: MAX_TREE_NODES }), { most: MAX_TREES });
  const trees: Shape = (value, at) => {
    fields({
      width: numberFrom(width, width),
      bias: number,
      features: perTree,
      numbers: perTree,
      gain: byFeature,
    })(value, at);
    const { features, numbers } = value as Record<string, number[][]>;
    checkLength(`${at}.numbers`, numbers, features.length);
    for (const [k, tree] of features.entries()) checkLength(`${at}.numbers[${k}]`, numbers[k], tree.length);
    const nodes = features.reduce((sum, tree) => sum + tree.length, 0);
    if (nodes > MAX_NODES) refuse(`${at}.features`, `a list of ${MAX_NODES} nodes at most`, nodes);
  };
  return variants('kind', {
    logistic: fields({ kind: textShape, model: fields({ weights: byFeature, bias: number }), calibration }),
    trees: fields({ kind: textShape, model: trees, calibration }),
  });
}

/**
 * Throws a ShapeError with the path of the first wrong field. `width` is the number of features of the model.
 */
function checkPageModel(plain: unknown, width: number): void {
  const byFeature = listOf(number, { least: width, most: width });
  fields(
    {
      card,
      version: number,
      features: listOf(textShape),
      hideBelow: area,
      areaBounds: listOf(area, { most: MAX_CLASSES }),
      classes: listOf(classOf(width), { least: 1, most: MAX_CLASSES + 1 }),
      lexicon,
      penalty: numberFrom(0, 1e6),
      threshold: share,
      importance: byFeature,
      templateMean: byFeature,
      contentMean: byFeature,
    },
    {
      replies: lexicon,
      level,
      weighting: oneOf('nodes', 'one'),
      penaltyKind: oneOf(...PENALTY_KINDS),
      nodes: oneOf(...NODE_CHOICES),
    },
  )(plain, '');
  const { areaBounds, classes } = plain as { areaBounds: number[]; classes: unknown[] };
  for (let k = 1; k < areaBounds.length; k++) {
    if (areaBounds[k] > areaBounds[k - 1]) continue;
    refuse(`areaBounds[${k}]`, `above ${areaBounds[k - 1]}`, areaBounds[k]);
  }
  checkLength('classes', classes, areaBounds.length + 1);
}

function checkLength(at: string, list: unknown[], expected: number): void {
  listOf(() => {}, { least: expected, most: expected })(list, at);
}
