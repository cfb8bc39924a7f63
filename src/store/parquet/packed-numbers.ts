/**
 * The encodings of Parquet for whole numbers in few bits. `writeRuns` is its hybrid of runs and packed groups of
 * eight, for codes of a dictionary; `writeDeltas` packs differences (DELTA_BINARY_PACKED), which of offsets in
 * order leaves what a compressor would. The loops are in pack-code.ts: numbers are copied there, whatever the width
 * of their array, and their bytes from there.
 */
import { instantiate } from '../../model/wasm-code.ts';
import type { ByteWriter } from './byte-writer.ts';
import { GROUP_ROWS } from './metadata.ts';
import * as code from './pack-code.ts';

export type Integers = Uint8Array | Uint16Array | Uint32Array;

/** The numbers of `[from, to)`, each below 2^width, as runs of equal ones and packed groups of others. */
export function writeRuns(out: ByteWriter, numbers: Integers, from: number, to: number, width: number): void {
  const packer = usePacker();
  packer.take(numbers, from, to);
  packer.giveRuns(out, width);
}

/** The numbers of `[from, to)` in `width` bits each; what is missing to the last group of eight is made up with zeros. */
export function writeGroups(
  out: ByteWriter,
  numbers: Integers,
  from: number,
  to: number,
  width: number,
): void {
  const packer = usePacker();
  packer.take(numbers, from, to);
  packer.giveGroups(out, width);
}

/** The numbers of `[from, to)` as their differences, in the arithmetic of 32 bits: any number may follow any. */
export function writeDeltas(out: ByteWriter, numbers: Integers, from: number, to: number): void {
  out.varint(code.BLOCK);
  out.varint(code.QUARTERS);
  out.varint(to - from);
  out.zigzag(from < to ? numbers[from] | 0 : 0);
  const packer = usePacker();
  packer.take(numbers, from, to);
  packer.giveDeltas(out);
}

/** The least and the largest of the numbers of `[from, to)`, of which there is one at least. */
export function boundsOf(numbers: Integers, from: number, to: number): { least: number; largest: number } {
  const packer = usePacker();
  packer.take(numbers, from, to);
  return packer.bounds();
}

/** Bits that numbers up to this one take. */
export function bitsOf(largest: number): number {
  return 32 - Math.clz32(largest);
}

/** One for the thread: it has memory of its own. */
let packer: Packer | undefined;

function usePacker(): Packer {
  packer ??= new Packer();
  return packer;
}

class Packer {
  readonly #exports: Record<string, (...numbers: number[]) => number>;
  readonly #results: Uint32Array;
  readonly #numbers: Uint32Array;
  readonly #bytes: Uint8Array;
  #count = 0;

  constructor() {
    const { memory, exports } = instantiate(code.packFunctions(), code.OUTPUT_AT + code.OUTPUT_BYTES);
    this.#exports = exports;
    this.#results = new Uint32Array(memory, 0, code.RESULTS);
    this.#numbers = new Uint32Array(memory, code.NUMBERS_AT, GROUP_ROWS + code.GROUP);
    this.#bytes = new Uint8Array(memory);
  }

  take(numbers: Integers, from: number, to: number): void {
    const count = to - from;
    if (count > GROUP_ROWS) throw new RangeError(`${count} numbers are more than a group of rows has`);
    this.#numbers.set(from === 0 && to === numbers.length ? numbers : numbers.subarray(from, to));
    this.#numbers.fill(0, count, count + code.GROUP);
    this.#count = count;
  }

  giveRuns(out: ByteWriter, width: number): void {
    this.#give(out, this.#exports.runs(this.#count, width));
  }

  giveGroups(out: ByteWriter, width: number): void {
    const groups = Math.ceil(this.#count / code.GROUP);
    const end = code.NUMBERS_AT + 4 * code.GROUP * groups;
    this.#give(out, this.#exports.pack(code.NUMBERS_AT, end, width, code.OUTPUT_AT));
  }

  giveDeltas(out: ByteWriter): void {
    this.#give(out, this.#exports.deltas(this.#count));
  }

  bounds(): { least: number; largest: number } {
    this.#exports.bounds(this.#count);
    return { least: this.#results[code.LEAST], largest: this.#results[code.LARGEST] };
  }

  #give(out: ByteWriter, end: number): void {
    out.add(this.#bytes.subarray(code.OUTPUT_AT, end));
  }
}
