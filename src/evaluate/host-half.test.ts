import { expect, test } from 'vitest';
import { hostHalf } from './gold.ts';

test('a host is in the half that the first byte of its SHA-256 names', () => {
  // as `sha256sum` has them: 28…, 0f…, 43…
  expect(['news.example', 'shop.example', 'forum.example'].map(hostHalf)).toEqual(['even', 'odd', 'odd']);
});

test('many hosts fall about evenly into both halves', () => {
  const hosts = Array.from({ length: 1000 }, (_, index) => `host-${index}.example`);
  const even = hosts.filter((host) => hostHalf(host) === 'even').length;
  expect(even).toBeGreaterThan(450);
  expect(even).toBeLessThan(550);
});
