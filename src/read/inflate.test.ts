import { deflateRawSync, gzipSync, inflateRawSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { seededRandom } from '../../test/seeded-random.ts';
import { memorySource } from './byte-source.ts';
import { inflateFrom } from './inflate.ts';

function inflateAll(bytes: Uint8Array, windowBytes?: number) {
  const pieces: Uint8Array[] = [];
  const end = inflateFrom(memorySource(bytes, { windowBytes }), 0, (piece) => {
    pieces.push(piece.slice());
    return true;
  });
  return { ...end, bytes: Buffer.concat(pieces) };
}

function mixture(random: () => number, sizeBytes: number): Buffer {
  const bytes = Buffer.alloc(sizeBytes);
  const alphabet = 1 + Math.floor(random() * 256);
  for (let i = 0; i < sizeBytes; ) {
    const run = 1 + Math.floor(random() * 400);
    if (random() < 0.4 && i > 0) {
      const from = Math.floor(random() * i);
      for (let k = 0; k < run && i < sizeBytes; k++) bytes[i++] = bytes[from + k];
    } else {
      for (let k = 0; k < run && i < sizeBytes; k++) bytes[i++] = Math.floor(random() * alphabet);
    }
  }
  return bytes;
}

test('gives what zlib deflated, at every level and strategy, and says where the stream ends', () => {
  const random = seededRandom(1);
  for (let round = 0; round < 60; round++) {
    const plain = mixture(random, Math.floor(random() * 300_000));
    const level = Math.floor(random() * 10);
    const strategy = Math.floor(random() * 5);
    const deflated = deflateRawSync(plain, { level, strategy });
    const tail = Buffer.from('and something after it');
    const result = inflateAll(Buffer.concat([deflated, tail]), 1 + Math.floor(random() * 5000));
    expect(result.status).toBe('done');
    expect(result.consumedBytes).toBe(deflated.length);
    expect(result.bytes.equals(plain)).toBe(true);
  }
});

test('a stream cut anywhere gives a prefix of its text', () => {
  const plain = mixture(seededRandom(2), 4000);
  const deflated = deflateRawSync(plain);
  for (let length = 0; length < deflated.length; length++) {
    const result = inflateAll(deflated.subarray(0, length));
    expect(result.status).toBe('cut');
    expect(plain.subarray(0, result.bytes.length).equals(result.bytes)).toBe(true);
  }
});

test('damaged streams end, and never beyond the source', () => {
  const random = seededRandom(3);
  const deflated = deflateRawSync(mixture(random, 3000));
  for (let round = 0; round < 3000; round++) {
    const damaged = Buffer.from(deflated);
    damaged[Math.floor(random() * damaged.length)] ^= 1 << Math.floor(random() * 8);
    const result = inflateAll(damaged);
    expect(result.consumedBytes).toBeLessThanOrEqual(damaged.length);
  }
});

/** A dynamic block that is the last: its code lengths by symbol, each written in five bits, then `data`. */
function dynamicBlock(literals: number[], distances: number[], data: string): Buffer {
  const codeLengths = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15].map((symbol) =>
    symbol < 16 ? 4 : 0,
  );
  const lowestFirst = (value: number, width: number) =>
    Array.from({ length: width }, (_, bit) => (value >> bit) & 1).join('');
  const highestFirst = (value: number) => value.toString(2).padStart(4, '0');
  return bytesOfBits(
    lowestFirst(0b101, 3) +
      lowestFirst(literals.length - 257, 5) +
      lowestFirst(distances.length - 1, 5) +
      lowestFirst(codeLengths.length - 4, 4) +
      codeLengths.map((length) => lowestFirst(length, 3)).join('') +
      [...literals, ...distances].map(highestFirst).join('') +
      data,
  );
}

function bytesOfBits(bits: string): Buffer {
  const bytes = Buffer.alloc(Math.ceil(bits.length / 8));
  for (const [k, bit] of [...bits].entries()) if (bit === '1') bytes[k >> 3] |= 1 << (k & 7);
  return bytes;
}

/** Code lengths of literals, 0 but for those given, up to symbol 257 at least. */
function lengthsOf(given: Record<number, number>): number[] {
  const size = Math.max(257, ...Object.keys(given).map((symbol) => Number(symbol) + 1));
  return Array.from({ length: size }, (_, symbol) => given[symbol] ?? 0);
}

test.each([
  ['an incomplete literal code', lengthsOf({ 65: 2, 256: 2 }), [0], '0001', false],
  ['an over-subscribed literal code', lengthsOf({ 65: 1, 66: 1, 256: 1 }), [0], '00', false],
  ['no end of block', lengthsOf({ 65: 1, 66: 1 }), [0], '00', false],
  ['a single literal code of one bit', lengthsOf({ 256: 1 }), [0], '0', true],
  ['a single literal code of two bits', lengthsOf({ 256: 2 }), [0], '00', false],
  ['no distance code, and none used', lengthsOf({ 65: 1, 256: 1 }), [0], '01', true],
  ['a single distance code of one bit', lengthsOf({ 65: 2, 256: 2, 257: 1 }), [1], '100011', true],
  ['the other code of a single one of one bit', lengthsOf({ 65: 2, 256: 2, 257: 1 }), [1], '100111', false],
  ['a single distance code of two bits', lengthsOf({ 65: 1, 256: 1 }), [2], '01', false],
  ['an incomplete distance code', lengthsOf({ 65: 1, 256: 1 }), [2, 2], '01', false],
  ['an over-subscribed distance code', lengthsOf({ 65: 1, 256: 1 }), [1, 1, 1], '01', false],
  ['too many literals', lengthsOf({ 65: 1, 256: 1, 286: 0 }), [0], '01', false],
  ['too many distances', lengthsOf({ 65: 1, 256: 1 }), Array(31).fill(0), '01', false],
])('%s is taken or refused as zlib does', (_, literals, distances, data, isSound) => {
  const block = dynamicBlock(literals, distances, data);
  let taken = true;
  try {
    inflateRawSync(block);
  } catch {
    taken = false;
  }
  expect(taken).toBe(isSound);
  expect(inflateAll(block).status).toBe(isSound ? 'done' : 'bad');
});

test('what zlib takes of damaged and made-up streams is taken, with the same bytes, and nothing else', () => {
  const random = seededRandom(4);
  const streams = [10, 60, 200, 1000].map((size) => deflateRawSync(mixture(random, size)));
  let sound = 0;
  for (let round = 0; round < 4000; round++) {
    const damaged = Buffer.from(streams[round % streams.length]);
    const headBytes = round % 3 === 0 ? 12 : damaged.length;
    for (let flips = 1 + Math.floor(random() * 3); flips > 0; flips--)
      damaged[Math.floor(random() * Math.min(headBytes, damaged.length))] ^= 1 << Math.floor(random() * 8);
    const mine = inflateAll(damaged);
    let plain: Buffer | undefined;
    try {
      plain = inflateRawSync(damaged);
    } catch {}
    expect(mine.status === 'done').toBe(plain !== undefined);
    if (plain === undefined) continue;
    sound++;
    expect(mine.bytes.equals(plain)).toBe(true);
  }
  expect(sound).toBeGreaterThan(100);
});

test('a bomb is stopped by its sink', () => {
  const bomb = gzipSync(Buffer.alloc(20_000_000)).subarray(10);
  let total = 0;
  const end = inflateFrom(memorySource(bomb), 0, (piece) => (total += piece.length) < 1_000_000);
  expect(end.status).toBe('stopped');
  expect(end.producedBytes).toBeLessThan(1_200_000);
});
