import { expect, test } from 'vitest';
import { ByteWriter } from './byte-writer.ts';

/** What a reader makes of one varint. */
function readVarint(bytes: Uint8Array): bigint {
  let value = 0n;
  for (const [k, byte] of bytes.entries()) value |= BigInt(byte & 0x7f) << BigInt(7 * k);
  return value;
}

test('whole numbers of any size are written in as many bytes as they need', () => {
  const out = new ByteWriter();
  for (const value of [0, 1, 127, 128, 16383, 16384, 2 ** 31 - 1, 2 ** 31, 2 ** 32, 2 ** 49, 2 ** 53 - 1]) {
    out.clear();
    out.varint(value);
    expect(readVarint(out.written)).toBe(BigInt(value));
    expect(out.size).toBe(Math.max(1, Math.ceil(value.toString(2).length / 7)));
    expect(out.written.at(-1)! < 128).toBe(true);
  }
});

test('negative numbers are between positive ones', () => {
  const out = new ByteWriter();
  for (const [value, expected] of [
    [0, 0],
    [-1, 1],
    [1, 2],
    [-(2 ** 31), 2 ** 32 - 1],
    [2 ** 31 - 1, 2 ** 32 - 2],
  ]) {
    out.clear();
    out.zigzag(value);
    expect(readVarint(out.written)).toBe(BigInt(expected));
  }
});

test('written bytes stay when the buffer grows', () => {
  const out = new ByteWriter(4);
  out.word(0x04030201);
  const bytes = out.text('ä€😀'.repeat(100));
  out.add(Uint8Array.of(255));
  expect(bytes).toBe(900);
  expect([...out.written.subarray(0, 6)]).toEqual([1, 2, 3, 4, 0xc3, 0xa4]);
  expect(out.written.subarray(4, -1).toString()).toBe('ä€😀'.repeat(100));
  out.setWord(0, 0xffffffff);
  expect([...out.written.subarray(0, 5)]).toEqual([255, 255, 255, 255, 0xc3]);
});
