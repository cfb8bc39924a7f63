import { expect, test } from 'vitest';
import { HashSet } from './hash-set.ts';

test('a set holds the hashes of its last filling and no others', () => {
  const set = new HashSet();
  set.fill(Int32Array.from([1, 1, -5]), Int32Array.from([2, 2, 0]), 3);
  expect([set.has(1, 2), set.has(-5, 0), set.has(2, 1), set.has(0, 0)]).toEqual([true, true, false, false]);
  set.fill(Int32Array.from([7]), Int32Array.from([7]), 1);
  expect([set.has(7, 7), set.has(1, 2)]).toEqual([true, false]);
  set.fill(new Int32Array(0), new Int32Array(0), 0);
  expect(set.has(7, 7)).toBe(false);
});

test('hashes that agree in all bits the table looks at are told apart', () => {
  const count = 3000;
  const low = Int32Array.from({ length: count }, (_, i) => i);
  const high = Int32Array.from({ length: count }, (_, i) => i << 16);
  const set = new HashSet().fill(low, high, count);
  for (let i = 0; i < count; i++) expect(set.has(i, i << 16)).toBe(true);
  expect(set.has(count, 0)).toBe(false);
});
