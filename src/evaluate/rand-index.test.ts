import { expect, test } from 'vitest';
import { adjustedRandIndex } from './page-segments.ts';

test('the index is that of scikit-learn 1.9.1, adjusted_rand_score', () => {
  const upTo = (length: number, groupOf: (index: number) => number) =>
    Array.from({ length }, (_, index) => groupOf(index));
  const mixed = upTo(40, (index) => (index * 7) % 5);
  const squares = upTo(40, (index) => (index * index) % 6);
  const runs = upTo(40, (index) => Math.floor(index / 8));
  const shifted = upTo(40, (index) => Math.floor((index + 3) / 9));
  expect(adjustedRandIndex([0, 0, 1, 1], [0, 0, 1, 2])).toBeCloseTo(0.5714285714285714, 14);
  expect(adjustedRandIndex([0, 0, 0, 0], [0, 1, 2, 3])).toBe(0);
  expect(adjustedRandIndex([0, 0, 0, 1, 1, 1, 2, 2], [0, 0, 1, 1, 2, 2, 2, 0])).toBeCloseTo(
    0.0476190476190476,
    14,
  );
  expect(adjustedRandIndex(mixed, squares)).toBeCloseTo(-0.07146974063400577, 14);
  expect(adjustedRandIndex(runs, shifted)).toBeCloseTo(0.7589403973509934, 14);
  expect(adjustedRandIndex(mixed, runs)).toBeCloseTo(-0.08816964285714286, 14);
});

test('equal groupings agree whatever the groups are called', () => {
  expect(adjustedRandIndex([0, 0, 1, 1], [7, 7, 2, 2])).toBe(1);
  expect(adjustedRandIndex([0, 0, 0], [5, 5, 5])).toBe(1);
  expect(adjustedRandIndex([0, 1, 2], [2, 1, 0])).toBe(1);
  expect(adjustedRandIndex([], [])).toBe(1);
});

test('groupings of different things are refused', () => {
  expect(() => adjustedRandIndex([0], [0, 1])).toThrow('same things, not of 1 and 2');
});
