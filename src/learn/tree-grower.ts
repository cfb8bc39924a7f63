/**
 * Grows one tree after another on binned features; each tree fits the gradients that the previous trees
 * leave. The leaf whose split reduces the loss most is split next, until the tree has enough leaves or no
 * split helps. A split is found in a histogram of gradients by bin. Of two children only the smaller one's
 * histogram is built, the other one's is the parent's histogram minus that. A leaf adds -learningRate ·
 * gradients / (hessians + l2).
 */
import { probabilityOf } from './boosted-trees.ts';
import type { BoostedTreesOptions } from './train-boosted-trees.ts';
import type { WeightedSet } from './weighted-set.ts';

/** A node of the growing tree: its rows `[from, to)` and its best possible split, if any. */
export interface GrownNode {
  from: number;
  to: number;
  depth: number;
  gradient: number;
  hessian: number;
  histogram: Float64Array;
  gain: number;
  feature: number;
  bin: number;
  leftGradient: number;
  leftHessian: number;
  /** Set when the node has been split. */
  children?: [left: GrownNode, right: GrownNode];
  value: number;
}

/** Grows the trees of one model and keeps the log-odds of all rows up to date. */
export class TreeGrower {
  readonly #set: WeightedSet;
  readonly #bins: FeatureBins;
  readonly #options: Required<BoostedTreesOptions>;
  readonly #random: () => number;
  /** Log-odds of each row by the trees so far. */
  readonly #logOdds: Float64Array;
  /**
   * Rows of the growing tree, those of a node next to each other and in order; and scratch space to partition
   * them.
   */
  #rows: Int32Array;
  #otherRows: Int32Array;
  /** Gradient and hessian of each of `#rows`, in pairs. */
  #slopes: Float64Array;
  #otherSlopes: Float64Array;
  readonly #inSample: Uint8Array;
  /** Features that vary, and the start of each one's bins in a histogram, in pairs of numbers. */
  readonly #varying: number[];
  readonly #offsets: Int32Array;
  readonly #histogramSize: number;
  readonly #spareHistograms: Float64Array[] = [];

  constructor(set: WeightedSet, bias: number, options: Required<BoostedTreesOptions>) {
    const count = set.classes.length;
    this.#set = set;
    this.#options = options;
    this.#random = randomOf(options.seed);
    this.#bins = binFeatures(set, options.bins);
    this.#logOdds = new Float64Array(count).fill(bias);
    this.#rows = new Int32Array(count);
    this.#otherRows = new Int32Array(count);
    this.#slopes = new Float64Array(2 * count);
    this.#otherSlopes = new Float64Array(2 * count);
    this.#inSample = new Uint8Array(count);
    this.#varying = [];
    this.#offsets = new Int32Array(set.width);
    let size = 0;
    for (let feature = 0; feature < set.width; feature++) {
      this.#offsets[feature] = size;
      if (this.#bins.thresholds[feature].length === 0) continue;
      this.#varying.push(feature);
      size += 2 * (this.#bins.thresholds[feature].length + 1);
    }
    this.#histogramSize = size;
  }

  /** Grows one tree and returns its root, which is a leaf when no split reduces the loss. */
  grow(): GrownNode {
    const { leaves: mostLeaves, learningRate, l2, rowShare } = this.#options;
    const features = this.#drawFeatures();
    const root = this.#drawRows();
    this.#fillHistogram(root, features);
    this.#findSplit(root, features);
    const leaves: GrownNode[] = [root];
    while (leaves.length < mostLeaves) {
      let best = 0;
      for (let i = 1; i < leaves.length; i++) if (leaves[i].gain > leaves[best].gain) best = i;
      if (leaves[best].gain <= 0) break;
      const [left, right] = this.#split(leaves[best], features);
      leaves[best] = left;
      leaves.push(right);
    }
    for (const leaf of leaves) {
      this.#spareHistograms.push(leaf.histogram);
      const curvature = leaf.hessian + l2;
      leaf.value = curvature > 0 ? roundLeaf((-learningRate * leaf.gradient) / curvature) : 0;
      for (let i = leaf.from; i < leaf.to; i++) this.#logOdds[this.#rows[i]] += leaf.value;
    }
    if (rowShare < 1) this.#scoreOthers(root);
    return root;
  }

  /** Returns the threshold of a node's split: rows up to it go left. */
  thresholdOf({ feature, bin }: GrownNode): number {
    return this.#bins.thresholds[feature][bin];
  }

  /** Returns the features of a tree in ascending order, so that ties of gain go to the first one. */
  #drawFeatures(): number[] {
    const { featureShare } = this.#options;
    const wanted = Math.max(1, Math.round(featureShare * this.#varying.length));
    const drawn = [...this.#varying];
    for (let i = 0; drawn.length > 0 && i < wanted; i++) {
      const other = i + Math.floor(this.#random() * (drawn.length - i));
      [drawn[i], drawn[other]] = [drawn[other], drawn[i]];
    }
    return drawn.slice(0, wanted).sort((a, b) => a - b);
  }

  /** Returns the root: the sampled rows with their gradients. */
  #drawRows(): GrownNode {
    const { classes, weights } = this.#set;
    const { rowShare } = this.#options;
    const root = newLeaf(0, 0, 0);
    for (let row = 0; row < classes.length; row++) {
      const drawn = (rowShare === 1 || this.#random() < rowShare) && weights[row] > 0;
      this.#inSample[row] = drawn ? 1 : 0;
      if (!drawn) continue;
      const probability = probabilityOf(this.#logOdds[row]);
      const gradient = weights[row] * (probability - classes[row]);
      const hessian = weights[row] * probability * (1 - probability);
      this.#rows[root.to] = row;
      this.#slopes[2 * root.to] = gradient;
      this.#slopes[2 * root.to + 1] = hessian;
      root.to++;
      root.gradient += gradient;
      root.hessian += hessian;
    }
    return root;
  }

  /** Fills the histogram of a node: the sums of gradients and hessians for each bin of each feature. */
  #fillHistogram(leaf: GrownNode, features: number[]): void {
    leaf.histogram = this.#newHistogram().fill(0);
    const { columns } = this.#bins;
    const offsets = this.#offsets;
    let at = 0;
    for (; at + 3 < features.length; at += 4) {
      const [a, b, c, d] = features.slice(at, at + 4);
      const four = [columns[a], columns[b], columns[c], columns[d]] as const;
      const from = [offsets[a], offsets[b], offsets[c], offsets[d]] as const;
      addToFour(leaf.histogram, from, four, this.#rows, this.#slopes, leaf.from, leaf.to);
    }
    for (; at < features.length; at++) {
      const from = offsets[features[at]];
      addToOne(leaf.histogram, from, columns[features[at]], this.#rows, this.#slopes, leaf.from, leaf.to);
    }
  }

  #newHistogram(): Float64Array {
    return this.#spareHistograms.pop() ?? new Float64Array(this.#histogramSize);
  }

  #findSplit(leaf: GrownNode, features: number[]): void {
    const { minLeafWeight, l2, depth } = this.#options;
    if (leaf.depth >= depth || leaf.hessian < 2 * minLeafWeight) return;
    const { histogram, gradient, hessian } = leaf;
    const own = (gradient * gradient) / (hessian + l2);
    for (const feature of features) {
      const from = this.#offsets[feature];
      const last = this.#bins.thresholds[feature].length;
      let leftGradient = 0;
      let leftHessian = 0;
      for (let bin = 0; bin < last; bin++) {
        leftGradient += histogram[from + 2 * bin];
        leftHessian += histogram[from + 2 * bin + 1];
        if (leftHessian < minLeafWeight) continue;
        const rightHessian = hessian - leftHessian;
        if (rightHessian < minLeafWeight) break;
        const rightGradient = gradient - leftGradient;
        const gain =
          (leftGradient * leftGradient) / (leftHessian + l2) +
          (rightGradient * rightGradient) / (rightHessian + l2) -
          own;
        // a gain of the size of rounding errors does not count
        if (gain <= leaf.gain || gain < 1e-9 * own) continue;
        leaf.gain = gain;
        leaf.feature = feature;
        leaf.bin = bin;
        leaf.leftGradient = leftGradient;
        leaf.leftHessian = leftHessian;
      }
    }
  }

  #split(leaf: GrownNode, features: number[]): [left: GrownNode, right: GrownNode] {
    const middle = this.#partitionRows(leaf);
    const left = newLeaf(leaf.from, middle, leaf.depth + 1);
    const right = newLeaf(middle, leaf.to, leaf.depth + 1);
    left.gradient = leaf.leftGradient;
    left.hessian = leaf.leftHessian;
    right.gradient = leaf.gradient - leaf.leftGradient;
    right.hessian = leaf.hessian - leaf.leftHessian;
    leaf.children = [left, right];

    const [smaller, larger] = middle - leaf.from <= leaf.to - middle ? [left, right] : [right, left];
    this.#fillHistogram(smaller, features);
    larger.histogram = leaf.histogram;
    for (let i = 0; i < larger.histogram.length; i++) larger.histogram[i] -= smaller.histogram[i];
    this.#findSplit(left, features);
    this.#findSplit(right, features);
    return leaf.children;
  }

  /** Partitions a node's rows by its split, keeping the order, and returns the start of the right side. */
  #partitionRows({ from, to, feature, bin }: GrownNode): number {
    const column = this.#bins.columns[feature];
    const rows = this.#rows;
    const slopes = this.#slopes;
    const otherRows = this.#otherRows;
    const otherSlopes = this.#otherSlopes;
    let left = from;
    let right = 0;
    for (let i = from; i < to; i++) {
      const row = rows[i];
      if (column[row] <= bin) {
        rows[left] = row;
        slopes[2 * left] = slopes[2 * i];
        slopes[2 * left + 1] = slopes[2 * i + 1];
        left++;
      } else {
        otherRows[right] = row;
        otherSlopes[2 * right] = slopes[2 * i];
        otherSlopes[2 * right + 1] = slopes[2 * i + 1];
        right++;
      }
    }
    rows.set(otherRows.subarray(0, right), left);
    slopes.set(otherSlopes.subarray(0, 2 * right), 2 * left);
    return left;
  }

  /** Updates the log-odds of the rows outside the sample. */
  #scoreOthers(root: GrownNode): void {
    const { columns } = this.#bins;
    for (let row = 0; row < this.#inSample.length; row++) {
      if (this.#inSample[row] === 1) continue;
      let leaf = root;
      while (leaf.children) leaf = leaf.children[columns[leaf.feature][row] <= leaf.bin ? 0 : 1];
      this.#logOdds[row] += leaf.value;
    }
  }
}

function newLeaf(from: number, to: number, depth: number): GrownNode {
  return {
    from,
    to,
    depth,
    gradient: 0,
    hessian: 0,
    histogram: NO_HISTOGRAM,
    gain: 0,
    feature: -1,
    bin: 0,
    leftGradient: 0,
    leftHessian: 0,
    children: undefined,
    value: 0,
  };
}

const NO_HISTOGRAM = new Float64Array(0);

/**
 * Rounds the value of a leaf to five digits, in 32 bits. The next tree is grown afterwards and corrects the
 * error.
 */
function roundLeaf(value: number): number {
  return Math.fround(Number(value.toPrecision(5)));
}

/** Returns a generator of numbers in [0, 1), seeded. */
export function randomOf(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * Adds the gradients and hessians of a node's rows to its histogram, in pairs by bin. Training spends its
 * time here, so these loops are functions of their own.
 */

/**
 * Adds to the histograms of four features at once. A row and its gradients are read once for all four, and
 * when many rows fall in one bin the processor can work on the other three.
 */
function addToFour(
  histogram: Float64Array,
  [fromA, fromB, fromC, fromD]: readonly [number, number, number, number],
  [columnA, columnB, columnC, columnD]: readonly [Uint8Array, Uint8Array, Uint8Array, Uint8Array],
  rows: Int32Array,
  slopes: Float64Array,
  from: number,
  to: number,
): void {
  for (let i = from; i < to; i++) {
    const row = rows[i];
    const gradient = slopes[2 * i];
    const hessian = slopes[2 * i + 1];
    const a = fromA + 2 * columnA[row];
    histogram[a] += gradient;
    histogram[a + 1] += hessian;
    const b = fromB + 2 * columnB[row];
    histogram[b] += gradient;
    histogram[b + 1] += hessian;
    const c = fromC + 2 * columnC[row];
    histogram[c] += gradient;
    histogram[c + 1] += hessian;
    const d = fromD + 2 * columnD[row];
    histogram[d] += gradient;
    histogram[d + 1] += hessian;
  }
}

function addToOne(
  histogram: Float64Array,
  offset: number,
  column: Uint8Array,
  rows: Int32Array,
  slopes: Float64Array,
  from: number,
  to: number,
): void {
  for (let i = from; i < to; i++) {
    const at = offset + 2 * column[rows[i]];
    histogram[at] += slopes[2 * i];
    histogram[at + 1] += slopes[2 * i + 1];
  }
}

/**
 * Features in bins. Each feature is cut at a few thresholds such that bins hold about equally many rows; a
 * row has one byte per feature. Trees are grown on bins and stored with the thresholds.
 *
 * A value that many rows have, usually zero, gets its own bin. Thresholds are the numbers with the fewest
 * digits between two values, so that a model is short to write. O(rows · log rows) per feature.
 */
export interface FeatureBins {
  /** For each feature, ascending: bin b holds the values above threshold b - 1 and up to threshold b. */
  thresholds: Float32Array[];
  /** For each feature, the bin of each row. */
  columns: Uint8Array[];
}

/** Bins the features of a set, with at most `most` bins per feature (2 to 255). */
export function binFeatures({ rows, width, classes }: WeightedSet, most: number): FeatureBins {
  const count = classes.length;
  const thresholds: Float32Array[] = [];
  const columns: Uint8Array[] = [];
  const values = new Float32Array(count);
  for (let feature = 0; feature < width; feature++) {
    for (let row = 0; row < count; row++) values[row] = rows[row * width + feature];
    const cuts = cutColumn(values.slice().sort(), most);
    const column = new Uint8Array(count);
    for (let row = 0; row < count; row++) column[row] = binOf(cuts, values[row]);
    thresholds.push(cuts);
    columns.push(column);
  }
  return { thresholds, columns };
}

/** Returns the number of thresholds below a value. */
function binOf(thresholds: Float32Array, value: number): number {
  let low = 0;
  for (let high = thresholds.length; low < high; ) {
    const middle = (low + high) >>> 1;
    if (thresholds[middle] < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

function cutColumn(sorted: Float32Array, most: number): Float32Array {
  const count = sorted.length;
  const runs: number[] = []; // start of each distinct value
  for (let i = 0; i < count; i++) if (i === 0 || sorted[i] !== sorted[i - 1]) runs.push(i);
  const sizeOf = (run: number) => (runs[run + 1] ?? count) - runs[run];

  // frequent values take a bin each and may end the previous bin early; other values share the remaining bins
  const heavySize = runs.length <= most ? 1 : (3 * count) / most;
  let heavy = 0;
  let heavyRows = 0;
  for (let run = 0; run < runs.length; run++) {
    if (sizeOf(run) < heavySize) continue;
    heavy++;
    heavyRows += sizeOf(run);
  }
  const wanted = (count - heavyRows) / Math.max(1, most - 2 * heavy);

  const cuts: number[] = [];
  let held = 0;
  for (let run = 0; run + 1 < runs.length && cuts.length + 1 < most; run++) {
    held += sizeOf(run);
    if (held < wanted && sizeOf(run) < heavySize && sizeOf(run + 1) < heavySize) continue;
    cuts.push(roundestBetween(sorted[runs[run]], sorted[runs[run + 1]]));
    held = 0;
  }
  return Float32Array.from(cuts);
}

/** Returns the number with the fewest digits in [low, high) near the middle, as a 32-bit float. */
function roundestBetween(low: number, high: number): number {
  const middle = low + (high - low) / 2;
  for (let digits = 1; digits < 10; digits++) {
    const round = Math.fround(Number(middle.toPrecision(digits)));
    if (round >= low && round < high) return round;
  }
  return low;
}
