import { expect, test } from 'vitest';
import { foldHashes, hashBytes, hashId, parseHashId, urlHash, urlHashLanes } from './byte-hash.ts';

const hashOf = (text: string) => {
  const bytes = Buffer.from(text);
  const { low, high } = hashBytes(bytes, 0, bytes.length, { low: 0, high: 0 });
  return hashId(low, high);
};

test('texts that differ in one byte, in order or in length have different hashes', () => {
  const ids = ['', ' ', 'a', 'b', 'ab', 'ba', 'aab', 'abb', '\0', '\0\0'].map(hashOf);
  expect(new Set(ids).size).toBe(ids.length);
});

test('100,000 texts have different hashes', () => {
  const ids = new Set<string>();
  for (let i = 0; i < 100_000; i++) ids.add(hashOf(`item ${i}`));
  expect(ids.size).toBe(100_000);
});

test('an id is 16 digits and can be read back', () => {
  expect(hashId(-1, 1)).toBe('00000001ffffffff');
  expect(parseHashId('00000001ffffffff')).toEqual({ low: -1, high: 1 });
  expect(() => parseHashId('xyz')).toThrow('16 hexadecimal digits');
});

test('the hash of a sequence depends on its order', () => {
  const sequence = (...items: number[]) => {
    const columns = { low: Int32Array.from(items), high: Int32Array.from(items, (item) => item * 3) };
    const numbers = Int32Array.from(items.keys());
    const { low, high } = foldHashes(columns, numbers, items.length, { low: 0, high: 0 });
    return hashId(low, high);
  };
  expect(sequence(1, 2)).not.toBe(sequence(2, 1));
  expect(sequence(1, 2)).not.toBe(sequence(1, 2, 2));
});

test('the hash of a URL depends on the seed, and bigint and lanes agree', () => {
  expect(urlHash('http://a.example/', 1)).not.toBe(urlHash('http://a.example/', 2));
  const { low, high } = urlHashLanes('http://a.example/x', 9);
  expect(urlHash('http://a.example/x', 9).toString(16).padStart(16, '0')).toBe(hashId(low, high));
});

test('the hashes of similar URLs spread evenly', () => {
  const buckets = new Array(16).fill(0);
  for (let i = 0; i < 16_000; i++) buckets[Number(urlHash(`http://a.example/page/${i}`) >> 60n)]++;
  for (const bucket of buckets) expect(Math.abs(bucket - 1000)).toBeLessThan(150);
});
