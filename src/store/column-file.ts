/**
 * Rows that pass from one stage of a run to the next: blocks of columns as raw bytes, read back as views of typed
 * arrays. Nothing is compressed or converted (numbers are in the machine's byte order); the file is gone when the run
 * is finished.
 *
 * A block is its size in bytes and its row count (two 32-bit numbers), then its columns in the order of their declaration,
 * each padded to 8 bytes: numbers as they are; texts as the end of each (32 bits) and their UTF-8 bytes; words as
 * codes, then the number of words, then the words as texts.
 */
import { closeSync, openSync, readSync } from 'node:fs';
import { writeFully } from '../model/write-fully.ts';
import { type Column, type NumberArray, numberArray } from './column.ts';
import type { WrittenColumns } from './table.ts';

const HEADER_BYTES = 8;

export class ColumnFile {
  readonly #file: number;
  readonly #columns: readonly Column[];

  constructor(path: string, columns: readonly Column[]) {
    this.#file = openSync(path, 'w');
    this.#columns = columns;
  }

  /** Adds the first rows of the columns as a block. */
  add(rowCount: number): void {
    if (rowCount === 0) return;
    const pieces = this.#columns.flatMap((column) => piecesOf(column, rowCount));
    const size = pieces.reduce((sum, { length }) => sum + padded(length), HEADER_BYTES);
    const block = new Uint8Array(size);
    block.set(new Uint8Array(Uint32Array.of(size, rowCount).buffer));
    let offset = HEADER_BYTES;
    for (const piece of pieces) {
      block.set(piece, offset);
      offset += padded(piece.length);
    }
    writeFully(this.#file, block);
  }

  close(): void {
    closeSync(this.#file);
  }
}

function piecesOf(column: Column, rowCount: number): Uint8Array[] {
  if (column.type === 'VARCHAR') return textPieces(column.texts, rowCount);
  const { buffer, byteOffset, BYTES_PER_ELEMENT } = column.numbers;
  const numbers = new Uint8Array(buffer, byteOffset, rowCount * BYTES_PER_ELEMENT);
  if (column.type !== 'WORD') return [numbers];
  const count = new Uint8Array(Uint32Array.of(column.words.length).buffer);
  return [numbers, count, ...textPieces(column.words, column.words.length)];
}

/** Null is the same as an empty text here. */
function textPieces(texts: readonly (string | null)[], count: number): Uint8Array[] {
  const ends = new Uint32Array(count);
  let bytes = 0;
  for (let k = 0; k < count; k++) {
    bytes += Buffer.byteLength(texts[k] ?? '');
    ends[k] = bytes;
  }
  const joined = Buffer.from((texts.length === count ? texts : texts.slice(0, count)).join(''));
  return [new Uint8Array(ends.buffer), joined];
}

/** Texts of a block: decoded when asked for. */
export class TextView {
  readonly bytes: Buffer;
  readonly #ends: Uint32Array;

  constructor(bytes: Buffer, ends: Uint32Array) {
    this.bytes = bytes;
    this.#ends = ends;
  }

  /** Where the bytes of a text begin and end in `bytes`. */
  start(row: number): number {
    return row === 0 ? 0 : this.#ends[row - 1];
  }

  end(row: number): number {
    return this.#ends[row];
  }

  at(row: number): string {
    return this.bytes.toString('utf8', this.start(row), this.end(row));
  }
}

/** Some rows of a file, by the names of their columns. */
export class Block<Name extends string> {
  readonly rowCount: number;
  readonly #numbers = new Map<string, NumberArray>();
  readonly #texts = new Map<string, TextView>();
  readonly #words = new Map<string, string[]>();

  constructor(columns: WrittenColumns, buffer: ArrayBuffer, rowCount: number) {
    this.rowCount = rowCount;
    let offset = HEADER_BYTES;
    const take = (bytes: number): number => {
      const start = offset;
      offset += padded(bytes);
      return start;
    };
    const takeTexts = (count: number): TextView => {
      const ends = new Uint32Array(buffer, take(4 * count), count);
      const bytes = count === 0 ? 0 : ends[count - 1];
      return new TextView(Buffer.from(buffer, take(bytes), bytes), ends);
    };
    for (const [name, { type }] of Object.entries(columns)) {
      if (type === 'VARCHAR') {
        this.#texts.set(name, takeTexts(rowCount));
        continue;
      }
      const numbers = numberArray(type, rowCount, buffer, offset);
      take(numbers.byteLength);
      this.#numbers.set(name, numbers);
      if (type !== 'WORD') continue;
      const [count] = new Uint32Array(buffer, take(4), 1);
      const words = takeTexts(count);
      this.#words.set(
        name,
        Array.from({ length: count }, (_, k) => words.at(k)),
      );
    }
  }

  texts(name: Name): TextView {
    return this.#texts.get(name)!;
  }

  /** Values of numbers, codes of words. */
  numbers(name: Name): NumberArray {
    return this.#numbers.get(name)!;
  }

  words(name: Name): string[] {
    return this.#words.get(name)!;
  }

  /** Numbers of 64 bits as pairs of 32 bits, low first. */
  lanes(name: Name): Uint32Array {
    const { buffer, byteOffset } = this.#numbers.get(name)!;
    return new Uint32Array(buffer, byteOffset, 2 * this.rowCount);
  }
}

/** Reads a file block by block; the views of a block stay valid. */
export function* readColumnFile<C extends WrittenColumns>(
  path: string,
  columns: C,
): Generator<Block<keyof C & string>> {
  const file = openSync(path, 'r');
  try {
    const header = new Uint32Array(2);
    for (let position = 0; readSync(file, header, 0, HEADER_BYTES, position) > 0; ) {
      const [size, rowCount] = header;
      const buffer = new ArrayBuffer(size);
      const read = readSync(file, new Uint8Array(buffer), 0, size, position);
      if (read !== size) throw new Error(`${path} ends within a block`);
      yield new Block(columns, buffer, rowCount);
      position += size;
    }
  } finally {
    closeSync(file);
  }
}

function padded(bytes: number): number {
  return (bytes + 7) & ~7;
}
