import { constants, deflateRawSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { InflateMemory, inflateBytes, inflateByZlib, MOST_INFLATED_BYTES } from './inflate-memory.ts';

const encode = (text: string) => new TextEncoder().encode(text);

function codeOf(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return (error as { code?: unknown }).code;
  }
  return 'none';
}

test('streams of all sizes, one after the other, give what memory of its own gives', () => {
  const memory = new InflateMemory();
  for (const size of [0, 1, 7, 5000, 262_143, 262_144, 262_145, 3_000_000, 12, 1_048_576, 0]) {
    const bytes = Uint8Array.from({ length: size }, (_, k) => (k * 31 + (k >> 5)) & 0xff);
    const deflated = deflateRawSync(bytes);
    const input = new Uint8Array([...deflated, 1, 2, 3]);
    const inflated = memory.inflate(input);
    expect(inflated.consumedBytes).toBe(deflated.length);
    expect(Buffer.compare(inflated.bytes, bytes)).toBe(0);
    for (const inflate of [inflateBytes, inflateByZlib]) {
      const own = inflate(input);
      expect(own.consumedBytes).toBe(deflated.length);
      expect(Buffer.compare(own.bytes, bytes)).toBe(0);
    }
  }
});

test('the next stream overwrites the one before', () => {
  const memory = new InflateMemory();
  const first = memory.inflate(deflateRawSync('first')).bytes;
  memory.inflate(deflateRawSync('other'));
  expect(first).toEqual(encode('other'));
});

test('faults have the codes of node:zlib, and the next stream is none the worse', () => {
  const memory = new InflateMemory();
  const deflated = deflateRawSync('a stream that is whole, a stream that is whole');
  const tooLarge = deflateRawSync(new Uint8Array(MOST_INFLATED_BYTES + 1));
  const faults = {
    cut: deflated.subarray(0, -3),
    unfinished: deflateRawSync('no end', { finishFlush: constants.Z_SYNC_FLUSH }),
    damaged: Uint8Array.of(0xff, 0xff, 0xff),
    far: Uint8Array.of(0x03, 0x02, 0x00),
    tooLarge,
  };
  for (const [name, input] of Object.entries(faults)) {
    expect([name, codeOf(() => memory.inflate(input))]).toEqual([name, codeOf(() => inflateByZlib(input))]);
    expect(memory.inflate(deflated).bytes).toEqual(encode('a stream that is whole, a stream that is whole'));
  }
  expect(codeOf(() => memory.inflate(tooLarge))).toBe('ERR_BUFFER_TOO_LARGE');
});

test('a stream of just the most bytes is inflated', () => {
  const bytes = new Uint8Array(MOST_INFLATED_BYTES).fill(7);
  const { bytes: inflated } = new InflateMemory().inflate(deflateRawSync(bytes));
  expect(Buffer.compare(inflated, bytes)).toBe(0);
});
