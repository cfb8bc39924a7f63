import { expect, test } from 'vitest';
import { makeWeightedRows } from '../../test/weighted-rows.ts';
import { scoreTrees } from './boosted-trees.ts';
import { scoreLinear, trainLogistic } from './logistic-regression.ts';
import { gainImportance, permutationImportance, rankFeatures, weightImportance } from './rank-features.ts';
import { trainBoostedTrees } from './train-boosted-trees.ts';

const { training, held } = makeWeightedRows();
/** By the generator: the class hangs on all but `noise` and `constant`; `d` and `f` count together only. */
const NAMES = ['a', 'b', 'c', 'd', 'noise', 'f', 'g', 'constant'];
const trees = trainBoostedTrees(training, { trees: 60, depth: 3 });
const line = trainLogistic(training);

test('the most important comes first, of equals the first feature', () => {
  expect(rankFeatures(['x', 'y', 'z'], [1, 3, 1]).map(({ name }) => name)).toEqual(['y', 'x', 'z']);
  expect(() => rankFeatures(['x'], [1, 2])).toThrow('1 names for 2 features');
});

test('a weight counts by how much its feature varies', () => {
  const ranked = rankFeatures(NAMES, weightImportance(line, training));
  expect(ranked[0].name).toBe('a');
  expect(ranked.at(-1)).toEqual({ feature: 7, name: 'constant', importance: 0 });
  const wider = { ...training, rows: training.rows.map((value, i) => (i % 8 === 1 ? 1000 * value : value)) };
  const importances = weightImportance(trainLogistic(wider), wider);
  expect(importances[1]).toBeCloseTo(weightImportance(line, training)[1], 4);
});

test('the gain of trees is shared among the features that part the classes', () => {
  const importances = gainImportance(trees);
  expect(importances.reduce((sum, one) => sum + one, 0)).toBeCloseTo(1, 10);
  expect(rankFeatures(NAMES, importances)[0].name).toBe('a');
  expect(importances[7]).toBe(0);
  for (const feature of [1, 2, 3, 5]) expect(importances[feature]).toBeGreaterThan(importances[4]);
});

test('shuffling what matters raises the loss, shuffling noise does not', () => {
  const before = held.rows.slice();
  const ofTrees = permutationImportance((values, offset) => scoreTrees(trees, values, offset), held);
  expect(held.rows).toEqual(before);
  expect(rankFeatures(NAMES, ofTrees)[0].name).toBe('a');
  const ofNoise = Math.abs(ofTrees[4]);
  for (const feature of [0, 1, 2, 3, 5, 6]) expect(ofTrees[feature]).toBeGreaterThan(5 * ofNoise);
  expect(ofTrees[7]).toBe(0);
  // a line does not see that d and f count together
  const ofLine = permutationImportance((values, offset) => scoreLinear(line, values, offset), held);
  expect(ofLine[3] + ofLine[5]).toBeLessThan((ofTrees[3] + ofTrees[5]) / 3);
});

test('the same seed shuffles the same way', () => {
  const score = (values: Float32Array, offset: number) => scoreLinear(line, values, offset);
  const once = permutationImportance(score, held, { rounds: 1, seed: 4 });
  expect(permutationImportance(score, held, { rounds: 1, seed: 4 })).toEqual(once);
  expect(permutationImportance(score, held, { rounds: 1, seed: 5 })).not.toEqual(once);
  expect(() => permutationImportance(score, held, { rounds: 0 })).toThrow('rounds');
});
