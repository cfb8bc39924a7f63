/**
 * Parquet written here: rows as they lie in columns become a file in a fraction of the time that it takes to hand
 * them to the database and have it write them, most of which does not depend on how many they are. Types, groups and
 * bounds are those that the database would write, and it reads these files as its own.
 */
import { closeSync, openSync } from 'node:fs';
import { writeFully } from '../../model/write-fully.ts';
import type { Column } from '../column.ts';
import { ByteWriter } from './byte-writer.ts';
import type { PageSink } from './chunk-pages.ts';
import { writeColumnChunk } from './column-chunk.ts';
import { GROUP_ROWS, type RowGroup, writeFooter } from './metadata.ts';

/** Bytes gathered before they go to the file. */
const FLUSH_BYTES = 1 << 20;
const MARK = Buffer.from('PAR1');

/** Empty between two calls, so that all files share it. */
const out = new ByteWriter(1 << 16);

export class ParquetFile implements PageSink {
  readonly out = out;
  readonly #file: number;
  readonly #columns: readonly Column[];
  readonly #groups: RowGroup[] = [];
  #flushedBytes = 0;

  /** A file for these columns, whatever they hold at the time. */
  constructor(path: string, columns: readonly Column[]) {
    this.#columns = columns;
    this.#file = openSync(path, 'w');
    out.clear(); // what a file left that could not be written
    out.add(MARK);
    this.#flush();
  }

  get offset(): number {
    return this.#flushedBytes + out.size;
  }

  /** Adds the first rows of the columns, as groups of their own. */
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
