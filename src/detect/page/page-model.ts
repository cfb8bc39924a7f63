/**
 * A page-level model: what tells template from content on a page of a site never seen before. Plain data, kept as
 * JSON text with its card, which says what it was trained on, how good it is and where it is not. The package
 * brings one.
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
import { ShapeError } from '../check-shape.ts';
import { FEATURES } from './feature-list.ts';
import type { NodeChoice } from './judged-nodes.ts';
import type { Lexicon } from './lexicon.ts';
import type { ScoreLevel } from './normalize-scores.ts';
import { checkPageModel } from './page-model-shape.ts';
import type { PenaltyKind } from './section-penalty.ts';

/** Raised when the meaning of a feature or the form of the file changes. */
export const PAGE_MODEL_VERSION = 1;

/**
 * Nodes fall into four classes by their area in square pixels, each with its classifier, since nodes near the
 * root differ from those near the leaves (section 5.2 of the paper): a line of text, a paragraph, a box, a
 * column or more. The paper does not print its bounds; these are ours.
 */
export const AREA_BOUNDS: readonly number[] = [12_000, 60_000, 300_000];

export type Classifier = { kind: 'logistic'; model: LinearModel } | { kind: 'trees'; model: BoostedTrees };

export interface AreaClass {
  classifier: Classifier;
  calibration: Calibration;
}

/** What anyone should know before using a model. */
export interface ModelCard {
  name: string;
  /** Day it was trained, `2026-11-16`. */
  date: string;
  /** What it was trained on, in a sentence; then in numbers. */
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

export interface PageModel {
  version: number;
  /** Names of the features, in the order of the columns. */
  features: string[];
  /** Least area of a judged node, in square pixels. */
  hideBelow: number;
  /** Bounds between the classes of area, in square pixels, ascending. */
  areaBounds: number[];
  /** One more than there are bounds. */
  classes: AreaClass[];
  lexicon: Lexicon;
  /** Names of what readers wrote below a text; it is not looked for where they are missing. */
  replies?: Lexicon;
  /** Constant c of the penalty. */
  penalty: number;
  /** What the penalty of a node depends on. @default 'area': c·A/Aᵢ */
  penaltyKind?: PenaltyKind;
  /** Smoothed scores, levelled ones where the model has levels, from here on are template. */
  threshold: number;
  /** How scores are levelled over a page; not at all where it is missing. */
  level?: ScoreLevel;
  /** What a node weighs in the smoothing: one and one for each node hidden in it, or one. @default 'nodes' */
  weighting?: 'nodes' | 'one';
  /** Which nodes are judged: see judged-nodes.ts. @default 'blocks' */
  nodes?: NodeChoice;
  /** What makes reasons: see reasons.ts. By feature. */
  importance: number[];
  templateMean: number[];
  contentMean: number[];
  card: ModelCard;
}

/** Class of an area. */
export function areaClassOf(area: number, bounds: readonly number[] = AREA_BOUNDS): number {
  let areaClass = 0;
  while (areaClass < bounds.length && area >= bounds[areaClass]) areaClass++;
  return areaClass;
}

/** The model as JSON text: the same model gives the same text. */
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
    throw new TypeError('this is not a page-level model: it is no JSON', { cause: error });
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
    throw new TypeError('the page-level model knows other features than this program: train it again');
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

function decodeClassifier({ kind, model }: EncodedClass, at: string): Classifier {
  if (kind === 'logistic') return { kind, model: decodeLinear(model) };
  try {
    return { kind, model: decodeBoostedTrees(model) };
  } catch (error) {
    throw new ShapeError(`${at}.${(error as Error).message}`, { cause: error });
  }
}

let packaged: PageModel | undefined;
let ofPaper: PageModel | undefined;

/** The model of the package, read at first use. */
export function packagedPageModel(): PageModel {
  packaged ??= decodePageModel(readFileSync(new URL('../../../models/page.json', import.meta.url), 'utf8'));
  return packaged;
}

/** The second model of the package: the system of Chakrabarti, Kumar and Punera 2007, read at first use. */
export function paperPageModel(): PageModel {
  ofPaper ??= decodePageModel(
    readFileSync(new URL('../../../models/page-paper.json', import.meta.url), 'utf8'),
  );
  return ofPaper;
}
