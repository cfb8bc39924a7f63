import { expect, test } from 'vitest';
import { seededRandom } from '../../test/seeded-random.ts';
import { DistinctSorter } from './sort-distinct.ts';

const sorter = new DistinctSorter();
const plainly = (numbers: Int32Array): number[] =>
  [...new Set(Uint32Array.from(numbers, (number) => number >>> 0))].sort((a, b) => a - b);

test('numbers are sorted as they read without a sign, each once', () => {
  const numbers = Int32Array.of(3, -1, 0, 3, 0x7fffffff, -0x80000000, -1, 256, 255);
  expect([...sorter.sort(numbers, numbers.length)]).toEqual([
    0, 3, 255, 256, 0x7fffffff, 0x80000000, 0xffffffff,
  ]);
});

test('only the first of them count, and none gives none', () => {
  expect([...sorter.sort(Int32Array.of(5, 4, 3), 2)]).toEqual([4, 5]);
  expect(sorter.sort(new Int32Array(8), 0)).toHaveLength(0);
});

test('it agrees with a plain sort of a set on numbers that are spread, and on those of which many begin alike', () => {
  const random = seededRandom(12);
  for (const crowd of [0, 10, 100]) {
    const spread = Int32Array.from({ length: 900 }, () => Math.floor(random() * 2 ** 32));
    for (let i = 0; i < crowd; i++) spread[i * 7] = 0x12300000 + (i % 60);
    expect([...sorter.sort(spread, 900)]).toEqual(plainly(spread));
  }
});

test('it agrees with a plain sort of a set, for lists of all sizes', () => {
  const random = seededRandom(11);
  for (let round = 0; round < 60; round++) {
    const size = Math.floor(random() ** 2 * 4000);
    const range = 2 ** Math.ceil(random() * 32);
    const numbers = Int32Array.from({ length: size }, () => Math.floor(random() * range));
    expect([...sorter.sort(numbers, size)]).toEqual(plainly(numbers));
  }
});
