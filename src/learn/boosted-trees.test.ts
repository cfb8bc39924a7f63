import { expect, test } from 'vitest';
import { logLossOf, makeWeightedRows, scikitLearn } from '../../test/weighted-rows.ts';
import {
  type BoostedTrees,
  decodeBoostedTrees,
  encodeBoostedTrees,
  probabilityOf,
  scoreTrees,
} from './boosted-trees.ts';
import { trainBoostedTrees } from './train-boosted-trees.ts';
import type { WeightedSet } from './weighted-set.ts';

interface BoostedFigures {
  leaves: number;
  learningRate: number;
  trees: number;
  logLoss: number;
  trainingLogLoss: number;
}

const { training, held } = makeWeightedRows();

test.each(scikitLearn.boosted as BoostedFigures[])(
  '$trees trees of $leaves leaves score as well as those of scikit-learn',
  ({ leaves, learningRate, trees, logLoss, trainingLogLoss }) => {
    const model = trainBoostedTrees(training, {
      leaves,
      learningRate,
      trees,
      depth: 30,
      minLeafWeight: 1e-3,
    });
    const score = (values: Float32Array, offset: number) => scoreTrees(model, values, offset);
    expect(logLossOf(held, score)).toBeLessThan(1.01 * logLoss);
    expect(logLossOf(training, score) / trainingLogLoss).toBeCloseTo(1, 1);
  },
);

test('trees beat a linear model on rows that no line separates', () => {
  const model = trainBoostedTrees(training, { trees: 100, depth: 3 });
  const loss = logLossOf(held, (values, offset) => scoreTrees(model, values, offset));
  expect(loss).toBeLessThan(scikitLearn.logistic[0].logLoss - 0.04);
});

test('sampling rows and features costs little quality, and the seed decides the sample', () => {
  const options = { trees: 100, depth: 4, rowShare: 0.5, featureShare: 0.6, seed: 7 };
  const model = trainBoostedTrees(training, options);
  const loss = logLossOf(held, (values, offset) => scoreTrees(model, values, offset));
  expect(loss).toBeLessThan(1.02 * scikitLearn.boosted[1].logLoss);
  expect(trainBoostedTrees(training, options)).toEqual(model);
  expect(trainBoostedTrees(training, { ...options, seed: 8 }).threshold).not.toEqual(model.threshold);
});

test('trees respect the limits on leaves, depth and leaf weight', () => {
  const count = (options: Parameters<typeof trainBoostedTrees>[1]) => {
    const { roots, depths, child } = trainBoostedTrees(training, { trees: 9, ...options });
    const leavesOf = Array.from(roots, (root, tree) => {
      let leaves = 0;
      for (let node = root; node < (roots[tree + 1] ?? child.length); node++)
        if (child[node] === node) leaves++;
      return leaves;
    });
    return { leaves: Math.max(...leavesOf), depth: Math.max(...depths) };
  };
  expect(count({ leaves: 6, depth: 30 }).leaves).toBe(6);
  expect(count({ leaves: 99, depth: 3 })).toEqual({ leaves: 8, depth: 3 });
  expect(count({ minLeafWeight: 200 }).leaves).toBeLessThan(4);
});

test('a score is the sum of the leaf that the row reaches in each tree', () => {
  const model = trainBoostedTrees(training, { trees: 7, leaves: 20 });
  const plain = (row: number) => {
    let logOdds = model.bias;
    for (let node of model.roots) {
      while (model.child[node] !== node) {
        const left = held.rows[row * held.width + model.feature[node]] <= model.threshold[node];
        node = left ? model.child[node] : model.child[node] + 1;
      }
      logOdds += model.value[node];
    }
    return probabilityOf(logOdds);
  };
  for (let row = 0; row < 500; row++) {
    expect(scoreTrees(model, held.rows, row * held.width)).toBe(plain(row));
  }
});

test('a row of weight 2 counts as two rows, one of weight 0 not at all', () => {
  const weighted = setOf([[0], [1], [2], [3], [9]], [0, 1, 0, 1, 1], [1, 2, 1, 1, 0]);
  const repeated = setOf([[0], [1], [1], [2], [3]], [0, 1, 1, 0, 1]);
  const options = { trees: 5, minLeafWeight: 1e-3 };
  const a = trainBoostedTrees(weighted, options);
  const b = trainBoostedTrees(repeated, options);
  for (const value of [0, 1, 2, 3]) {
    expect(scoreTrees(a, Float32Array.of(value), 0)).toBeCloseTo(scoreTrees(b, Float32Array.of(value), 0), 4);
  }
});

test('an encoded model decodes to the same bits, and is small', () => {
  const model = trainBoostedTrees(training, { trees: 100, depth: 5 });
  const text = JSON.stringify(encodeBoostedTrees(model));
  const kept = decodeBoostedTrees(JSON.parse(text));
  for (const column of ['roots', 'depths', 'feature', 'threshold', 'child', 'value'] as const) {
    expect(kept[column]).toEqual(model[column]);
  }
  expect(kept.bias).toBe(model.bias);
  expect(text.length / model.feature.length).toBeLessThan(12);
});

test('damaged data is refused', () => {
  const data = encodeBoostedTrees(trainBoostedTrees(training, { trees: 2, depth: 2 }));
  const refused = (change: Partial<typeof data>) => () => decodeBoostedTrees({ ...data, ...change });
  const width = data.width;
  expect(refused({ features: [[99, -1, -1]], numbers: [[1, 1, 1]] })).toThrow(
    `features[0][0] must be a whole number from -1 to ${width - 1}, not 99`,
  );
  expect(refused({ features: [[0.5, -1, -1]], numbers: [[1, 1, 1]] })).toThrow(
    'features[0][0] must be a whole',
  );
  expect(refused({ features: [[0, -1]], numbers: [[1, 1]] })).toThrow('features[0] must have the 3 nodes');
  expect(refused({ features: [[-1, -1]], numbers: [[1, 1]] })).toThrow('features[0] must have the 1 nodes');
  expect(refused({ features: [[0, -1, -1]], numbers: [[1, 1]] })).toThrow('numbers[0][2] must be a number');
  expect(refused({ features: [[]], numbers: [[]] })).toThrow('features[0] must have the 1 nodes');
  // a chain: each split has a leaf and the next split as children
  const chain = [0, ...Array.from({ length: 299 }, () => [-1, 0]).flat(), -1, -1];
  expect(refused({ features: [chain], numbers: [chain.map(() => 1)] })).toThrow('at most 255 steps deep');
});

test('no rows, one class and features that do not vary give no splits', () => {
  expect(scoreOf(trainBoostedTrees(setOf([], [])), 1)).toBe(0.5);
  expect(scoreOf(trainBoostedTrees(setOf([[1], [2], [3]], [1, 1, 1])), 2)).toBeCloseTo(3.5 / 4, 5);
  const constant = trainBoostedTrees(setOf([[5], [5], [5], [5]], [1, 1, 1, 0]), { rowShare: 0.5, l2: 0 });
  expect(scoreOf(constant, 5)).toBeGreaterThan(0.6);
  expect(scoreOf(constant, 5)).toBe(scoreOf(constant, -5));
});

test('invalid options and numbers are refused by name', () => {
  const set = setOf([[1], [2]], [0, 1]);
  expect(() => trainBoostedTrees(set, { bins: 256 })).toThrow('bins: 2 to 255 expected, not 256');
  expect(() => trainBoostedTrees(set, { rowShare: 0 })).toThrow('rowShare');
  expect(() => trainBoostedTrees(set, { minLeafWeight: 0 })).toThrow('minLeafWeight');
  expect(() => trainBoostedTrees(set, { depth: 31 })).toThrow('depth');
  expect(() => trainBoostedTrees(setOf([[1], [Number.NaN]], [0, 1]))).toThrow('row 1, feature 0');
});

function scoreOf(model: BoostedTrees, value: number): number {
  return scoreTrees(model, Float32Array.of(value), 0);
}

function setOf(rows: number[][], classes: number[], weights = classes.map(() => 1)): WeightedSet {
  return {
    rows: Float32Array.from(rows.flat()),
    width: rows[0]?.length ?? 1,
    classes: Uint8Array.from(classes),
    weights: Float64Array.from(weights),
  };
}
