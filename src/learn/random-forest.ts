/**
 * A random forest of two classes, like scikit-learn's RandomForestClassifier with its defaults. Trees are
 * grown to pure leaves on bootstrap samples, with the best gini split among the square root of the features
 * at each node; features that are constant there do not count. The same rows and seed give the same forest.
 *
 * Trees are stored in flat arrays. Values are ranked once per feature, so a node sorts small integers (rank and
 * class in one) instead of rows: O(rows · log rows) for each tried feature and each level of a tree.
 */
import type { Classifier, TrainingSet } from './training-set.ts';

/** Nodes of all trees. A leaf has feature -1, and its share of class 1 as threshold. */
interface Trees {
  feature: number[];
  threshold: number[];
  /** Rows up to the threshold go to the next node, other rows to this one. */
  right: number[];
  roots: number[];
}

/** Trains a forest on `set` and returns it as a classifier; without rows it votes 0.5. */
export function randomForest(set: TrainingSet, { trees: treeCount = 10, seed = 0 } = {}): Classifier {
  const { width, classes } = set;
  const random = randomOf(seed);
  const trees: Trees = { feature: [], threshold: [], right: [], roots: [] };
  const count = classes.length;
  const ranks = rankValues(set);
  for (let tree = 0; tree < treeCount && count > 0; tree++) {
    const sample = Int32Array.from({ length: count }, () => Math.floor(random() * count));
    trees.roots.push(trees.feature.length);
    growTree(trees, set, ranks, sample, random);
  }
  const { feature, threshold, right, roots } = trees;
  return {
    vote(queries, query) {
      if (roots.length === 0) return 0.5;
      const from = query * width;
      let sum = 0;
      for (const root of roots) {
        let node = root;
        while (feature[node] >= 0) {
          node = queries[from + feature[node]] <= threshold[node] ? node + 1 : right[node];
        }
        sum += threshold[node];
      }
      return sum / roots.length;
    },
  };
}

/** Grows one tree over the rows of the sample. The rows of a node are an interval of the sample. */
function growTree(
  trees: Trees,
  set: TrainingSet,
  { rankOf, values }: Ranks,
  sample: Int32Array,
  random: () => number,
): void {
  const { width, classes } = set;
  const count = classes.length;
  const sorted = new Int32Array(sample.length);
  const tried = Math.max(1, Math.floor(Math.sqrt(width)));
  const features = Int32Array.from({ length: width }, (_, i) => i);
  // nodes still to grow: start, end, and the node whose right child it is (-1 for left children and roots)
  const pending: number[] = [0, sample.length, -1];
  while (pending.length > 0) {
    const parent = pending.pop()!;
    const to = pending.pop()!;
    const from = pending.pop()!;
    const node = trees.feature.length;
    if (parent >= 0) trees.right[parent] = node;
    let ones = 0;
    for (let i = from; i < to; i++) ones += classes[sample[i]];
    trees.feature.push(-1);
    trees.threshold.push(ones / (to - from));
    trees.right.push(-1);
    if (ones === 0 || ones === to - from) continue;

    // try features in random order until enough features that vary were tried
    let best = Number.POSITIVE_INFINITY;
    let bestFeature = -1;
    let bestRank = 0;
    let bestThreshold = 0;
    let varied = 0;
    for (let i = 0; i < width && varied < tried; i++) {
      const j = i + Math.floor(random() * (width - i));
      const feature = features[j];
      features[j] = features[i];
      features[i] = feature;
      const ranksHere = feature * count;
      const size = to - from;
      for (let at = 0; at < size; at++) {
        const row = sample[from + at];
        sorted[at] = 2 * rankOf[ranksHere + row] + classes[row];
      }
      const order = sorted.subarray(0, size).sort();
      if (order[0] >> 1 === order[size - 1] >> 1) continue;
      varied++;
      let leftOnes = 0;
      for (let left = 1; left < size; left++) {
        leftOnes += order[left - 1] & 1;
        const rank = order[left - 1] >> 1;
        const nextRank = order[left] >> 1;
        if (rank === nextRank) continue;
        const right = size - left;
        const rightOnes = ones - leftOnes;
        // gini impurity up to constant factors
        const impurity = leftOnes * (1 - leftOnes / left) + rightOnes * (1 - rightOnes / right);
        if (impurity < best) {
          best = impurity;
          bestFeature = feature;
          bestRank = rank;
          const value = values[ranksHere + rank];
          bestThreshold = value + (values[ranksHere + nextRank] - value) / 2;
        }
      }
    }
    if (bestFeature < 0) continue;
    const bestRanks = bestFeature * count;
    const middle = partition(sample, from, to, (row) => rankOf[bestRanks + row] <= bestRank);
    trees.feature[node] = bestFeature;
    trees.threshold[node] = bestThreshold;
    // the left child is grown next, so that it follows its parent
    pending.push(middle, to, node);
    pending.push(from, middle, -1);
  }
}

/**
 * For each feature and row, the rank of the value among the distinct ones; for each feature and rank, the
 * value.
 */
interface Ranks {
  rankOf: Int32Array;
  values: Float64Array;
}

function rankValues({ rows, width, classes }: TrainingSet): Ranks {
  const count = classes.length;
  const rankOf = new Int32Array(width * count);
  const values = new Float64Array(width * count);
  for (let feature = 0; feature < width; feature++) {
    const from = feature * count;
    const column = values.subarray(from, from + count);
    for (let row = 0; row < count; row++) column[row] = rows[row * width + feature];
    column.sort();
    let distinct = 0;
    for (let i = 0; i < count; i++)
      if (i === 0 || column[i] !== column[distinct - 1]) column[distinct++] = column[i];
    for (let row = 0; row < count; row++) {
      const value = rows[row * width + feature];
      let low = 0;
      for (let high = distinct - 1; low < high; ) {
        const middle = (low + high) >>> 1;
        if (column[middle] < value) low = middle + 1;
        else high = middle;
      }
      rankOf[from + row] = low;
    }
  }
  return { rankOf, values };
}

/**
 * Moves the rows for which `holds` is true to the front, keeping the order, and returns the index of the
 * first other row.
 */
function partition(sample: Int32Array, from: number, to: number, holds: (row: number) => boolean): number {
  const others: number[] = [];
  let at = from;
  for (let i = from; i < to; i++) {
    if (holds(sample[i])) sample[at++] = sample[i];
    else others.push(sample[i]);
  }
  sample.set(others, at);
  return at;
}

/** Returns a generator of numbers in [0, 1), seeded. */
function randomOf(seed: number): () => number {
  let state = (seed ^ 0x9e3779b9) | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let x = Math.imul(state ^ (state >>> 15), 1 | state);
    x = (x + Math.imul(x ^ (x >>> 7), 61 | x)) ^ x;
    return ((x ^ (x >>> 14)) >>> 0) / 4294967296;
  };
}
