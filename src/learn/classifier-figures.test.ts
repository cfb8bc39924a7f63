import { expect, test } from 'vitest';
import { measureAuc, measureClassifier } from './calibration.ts';

test('the AUC is 1 for perfect scores, 0 for reversed ones, 0.5 for equal ones', () => {
  const weights = [1, 1, 1, 1];
  const classes = [0, 0, 1, 1];
  expect(measureAuc({ scores: [0.1, 0.2, 0.8, 0.9], classes, weights })).toBe(1);
  expect(measureAuc({ scores: [0.9, 0.8, 0.2, 0.1], classes, weights })).toBe(0);
  expect(measureAuc({ scores: [0.5, 0.5, 0.5, 0.5], classes, weights })).toBe(0.5);
});

test('the AUC is the share of weighted pairs in the right order', () => {
  const scores = [0.3, 0.1, 0.3, 0.9, 0.2, 0.7, 0.7];
  const classes = [1, 0, 0, 1, 1, 0, 1];
  const weights = [1, 2, 0.5, 1, 3, 1, 2];
  let pairs = 0;
  let inOrder = 0;
  for (let a = 0; a < scores.length; a++) {
    for (let b = 0; b < scores.length; b++) {
      if (classes[a] !== 1 || classes[b] !== 0) continue;
      pairs += weights[a] * weights[b];
      inOrder += weights[a] * weights[b] * (scores[a] > scores[b] ? 1 : scores[a] === scores[b] ? 0.5 : 0);
    }
  }
  expect(measureAuc({ scores, classes, weights })).toBeCloseTo(inOrder / pairs, 12);
});

test('a row of weight 2 counts as two rows', () => {
  const twice = { scores: [0.2, 0.6, 0.6], classes: [0, 1, 1], weights: [1, 1, 1] };
  const heavy = { scores: [0.2, 0.6], classes: [0, 1], weights: [1, 2] };
  expect(measureClassifier(heavy)).toEqual({ ...measureClassifier(twice), rows: 2 });
});

test('the log loss is finite for wrong scores of 0 or 1', () => {
  const { logLoss, accuracy } = measureClassifier({ scores: [0, 1], classes: [1, 0], weights: [1, 1] });
  expect(logLoss).toBeGreaterThan(10);
  expect(logLoss).toBeLessThan(20);
  expect(accuracy).toBe(0);
});

test('a single class has an AUC of 0.5, and no rows have no figures', () => {
  expect(measureClassifier({ scores: [0.9], classes: [1], weights: [1] }).auc).toBe(0.5);
  expect(measureClassifier({ scores: [], classes: [], weights: [] })).toEqual({
    rows: 0,
    share: 0,
    auc: 0.5,
    logLoss: 0,
    accuracy: 0,
  });
});
