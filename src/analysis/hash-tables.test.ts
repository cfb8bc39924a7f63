import { expect, test } from 'vitest';
import { HashCounter, HashSet } from './hash-tables.ts';

/** A small seeded generator, so that a failure can be reproduced. */
function random(seed: number): () => number {
  let state = seed | 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 0;
  };
}

test('counts pages and occurrences like a Map of Sets', () => {
  const next = random(7);
  const counter = new HashCounter(1);
  const plain = new Map<string, { number: number; pages: Set<number>; occurrences: number }>();
  for (let page = 0; page < 60; page++) {
    for (let i = 0; i < 500; i++) {
      const low = (next() % 3000) | 0;
      const high = (low * 7919) | 0;
      const number = counter.add(low, high, page);
      const entry = plain.get(`${high}/${low}`) ?? { number, pages: new Set(), occurrences: 0 };
      entry.pages.add(page);
      entry.occurrences++;
      plain.set(`${high}/${low}`, entry);
    }
  }
  expect(counter.size).toBe(plain.size);
  const { low, high, pages, occurrences } = counter.select(1);
  expect(low.length).toBe(plain.size);
  for (let i = 0; i < low.length; i++) {
    const entry = plain.get(`${high[i]}/${low[i]}`)!;
    expect([pages[i], occurrences[i]]).toEqual([entry.pages.size, entry.occurrences]);
    expect(counter.pagesOf(low[i], high[i])).toBe(entry.pages.size);
    expect(counter.numberOf(low[i], high[i])).toBe(entry.number);
    expect(counter.occurrencesOf(low[i], high[i])).toBe(entry.occurrences);
  }
});

test('a hash that occurs twice on one page is on one page', () => {
  const counter = new HashCounter();
  counter.add(1, 2, 0);
  counter.add(1, 2, 0);
  expect([counter.pagesOf(1, 2), counter.occurrencesOf(1, 2)]).toEqual([1, 2]);
});

test('distinguishes hashes that differ in one lane only', () => {
  const counter = new HashCounter();
  counter.add(1, 5, 0);
  counter.add(2, 5, 0);
  counter.add(1, 6, 0);
  expect(counter.size).toBe(3);
  expect(counter.pagesOf(2, 6)).toBe(0);
});

test('counts the hash that is all zeros', () => {
  const counter = new HashCounter();
  counter.add(0, 0, 3);
  counter.add(0, 0, 4);
  expect(counter.pagesOf(0, 0)).toBe(2);
});

test('selects only hashes that are frequent enough, in the order of the unsigned hash', () => {
  const counter = new HashCounter();
  for (const [low, high] of [
    [5, -1],
    [-1, 3],
    [4, 3],
    [9, 0],
  ]) {
    counter.add(low, high, 0);
    if (low !== 9) counter.add(low, high, 1);
  }
  const { low, high } = counter.select(2);
  expect([...low]).toEqual([4, -1, 5]);
  expect([...high]).toEqual([3, 3, -1]);
});

test('is empty after clear', () => {
  const counter = new HashCounter();
  counter.add(1, 1, 0);
  counter.clear();
  expect(counter.size).toBe(0);
  expect(counter.pagesOf(1, 1)).toBe(0);
});

test('a set holds the hashes of its last fill and no others', () => {
  const set = new HashSet();
  set.fill(Int32Array.from([1, 1, -5]), Int32Array.from([2, 2, 0]), 3);
  expect([set.has(1, 2), set.has(-5, 0), set.has(2, 1), set.has(0, 0)]).toEqual([true, true, false, false]);
  set.fill(Int32Array.from([7]), Int32Array.from([7]), 1);
  expect([set.has(7, 7), set.has(1, 2)]).toEqual([true, false]);
  set.fill(new Int32Array(0), new Int32Array(0), 0);
  expect(set.has(7, 7)).toBe(false);
});

test('hashes that agree in all bits that select the bucket are distinguished', () => {
  const count = 3000;
  const low = Int32Array.from({ length: count }, (_, i) => i);
  const high = Int32Array.from({ length: count }, (_, i) => i << 16);
  const set = new HashSet().fill(low, high, count);
  for (let i = 0; i < count; i++) expect(set.has(i, i << 16)).toBe(true);
  expect(set.has(count, 0)).toBe(false);
});

test('a counter numbers its hashes in their order of arrival, and finds no others', () => {
  const low = new Int32Array(5000);
  const high = new Int32Array(5000);
  for (let i = 0; i < low.length; i++) {
    low[i] = Math.imul(i, 0x9e3779b1);
    high[i] = Math.imul(i + 1, 0x85ebca6b);
  }
  const counter = new HashCounter();
  for (let i = 0; i < low.length; i++) counter.add(low[i], high[i], 0);
  expect(counter.size).toBe(5000);
  for (let i = 0; i < low.length; i++) {
    expect(counter.numberOf(low[i], high[i])).toBe(i);
    expect(counter.numberOf(low[i] ^ 1, high[i])).toBe(-1);
  }
});

test('an empty counter finds nothing', () => {
  const counter = new HashCounter();
  expect(counter.numberOf(0, 0)).toBe(-1);
  expect(counter.numberOf(-1, -1)).toBe(-1);
});
