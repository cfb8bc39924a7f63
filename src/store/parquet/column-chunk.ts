/**
 * The values of one column in one group of rows. Whole numbers up to 32 bits are written as differences, which no
 * compressor makes much smaller; all else may be compressed.
 */
import type { Column } from '../column.ts';
import { floatBounds, integerBounds, longBounds } from './bounds.ts';
import { ByteWriter } from './byte-writer.ts';
import { ChunkPages, type PageSink, writeLevels } from './chunk-pages.ts';
import { type ColumnChunk, ENCODING } from './metadata.ts';
import { type Integers, writeDeltas, writeGroups } from './packed-numbers.ts';
import { writeTexts, writeWords } from './text-chunk.ts';

/** The page being made, in memory that is used again. */
const page = new ByteWriter(1 << 16);

/** Writes the rows of `[from, to)`, which are all of them when `isWhole`; says where they lie. */
export function writeColumnChunk(
  sink: PageSink,
  column: Column,
  { from, to, isWhole }: { from: number; to: number; isWhole: boolean },
): ColumnChunk {
  const pages = new ChunkPages(sink, to - from);
  if (column.type === 'VARCHAR') writeTexts(pages, column.texts, from, to);
  else if (column.type === 'WORD') {
    const codes = column.numbers.subarray(from, to) as Uint32Array;
    writeWords(pages, column.words, codes, isWhole);
  } else writeNumbers(pages, column, from, to);
  return pages.chunk;
}

function writeNumbers(pages: ChunkPages, { type, numbers }: Column, from: number, to: number): void {
  const { chunk } = pages;
  page.clear();
  writeLevels(page, to - from);
  let encoding: number = ENCODING.plain;
  if (type === 'BOOLEAN') {
    writeGroups(page, numbers as Uint8Array, from, to, 1);
    chunk.bounds = integerBounds(numbers as Uint8Array, from, to, 1);
  } else if (numbers instanceof Float32Array) {
    page.add(bytesOf(numbers, from, to));
    chunk.bounds = floatBounds(numbers, from, to);
  } else if (numbers instanceof BigInt64Array || numbers instanceof BigUint64Array) {
    page.add(bytesOf(numbers, from, to));
    chunk.bounds = longBounds(numbers, from, to);
  } else {
    encoding = ENCODING.deltas;
    writeDeltas(page, numbers as Integers, from, to);
    chunk.bounds = integerBounds(numbers as Integers, from, to, 4);
  }
  if (encoding === ENCODING.plain) pages.packIfLarge(page.size);
  pages.add({ kind: 'data', encoding, valueCount: to - from }, page.written);
}

function bytesOf(
  numbers: Float32Array | BigInt64Array | BigUint64Array,
  from: number,
  to: number,
): Uint8Array {
  const { buffer, byteOffset, BYTES_PER_ELEMENT: width } = numbers;
  return new Uint8Array(buffer, byteOffset + from * width, (to - from) * width);
}
