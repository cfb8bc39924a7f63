import { expect, test } from 'vitest';
import { hostInterval } from './host-bootstrap.ts';

const pages = Array.from({ length: 200 }, (_, index) => ({
  host: `h${index % 20}`,
  value: (index % 20) / 20,
}));

test('the interval holds the mean and is the same again', () => {
  const interval = hostInterval(pages)!;
  expect(interval.mean).toBeCloseTo(0.475);
  expect(interval.low).toBeLessThan(interval.mean);
  expect(interval.high).toBeGreaterThan(interval.mean);
  expect(interval.hosts).toBe(20);
  expect(hostInterval(pages)).toEqual(interval);
  expect(hostInterval(pages, { seed: 2 })).not.toEqual(interval);
});

test('hosts are drawn, not pages: ten times the pages of each host leave the interval as it is', () => {
  const { low, high } = hostInterval(pages)!;
  const more = hostInterval(Array.from({ length: 10 }, () => pages).flat())!;
  expect(more.low).toBeCloseTo(low, 10);
  expect(more.high).toBeCloseTo(high, 10);
});

test('the width is that of the textbook for a mean of independent hosts', () => {
  const { low, high } = hostInterval(pages, { rounds: 20_000 })!;
  // the standard deviation of 0, 0.05 … 0.95 is 0.288; over √20 hosts, ±1.96
  expect(high - low).toBeCloseTo(2 * 1.96 * (0.2883 / Math.sqrt(20)), 1);
});

test('without values there is no interval, and one host has no width', () => {
  expect(hostInterval([])).toBeUndefined();
  expect(hostInterval([{ host: 'a', value: 0.5 }])).toEqual({ mean: 0.5, low: 0.5, high: 0.5, hosts: 1 });
});
