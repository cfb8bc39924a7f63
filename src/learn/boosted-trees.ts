/**
 * Gradient-boosted trees of two classes: the log-odds of class 1 are a bias plus the sum of one leaf of each
 * tree. `train-boosted-trees.ts` trains the model; this file has the model, its scores and its encoding.
 *
 * Nodes of all trees lie in flat arrays, tree by tree, the two children of a node next to each other. A leaf
 * is its own child, so every row takes the same number of steps and the processor has no branch to predict
 * (`bench/classifiers.bench.ts` has the time). Thresholds and leaves are 32-bit floats, sums are made in a
 * fixed order, and log-odds become a probability by exact arithmetic (`probabilityOf`), so a score has the
 * same bits on every machine.
 */

/** A model of boosted trees, with the nodes of all trees in parallel arrays. */
export interface BoostedTrees {
  /** Number of features in a row. */
  width: number;
  /** Log-odds before the first tree. */
  bias: number;
  /** First node of each tree. */
  roots: Int32Array;
  /** Number of steps from the root to the deepest leaf of each tree. */
  depths: Uint8Array;
  /** A row whose feature is at most the threshold goes to node `child`, other rows to `child + 1`. */
  feature: Int16Array;
  threshold: Float32Array;
  child: Int32Array;
  /** Log-odds that a leaf adds. */
  value: Float32Array;
  /** For each feature, the sum by which its splits reduced the loss. */
  gain: Float64Array;
}

/** A model as plain data; nodes are in the order of the arrays, and children follow from their order. */
export interface BoostedTreesData {
  width: number;
  bias: number;
  /** For each tree, the feature of each of its nodes; -1 for a leaf. */
  features: number[][];
  /** For each tree, the threshold of each of its splits and the value of each of its leaves. */
  numbers: number[][];
  gain: number[];
}

/**
 * Returns the probability of class 1 of the row of features that begins at `offset`. Four trees are traversed
 * together, so that the processor does not wait for memory; `Number` of a comparison compiles to no branch.
 */
export function scoreTrees(model: BoostedTrees, values: Float32Array, offset: number): number {
  const { roots, depths, feature, threshold, child, value } = model;
  const count = roots.length;
  let logOdds = model.bias;
  let tree = 0;
  for (; tree + 3 < count; tree += 4) {
    let a = roots[tree];
    let b = roots[tree + 1];
    let c = roots[tree + 2];
    let d = roots[tree + 3];
    let steps = Math.max(depths[tree], depths[tree + 1], depths[tree + 2], depths[tree + 3]);
    for (; steps > 0; steps--) {
      a = (child[a] + Number(values[offset + feature[a]] > threshold[a])) | 0;
      b = (child[b] + Number(values[offset + feature[b]] > threshold[b])) | 0;
      c = (child[c] + Number(values[offset + feature[c]] > threshold[c])) | 0;
      d = (child[d] + Number(values[offset + feature[d]] > threshold[d])) | 0;
    }
    logOdds = logOdds + value[a] + value[b] + value[c] + value[d];
  }
  for (; tree < count; tree++) {
    let node = roots[tree];
    for (let steps = depths[tree]; steps > 0; steps--) {
      node = (child[node] + Number(values[offset + feature[node]] > threshold[node])) | 0;
    }
    logOdds += value[node];
  }
  return probabilityOf(logOdds);
}

/** Encodes a model as plain data with the shortest numbers that decode to the same bits. */
export function encodeBoostedTrees({
  width,
  bias,
  roots,
  feature,
  threshold,
  child,
  value,
  gain,
}: BoostedTrees): BoostedTreesData {
  const features: number[][] = [];
  const numbers: number[][] = [];
  for (let tree = 0; tree < roots.length; tree++) {
    const from = roots[tree];
    const to = roots[tree + 1] ?? feature.length;
    const nodes = Array.from({ length: to - from }, (_, i) => from + i);
    features.push(nodes.map((node) => (child[node] === node ? -1 : feature[node])));
    numbers.push(nodes.map((node) => shortest(child[node] === node ? value[node] : threshold[node])));
  }
  return { width, bias, features, numbers, gain: Array.from(gain, (one) => Number(one.toPrecision(4))) };
}

/** Maximum value of a depth. */
const MAX_STEPS = 255;

/**
 * Decodes a model. Throws a `RangeError` with the place and the expected value when the trees are damaged;
 * the fields must have their declared types.
 */
export function decodeBoostedTrees({ width, bias, features, numbers, gain }: BoostedTreesData): BoostedTrees {
  const count = features.reduce((sum, tree) => sum + tree.length, 0);
  const model: BoostedTrees = {
    width,
    bias,
    roots: new Int32Array(features.length),
    depths: new Uint8Array(features.length),
    feature: new Int16Array(count),
    threshold: new Float32Array(count).fill(Number.POSITIVE_INFINITY),
    child: new Int32Array(count),
    value: new Float32Array(count),
    gain: Float64Array.from(gain),
  };
  let root = 0;
  for (const [tree, ofTree] of features.entries()) {
    model.roots[tree] = root;
    const depth = new Uint8Array(ofTree.length);
    let children = 1; // index of the next pair of children in the tree
    for (let i = 0; i < ofTree.length && i < children; i++) {
      const node = root + i;
      const number = numbers[tree]?.[i];
      if (!Number.isFinite(number)) {
        throw new RangeError(`numbers[${tree}][${i}] must be a number, not ${number}`);
      }
      if (!Number.isInteger(ofTree[i]) || ofTree[i] >= width || ofTree[i] < -1) {
        const expected = `a whole number from -1 to ${width - 1}`;
        throw new RangeError(`features[${tree}][${i}] must be ${expected}, not ${ofTree[i]}`);
      }
      if (ofTree[i] < 0) {
        model.child[node] = node;
        model.value[node] = number;
        continue;
      }
      model.feature[node] = ofTree[i];
      model.threshold[node] = number;
      model.child[node] = root + children;
      if (depth[i] === MAX_STEPS) {
        throw new RangeError(`features[${tree}] must be at most ${MAX_STEPS} steps deep`);
      }
      depth[children] = depth[children + 1] = depth[i] + 1;
      model.depths[tree] = Math.max(model.depths[tree], depth[i] + 1);
      children += 2;
    }
    if (children !== ofTree.length) {
      throw new RangeError(
        `features[${tree}] must have the ${children} nodes that its splits make, not ${ofTree.length}`,
      );
    }
    root += ofTree.length;
  }
  return model;
}

/** Returns the number with the fewest digits that is the same 32-bit float. */
function shortest(value: number): number {
  for (let digits = 1; digits < 9; digits++) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === value) return short;
  }
  return value;
}

/**
 * Converts log-odds to a probability and back by additions, multiplications and divisions only. Those give
 * the same bits in every JavaScript engine, while `Math.exp` and `Math.log` may differ in the last one. A
 * score that reaches a threshold on one machine reaches it on all.
 */

/** Maximum absolute log-odds; beyond it, probabilities are practically 0 or 1. */
const MAX_LOG_ODDS = 40;
const LN2 = Math.LN2;
/** The first 32 bits of ln 2; their product with a small integer is exact. */
const LN2_HIGH = 0.6931471803691238;
const LN2_LOW = 1.9082149292705877e-10;
/** 2 to the power of -64 to 63. */
const POWERS = Float64Array.from({ length: 128 }, (_, i) => 2 ** (i - 64));

/** Returns 1 / (1 + e^-x), in (0, 1). */
export function probabilityOf(logOdds: number): number {
  const x = Math.min(Math.max(logOdds, -MAX_LOG_ODDS), MAX_LOG_ODDS);
  // e^-x = 2^power · e^r with |r| ≤ ln 2 / 2, where the series up to r^13 has double precision
  const power = Math.floor(0.5 - x / LN2);
  const r = -x - power * LN2_HIGH - power * LN2_LOW;
  let series = 1 / 6227020800;
  series = series * r + 1 / 479001600;
  series = series * r + 1 / 39916800;
  series = series * r + 1 / 3628800;
  series = series * r + 1 / 362880;
  series = series * r + 1 / 40320;
  series = series * r + 1 / 5040;
  series = series * r + 1 / 720;
  series = series * r + 1 / 120;
  series = series * r + 1 / 24;
  series = series * r + 1 / 6;
  series = series * r + 0.5;
  series = series * r + 1;
  series = series * r + 1;
  return 1 / (1 + series * POWERS[power + 64]);
}

/** Returns ln(p / (1 - p)), clamped to ±`MAX_LOG_ODDS`. */
export function logOddsOf(probability: number): number {
  if (!(probability > 0)) return -MAX_LOG_ODDS;
  if (!(probability < 1)) return MAX_LOG_ODDS;
  return Math.min(
    Math.max(naturalLog(probability) - naturalLog(1 - probability), -MAX_LOG_ODDS),
    MAX_LOG_ODDS,
  );
}

/** Returns the natural logarithm of a finite number above zero. */
export function naturalLog(x: number): number {
  let mantissa = x;
  let power = 0;
  while (mantissa > Math.SQRT2) {
    mantissa /= 2;
    power++;
  }
  while (mantissa < Math.SQRT1_2) {
    mantissa *= 2;
    power--;
  }
  // ln m = 2 artanh((m - 1) / (m + 1)), and |ratio| is at most 0.172
  const ratio = (mantissa - 1) / (mantissa + 1);
  const square = ratio * ratio;
  let series = 0;
  for (let odd = 21; odd >= 1; odd -= 2) series = series * square + 1 / odd;
  return 2 * ratio * series + power * LN2;
}
