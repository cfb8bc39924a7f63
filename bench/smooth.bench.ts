/**
 * Compares the smoothing of a page's scores with a plain version of the paper's algorithm.
 *
 *     npx tsx bench/smooth.bench.ts [--rounds 9]
 *
 * Trees are generated: scores drift down from the root, penalties are 0.01 · n / (rows below). "As in the
 * paper" is BuildError with a heap for each node, O(n² log n) (Chakrabarti, Kumar and Punera 2007, section
 * 4), without recursion and with the misprint of its step 4 corrected. Figures are milliseconds of CPU time
 * per tree, the median of the rounds after a warm-up; the cost is relative to the minimum.
 */
import { parseArgs } from 'node:util';
import { type ScoredTree, TreeSmoother } from '../src/learn/smooth-tree.ts';
import { markdownTable, median } from './doc-part.ts';
import { figure, machine, count as printCount } from './performance-doc.ts';

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '9' } } });
const rounds = Number(values.rounds);
const smoother = new TreeSmoother();
const contenders: [name: string, mostRows: number, smooth: (tree: ScoredTree) => number][] = [
  ['256 values at most (the default)', Number.POSITIVE_INFINITY, (tree) => smoother.smooth(tree).cost],
  ['all scores', Number.POSITIVE_INFINITY, (tree) => smoother.smooth(tree, { levels: 0 }).cost],
  ['as in the paper', 3000, smoothAsInPaper],
];

function measure(): void {
  console.log(`${machine()}\n`);
  const rows: string[][] = [];
  for (const size of [50, 100, 300, 1000, 3000]) {
    const trees = Array.from({ length: size < 1000 ? 200 : 5 }, (_, seed) => makeTree(size, seed + 1));
    const least = trees.reduce((sum, tree) => sum + smoother.smooth(tree, { levels: 0 }).cost, 0);
    for (const [name, mostRows, smooth] of contenders) {
      if (size > mostRows) continue;
      const some = smooth === smoothAsInPaper ? trees.slice(0, 2) : trees;
      const leastOfSome =
        some === trees
          ? least
          : some.reduce((sum, tree) => sum + smoother.smooth(tree, { levels: 0 }).cost, 0);
      const times: number[] = [];
      let cost = 0;
      for (let round = 0; round <= (some === trees ? rounds : 1); round++) {
        cost = 0;
        const before = process.cpuUsage();
        for (const tree of some) cost += smooth(tree);
        const { user, system } = process.cpuUsage(before);
        if (round > 0) times.push((user + system) / 1000 / some.length);
      }
      rows.push([printCount(size), name, figure(median(times)), (cost / leastOfSome).toFixed(5)]);
    }
  }
  console.log(markdownTable(['rows', '', 'ms a tree', 'cost'], rows));
}

function makeTree(count: number, seed: number): ScoredTree {
  let state = seed;
  const random = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  const parent = new Int32Array(count).fill(-1);
  const score = new Float64Array(count).fill(0.3);
  const below = new Int32Array(count).fill(1);
  for (let row = 1; row < count; row++) {
    let above = row - 1;
    while (above > 0 && random() < 0.7) above = parent[above];
    parent[row] = above;
    score[row] = Math.min(1, Math.max(0, score[above] + 0.4 * (random() - 0.45)));
  }
  for (let row = count - 1; row > 0; row--) below[parent[row]] += below[row];
  return {
    count,
    parent,
    score,
    weight: new Float32Array(count).fill(1),
    penalty: Float32Array.from(below, (rowsBelow) => (0.01 * count) / rowsBelow),
  };
}

/**
 * Smooths with tables err and val of n × n, candidates in ascending order, and a binary heap of err' for each
 * node.
 */
function smoothAsInPaper({ count, parent, score, weight, penalty }: ScoredTree): number {
  const order = Int32Array.from({ length: count }, (_, i) => i).sort((a, b) => score[a] - score[b]);
  const children: number[][] = Array.from({ length: count }, () => []);
  for (let row = 1; row < count; row++) children[parent[row]].push(row);
  const error: Float64Array[] = [];
  const value: Int32Array[] = [];
  for (let i = count - 1; i >= 0; i--) {
    const errorHere = new Float64Array(count);
    const valueHere = new Int32Array(count);
    const own = new Float64Array(count); // err'
    for (let j = 0; j < count; j++) {
      let sum = weight[i] * Math.abs(score[i] - score[j]) + penalty[i];
      for (const child of children[i]) sum += error[child][j];
      own[j] = sum;
    }
    const heap = new MinHeap(own);
    for (const j of order) {
      // values not above the parent's leave the heap for good, because candidates ascend
      while (heap.size > 0 && score[heap.top] <= score[j]) heap.pop();
      const best = heap.size > 0 ? own[heap.top] : Number.POSITIVE_INFINITY;
      if (i > 0 && own[j] - penalty[i] < best) {
        errorHere[j] = own[j] - penalty[i];
        valueHere[j] = j;
      } else if (i > 0) {
        errorHere[j] = best;
        valueHere[j] = heap.top;
      } else {
        errorHere[j] = own[j];
        valueHere[j] = j;
      }
    }
    error[i] = errorHere;
    value[i] = valueHere;
    for (const child of children[i]) error[child] = new Float64Array(0);
  }
  let root = 0;
  for (let j = 1; j < count; j++) if (error[0][j] < error[0][root]) root = j;
  const chosen = new Int32Array(count);
  chosen[0] = root;
  for (let row = 1; row < count; row++) chosen[row] = value[row][chosen[parent[row]]];
  return error[0][root];
}

/** A heap of indexes with the smallest number on top. */
class MinHeap {
  readonly #keys: Float64Array;
  readonly #places: Int32Array;
  size: number;

  constructor(keys: Float64Array) {
    this.#keys = keys;
    this.size = keys.length;
    this.#places = Int32Array.from(keys, (_, i) => i);
    for (let i = this.size >> 1; i >= 0; i--) this.#sink(i);
  }

  get top(): number {
    return this.#places[0];
  }

  pop(): void {
    this.#places[0] = this.#places[--this.size];
    this.#sink(0);
  }

  #sink(from: number): void {
    const keys = this.#keys;
    const places = this.#places;
    for (let at = from; ; ) {
      let child = 2 * at + 1;
      if (child >= this.size) return;
      if (child + 1 < this.size && keys[places[child + 1]] < keys[places[child]]) child++;
      if (keys[places[at]] <= keys[places[child]]) return;
      const place = places[at];
      places[at] = places[child];
      places[child] = place;
      at = child;
    }
  }
}

measure(); // last, because classes cannot be used before their line
