import { expect, test } from 'vitest';
import { HashTable } from './hash-table.ts';

test('finds each of its hashes at its position and no other', () => {
  const low = new Int32Array(5000);
  const high = new Int32Array(5000);
  for (let i = 0; i < low.length; i++) {
    low[i] = Math.imul(i, 0x9e3779b1);
    high[i] = Math.imul(i + 1, 0x85ebca6b);
  }
  const table = new HashTable(low, high);
  expect(table.size).toBe(5000);
  for (let i = 0; i < low.length; i++) {
    expect(table.find(low[i], high[i])).toBe(i);
    expect(table.find(low[i] ^ 1, high[i])).toBe(-1);
  }
});

test('an empty table finds nothing', () => {
  const table = new HashTable(new Int32Array(0), new Int32Array(0));
  expect(table.find(0, 0)).toBe(-1);
  expect(table.find(-1, -1)).toBe(-1);
});
