import { expect, test } from 'vitest';
import { logLossOf, makeWeightedRows, scikitLearn } from '../../test/weighted-rows.ts';
import { decodeLinear, encodeLinear, scoreLinear, trainLogistic } from './logistic-regression.ts';
import type { WeightedSet } from './weighted-set.ts';

interface LogisticFigures {
  l2: number;
  weights: number[];
  bias: number;
  firstProbabilities: number[];
  logLoss: number;
}

const { training, held } = makeWeightedRows();

test('the generated rows equal those given to scikit-learn', () => {
  const ones = [...training.classes, ...held.classes].reduce((sum, one) => sum + one, 0);
  const total = [...training.weights, ...held.weights].reduce((sum, one) => sum + one, 0);
  expect([...training.rows.subarray(0, training.width)]).toEqual(scikitLearn.firstRow);
  expect([...held.rows.subarray(-held.width)]).toEqual(scikitLearn.lastRow);
  expect(ones).toBe(scikitLearn.ones);
  expect(total).toBe(scikitLearn.totalWeight);
});

test.each(scikitLearn.logistic as LogisticFigures[])(
  'finds the weights of scikit-learn with l2 = $l2',
  (expected) => {
    const model = trainLogistic(training, { l2: expected.l2 });
    expect(model.bias).toBeCloseTo(expected.bias, 5);
    for (let i = 0; i < training.width; i++) {
      const difference = Math.abs(model.weights[i] - expected.weights[i]);
      expect(difference).toBeLessThan(1e-5 * Math.abs(expected.weights[i]) + 1e-9);
    }
    for (const [row, probability] of expected.firstProbabilities.entries()) {
      expect(scoreLinear(model, training.rows, row * training.width)).toBeCloseTo(probability, 6);
    }
    expect(logLossOf(held, (values, offset) => scoreLinear(model, values, offset))).toBeCloseTo(
      expected.logLoss,
      6,
    );
  },
);

test('the gradient is zero where training ends', () => {
  const model = trainLogistic(held, { l2: 3 });
  let error = 0;
  for (let row = 0; row < held.classes.length; row++) {
    error += held.weights[row] * (scoreLinear(model, held.rows, row * held.width) - held.classes[row]);
  }
  expect(Math.abs(error)).toBeLessThan(1e-4);
});

test('a row of weight 2 counts as two rows, one of weight 0 not at all', () => {
  const weighted = setOf([[0], [1], [1], [2], [9]], [0, 1, 0, 1, 0], [1, 2, 1, 1, 0]);
  const repeated = setOf([[0], [1], [1], [1], [2]], [0, 1, 1, 0, 1]);
  const a = trainLogistic(weighted);
  const b = trainLogistic(repeated);
  expect(a.weights[0]).toBeCloseTo(b.weights[0], 6);
  expect(a.bias).toBeCloseTo(b.bias, 6);
});

test('no rows, or rows without weight, give probability 0.5', () => {
  expect(trainLogistic(setOf([], []))).toEqual({ weights: new Float64Array(0), bias: 0 });
  const without = trainLogistic(setOf([[1], [2]], [0, 1], [0, 0]));
  expect(scoreLinear(without, Float32Array.of(1), 0)).toBe(0.5);
});

test('rows of one class give zero weights and a probability near certainty', () => {
  const model = trainLogistic(setOf([[1], [5], [9]], [1, 1, 1]));
  expect([...model.weights]).toEqual([0]);
  expect(scoreLinear(model, Float32Array.of(5), 0)).toBeCloseTo(3.5 / 4, 12);
});

test('a constant feature has weight 0, however large it is', () => {
  const model = trainLogistic(
    setOf(
      [
        [0.1, 0],
        [0.1, 1],
        [0.1, 2],
      ],
      [0, 1, 1],
    ),
  );
  expect(model.weights[0]).toBe(0);
  expect(model.weights[1]).toBeGreaterThan(0);
  const large = trainLogistic(
    setOf(
      [
        [3e9, 0],
        [3e9, 1],
        [3e9, 2],
      ],
      [0, 1, 1],
    ),
  );
  expect(large).toEqual(model);
});

test('classes that one feature separates completely give finite weights', () => {
  const rows = Array.from({ length: 40 }, (_, i) => [i, 2 * i]);
  const model = trainLogistic(
    setOf(
      rows,
      rows.map(([i]) => (i < 20 ? 0 : 1)),
    ),
    { l2: 1e-6 },
  );
  expect([...model.weights, model.bias].every(Number.isFinite)).toBe(true);
  expect(scoreLinear(model, Float32Array.of(19, 38), 0)).toBeLessThan(0.01);
  expect(scoreLinear(model, Float32Array.of(20, 40), 0)).toBeGreaterThan(0.99);
});

test('invalid numbers are refused with their row', () => {
  expect(() => trainLogistic(setOf([[1], [Number.NaN]], [0, 1]))).toThrow(
    'row 1, feature 0: a number expected, not NaN',
  );
  expect(() => trainLogistic(setOf([[1], [2]], [0, 1], [1, -1]))).toThrow('weight of row 1');
  expect(() => trainLogistic(setOf([[1], [2]], [0, 2]))).toThrow('class of row 1');
  expect(() => trainLogistic({ ...setOf([[1], [2]], [0, 1]), width: 2 })).toThrow('rows: 2 of 2 numbers');
  expect(() => trainLogistic(setOf([[1]], [0]), { l2: 0 })).toThrow('l2: above zero');
});

test('an encoded model gives the same scores to six digits', () => {
  const model = trainLogistic(training);
  const kept = decodeLinear(JSON.parse(JSON.stringify(encodeLinear(model))));
  for (let row = 0; row < 100; row++) {
    const score = scoreLinear(kept, held.rows, row * held.width);
    expect(score).toBeCloseTo(scoreLinear(model, held.rows, row * held.width), 6);
  }
  expect(() => decodeLinear({ weights: [1], bias: Number.NaN })).toThrow('linear model');
});

function setOf(rows: number[][], classes: number[], weights = classes.map(() => 1)): WeightedSet {
  return {
    rows: Float32Array.from(rows.flat()),
    width: rows[0]?.length ?? 0,
    classes: Uint8Array.from(classes),
    weights: Float64Array.from(weights),
  };
}
