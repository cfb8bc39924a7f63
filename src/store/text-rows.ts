/** A file of rows of clean text, as lines of JSON in gzip members. The text of a page never becomes a string. */
import { closeSync, openSync } from 'node:fs';
import { writeFully } from '../model/write-fully.ts';
import { writeGzipMember } from './gzip-member.ts';
import { JsonRows } from './json-rows.ts';

/** Bytes of rows that are compressed together. */
const FLUSH_BYTES = 1 << 20;
/** Room for them and one more row, unless that is very large. */
const ROOM_BYTES = 2 * FLUSH_BYTES;

export class TextRows {
  readonly #file: number;
  readonly #rows = new JsonRows(ROOM_BYTES);

  constructor(path: string) {
    this.#file = openSync(path, 'w');
  }

  /** Adds a row whose `text` is empty. The text is given as JSON has it between quotes. */
  add(row: object, text: Uint8Array): void {
    this.#rows.add(row, text);
    if (this.#rows.size >= FLUSH_BYTES) this.#flush();
  }

  close(): void {
    this.#flush();
    closeSync(this.#file);
  }

  #flush(): void {
    if (this.#rows.size === 0) return;
    writeGzipMember(this.#rows.lines, (piece) => writeFully(this.#file, piece));
    this.#rows.clear();
  }
}
