import { expect, test } from 'vitest';
import { seededRandom } from '../../../test/seeded-random.ts';
import { codeLengths, makeCodes } from './huffman-code.ts';

function lengthsOf(counts: readonly number[], mostBits: number): number[] {
  const lengths = new Uint8Array(counts.length).fill(99);
  codeLengths(Uint32Array.from(counts), lengths, mostBits);
  return [...lengths];
}

const bitsOf = (counts: readonly number[], lengths: readonly number[]) =>
  counts.reduce((sum, count, symbol) => sum + count * lengths[symbol], 0);

/** The fewest bits there can be: the two rarest are joined again and again. */
function fewestBits(counts: readonly number[]): number {
  const left = counts.filter((count) => count > 0);
  let bits = 0;
  while (left.length > 1) {
    left.sort((a, b) => b - a);
    const joined = (left.pop() as number) + (left.pop() as number);
    bits += joined;
    left.push(joined);
  }
  return bits;
}

test('codes take as few bits as there can be', () => {
  const random = seededRandom(3);
  for (let round = 0; round < 200; round++) {
    const counts = Array.from({ length: 2 + Math.floor(284 * random()) }, () =>
      random() < 0.3 ? 0 : Math.floor(1 + 500 * random() ** 4),
    );
    counts[0] = counts[1] = 1;
    expect(bitsOf(counts, lengthsOf(counts, 15))).toBe(fewestBits(counts));
  }
});

test('no code is longer than allowed, and every string of bits means something', () => {
  const fibonacci = [1, 1];
  while (fibonacci.length < 30)
    fibonacci.push(fibonacci[fibonacci.length - 1] + fibonacci[fibonacci.length - 2]);
  const cases: [number[], number][] = [
    [fibonacci, 15],
    [fibonacci, 7],
    [fibonacci.slice(0, 19), 7],
    [[...fibonacci.slice(0, 19)].reverse(), 5],
    [Array.from({ length: 286 }, (_, k) => (k === 0 ? 4_000_000 : 1)), 15],
    [Array.from({ length: 256 }, (_, k) => 1 + (k % 7)), 8],
    [[5], 15],
    [[0, 0, 7], 15],
    [[0, 0, 0], 15],
  ].map(([counts, bits]) => [[...(counts as number[]), 0], bits as number]);
  for (const [counts, mostBits] of cases) {
    const lengths = lengthsOf(counts, mostBits);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(mostBits);
    expect(lengths.filter((length) => length > 0).reduce((sum, length) => sum + 2 ** -length, 0)).toBe(1);
    counts.forEach((count, symbol) => {
      if (count > 0) expect(lengths[symbol]).toBeGreaterThan(0);
    });
  }
});

test('a rarer symbol never has the shorter code', () => {
  const counts = [1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144, 233];
  const lengths = lengthsOf(counts, 6);
  expect(lengths).toEqual([...lengths].sort((a, b) => b - a));
});

test('codes are those of the example in RFC 1951, first bit lowest', () => {
  const codes = new Uint16Array(8);
  makeCodes(Uint8Array.of(3, 3, 3, 3, 3, 2, 4, 4), codes);
  const written = ['010', '011', '100', '101', '110', '00', '1110', '1111'];
  expect([...codes]).toEqual(written.map((bits) => Number.parseInt([...bits].reverse().join(''), 2)));
});
