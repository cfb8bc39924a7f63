/**
 * The encodings of Parquet for whole numbers in few bits. `writeRuns` is its hybrid of runs and packed groups of
 * eight, for codes of a dictionary; `writeDeltas` packs differences (DELTA_BINARY_PACKED), which of offsets in
 * order leaves what a compressor would, for 5 ns a number.
 */
import type { ByteWriter } from './byte-writer.ts';

export type Integers = Uint8Array | Uint16Array | Uint32Array;

/** A group of packed numbers, and the least equal ones that are worth a run. */
const GROUP = 8;

/** The numbers of `[from, to)`, each below 2^width, as runs of equal ones and packed groups of others. */
export function writeRuns(out: ByteWriter, numbers: Integers, from: number, to: number, width: number): void {
  const valueBytes = (width + 7) >> 3;
  for (let at = from; at < to; ) {
    const run = runLength(numbers, at, to);
    if (run >= GROUP) {
      out.varint(2 * run);
      for (let k = 0; k < valueBytes; k++) out.byte(numbers[at] >>> (8 * k));
      at += run;
      continue;
    }
    // groups up to one that begins a run
    let end = at + GROUP;
    while (end < to && !startsRun(numbers, end, to)) end += GROUP;
    out.varint(2 * ((end - at) / GROUP) + 1);
    writeGroups(out, numbers, at, Math.min(end, to), width);
    at = end;
  }
}

/** The numbers of `[from, to)` in `width` bits each; what is missing to the last group of eight is made up with zeros. */
export function writeGroups(
  out: ByteWriter,
  numbers: Integers,
  from: number,
  to: number,
  width: number,
): void {
  const whole = to - ((to - from) % GROUP);
  pack(out, numbers, from, whole, width);
  if (whole === to) return;
  lastGroup.fill(0).set(numbers.subarray(whole, to));
  pack(out, lastGroup, 0, GROUP, width);
}

const lastGroup = new Uint32Array(GROUP);

function runLength(numbers: Integers, from: number, to: number): number {
  const value = numbers[from];
  let at = from + 1;
  while (at < to && numbers[at] === value) at++;
  return at - from;
}

function startsRun(numbers: Integers, from: number, to: number): boolean {
  if (from + GROUP > to) return false;
  const value = numbers[from];
  for (let at = from + 1; at < from + GROUP; at++) if (numbers[at] !== value) return false;
  return true;
}

/** Numbers of `width` bits one after the other, the lowest bits first; a multiple of eight of them. */
function pack(out: ByteWriter, numbers: Integers, from: number, to: number, width: number): void {
  if (width === 0) return;
  const bytes = out.reserve(((to - from) / GROUP) * width);
  let { size } = out;
  let word = 0;
  let bits = 0;
  for (let at = from; at < to; at++) {
    const number = numbers[at];
    word |= number << bits;
    bits += width;
    if (bits < 32) continue;
    bytes[size++] = word;
    bytes[size++] = word >>> 8;
    bytes[size++] = word >>> 16;
    bytes[size++] = word >>> 24;
    bits -= 32;
    word = bits === 0 ? 0 : number >>> (width - bits);
  }
  for (; bits > 0; bits -= 8, word >>>= 8) bytes[size++] = word;
  out.size = size;
}

/** Differences are packed by the block, each quarter of it with as many bits as its largest needs. */
const BLOCK = 128;
const QUARTERS = 4;
const QUARTER = BLOCK / QUARTERS;

const differences = new Int32Array(BLOCK);
/** How far they are above the least of their block. */
const excess = new Uint32Array(BLOCK);
const widths = new Uint8Array(QUARTERS);

/** The numbers of `[from, to)` as their differences, in the arithmetic of 32 bits: any number may follow any. */
export function writeDeltas(out: ByteWriter, numbers: Integers, from: number, to: number): void {
  out.varint(BLOCK);
  out.varint(QUARTERS);
  out.varint(to - from);
  let last = from < to ? numbers[from] | 0 : 0;
  out.zigzag(last);
  for (let at = from + 1; at < to; at += BLOCK) {
    const count = Math.min(BLOCK, to - at);
    let least = 0x7fff_ffff;
    for (let k = 0; k < count; k++) {
      const number = numbers[at + k] | 0;
      const difference = (number - last) | 0;
      last = number;
      differences[k] = difference;
      if (difference < least) least = difference;
    }
    out.zigzag(least);

    // widths of all quarters come first; those beyond the end have none
    excess.fill(0, count);
    for (let quarter = 0; quarter < QUARTERS; quarter++) {
      let all = 0;
      const end = Math.min(count, (quarter + 1) * QUARTER);
      for (let k = quarter * QUARTER; k < end; k++) {
        const value = (differences[k] - least) >>> 0;
        excess[k] = value;
        all |= value;
      }
      widths[quarter] = bitsOf(all);
    }
    out.add(widths);
    for (let quarter = 0; quarter * QUARTER < count; quarter++) {
      pack(out, excess, quarter * QUARTER, (quarter + 1) * QUARTER, widths[quarter]);
    }
  }
}

/** Bits that numbers up to this one take. */
export function bitsOf(largest: number): number {
  return 32 - Math.clz32(largest);
}
