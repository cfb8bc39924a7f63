import { expect, test } from 'vitest';
import { compare, firstIndex } from './order.ts';

test('texts go by their code units, not by a language', () => {
  expect(['ä', 'b', 'a', 'B', 'A', ''].sort(compare)).toEqual(['', 'A', 'B', 'a', 'b', 'ä']);
  expect(compare('a', 'a')).toBe(0);
});

test('numbers go by their size', () => {
  expect([10, 9, -1].sort(compare)).toEqual([-1, 9, 10]);
  expect([10n, 9n].sort(compare)).toEqual([9n, 10n]);
});

test('the first index from which a test holds is found by halving', () => {
  const numbers = [1, 3, 3, 7];
  const from = (least: number) => firstIndex(0, numbers.length, (i) => numbers[i] >= least);
  expect([0, 1, 2, 3, 4, 7, 8].map(from)).toEqual([0, 0, 1, 1, 3, 3, 4]);
  expect(firstIndex(2, 2, () => true)).toBe(2);
});
