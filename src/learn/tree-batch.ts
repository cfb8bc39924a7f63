/**
 * Scores many rows by boosted trees at once, 32 to a block, with the rows of a block as the bits of an integer.
 * The trees of a model ask the same few questions over and over (is this feature above that threshold?), so
 * each is answered once for the whole block; then a tree is walked once for all 32 rows, every node holding the
 * bits of the rows that reach it. The turns taken at each depth, read row by row, are the way to its leaf.
 *
 * Rows that stand near each other go the same ways, so that much of a tree is reached by none of a block and
 * passed over. A bit more than half of the time of `scoreTrees`, and the same to the bit, since leaves are added
 * up in the order of the trees. Trees deeper than eight are left to it.
 */
import { type BoostedTrees, scoreTrees } from './boosted-trees.ts';
import { probabilityOf } from './log-odds.ts';

/** Rows of a block: bits of an integer. */
const BLOCK = 32;
/** The way to a leaf is kept in a byte. */
const MOST_DEPTH = 8;
/** Cells that the range of a feature's thresholds is cut into, to find the threshold below a value. */
const CELLS = 256;
const WAY_WORDS = BLOCK / 4;

export class TreeBatch {
  readonly #model: BoostedTrees;
  readonly #isDeep: boolean;

  /** Features that are asked for: those with one threshold, then those with one in a cell at most, then others. */
  readonly #features: Int32Array;
  readonly #simpleEnd: number;
  readonly #evenEnd: number;
  /** For each of them the place of its thresholds, which ascend and end with infinity. */
  readonly #firstThreshold: Int32Array;
  readonly #thresholds: Float32Array;
  /** Range of its thresholds, and the place of the first that may be above the values in each of its cells. */
  readonly #least: Float64Array;
  readonly #cellsPerUnit: Float64Array;
  readonly #firstAbove: Uint16Array;
  /**
   * Parallel to `thresholds`: the rows with so many thresholds below their value, or more, but for the first of
   * each feature, which stands for no question.
   */
  readonly #answers: Int32Array;

  /**
   * Nodes that ask, tree after tree, each before what is below it: their question; their place in the tree, child
   * and depth; the next node that is not below them.
   */
  readonly #question: Int32Array;
  readonly #node: Int32Array;
  readonly #after: Int32Array;
  /** By tree: the end of its nodes. */
  readonly #nodeEnd: Int32Array;
  /** Rows that reach each node of the tree at hand. */
  readonly #reached: Int32Array;
  readonly #turns = new Int32Array(MOST_DEPTH);
  /** By tree, then row of the block: the way to its leaf, four to a number, the first lowest. */
  readonly #ways: Int32Array;
  /** By tree and way: what the leaf adds. */
  readonly #added: Float32Array;
  readonly #sums = new Float64Array(BLOCK);

  constructor(model: BoostedTrees) {
    const { roots, depths, feature, threshold, child } = model;
    this.#model = model;
    this.#isDeep = depths.some((depth) => depth > MOST_DEPTH);

    const perFeature = new Map<number, number[]>();
    for (let node = 0; node < child.length; node++) {
      if (child[node] === node) continue;
      const known = perFeature.get(feature[node]) ?? [];
      if (!known.includes(threshold[node])) known.push(threshold[node]);
      perFeature.set(feature[node], known);
    }
    for (const thresholds of perFeature.values()) thresholds.sort((a, b) => a - b);
    const crowdOf = new Map([...perFeature].map(([one, thresholds]) => [one, largestCrowd(thresholds)]));
    const features = [...perFeature.keys()].sort((a, b) => crowdOf.get(a)! - crowdOf.get(b)! || a - b);
    this.#features = Int32Array.from(features);
    this.#simpleEnd = features.filter((one) => crowdOf.get(one) === 0).length;
    this.#evenEnd = features.filter((one) => crowdOf.get(one)! <= 1).length;
    this.#firstThreshold = new Int32Array(features.length + 1);
    this.#least = new Float64Array(features.length);
    this.#cellsPerUnit = new Float64Array(features.length);
    this.#firstAbove = new Uint16Array(features.length * CELLS);
    const thresholds: number[] = [];
    const firstOf = new Map<number, number>();
    for (const [order, one] of features.entries()) {
      const own = perFeature.get(one)!;
      const first = thresholds.length;
      firstOf.set(one, first);
      this.#firstThreshold[order] = first;
      this.#cutRange(order, own, first);
      thresholds.push(...own, Number.POSITIVE_INFINITY);
    }
    this.#firstThreshold[features.length] = thresholds.length;
    this.#thresholds = Float32Array.from(thresholds);
    this.#answers = new Int32Array(thresholds.length);

    const nodes = this.#isDeep ? [] : askingNodes(model);
    this.#question = Int32Array.from(nodes, ({ node }) => {
      return firstOf.get(feature[node])! + perFeature.get(feature[node])!.indexOf(threshold[node]) + 1;
    });
    this.#node = Int32Array.from(
      nodes,
      ({ node, tree, depth }) => ((node - roots[tree]) << 16) | ((child[node] - roots[tree]) << 4) | depth,
    );
    this.#after = new Int32Array(nodes.length);
    for (let at = nodes.length - 1; at >= 0; at--) {
      let after = at + 1;
      while (after < nodes.length && nodes[after].depth > nodes[at].depth) after = this.#after[after];
      this.#after[at] = after;
    }
    this.#nodeEnd = new Int32Array(roots.length);
    for (let tree = 0, at = 0; tree < roots.length; tree++) {
      while (at < nodes.length && nodes[at].tree === tree) at++;
      this.#nodeEnd[tree] = at;
    }
    this.#reached = new Int32Array(
      Math.max(1, ...roots.map((root, t) => (roots[t + 1] ?? child.length) - root)),
    );
    this.#ways = new Int32Array(roots.length * WAY_WORDS);
    this.#added = new Float32Array(this.#isDeep ? 0 : roots.length << MOST_DEPTH);
    if (!this.#isDeep) this.#spreadLeaves();
  }

  /** Writes the probability of class 1 of the rows that begin at the first `count` offsets. */
  score(values: Float32Array, offsets: Int32Array, count: number, scores: Float64Array): void {
    if (this.#isDeep) {
      for (let k = 0; k < count; k++) scores[k] = scoreTrees(this.#model, values, offsets[k]);
      return;
    }
    const sums = this.#sums;
    for (let from = 0; from < count; from += BLOCK) {
      const size = Math.min(BLOCK, count - from);
      this.#answer(values, offsets, from, size);
      this.#walk(size);
      for (let row = 0; row < size; row += 8) this.#addLeaves(row);
      for (let k = 0; k < size; k++) scores[from + k] = probabilityOf(sums[k]);
    }
  }

  /** Answers all questions for a block. */
  #answer(values: Float32Array, offsets: Int32Array, from: number, size: number): void {
    const features = this.#features;
    const firstThreshold = this.#firstThreshold;
    const thresholds = this.#thresholds;
    const least = this.#least;
    const cellsPerUnit = this.#cellsPerUnit;
    const firstAbove = this.#firstAbove;
    const answers = this.#answers;
    const simpleEnd = this.#simpleEnd;
    const evenEnd = this.#evenEnd;
    answers.fill(0);
    for (let order = 0; order < features.length; order++) {
      const feature = features[order];
      const first = firstThreshold[order];
      if (order < simpleEnd) {
        const threshold = thresholds[first];
        let rows = 0;
        for (let k = 0; k < size; k++) rows |= Number(values[offsets[from + k] + feature] > threshold) << k;
        answers[first + 1] = rows;
        continue;
      }
      const low = least[order];
      const scale = cellsPerUnit[order];
      const cells = order * CELLS;
      if (order < evenEnd) {
        for (let k = 0; k < size; k++) {
          const value = values[offsets[from + k] + feature];
          const at = firstAbove[cells + cellOf((value - low) * scale)];
          answers[at + Number(value > thresholds[at])] |= 1 << k;
        }
      } else {
        for (let k = 0; k < size; k++) {
          const value = values[offsets[from + k] + feature];
          let at = firstAbove[cells + cellOf((value - low) * scale)];
          while (value > thresholds[at]) at++;
          answers[at] |= 1 << k;
        }
      }
    }
    // more thresholds below is enough
    for (let order = simpleEnd; order < features.length; order++) {
      const first = firstThreshold[order];
      let rows = 0;
      for (let at = firstThreshold[order + 1] - 1; at > first; at--) {
        rows |= answers[at];
        answers[at] = rows;
      }
    }
  }

  /** Finds the way of each row in each tree. */
  #walk(size: number): void {
    const question = this.#question;
    const node = this.#node;
    const after = this.#after;
    const nodeEnd = this.#nodeEnd;
    const answers = this.#answers;
    const reached = this.#reached;
    const turns = this.#turns;
    const ways = this.#ways;
    for (let tree = 0, at = 0; tree < nodeEnd.length; tree++) {
      // from the root down, the rows that turn right at each depth; what no row reaches is passed over
      reached[0] = size === BLOCK ? -1 : (1 << size) - 1;
      turns[0] = turns[1] = turns[2] = turns[3] = turns[4] = turns[5] = turns[6] = turns[7] = 0;
      for (const end = nodeEnd[tree]; at < end; ) {
        const packed = node[at];
        const here = reached[packed >>> 16];
        if (here === 0) {
          at = after[at];
          continue;
        }
        const over = here & answers[question[at]];
        const child = (packed >>> 4) & 0xfff;
        reached[child] = here ^ over;
        reached[child + 1] = over;
        turns[packed & 15] |= over;
        at++;
      }

      // turns to ways: eight rows at a time, a square of bits turned over its diagonal (Hacker's Delight, 7-3)
      const t0 = turns[0];
      const t1 = turns[1];
      const t2 = turns[2];
      const t3 = turns[3];
      const t4 = turns[4];
      const t5 = turns[5];
      const t6 = turns[6];
      const t7 = turns[7];
      for (let row = 0, way = tree * WAY_WORDS; row < size; row += 8, way += 2) {
        let x =
          ((t0 >>> row) << 24) |
          (((t1 >>> row) & 255) << 16) |
          (((t2 >>> row) & 255) << 8) |
          ((t3 >>> row) & 255);
        let y =
          ((t4 >>> row) << 24) |
          (((t5 >>> row) & 255) << 16) |
          (((t6 >>> row) & 255) << 8) |
          ((t7 >>> row) & 255);
        let swapped = (x ^ (x >>> 7)) & 0x00aa00aa;
        x ^= swapped ^ (swapped << 7);
        swapped = (y ^ (y >>> 7)) & 0x00aa00aa;
        y ^= swapped ^ (swapped << 7);
        swapped = (x ^ (x >>> 14)) & 0x0000cccc;
        x ^= swapped ^ (swapped << 14);
        swapped = (y ^ (y >>> 14)) & 0x0000cccc;
        y ^= swapped ^ (swapped << 14);
        ways[way] = ((x << 4) & 0xf0f0f0f0) | (y & 0x0f0f0f0f);
        ways[way + 1] = (x & 0xf0f0f0f0) | ((y >>> 4) & 0x0f0f0f0f);
      }
    }
  }

  /** Adds up the leaves of eight rows of the block, from `row` on. */
  #addLeaves(row: number): void {
    const ways = this.#ways;
    const added = this.#added;
    const sums = this.#sums;
    let s0 = this.#model.bias;
    let s1 = s0;
    let s2 = s0;
    let s3 = s0;
    let s4 = s0;
    let s5 = s0;
    let s6 = s0;
    let s7 = s0;
    for (let way = row >> 2, leaves = 0; way < ways.length; way += WAY_WORDS, leaves += 1 << MOST_DEPTH) {
      const low = ways[way];
      const high = ways[way + 1];
      s0 += added[leaves + (low & 255)];
      s1 += added[leaves + ((low >>> 8) & 255)];
      s2 += added[leaves + ((low >>> 16) & 255)];
      s3 += added[leaves + (low >>> 24)];
      s4 += added[leaves + (high & 255)];
      s5 += added[leaves + ((high >>> 8) & 255)];
      s6 += added[leaves + ((high >>> 16) & 255)];
      s7 += added[leaves + (high >>> 24)];
    }
    sums[row] = s0;
    sums[row + 1] = s1;
    sums[row + 2] = s2;
    sums[row + 3] = s3;
    sums[row + 4] = s4;
    sums[row + 5] = s5;
    sums[row + 6] = s6;
    sums[row + 7] = s7;
  }

  #cutRange(order: number, thresholds: number[], first: number): void {
    const least = thresholds[0];
    const scale = cellsPerUnitOf(thresholds);
    this.#least[order] = least;
    this.#cellsPerUnit[order] = scale;
    // what is in a lower cell is lower; within a cell the thresholds are compared one by one
    for (let cell = 0, below = 0; cell < CELLS; cell++) {
      while (below < thresholds.length && cellOf((thresholds[below] - least) * scale) < cell) below++;
      this.#firstAbove[order * CELLS + cell] = first + below;
    }
  }

  #spreadLeaves(): void {
    const { roots, child, value } = this.#model;
    for (let tree = 0; tree < roots.length; tree++) {
      for (let way = 0; way < 1 << MOST_DEPTH; way++) {
        let node = roots[tree];
        for (let depth = 0; child[node] !== node; depth++)
          node = child[node] + ((way >> (MOST_DEPTH - 1 - depth)) & 1);
        this.#added[(tree << MOST_DEPTH) + way] = value[node];
      }
    }
  }
}

function cellOf(position: number): number {
  return position > 0 ? (position < CELLS - 1 ? position | 0 : CELLS - 1) : 0;
}

function cellsPerUnitOf(thresholds: number[]): number {
  const range = thresholds[thresholds.length - 1] - thresholds[0];
  return range > 0 ? (CELLS - 1) / range : 0;
}

/** Most thresholds in one cell; 0 where there is but one in all. */
function largestCrowd(thresholds: number[]): number {
  if (thresholds.length === 1) return 0;
  const scale = cellsPerUnitOf(thresholds);
  const counts = new Uint16Array(CELLS);
  for (const threshold of thresholds) counts[cellOf((threshold - thresholds[0]) * scale)]++;
  return Math.max(...counts);
}

/** The nodes that ask, each before those below it, the left ones first. */
function askingNodes({ roots, child }: BoostedTrees): { node: number; tree: number; depth: number }[] {
  const nodes: { node: number; tree: number; depth: number }[] = [];
  for (let tree = 0; tree < roots.length; tree++) {
    const waiting = [{ node: roots[tree], tree, depth: 0 }];
    while (waiting.length > 0) {
      const here = waiting.pop()!;
      const left = child[here.node];
      if (left === here.node) continue;
      nodes.push(here);
      waiting.push(
        { node: left + 1, tree, depth: here.depth + 1 },
        { node: left, tree, depth: here.depth + 1 },
      );
    }
  }
  return nodes;
}
