import { expect, test } from 'vitest';
import { firstNotBelow, pickValues } from './smooth-tree.ts';

test('each of a few scores is tried once', () => {
  const { values, exact } = pickValues(Float64Array.of(0.5, 0.1, 0.5, 0.9), 3);
  expect([...values]).toEqual([0.1, 0.5, 0.9]);
  expect(exact).toBe(true);
});

test('of many scores, the middle one of each non-empty cell is tried', () => {
  const { values, exact } = pickValues(Float64Array.of(1, 0.95, 0.9, 0.02, 0.01, 0), 4);
  expect([...values]).toEqual([0.01, 0.95]);
  expect(exact).toBe(false);
});

test('a score gets the index of the first value that is not below it', () => {
  const values = Float64Array.of(0.1, 0.5, 0.9);
  expect([0, 0.1, 0.2, 0.9, 1].map((score) => firstNotBelow(values, score))).toEqual([0, 0, 1, 2, 3]);
});
