import { expect, test } from 'vitest';
import { compare, firstIndex } from './order.ts';

test('texts are ordered by their code units, not by the rules of a language', () => {
  expect(['ä', 'b', 'a', 'B', 'A', ''].sort(compare)).toEqual(['', 'A', 'B', 'a', 'b', 'ä']);
  expect(compare('a', 'a')).toBe(0);
});

test('numbers are ordered by value', () => {
  expect([10, 9, -1].sort(compare)).toEqual([-1, 9, 10]);
  expect([10n, 9n].sort(compare)).toEqual([9n, 10n]);
});

test('binary search finds the first index for which a test holds', () => {
  const numbers = [1, 3, 3, 7];
  const from = (least: number) => firstIndex(0, numbers.length, (i) => numbers[i] >= least);
  expect([0, 1, 2, 3, 4, 7, 8].map(from)).toEqual([0, 0, 1, 1, 3, 3, 4]);
  expect(firstIndex(2, 2, () => true)).toBe(2);
});
