import { expect, test } from 'vitest';
import { compare } from './order.ts';

test('texts go by their code units, not by a language', () => {
  expect(['ä', 'b', 'a', 'B', 'A', ''].sort(compare)).toEqual(['', 'A', 'B', 'a', 'b', 'ä']);
  expect(compare('a', 'a')).toBe(0);
});

test('numbers go by their size', () => {
  expect([10, 9, -1].sort(compare)).toEqual([-1, 9, 10]);
  expect([10n, 9n].sort(compare)).toEqual([9n, 10n]);
});
