import { expect, test } from 'vitest';
import { keyOf, Random } from '../research/generated-sites/random.ts';
import { Buckets, bandHash, candidateShare, chooseBands } from './minhash.ts';

test.each([
  [0.3, 37, 3],
  [0.5, 25, 5],
  [0.6, 18, 7],
  [0.7, 14, 9],
  [0.8, 9, 13],
])('the bands for a threshold of %f are those that datasketch chooses', (threshold, bands, rows) => {
  expect(chooseBands({ threshold, permutations: 128 })).toEqual({ bands, rows });
});

test('false candidates may weigh more than missed pairs', () => {
  const careful = chooseBands({ threshold: 0.6, permutations: 128, falsePositiveWeight: 0.9 });
  const eager = chooseBands({ threshold: 0.6, permutations: 128, falsePositiveWeight: 0.1 });
  expect(candidateShare(0.5, careful)).toBeLessThan(candidateShare(0.5, eager));
});

test('most pairs above the threshold are candidates, and most pairs well below it are not', () => {
  const bands = chooseBands({ threshold: 0.6, permutations: 128 });
  expect(candidateShare(0.8, bands)).toBeGreaterThan(0.95);
  expect(candidateShare(0.3, bands)).toBeLessThan(0.01);
});

test('a threshold out of range is refused by name', () => {
  expect(() => chooseBands({ threshold: 1, permutations: 128 })).toThrow(
    'threshold must be a number between 0 and 1, not 1',
  );
});

test('a bucket holds the items with one hash, in the order of their numbers', () => {
  const random = new Random(keyOf('buckets'));
  const hashes = Array.from({ length: 500 }, () => random.below(40) * 0x05000001);
  const order = new Uint32Array(500);
  const starts = new Buckets(500).sort((item) => hashes[item], order);
  const expected = [...new Set(hashes)].sort((a, b) => a - b);
  expect(starts.length - 1).toBe(expected.length);
  expected.forEach((hash, k) => {
    const bucket = Array.from(order.subarray(starts[k], starts[k + 1]));
    expect(bucket).toEqual(hashes.flatMap((other, item) => (other === hash ? [item] : [])));
  });
});

test('no items, and one item, are sorted into buckets', () => {
  expect(new Buckets(0).sort(() => 1, new Uint32Array(0))).toEqual([0]);
  expect(new Buckets(1).sort(() => 1, new Uint32Array(1))).toEqual([0, 1]);
});

test('the hash of a band depends on its rows and on nothing else', () => {
  const signatures = Uint32Array.of(1, 2, 3, 4, 1, 2, 9, 4);
  expect(bandHash(signatures, 0, 0, 2)).toBe(bandHash(signatures, 4, 0, 2));
  expect(bandHash(signatures, 0, 1, 2)).not.toBe(bandHash(signatures, 4, 1, 2));
});
