import { expect, test } from 'vitest';
import { seededNumbers } from '../../test/seeded-random.ts';
import { KeyCounter } from './key-tables.ts';
import { PAGE_CONTENT_HIGH, PAGE_CONTENT_LOW, PAGE_KIND, PAGE_NODE_COUNT, PAGE_WORDS } from './layout.ts';
import { threadKernel } from './thread-kernel.ts';

test('a counter counts pages and occurrences like a Map, and sorts by high and low lane', () => {
  const { heap, functions } = threadKernel();
  const next = seededNumbers(3);
  const counter = new KeyCounter(4);
  const plain = new Map<bigint, { pages: Set<number>; occurrences: number }>();
  for (let page = 0; page < 50; page++) {
    // a page with a content hash for each node
    const count = next(300);
    const address = heap.take(4 * PAGE_WORDS + 9 * count);
    const { words, bytes } = threadKernel();
    const lows = address + 4 * PAGE_WORDS;
    words[(address >> 2) + PAGE_NODE_COUNT] = count;
    words[(address >> 2) + PAGE_CONTENT_LOW] = lows;
    words[(address >> 2) + PAGE_CONTENT_HIGH] = lows + 4 * count;
    words[(address >> 2) + PAGE_KIND] = lows + 8 * count;
    bytes.fill(1, lows + 8 * count, lows + 9 * count);
    for (let node = 0; node < count; node++) {
      const low = Math.imul(next(9), 0x9e3779b1);
      const high = Math.imul(next(99), 0x85ebca6b);
      words[(lows >> 2) + node] = low;
      words[(lows >> 2) + count + node] = high;
      const key = (BigInt(high >>> 0) << 32n) | BigInt(low >>> 0);
      const entry = plain.get(key) ?? { pages: new Set(), occurrences: 0 };
      entry.pages.add(page);
      entry.occurrences++;
      plain.set(key, entry);
    }
    counter.reserve(count);
    functions.countNodes(address, page, 0, counter.address);
    heap.release(address);
  }
  expect(counter.size).toBe(plain.size);
  for (const [by, least] of [
    ['pages', 1],
    ['pages', 9],
    ['occurrences', 12],
  ] as const) {
    const { low, high, pages, occurrences } = counter.select(least, by);
    const expected = [...plain]
      .filter(([, entry]) => (by === 'pages' ? entry.pages.size : entry.occurrences) >= least)
      .sort(([a], [b]) => (a < b ? -1 : 1));
    expect(expected.length).toBeGreaterThan(0);
    expect([...low].map((lane, i) => (BigInt(high[i] >>> 0) << 32n) | BigInt(lane >>> 0))).toEqual(
      expected.map(([key]) => key),
    );
    expect([...pages]).toEqual(expected.map(([, entry]) => entry.pages.size));
    expect([...occurrences]).toEqual(expected.map(([, entry]) => entry.occurrences));
  }
  counter.release();
});
