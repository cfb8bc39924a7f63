/**
 * Regularised isotonic regression on a tree (Chakrabarti, Kumar and Punera 2007, section 4). Given a score of
 * each row, it finds the values y that minimise
 *
 *     sum over rows of weight · |score - y|  +  sum of the penalties of rows that begin a section
 *
 * where no row has a y below its parent's. A row begins a section when its y differs from its parent's; row 0
 * always does.
 *
 * Only scores of the tree need to be tried as values of y (Lemma 3: the best value of a section is a weighted
 * median of its scores). From the last row to the first, each row gets its least cost for every value of its
 * parent: it either keeps that value, or takes the best of the values above and pays its penalty. The paper
 * finds the latter with a heap; on sorted distinct values it is a suffix minimum, so the whole is O(rows ·
 * values). (Step 4 of the paper's BuildError prints err'(i) - γ for the cost of keeping the parent's value
 * x(j); its next lines show that err'(j) - γ is meant.)
 *
 * The result is exact for up to 256 distinct scores; above that see `pickValues`, unless `levels` is 0.
 *
 * Ties: a row keeps its parent's value rather than begin a section. Of values with equal cost the lowest is
 * taken, because labelling content as template is the worse error.
 *
 * Memory: a table of the choices of each row with children, at most 16 million entries of two bytes, and sums
 * for each depth, at most 4 million numbers; a tree that needs more is given fewer values. With `levels` 0
 * and up to 16,384 rows these bounds are 8 times as large, so the result is exact when at most half of the
 * rows have children and the depth is at most 2,048. The memory is reused by the next call.
 */
import { PiecewiseLinearCost } from './piecewise-linear-cost.ts';

/** A tree of scored rows, in columns. */
export interface ScoredTree {
  count: number;
  /** Parent of each row, -1 for row 0. Rows are in document order, so a subtree is an interval of rows. */
  parent: Int32Array;
  /** Finite numbers, usually probabilities. */
  score: Float32Array | Float64Array;
  /** Zero or more. */
  weight: Float32Array;
  /** Cost of beginning a section at the row, zero or more; infinite where no section may begin. */
  penalty: Float32Array;
}

/** Result of `TreeSmoother.smooth`. */
export interface SmoothedTree {
  /** The first `count` entries are the values of the rows; the next call overwrites them. */
  smoothed: Float64Array;
  cost: number;
  /** Whether all distinct scores were tried. */
  exact: boolean;
}

const DEFAULT_LEVELS = 256;
const MAX_CHOICES = 1 << 24;
const MAX_SUMS = 1 << 22;
/**
 * Factor by which the memory bounds grow when the exact optimum of a tree of up to `EXACT_ROWS` rows is
 * requested.
 */
const EXACT_FACTOR = 8;
const EXACT_ROWS = 16_384;
/** Maximum number of values: their indexes are stored in two bytes. */
const MAX_VALUES = 0xffff;
/** Costs that differ by more than this share differ by more than rounding errors. */
const COST_TOLERANCE = 1e-9;

/** Smooths the scores of trees one after another and reuses its memory. */
export class TreeSmoother {
  #smoothed = new Float64Array(0);
  #scores = new Float64Array(0);
  #sorted = new Float64Array(0);
  #depth = new Int32Array(0);
  /** Line of `#choices` of each row; -1 for rows without children, except row 0. */
  #line = new Int32Array(0);
  /** Value index that a row moves to when its parent's value is low; at the end the index of its y. */
  #place = new Uint16Array(0);
  /** The row moves there when its parent's value index is below this one. */
  #movesBelow = new Uint16Array(0);
  /**
   * Bounds of the value indexes of a subtree's scores: above all of them, and the lowest one. Rows of weight
   * 0 do not count.
   */
  #highest = new Uint16Array(0);
  #lowest = new Uint16Array(0);
  /** First leaf child of each row, and the next leaf child of the same parent; -1 for none. */
  #firstLeaf = new Int32Array(0);
  #nextLeaf = new Int32Array(0);
  /**
   * One line per row with children: the value it takes for each value of its parent, from `movesBelow` to
   * `highest`.
   */
  #choices = new Uint16Array(0);
  /**
   * For each depth and value: cost of the subtrees below the pending row of that depth. The first line
   * belongs to row 0.
   */
  #sums = new Float64Array(0);
  /** For each depth: 1 when it has such costs. */
  #hasSums = new Uint8Array(0);
  /** Bends of the cost of a row and its leaf children; empty between rows. */
  readonly #bends = new PiecewiseLinearCost();

  /**
   * Returns the smoothed scores of a tree and their cost, valid until the next call; throws a RangeError for
   * invalid input. `levels` is the maximum number of values tried; 0 tries all scores, which is exact.
   */
  smooth(tree: ScoredTree, { levels = DEFAULT_LEVELS } = {}): SmoothedTree {
    if (!Number.isInteger(levels) || levels < 0) {
      throw new RangeError(`levels: a count expected, not ${levels}`);
    }
    const { count } = tree;
    if (this.#smoothed.length < count) this.#growRows(count);
    if (count === 0) return { smoothed: this.#smoothed, cost: 0, exact: true };

    const { lines, deepest } = this.#measure(tree);
    const times = levels === 0 && count <= EXACT_ROWS ? EXACT_FACTOR : 1;
    const most = Math.min(
      levels === 0 ? count : levels,
      Math.max(2, Math.floor((times * MAX_CHOICES) / Math.max(1, lines))),
      Math.max(2, Math.floor((times * MAX_SUMS) / Math.max(1, deepest))),
      MAX_VALUES,
    );
    const sorted = this.#sorted.subarray(0, count);
    sorted.set(this.#scores.subarray(0, count));
    const { values, exact } = pickValues(sorted, most);
    const choices = lines * values.length;
    if (this.#choices.length < choices) {
      this.#choices = new Uint16Array(
        Math.max(choices, Math.min(times * MAX_CHOICES, Math.ceil(1.5 * choices))),
      );
    }
    const sums = (deepest + 1) * values.length;
    if (this.#sums.length < sums) this.#sums = new Float64Array(sums);
    if (this.#hasSums.length <= deepest) this.#hasSums = new Uint8Array(2 * deepest + 1);
    this.#bends.reserve(values.length);

    const cost = this.#buildCosts(tree, values);
    this.#chooseDown(tree, values);
    return { smoothed: this.#smoothed, cost, exact };
  }

  #growRows(count: number): void {
    const size = Math.ceil(1.5 * count);
    this.#smoothed = new Float64Array(size);
    this.#scores = new Float64Array(size);
    this.#sorted = new Float64Array(size);
    this.#depth = new Int32Array(size);
    this.#line = new Int32Array(size);
    this.#place = new Uint16Array(size);
    this.#movesBelow = new Uint16Array(size);
    this.#highest = new Uint16Array(size);
    this.#lowest = new Uint16Array(size);
    this.#firstLeaf = new Int32Array(size);
    this.#nextLeaf = new Int32Array(size);
  }

  /** Checks the tree, copies its scores, and finds depths and the rows that have children. */
  #measure({ count, parent, score, weight, penalty }: ScoredTree): { lines: number; deepest: number } {
    const depth = this.#depth;
    const line = this.#line;
    const scores = this.#scores;
    let lines = 0;
    let deepest = 0;
    for (let row = 0; row < count; row++) {
      scores[row] = score[row];
      if (!Number.isFinite(scores[row])) {
        throw new RangeError(`score of row ${row}: a number expected, not ${scores[row]}`);
      }
      if (!(weight[row] >= 0 && weight[row] < Number.POSITIVE_INFINITY)) {
        throw new RangeError(`weight of row ${row}: zero or more expected, not ${weight[row]}`);
      }
      if (!(penalty[row] >= 0)) {
        throw new RangeError(`penalty of row ${row}: zero or more expected, not ${penalty[row]}`);
      }
      // in document order a parent is the previous row or one of its ancestors
      const above = parent[row];
      let open = row - 1;
      while (open > above && open > 0) open = parent[open];
      if (open !== above) throw new RangeError(`parent of row ${row}: not in document order, ${above}`);
      if (row === 0) {
        depth[0] = 0;
        line[0] = lines++;
        continue;
      }
      line[row] = -1;
      depth[row] = depth[above] + 1;
      if (depth[row] > deepest) deepest = depth[row];
      if (line[above] < 0) line[above] = lines++;
    }
    return { lines, deepest };
  }

  /**
   * Goes from the last row up and adds each row's least cost, as a function of its parent's value, to its
   * parent's sums. Leaf rows wait for their parent. Returns the cost of the whole tree and chooses the value
   * of row 0.
   */
  #buildCosts({ count, parent, weight, penalty }: ScoredTree, values: Float64Array): number {
    const depth = this.#depth;
    const line = this.#line;
    const firstLeaf = this.#firstLeaf;
    const highest = this.#highest;
    const lowest = this.#lowest;
    const hasSums = this.#hasSums;
    const sums = this.#sums;
    const bends = this.#bends;
    const { changes } = bends;
    const choices = this.#choices;
    const size = values.length;
    let least = 0;
    firstLeaf.fill(-1, 0, count);
    hasSums.fill(0);
    highest.fill(0, 0, count);
    lowest.fill(size, 0, count);

    for (let row = count - 1; row >= 0; row--) {
      if (line[row] < 0) {
        this.#nextLeaf[row] = firstLeaf[parent[row]];
        firstLeaf[parent[row]] = row;
        continue;
      }

      // the cost of the row and its leaves: the line above all scores, then its change at each bend
      let slope = weight[row];
      let base = -weight[row] * this.#scores[row];
      const own = firstNotBelow(values, this.#scores[row]);
      bends.add(own, -2 * base, -2 * slope);
      if (slope > 0) this.#widen(row, own, own);
      for (let leaf = firstLeaf[row]; leaf >= 0; leaf = this.#nextLeaf[leaf]) {
        const place = this.#bendLeaf(leaf, weight[leaf], penalty[leaf], values);
        if (weight[leaf] > 0) this.#widen(row, place, place);
        slope += weight[leaf];
        base -= weight[leaf] * this.#scores[leaf];
      }
      const high = highest[row];
      const low = lowest[row];

      // above all scores of the subtree the cost falls with the value, so the row stays
      const level = depth[row];
      const sumsAbove = level * size;
      const sumsHere = sumsAbove + size;
      const isSummed = hasSums[level + 1] === 1;
      const isFirst = hasSums[level] === 0;
      least = Number.POSITIVE_INFINITY;
      for (let j = size - 1; j >= high; j--) {
        least = (isSummed ? sums[sumsHere + j] + base : base) + slope * values[j];
        sums[sumsAbove + j] = isFirst ? least : sums[sumsAbove + j] + least;
      }

      // go down from bend to bend, so that the least cost among the values from here up is known
      const begin = penalty[row];
      const choicesHere = line[row] * size;
      let leastAt = high;
      let next = high - 1;
      for (let place = high; place > 0; ) {
        base += changes[2 * place];
        slope += changes[2 * place + 1];
        changes[2 * place] = changes[2 * place + 1] = 0;
        place = bends.below(place);
        for (; next >= place; next--) {
          let cost = (isSummed ? sums[sumsHere + next] + base : base) + slope * values[next];
          let choice = next;
          if (cost <= least) {
            least = cost;
            leastAt = next;
          } else if (least + begin < cost) {
            // below all scores the cost only rises: once it is clearly higher, the row always moves
            if (next < low && cost - least - begin > COST_TOLERANCE * (1 + cost)) break;
            cost = least + begin;
            choice = leastAt;
          }
          sums[sumsAbove + next] = isFirst ? cost : sums[sumsAbove + next] + cost;
          choices[choicesHere + next] = choice;
        }
        if (next >= place) {
          bends.drop(place);
          break;
        }
      }
      this.#place[row] = leastAt;
      this.#movesBelow[row] = next + 1;
      if (isFirst) sums.fill(least + begin, sumsAbove, sumsAbove + next + 1);
      else for (let j = next; j >= 0; j--) sums[sumsAbove + j] += least + begin;

      bends.forget(size);
      hasSums[level] = 1;
      hasSums[level + 1] = 0;
      if (row > 0) this.#widen(parent[row], high, low);
    }
    return least + penalty[0];
  }

  /** Extends the range of value indexes of a subtree's scores to `low` and `high`. */
  #widen(row: number, high: number, low: number): void {
    if (high > this.#highest[row]) this.#highest[row] = high;
    if (low < this.#lowest[row]) this.#lowest[row] = low;
  }

  /**
   * Adds the cost of a leaf row. Above its score the row stays and the cost rises; below, the cost falls
   * until moving to the nearest value is cheaper, and is constant from there down. Returns the first value
   * index that is not below its score.
   */
  #bendLeaf(row: number, weight: number, penalty: number, values: Float64Array): number {
    const score = this.#scores[row];
    const above = firstNotBelow(values, score);
    const near =
      above === values.length || (above > 0 && score - values[above - 1] <= values[above] - score)
        ? above - 1
        : above;
    const moved = weight * Math.abs(score - values[near]) + penalty;
    let low = 0;
    for (let high = near; low < high; ) {
      const middle = (low + high) >>> 1;
      if (moved < weight * (score - values[middle])) low = middle + 1;
      else high = middle;
    }
    this.#place[row] = near;
    this.#movesBelow[row] = low;
    this.#bends.add(above, 2 * weight * score, -2 * weight);
    if (low > 0) this.#bends.add(low, moved - weight * score, weight);
    return above;
  }

  /** Goes from row 0 down and sets each row's value, given its parent's. */
  #chooseDown({ count, parent }: ScoredTree, values: Float64Array): void {
    const place = this.#place;
    const line = this.#line;
    const smoothed = this.#smoothed;
    const size = values.length;
    smoothed[0] = values[place[0]];
    for (let row = 1; row < count; row++) {
      const above = place[parent[row]];
      if (above >= this.#movesBelow[row]) {
        const stays = line[row] < 0 || above >= this.#highest[row];
        place[row] = stays ? above : this.#choices[line[row] * size + above];
      }
      smoothed[row] = values[place[row]];
    }
  }
}

/**
 * Chooses the values that smoothing tries: all distinct scores, which is exact, or, if these are too many,
 * the middle score of each of equally wide cells of their range. Rounding the best scores to these values
 * keeps their order and makes no new section, so the cost exceeds the minimum by at most a cell's width times
 * the sum of weights. Cost: a sort.
 */

/**
 * Returns at most `most` values to try, ascending. Sorts `scores` and writes the values over the beginning of
 * it.
 */
export function pickValues(scores: Float64Array, most: number): { values: Float64Array; exact: boolean } {
  const count = scores.length;
  const sorted = scores.sort();
  let distinct = 1;
  for (let i = 1; i < count; i++) if (sorted[i] !== sorted[i - 1]) distinct++;
  const least = sorted[0];
  const range = sorted[count - 1] - least;
  const exact = distinct <= most;

  let picked = 0;
  for (let from = 0, to = 0; from < count; from = to) {
    const cell = Math.min(most - 1, Math.floor(((sorted[from] - least) / range) * most));
    for (to = from + 1; to < count; to++) {
      if (sorted[to] === sorted[from]) continue;
      if (exact || Math.min(most - 1, Math.floor(((sorted[to] - least) / range) * most)) !== cell) break;
    }
    sorted[picked++] = sorted[(from + to - 1) >> 1];
  }
  return { values: sorted.subarray(0, picked), exact };
}

/**
 * Returns the index of the first value that is not below the score; the number of values when all are below.
 */
export function firstNotBelow(values: Float64Array, score: number): number {
  let low = 0;
  for (let high = values.length; low < high; ) {
    const middle = (low + high) >>> 1;
    if (values[middle] < score) low = middle + 1;
    else high = middle;
  }
  return low;
}
