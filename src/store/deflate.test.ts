import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { seededRandom } from '../../test/seeded-random.ts';
import { Kernel } from '../kernel/kernel.ts';
import { kernelModule } from '../kernel/thread-kernel.ts';
import { deflateBytes } from './gzip-member.ts';

function deflate(bytes: Uint8Array): Buffer {
  const pieces: Buffer[] = [];
  deflateBytes(bytes, (piece) => pieces.push(Buffer.from(piece)));
  return Buffer.concat(pieces);
}

/** Gives the size of what the bytes become, having made sure that zlib reads them back. */
function roundTrip(bytes: Uint8Array): number {
  const deflated = deflate(bytes);
  const { buffer, engine } = inflateRawSync(deflated, { info: true }) as unknown as {
    buffer: Buffer;
    engine: { bytesWritten: number };
  };
  expect(buffer.equals(bytes)).toBe(true);
  // nothing is left over
  expect(engine.bytesWritten).toBe(deflated.length);
  return deflated.length;
}

function randomBytes(size: number, seed: number, values = 256): Buffer {
  const random = seededRandom(seed);
  return Buffer.from(Array.from({ length: size }, () => Math.floor(values * random())));
}

/** Words of a made-up language, the first of them the most frequent. */
function words(size: number, seed: number): Buffer {
  const random = seededRandom(seed);
  const word = () =>
    Array.from({ length: 2 + 9 * random() }, () => 'etaoinshrdlu'[Math.floor(12 * random())]);
  const vocabulary = Array.from({ length: 3000 }, () => word().join(''));
  let text = '';
  while (text.length < size) text += `${vocabulary[Math.floor(3000 * random() ** 3)]} `;
  return Buffer.from(text.slice(0, size));
}

test('every small size comes back', () => {
  const text = words(300, 1);
  for (let size = 0; size <= text.length; size++) roundTrip(text.subarray(0, size));
  for (let size = 0; size < 300; size++) roundTrip(Buffer.alloc(size, 'a'));
});

test('random mixtures come back, whatever they are made of', () => {
  for (let seed = 1; seed <= 150; seed++) {
    const random = seededRandom(seed);
    const parts: Buffer[] = [];
    for (let part = 0; part < 12; part++) {
      const size = Math.floor(4000 * random() ** 2);
      const values = 1 + Math.floor(255 * random() ** 3);
      const before = Buffer.concat(parts);
      const from = Math.floor(before.length * random());
      parts.push(
        random() < 0.5 ? randomBytes(size, seed + part, values) : before.subarray(from, from + size),
      );
    }
    roundTrip(Buffer.concat(parts));
  }
});

test('bytes that cannot be compressed grow by five for every 64 KB and a block', () => {
  for (const size of [1, 100, 65_535, 65_536, 200_000]) {
    const blocks = Math.ceil(size / 32_768);
    expect(roundTrip(randomBytes(size, 7))).toBeLessThanOrEqual(size + 5 * blocks);
  }
});

test('a run of one byte takes two bits for every 258', () => {
  for (const size of [1000, 100_000, 3_000_000]) {
    expect(roundTrip(Buffer.alloc(size, 'x'))).toBeLessThan(100 + (size / 258 / 8) * 2.1);
  }
});

test('what stood 32,768 bytes before is found, what stood farther away is not', () => {
  const once = randomBytes(32_768, 5);
  const twice = (gap: number) =>
    Buffer.concat([once.subarray(0, 5000), randomBytes(gap, 6), once.subarray(0, 5000)]);
  const near = roundTrip(twice(32_768 - 5000));
  const far = roundTrip(twice(32_768 - 5000 + 1));
  expect(near).toBeLessThan(34_000);
  expect(far).toBeGreaterThan(37_000);
});

test('input longer than a slice comes back whole', () => {
  const text = words(1 << 20, 2);
  for (const size of [(2 << 20) - 1, 2 << 20, (2 << 20) + 1, (4 << 20) + 77]) {
    const bytes = Buffer.concat(new Array(5).fill(text)).subarray(0, size);
    expect(roundTrip(bytes)).toBeLessThan(size / 2);
  }
});

test('bytes so rare that their codes would be too long come back', () => {
  // counts like Fibonacci's numbers, the first 1 of which is the end of the block; three random bytes behind each, so
  // that hardly any four stand twice
  const random = seededRandom(4);
  const rare: number[] = [];
  for (let value = 0, count = 1, next = 2; value < 17; value++) {
    for (let k = 0; k < count; k++) rare.push(value);
    [count, next] = [next, count + next];
  }
  roundTrip(
    Buffer.from(rare.flatMap((value) => [value, ...[0, 0, 0].map(() => 20 + Math.floor(236 * random()))])),
  );
});

test('text is no larger than zlib makes it at its fastest', () => {
  const text = words(1 << 20, 3);
  expect(roundTrip(text)).toBeLessThan(1.02 * deflateRawSync(text, { level: 1 }).length);
});

test('the same bytes give the same, whatever went before', () => {
  const text = words(100_000, 8);
  const first = deflate(text);
  for (const before of [
    Buffer.alloc(0),
    text.subarray(7),
    randomBytes(300_000, 1),
    Buffer.alloc(3 << 20, 'ab'),
  ]) {
    deflate(before);
    expect(deflate(text).equals(first)).toBe(true);
  }
});

/** The code of symbols that occur so often: its lengths, and its bits with the first one lowest. */
function codeOf(counts: readonly number[], maxBits: number): { lengths: number[]; codes: number[] } {
  const { heap, words, bytes, functions } = new Kernel(kernelModule(), 1 << 20);
  const symbols = counts.length;
  const at = heap.take(8192);
  words.set(counts, at / 4);
  functions.makeCode(at, symbols, at + 4 * symbols, at + 6 * symbols, maxBits);
  const codes = new Uint16Array(bytes.slice(at + 6 * symbols, at + 8 * symbols).buffer);
  return { lengths: [...bytes.subarray(at + 4 * symbols, at + 5 * symbols)], codes: [...codes] };
}

const lengthsOf = (counts: readonly number[], maxBits: number) => codeOf(counts, maxBits).lengths;

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
  for (const [counts, maxBits] of cases) {
    const lengths = lengthsOf(counts, maxBits);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(maxBits);
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
  const { lengths, codes } = codeOf([2, 2, 2, 2, 2, 4, 1, 1], 15);
  expect(lengths).toEqual([3, 3, 3, 3, 3, 2, 4, 4]);
  const written = ['010', '011', '100', '101', '110', '00', '1110', '1111'];
  expect(codes).toEqual(written.map((bits) => Number.parseInt([...bits].reverse().join(''), 2)));
});
