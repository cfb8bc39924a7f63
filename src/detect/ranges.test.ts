import { expect, test } from 'vitest';
import type { Range } from '../model/range.ts';
import { contentRange, shareScore, tileRanges } from './ranges.ts';

const template = (start: number, end: number, score = 1): Range => ({
  start,
  end,
  label: 'template',
  score,
  template: '0123456789abcdef',
  reason: 'on 3 of 4 pages',
});

test('gaps become content, and empty ranges are dropped', () => {
  expect(tileRanges(10, [template(2, 4), template(4, 4), template(4, 7)])).toEqual([
    contentRange(0, 2),
    template(2, 4),
    template(4, 7),
    contentRange(7, 10),
  ]);
  expect(tileRanges(0, [])).toEqual([]);
});

test('overlapping ranges and ranges outside the page are refused', () => {
  expect(() => tileRanges(10, [template(2, 5), template(4, 6)])).toThrow('ordered, disjoint');
  expect(() => tileRanges(10, [template(8, 12)])).toThrow('within [0, 10)');
});

test('the score is 0.5 at the threshold, 1 on all pages, and rises between', () => {
  expect(shareScore(20, 20, 200)).toBe(0.5);
  expect(shareScore(200, 20, 200)).toBe(1);
  for (let pages = 21; pages <= 200; pages++) {
    expect(shareScore(pages, 20, 200)).toBeGreaterThan(shareScore(pages - 1, 20, 200));
  }
  expect(shareScore(3, 3, 3)).toBe(1);
});
