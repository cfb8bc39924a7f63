/**
 * The shape of a page-level model as JSON, but for the form of its trees (`learn/boosted-trees.ts`). The bounds keep
 * the time and memory that opening takes small.
 */
import {
  fields,
  listOf,
  mapOf,
  numberFrom,
  oneOf,
  refuse,
  type Shape,
  text,
  variants,
} from '../check-shape.ts';
import { NODE_CHOICES } from './judged-nodes.ts';
import { PENALTY_KINDS } from './section-penalty.ts';

/** Sums and products of numbers within these bounds stay finite. */
const number = numberFrom(-1e30, 1e30);
const share = numberFrom(0, 1);
const area = numberFrom(0, 1e12);
const count = numberFrom(0, Number.MAX_SAFE_INTEGER, { whole: true });

const MOST_CLASSES = 64;
const MOST_TREES = 10_000;
/** Nodes of one tree, and of all trees of a class. */
const MOST_TREE_NODES = 65_536;
const MOST_NODES = 250_000;
const MOST_WORDS = 100_000;
const MOST_STEPS = 1_000_000;

const card = fields({
  name: text,
  date: text,
  data: text,
  sites: count,
  pages: count,
  rows: count,
  settings: mapOf((value, at) => {
    if (typeof value !== 'string') number(value, at);
  }),
  figures: mapOf(number),
  limits: text,
});

const lexicon: Shape = (value, at) => {
  fields({ words: listOf(text, { most: MOST_WORDS }), weights: listOf(number, { most: MOST_WORDS }) })(
    value,
    at,
  );
  const { words, weights } = value as Record<string, unknown[]>;
  checkLength(`${at}.weights`, weights, words.length);
};

const isotonic: Shape = (value, at) => {
  const steps = listOf(share, { least: 1, most: MOST_STEPS });
  fields({ method: text, scores: steps, values: steps })(value, at);
  const { scores, values } = value as Record<string, number[]>;
  checkLength(`${at}.values`, values, scores.length);
  for (let k = 1; k < scores.length; k++) {
    if (scores[k] <= scores[k - 1]) refuse(`${at}.scores[${k}]`, `above ${scores[k - 1]}`, scores[k]);
    if (values[k] < values[k - 1]) refuse(`${at}.values[${k}]`, `${values[k - 1]} or more`, values[k]);
  }
};

const calibration = variants('method', {
  none: fields({ method: text }),
  platt: fields({ method: text, slope: numberFrom(0, 1e30), bias: number }),
  isotonic,
});

const level = fields(
  { share, margin: number, least: share, most: share },
  { links: number, region: fields({ share, inside: number, outside: number }) },
);

function classOf(width: number): Shape {
  const byFeature = listOf(number, { least: width, most: width });
  const perTree = listOf(listOf(number, { most: MOST_TREE_NODES }), { most: MOST_TREES });
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
    if (nodes > MOST_NODES) refuse(`${at}.features`, `a list of ${MOST_NODES} nodes at most`, nodes);
  };
  return variants('kind', {
    logistic: fields({ kind: text, model: fields({ weights: byFeature, bias: number }), calibration }),
    trees: fields({ kind: text, model: trees, calibration }),
  });
}

/** Throws a ShapeError with the path of the first field that is wrong. `width` is how many features the model has. */
export function checkPageModel(plain: unknown, width: number): void {
  const byFeature = listOf(number, { least: width, most: width });
  fields(
    {
      card,
      version: number,
      features: listOf(text),
      hideBelow: area,
      areaBounds: listOf(area, { most: MOST_CLASSES }),
      classes: listOf(classOf(width), { least: 1, most: MOST_CLASSES + 1 }),
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
