/**
 * Scores many rows by boosted trees at once, in the kernel (kernel/assembly/score-trees.ts), where the model
 * is laid out as arrays. It takes a quarter of the time of `scoreTrees` and gives the same scores to the bit.
 * Models with trees deeper than eight are scored by `scoreTrees`.
 */

import { Block } from '../kernel/heap.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { threadKernel } from '../kernel/thread-kernel.ts';
import * as layout from '../kernel/tree-layout.ts';
import { type BoostedTrees, probabilityOf, scoreTrees } from './boosted-trees.ts';

const VECTOR_BYTES = 16;
/** The kernel writes sums in groups of eight. */
const SUMMED_ROWS = 8;

/** A model in the kernel's memory that scores rows in batches; `release` frees the memory. */
export class TreeBatch {
  readonly #model: BoostedTrees;
  readonly #kernel: Kernel;
  /** Address of the model's header; 0 for models with deep trees. */
  readonly #address: number;
  readonly #rows: Block;
  readonly #lists: Block;

  constructor(model: BoostedTrees, kernel = threadKernel()) {
    this.#model = model;
    this.#kernel = kernel;
    this.#rows = new Block(kernel);
    this.#lists = new Block(kernel);
    const isDeep = model.depths.some((depth) => depth > layout.TREE_MAX_DEPTH);
    this.#address = isDeep ? 0 : layOutModel(model, kernel);
  }

  /** Writes the probability of class 1 of the rows that begin at the first `count` offsets into `scores`. */
  score(values: Float32Array, offsets: Int32Array, count: number, scores: Float64Array): void {
    const model = this.#model;
    if (this.#address === 0) {
      for (let k = 0; k < count; k++) scores[k] = scoreTrees(model, values, offsets[k]);
      return;
    }
    const kernel = this.#kernel;
    const rows = this.#addressOf(values, offsets, count);
    const sumsAt = this.#lists.room(8 * (count + SUMMED_ROWS) + 4 * count);
    const offsetsAt = sumsAt + 8 * (count + SUMMED_ROWS);
    kernel.words.set(offsets.subarray(0, count), offsetsAt >> 2);
    kernel.functions.scoreTrees(this.#address, rows, offsetsAt, count, sumsAt);
    const sums = new Float64Array(kernel.memory.buffer, sumsAt, count);
    for (let k = 0; k < count; k++) scores[k] = probabilityOf(sums[k]);
  }

  /**
   * Returns the address of the values in the kernel's memory. Values outside are copied, up to the end of the
   * last row.
   */
  #addressOf(values: Float32Array, offsets: Int32Array, count: number): number {
    if (values.buffer === this.#kernel.memory.buffer) return values.byteOffset;
    let end = 0;
    for (let k = 0; k < count; k++) end = Math.max(end, offsets[k] + this.#model.width);
    const address = this.#rows.room(4 * end);
    this.#kernel.words.set(new Int32Array(values.buffer, values.byteOffset, end), address >> 2);
    return address;
  }

  /** Frees the kernel memory of the model. */
  release(): void {
    if (this.#address !== 0) this.#kernel.heap.release(this.#address);
    this.#rows.release();
    this.#lists.release();
  }
}

/** Writes a model into a block of the kernel's memory and returns its address. */
function layOutModel(model: BoostedTrees, kernel: Kernel): number {
  const { roots, child, bias } = model;
  const thresholdsOf = collectThresholds(model);
  const features = [...thresholdsOf.keys()].sort((a, b) => a - b);
  const thresholds = features.map((feature) => [...thresholdsOf.get(feature)!]);
  const { splits, splitEnds } = collectSplits(model, features, thresholds);
  const sizes = Array.from(roots, (root, tree) => (roots[tree + 1] ?? child.length) - root);
  const largestTree = sizes.reduce((most, size) => Math.max(most, size), 1);
  const allThresholds = Float32Array.from(thresholds.flat());

  const parts: [word: number, sizeBytes: number, values?: ArrayLike<number> & ArrayBufferView][] = [
    [layout.TREE_FEATURES, 4 * features.length, Int32Array.from(features, (feature) => 4 * feature)],
    [layout.TREE_THRESHOLD_COUNTS, 4 * features.length, Int32Array.from(thresholds, ({ length }) => length)],
    [layout.TREE_THRESHOLDS, 4 * allThresholds.length, allThresholds],
    [layout.TREE_SPLIT_ENDS, 4 * splitEnds.length, Int32Array.from(splitEnds)],
    [layout.TREE_SPLITS, splits.byteLength, splits],
    [layout.TREE_LEAVES, 4 * (roots.length << layout.TREE_MAX_DEPTH), spreadLeaves(model)],
    [layout.TREE_COLUMNS, 4 * layout.TREE_BLOCK_ROWS * features.length],
    [layout.TREE_ABOVE, VECTOR_BYTES * allThresholds.length],
    [layout.TREE_REACHED, VECTOR_BYTES * (largestTree + 1)],
    [layout.TREE_RIGHT_TURNS, VECTOR_BYTES * layout.TREE_MAX_DEPTH],
    [layout.TREE_PATHS, layout.TREE_ROWS * roots.length],
  ];
  const sizeBytes = parts.reduce((sum, [, bytes]) => sum + align(bytes), 4 * layout.TREE_HEADER_WORDS);
  const address = kernel.heap.take(sizeBytes);
  const { bytes, words } = kernel;
  bytes.fill(0, address, address + sizeBytes);
  const header = address >> 2;
  words[header + layout.TREE_FEATURE_COUNT] = features.length;
  words[header + layout.TREE_COUNT] = roots.length;
  new Float64Array(kernel.memory.buffer, address + 4 * layout.TREE_BIAS, 1)[0] = bias;
  let at = address + 4 * layout.TREE_HEADER_WORDS;
  for (const [word, partBytes, values] of parts) {
    words[header + word] = at;
    if (values) bytes.set(new Uint8Array(values.buffer, values.byteOffset, values.byteLength), at);
    at += align(partBytes);
  }
  return address;
}

function align(sizeBytes: number): number {
  return VECTOR_BYTES * Math.ceil(sizeBytes / VECTOR_BYTES);
}

/** Returns the distinct thresholds of each feature that a split uses. */
function collectThresholds({ child, feature, threshold }: BoostedTrees): Map<number, Set<number>> {
  const perFeature = new Map<number, Set<number>>();
  for (let node = 0; node < child.length; node++) {
    if (child[node] === node) continue;
    const known = perFeature.get(feature[node]) ?? new Set();
    perFeature.set(feature[node], known.add(threshold[node]));
  }
  return perFeature;
}

/**
 * Returns the words of all splits in preorder, left child first, and the end of each tree's splits in bytes.
 */
function collectSplits(
  { roots, child, feature, threshold }: BoostedTrees,
  features: number[],
  thresholds: number[][],
): { splits: Int32Array; splitEnds: number[] } {
  const found: { threshold: number; node: number; child: number; depth: number }[] = [];
  const splitEnds: number[] = [];
  // by feature, then value: the index of a threshold among all thresholds
  const indexes = new Map<number, Map<number, number>>();
  let count = 0;
  for (const [order, own] of thresholds.entries()) {
    indexes.set(features[order], new Map(own.map((value) => [value, count++])));
  }
  for (const root of roots) {
    const waiting = [{ node: root, depth: 0 }];
    while (waiting.length > 0) {
      const { node, depth } = waiting.pop()!;
      const left = child[node];
      if (left === node) continue;
      const index = indexes.get(feature[node])!.get(threshold[node])!;
      found.push({ threshold: index, node: node - root, child: left - root, depth });
      waiting.push({ node: left + 1, depth: depth + 1 }, { node: left, depth: depth + 1 });
    }
    splitEnds.push(found.length * SPLIT_BYTES);
  }
  // the next split that is not a descendant of a split
  const after = new Int32Array(found.length);
  for (let at = found.length - 1; at >= 0; at--) {
    after[at] = at + 1;
    while (after[at] < found.length && found[after[at]].depth > found[at].depth) after[at] = after[after[at]];
  }
  const splits = new Int32Array(found.length * layout.SPLIT_WORDS);
  for (const [at, split] of found.entries()) {
    const words = [split.threshold, split.node, split.child, split.depth];
    for (const [k, word] of words.entries()) splits[at * layout.SPLIT_WORDS + k] = word * VECTOR_BYTES;
    splits[at * layout.SPLIT_WORDS + words.length] = after[at] * SPLIT_BYTES;
  }
  return { splits, splitEnds };
}

const SPLIT_BYTES = 4 * layout.SPLIT_WORDS;

/** By tree and path: the value of the leaf that the path leads to. Turns after the leaf do not matter. */
function spreadLeaves({ roots, child, value }: BoostedTrees): Float32Array {
  const added = new Float32Array(roots.length << layout.TREE_MAX_DEPTH);
  for (let tree = 0; tree < roots.length; tree++) {
    for (let path = 0; path < 1 << layout.TREE_MAX_DEPTH; path++) {
      let node = roots[tree];
      for (let depth = 0; child[node] !== node; depth++)
        node = child[node] + ((path >> (layout.TREE_MAX_DEPTH - 1 - depth)) & 1);
      added[(tree << layout.TREE_MAX_DEPTH) + path] = value[node];
    }
  }
  return added;
}
