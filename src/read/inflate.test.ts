import { deflateRawSync, gzipSync } from 'node:zlib';
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

test('a bomb is stopped by its sink', () => {
  const bomb = gzipSync(Buffer.alloc(20_000_000)).subarray(10);
  let total = 0;
  const end = inflateFrom(memorySource(bomb), 0, (piece) => (total += piece.length) < 1_000_000);
  expect(end.status).toBe('stopped');
  expect(end.producedBytes).toBeLessThan(1_200_000);
});
