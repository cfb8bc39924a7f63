import { expect, test } from 'vitest';
import { PiecewiseLinearCost } from './piecewise-linear-cost.ts';

function bendsAt(places: number[], size: number): PiecewiseLinearCost {
  const bends = new PiecewiseLinearCost();
  bends.reserve(size);
  for (const place of places) bends.add(place, 1, 2);
  return bends;
}

test('bends are found from the highest index down, across any gap', () => {
  const bends = bendsAt([3, 31, 32, 200], 256);
  const found: number[] = [];
  for (let place = 256; place > 0; ) {
    place = bends.below(place);
    found.push(place);
  }
  expect(found).toEqual([200, 32, 31, 3, 0]);
});

test('bends at one index add up', () => {
  const bends = bendsAt([7, 7], 8);
  expect([...bends.changes.subarray(14, 16)]).toEqual([2, 4]);
});

test('a cost that was straightened and cleared has no bends', () => {
  const bends = bendsAt([2, 40, 64], 64);
  bends.drop(64);
  bends.forget(64);
  expect(bends.below(64)).toBe(0);
  expect(bends.changes.every((change) => change === 0)).toBe(true);
});
