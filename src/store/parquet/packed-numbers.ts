/**
 * Parquet's encodings for integers in few bits, computed by the kernel (kernel/assembly/pack.ts): numbers of any
 * width are copied in, bytes are copied out. `writeRuns` is the hybrid of runs and packed groups of eight, for
 * dictionary codes; `writeDeltas` packs differences (DELTA_BINARY_PACKED), which compresses sorted offsets well.
 */
import { PACK_BLOCK, PACK_GROUP, PACK_QUARTERS } from '../../kernel/layout.ts';
import { threadKernel } from '../../kernel/thread-kernel.ts';
import type { ByteWriter } from './byte-writer.ts';
import { GROUP_ROWS } from './parquet-metadata.ts';

/** Arrays of unsigned integers of up to 32 bits. */
export type Integers = Uint8Array | Uint16Array | Uint32Array;

/** Maximum bytes: a number takes up to four, a block or a run up to ten more. */
const OUTPUT_BYTES = 5 * GROUP_ROWS + 1024;
const NUMBERS_BYTES = 4 * (GROUP_ROWS + PACK_GROUP);

/** Writes the numbers of `[from, to)`, each below 2^width, as runs of equal ones and packed groups of others. */
export function writeRuns(out: ByteWriter, numbers: Integers, from: number, to: number, width: number): void {
  const { input, output, functions } = bringIn(numbers, from, to);
  addOutput(out, functions.packRuns(input, to - from, width, output));
}

/** Writes the numbers of `[from, to)` in `width` bits each; zeros complete the last group of eight. */
export function writeGroups(
  out: ByteWriter,
  numbers: Integers,
  from: number,
  to: number,
  width: number,
): void {
  const { input, output, functions } = bringIn(numbers, from, to);
  const end = input + 4 * PACK_GROUP * Math.ceil((to - from) / PACK_GROUP);
  addOutput(out, functions.packGroups(input, end, width, output));
}

/**
 * Writes the numbers of `[from, to)` as differences in wrapping 32-bit arithmetic, so that numbers need not be
 * sorted.
 */
export function writeDeltas(out: ByteWriter, numbers: Integers, from: number, to: number): void {
  out.varint(PACK_BLOCK);
  out.varint(PACK_QUARTERS);
  out.varint(to - from);
  out.zigzag(from < to ? numbers[from] | 0 : 0);
  const { input, output, functions } = bringIn(numbers, from, to);
  addOutput(out, functions.packDeltas(input, to - from, output));
}

/** Returns the least and the largest number of `[from, to)`, which must not be empty. */
export function boundsOf(numbers: Integers, from: number, to: number): { least: number; largest: number } {
  const { input, functions, results } = bringIn(numbers, from, to);
  functions.findBounds(input, to - from);
  return { least: results[0] >>> 0, largest: results[1] >>> 0 };
}

/** Returns the bits needed for numbers from 0 to `largest`. */
export function bitsOf(largest: number): number {
  return 32 - Math.clz32(largest);
}

/** Kernel memory of this thread for numbers and then for their bytes; allocated on first use. */
let block = 0;

/** Copies numbers, and a group of zeros after them, into the kernel's memory. */
function bringIn(numbers: Integers, from: number, to: number) {
  const count = to - from;
  if (count > GROUP_ROWS) throw new RangeError(`${count} numbers are more than a group of rows has`);
  const kernel = threadKernel();
  block ||= kernel.heap.take(NUMBERS_BYTES + OUTPUT_BYTES);
  const { words, results, functions } = kernel;
  const first = block / 4;
  words.set(numbers.subarray(from, to), first);
  words.fill(0, first + count, first + count + PACK_GROUP);
  return { input: block, output: block + NUMBERS_BYTES, functions, results };
}

function addOutput(out: ByteWriter, end: number): void {
  out.add(threadKernel().bytes.subarray(block + NUMBERS_BYTES, end));
}
