import { expect, test } from 'vitest';
import { seededRandom } from '../../../test/seeded-random.ts';
import { ByteWriter } from './byte-writer.ts';
import { bitsOf, boundsOf, type Integers, writeDeltas, writeGroups, writeRuns } from './packed-numbers.ts';
import { GROUP_ROWS } from './parquet-metadata.ts';

/** Numbers of `width` bits each, the lowest bit first, filled up with zeros to `count` numbers. */
function packed(numbers: readonly number[], width: number, count: number): number[] {
  const bits = Array.from({ length: count }, (_, k) =>
    Array.from({ length: width }, (_, bit) => Math.floor((numbers[k] ?? 0) / 2 ** bit) % 2),
  ).flat();
  return Array.from({ length: bits.length / 8 }, (_, byte) =>
    bits.slice(8 * byte, 8 * byte + 8).reduce((sum, bit, k) => sum + bit * 2 ** k, 0),
  );
}

function varint(value: number): number[] {
  return value < 128 ? [value] : [(value % 128) + 128, ...varint(Math.floor(value / 128))];
}

const zigzag = (value: number) => varint(value < 0 ? -2 * value - 1 : 2 * value);

/** Twin of `writeDeltas`. */
function plainDeltas(numbers: readonly number[]): number[] {
  const bytes = [...varint(128), ...varint(4), ...varint(numbers.length), ...zigzag((numbers[0] ?? 0) | 0)];
  const differences = numbers.slice(1).map((number, k) => (number - numbers[k]) | 0);
  for (let at = 0; at < differences.length; at += 128) {
    const block = differences.slice(at, at + 128);
    const least = Math.min(...block);
    const quarters = [0, 32, 64, 96].map((from) =>
      block.slice(from, from + 32).map((d) => (d - least) >>> 0),
    );
    const widths = quarters.map((quarter) => bitsOf(quarter.reduce((all, excess) => all | excess, 0)));
    bytes.push(...zigzag(least), ...widths);
    for (const [k, quarter] of quarters.entries()) {
      if (quarter.length > 0) bytes.push(...packed(quarter, widths[k], 32));
    }
  }
  return bytes;
}

/** Twin of `writeRuns`. */
function plainRuns(numbers: readonly number[], width: number): number[] {
  const bytes: number[] = [];
  const runAt = (from: number) => {
    const other = numbers.findIndex((number, k) => k > from && number !== numbers[from]);
    return (other < 0 ? numbers.length : other) - from;
  };
  for (let at = 0; at < numbers.length; ) {
    const run = runAt(at);
    if (run >= 8) {
      bytes.push(...varint(2 * run));
      for (let byte = 0; 8 * byte < width; byte++) bytes.push(Math.floor(numbers[at] / 256 ** byte) % 256);
      at += run;
      continue;
    }
    let end = at + 8;
    while (end < numbers.length && runAt(end) < 8) end += 8;
    bytes.push(...varint((2 * (end - at)) / 8 + 1), ...packed(numbers.slice(at, end), width, end - at));
    at = end;
  }
  return bytes;
}

function bytesOf(write: (out: ByteWriter) => void): number[] {
  const out = new ByteWriter();
  write(out);
  return [...out.written];
}

/** Lists of every size up to two blocks and a bit, with runs, of numbers up to 2^width. */
function* someNumbers(width: number): Generator<number[]> {
  const random = seededRandom(width);
  for (let size = 0; size <= 300; size += size < 40 ? 1 : 13) {
    const numbers: number[] = [];
    while (numbers.length < size) {
      const number = Math.floor(2 ** width * random());
      const times = random() < 0.5 ? 1 : Math.ceil(20 * random());
      for (let k = 0; k < times && numbers.length < size; k++) numbers.push(number);
    }
    yield numbers;
  }
}

const WIDTHS = [0, 1, 2, 3, 7, 8, 9, 15, 16, 17, 24, 31, 32];

test('runs and groups equal those of a plain implementation', () => {
  for (const width of WIDTHS) {
    for (const numbers of someNumbers(width)) {
      const array = Uint32Array.from(numbers);
      expect(bytesOf((out) => writeRuns(out, array, 0, array.length, width))).toEqual(
        plainRuns(numbers, width),
      );
      const groups = packed(numbers, width, 8 * Math.ceil(numbers.length / 8));
      expect(bytesOf((out) => writeGroups(out, array, 0, array.length, width))).toEqual(groups);
    }
  }
});

test('differences equal those of a plain implementation, also across the largest number', () => {
  for (const width of WIDTHS) {
    for (const numbers of someNumbers(width)) {
      const array = Uint32Array.from(numbers);
      expect(bytesOf((out) => writeDeltas(out, array, 0, array.length))).toEqual(plainDeltas(numbers));
    }
  }
});

test('a part of an array, however wide, is written like an array of its own', () => {
  const numbers = Array.from({ length: 500 }, (_, k) => (k * k) % 251);
  const own = Uint32Array.from(numbers.slice(37, 401));
  const expected = bytesOf((out) => writeDeltas(out, own, 0, own.length));
  for (const array of [Uint8Array.from(numbers), Uint16Array.from(numbers), Uint32Array.from(numbers)]) {
    expect(bytesOf((out) => writeDeltas(out, array, 37, 401))).toEqual(expected);
    expect(boundsOf(array, 37, 401)).toEqual({ least: Math.min(...own), largest: Math.max(...own) });
  }
});

test('as many numbers as a group of rows has fit, however they are written, and not one more', () => {
  const random = seededRandom(1);
  const most = GROUP_ROWS;
  const lists: Integers[] = [
    Uint32Array.from({ length: most }, () => 2 ** 32 * random()),
    // runs of eight and groups in turn, the shortest of both
    Uint32Array.from({ length: most }, (_, k) => (k % 16 < 8 ? 7 : k)),
    new Uint32Array(most).fill(2 ** 32 - 1),
  ];
  for (const list of lists) {
    for (const width of [17, 32]) writeRuns(new ByteWriter(), list, 0, most, width);
    writeDeltas(new ByteWriter(), list, 0, most);
    writeGroups(new ByteWriter(), list, 0, most, 32);
  }
  expect(boundsOf(lists[2], 0, most)).toEqual({ least: 2 ** 32 - 1, largest: 2 ** 32 - 1 });
  expect(() => writeDeltas(new ByteWriter(), new Uint8Array(most + 1), 0, most + 1)).toThrow(
    'more than a group',
  );
});
