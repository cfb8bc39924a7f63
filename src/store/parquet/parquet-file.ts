/**
 * Writes columns as a Parquet file. Types, row groups and bounds are those that DuckDB would write, so that DuckDB
 * reads the file as its own. docs/research/performance.md compares the CPU time with hyparquet-writer and DuckDB.
 */
import { closeSync, openSync } from 'node:fs';
import { writeFully } from '../../model/write-fully.ts';
import type { Column } from '../column.ts';
import { floatBounds, integerBounds, longBounds } from './bounds.ts';
import { ByteWriter } from './byte-writer.ts';
import { ChunkPages, type PageSink, writeLevels } from './chunk-pages.ts';
import { type Integers, writeDeltas, writeGroups } from './packed-numbers.ts';
import { type ColumnChunk, ENCODING, GROUP_ROWS, type RowGroup, writeFooter } from './parquet-metadata.ts';
import { writeTexts, writeWords } from './text-chunk.ts';

/** Bytes in memory before they are written to the file. */
const FLUSH_BYTES = 1 << 20;
const MARK = Buffer.from('PAR1');

/** Output buffer shared by all files, empty between two calls. */
const out = new ByteWriter(1 << 16);
/** Buffer of the current page. */
const page = new ByteWriter(1 << 16);

/** A Parquet file that is written row group by row group. */
export class ParquetFile implements PageSink {
  readonly out = out;
  readonly #file: number;
  readonly #columns: readonly Column[];
  readonly #groups: RowGroup[] = [];
  #flushedBytes = 0;

  /** Opens a file for these columns; their rows are read by `add`. */
  constructor(path: string, columns: readonly Column[]) {
    this.#columns = columns;
    this.#file = openSync(path, 'w');
    out.clear(); // remove the rest of a file that could not be written
    out.add(MARK);
    this.#flush();
  }

  get offset(): number {
    return this.#flushedBytes + out.size;
  }

  /** Writes the first `rowCount` rows of the columns as new row groups. */
  add(rowCount: number): void {
    for (let from = 0; from < rowCount; from += GROUP_ROWS) {
      const to = Math.min(rowCount, from + GROUP_ROWS);
      const rows = { from, to, isWhole: to - from === rowCount };
      const chunks = this.#columns.map((column) => writeColumnChunk(this, column, rows));
      this.#groups.push({ rowCount: to - from, chunks });
      this.#flush();
    }
  }

  flushIfLarge(): void {
    if (out.size >= FLUSH_BYTES) this.#flush();
  }

  close(): void {
    try {
      writeFooter(out, this.#columns, this.#groups);
      out.word(out.size);
      out.add(MARK);
      this.#flush();
    } finally {
      closeSync(this.#file);
    }
  }

  #flush(): void {
    const bytes = out.written;
    writeFully(this.#file, bytes);
    this.#flushedBytes += bytes.length;
    out.clear();
  }
}

/** Writes the rows of `[from, to)`, which are all rows when `isWhole`; returns the location of their pages. */
function writeColumnChunk(
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

/** Writes integers of up to 32 bits as differences, which hardly compress further; other values may be compressed. */
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
