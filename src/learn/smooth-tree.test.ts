import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type ScoredTree, TreeSmoother } from './smooth-tree.ts';

/** Small trees whose numbers are multiples of 1/16, so that sums are exact and equal costs are equal. */
const smallTrees = fc
  .array(
    fc.record({
      up: fc.nat(3),
      score: fc.nat(8).map((n) => n / 8),
      weight: fc.constantFrom(0, 1, 1, 1, 2, 5),
      penalty: fc.constantFrom(0, 0.0625, 0.125, 0.25, 0.5, 1, Number.POSITIVE_INFINITY),
    }),
    { minLength: 1, maxLength: 6 },
  )
  // the penalty of row 0 is finite: if all costs were infinite, comparing them would prove nothing
  .map((rows) => treeOf(rows.map((row, i) => (i === 0 ? { ...row, penalty: 0.5 } : row))));

const largeTrees = fc
  .array(
    fc.record({
      up: fc.nat(6),
      score: fc.double({ min: 0, max: 1, noNaN: true }),
      weight: fc.integer({ min: 1, max: 9 }),
      penalty: fc.double({ min: 0, max: 0.5, noNaN: true }),
    }),
    { minLength: 1, maxLength: 120, size: 'max' },
  )
  .map(treeOf);

const smoother = new TreeSmoother();

test('the cost is the minimum over all order-preserving choices of scores', () => {
  fc.assert(
    fc.property(smallTrees, (tree) => {
      const { smoothed, cost, exact } = smoother.smooth(tree, { levels: 0 });
      expect(exact).toBe(true);
      const { cost: least } = tryAll(tree, distinct(tree.score));
      expect(cost).toBe(least);
      expect(costOf(tree, smoothed)).toBe(least);
    }),
    { numRuns: 500 },
  );
});

test('a finer grid of values does not reduce the cost (Lemma 3)', () => {
  const grid = Array.from({ length: 17 }, (_, i) => i / 16);
  fc.assert(
    fc.property(
      smallTrees.filter(({ count }) => count <= 4),
      (tree) => {
        expect(smoother.smooth(tree, { levels: 0 }).cost).toBe(tryAll(tree, grid).cost);
      },
    ),
    { numRuns: 200 },
  );
});

test('among results of equal cost each row keeps the value of its parent, or else takes the lowest one', () => {
  fc.assert(
    fc.property(
      smallTrees.filter(({ count }) => count <= 5),
      (tree) => {
        const { smoothed } = smoother.smooth(tree, { levels: 0 });
        expect([...smoothed.subarray(0, tree.count)]).toEqual(chooseByRule(tree));
      },
    ),
    { numRuns: 300 },
  );
});

test('without penalties the cost equals an L1 isotonic regression computed by slopes', () => {
  fc.assert(
    fc.property(largeTrees, (tree) => {
      const free = { ...tree, penalty: new Float32Array(tree.count) };
      expect(smoother.smooth(free, { levels: 0 }).cost).toBeCloseTo(costBySlopes(free), 8);
    }),
    { numRuns: 200 },
  );
});

test('no row is below its parent, and the cost is the cost of the returned values', () => {
  fc.assert(
    fc.property(largeTrees, fc.constantFrom(0, 2, 16, 256), (tree, levels) => {
      const { smoothed, cost } = smoother.smooth(tree, { levels });
      for (let row = 1; row < tree.count; row++) {
        expect(smoothed[row]).toBeGreaterThanOrEqual(smoothed[tree.parent[row]]);
      }
      expect(cost).toBeCloseTo(costOf(tree, smoothed), 8);
    }),
    { numRuns: 200 },
  );
});

test('fewer levels add at most one cell width of cost per unit of weight', () => {
  fc.assert(
    fc.property(largeTrees, fc.integer({ min: 2, max: 40 }), (tree, levels) => {
      const exact = smoother.smooth(tree, { levels: 0 }).cost;
      const { cost } = smoother.smooth(tree, { levels });
      let total = 0;
      for (const weight of tree.weight) total += weight;
      const range = Math.max(...tree.score) - Math.min(...tree.score);
      expect(cost).toBeGreaterThanOrEqual(exact - 1e-9);
      expect(cost).toBeLessThanOrEqual(exact + (range / levels) * total + 1e-9);
    }),
    { numRuns: 200 },
  );
});

test('256 levels cost less than 0.5 % more than all scores on trees that resemble pages', () => {
  for (let seed = 1; seed <= 20; seed++) {
    const tree = pageLike(300 + 40 * seed, seed);
    const exact = smoother.smooth(tree, { levels: 0 });
    const fast = smoother.smooth(tree);
    expect([exact.exact, fast.exact]).toEqual([true, false]);
    expect(fast.cost / exact.cost).toBeLessThan(1.005);
  }
});

test('with levels 0 all scores of 10,000 rows are tried', () => {
  const tree = pageLike(10_000, 1);
  expect(smoother.smooth(tree, { levels: 0 }).exact).toBe(true);
  expect(smoother.smooth(tree, { levels: 65_535 }).exact).toBe(false);
});

test('up to 256 distinct scores the default is exact', () => {
  const tree = pageLike(250, 3);
  const fast = smoother.smooth(tree);
  const values = fast.smoothed.slice(0, tree.count);
  expect(fast.exact).toBe(true);
  const exact = new TreeSmoother().smooth(tree, { levels: 0 });
  expect(exact.cost).toBe(fast.cost);
  expect(exact.smoothed.subarray(0, tree.count)).toEqual(values);
});

test('earlier calls do not affect the result', () => {
  const one = pageLike(700, 5);
  const other = pageLike(90, 6);
  const used = new TreeSmoother();
  used.smooth(one, { levels: 0 });
  used.smooth(other);
  const again = used.smooth(one);
  const fresh = new TreeSmoother().smooth(one);
  expect(again.cost).toBe(fresh.cost);
  expect(again.smoothed.subarray(0, one.count)).toEqual(fresh.smoothed.subarray(0, one.count));
});

test('prohibitive penalties leave one section, at the weighted median', () => {
  const tree = treeOf([
    { up: 0, score: 0.25, weight: 1, penalty: 2 },
    { up: 0, score: 0.5, weight: 3, penalty: Number.POSITIVE_INFINITY },
    { up: 1, score: 1, weight: 1, penalty: Number.POSITIVE_INFINITY },
  ]);
  const { smoothed, cost } = smoother.smooth(tree);
  expect([...smoothed.subarray(0, 3)]).toEqual([0.5, 0.5, 0.5]);
  expect(cost).toBe(0.25 + 0.5 + 2);
});

test('a tree without rows costs nothing, a tree of one row its penalty', () => {
  expect(smoother.smooth(treeOf([])).cost).toBe(0);
  expect(smoother.smooth(treeOf([{ up: 0, score: 0.7, weight: 3, penalty: 0.5 }])).cost).toBe(0.5);
});

test('100,000 rows, deep or wide, take bounded memory', () => {
  const count = 100_000;
  const chain = (row: number) => row - 1;
  const combWithTeethLast = (row: number) => (row <= count / 2 ? row - 1 : count - row);
  const star = () => 0;
  for (const parentOf of [chain, combWithTeethLast, star]) {
    const tree: ScoredTree = {
      count,
      parent: Int32Array.from({ length: count }, (_, row) => (row === 0 ? -1 : parentOf(row))),
      score: Float64Array.from({ length: count }, (_, row) => ((row * 7919) % 1009) / 1009),
      weight: new Float32Array(count).fill(1),
      penalty: new Float32Array(count).fill(0.3),
    };
    const before = process.memoryUsage().arrayBuffers;
    const { smoothed, cost } = new TreeSmoother().smooth(tree, { levels: 0 });
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(90e6);
    expect(cost).toBeCloseTo(costOf(tree, smoothed), 3);
  }
});

test('rows out of order and invalid numbers are refused with their row', () => {
  const good = pageLike(10, 1);
  const refused = (change: Partial<ScoredTree>) => () => smoother.smooth({ ...good, ...change });
  expect(refused({ parent: Int32Array.of(-1, 0, 0, 1, 0, 0, 0, 0, 0, 0) })).toThrow('parent of row 3');
  expect(refused({ parent: Int32Array.of(-1, 0, 1, 3, 0, 0, 0, 0, 0, 0) })).toThrow('parent of row 3');
  expect(refused({ parent: new Int32Array(10) })).toThrow('parent of row 0');
  expect(refused({ score: new Float64Array(10).fill(Number.NaN) })).toThrow('score of row 0');
  expect(refused({ weight: new Float32Array(10).fill(-1) })).toThrow('weight of row 0');
  expect(refused({ penalty: new Float32Array(10).fill(-1) })).toThrow('penalty of row 0');
  expect(() => smoother.smooth(good, { levels: 1.5 })).toThrow('levels');
  expect(smoother.smooth(good).cost).toBe(new TreeSmoother().smooth(good).cost);
});

/**
 * Rows in document order. The parent of a row is the row before it or, `up` steps higher, one of its
 * ancestors.
 */
function treeOf(rows: { up: number; score: number; weight: number; penalty: number }[]): ScoredTree {
  const parent = new Int32Array(rows.length);
  for (let row = 0; row < rows.length; row++) {
    let above = row - 1;
    for (let step = 0; step < rows[row].up && above > 0; step++) above = parent[above];
    parent[row] = above;
  }
  return {
    count: rows.length,
    parent,
    score: Float64Array.from(rows, ({ score }) => score),
    weight: Float32Array.from(rows, ({ weight }) => weight),
    penalty: Float32Array.from(rows, ({ penalty }) => penalty),
  };
}

/** Scores that drift down the tree, a few hidden nodes, and higher penalties for smaller subtrees. */
function pageLike(count: number, seed: number): ScoredTree {
  let state = seed;
  const random = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  const tree = treeOf(
    Array.from({ length: count }, () => ({
      up: Math.floor(random() * 5),
      score: random() - 0.45,
      weight: random() < 0.2 ? 1 + Math.floor(random() * 8) : 1,
      penalty: 0,
    })),
  );
  const { parent, score, penalty } = tree;
  const below = new Int32Array(count).fill(1);
  for (let row = count - 1; row > 0; row--) below[parent[row]] += below[row];
  for (let row = 0; row < count; row++) {
    const from = row === 0 ? 0.3 : score[parent[row]];
    score[row] = Math.min(1, Math.max(0, from + 0.4 * score[row]));
    penalty[row] = (0.01 * count) / below[row];
  }
  return tree;
}

function distinct(scores: ArrayLike<number>): number[] {
  return [...new Set(Array.from(scores))].sort((a, b) => a - b);
}

function costOf({ count, parent, score, weight, penalty }: ScoredTree, y: ArrayLike<number>): number {
  let cost = 0;
  for (let row = 0; row < count; row++) {
    cost += weight[row] * Math.abs(score[row] - y[row]);
    if (row === 0 || y[row] !== y[parent[row]]) cost += penalty[row];
  }
  return cost;
}

/** Every assignment of values that keeps the order. */
function tryAll(tree: ScoredTree, values: number[]): { cost: number; all: number[][] } {
  const y: number[] = [];
  let cost = Number.POSITIVE_INFINITY;
  let all: number[][] = [];
  const tryFrom = (row: number) => {
    if (row === tree.count) {
      const here = costOf(tree, y);
      if (here < cost) all = [];
      if (here <= cost) all.push([...y]);
      cost = Math.min(cost, here);
      return;
    }
    for (const value of values) {
      if (row > 0 && value < y[tree.parent[row]]) continue;
      y[row] = value;
      tryFrom(row + 1);
    }
  };
  tryFrom(0);
  return { cost, all };
}

/**
 * Chooses among all results of least cost row by row: the parent's value if possible, else the lowest value.
 */
function chooseByRule(tree: ScoredTree): number[] {
  let { all } = tryAll(tree, distinct(tree.score));
  for (let row = 0; row < tree.count; row++) {
    const keeping = all.filter((y) => row > 0 && y[row] === y[tree.parent[row]]);
    const lowest = Math.min(...all.map((y) => y[row]));
    all = keeping.length > 0 ? keeping : all.filter((y) => y[row] === lowest);
  }
  return all[0];
}

/**
 * Computes the least cost without penalties in another way. The cost of each subtree is a convex function of
 * its root's y, stored as its breakpoints with the change of slope at each. A child may lie above its parent,
 * so its function is made constant left of its minimum before it is added to the function of its parent.
 */
function costBySlopes({ count, parent, score, weight }: ScoredTree): number {
  const breakpoints: [at: number, change: number][][] = Array.from({ length: count }, () => []);
  const best = new Float64Array(count);
  for (let row = count - 1; row >= 0; row--) {
    const own = breakpoints[row];
    own.push([score[row], 2 * weight[row]]);
    own.sort(([a], [b]) => a - b);
    let falling = weight[row];
    while (falling > 0) {
      const [at, change] = own[0];
      best[row] = at;
      if (change > falling) own[0] = [at, change - falling];
      else own.shift();
      falling -= Math.min(falling, change);
    }
    if (row > 0) breakpoints[parent[row]].push(...own);
  }
  const y = new Float64Array(count);
  let cost = 0;
  for (let row = 0; row < count; row++) {
    y[row] = row === 0 ? best[0] : Math.max(best[row], y[parent[row]]);
    cost += weight[row] * Math.abs(score[row] - y[row]);
  }
  return cost;
}
