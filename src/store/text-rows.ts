/**
 * Rows of clean text on their way to a file of gzip members. The text of a page, nearly all of its row, never
 * becomes a string: it comes as bytes, escaped as it was written, and is compressed as it is.
 */
import { closeSync, openSync } from 'node:fs';
import { writeFully } from '../model/write-fully.ts';
import { writeGzipMember } from './gzip-member.ts';
import { JsonRows } from './json-rows.ts';

/** Bytes of rows that are compressed together. */
const FLUSH_BYTES = 1 << 20;
/** Room for them and one more row, unless that is very large. */
const ROOM_BYTES = 2 * FLUSH_BYTES;

/** Rows that a file of this thread was done with; whoever takes them has them alone. */
let spareRows: JsonRows | undefined;

export class TextRows {
  readonly #file: number;
  readonly #rows = spareRows ?? new JsonRows(ROOM_BYTES);

  constructor(path: string) {
    spareRows = undefined;
    this.#file = openSync(path, 'w');
  }

  /** Adds a row; its `text`, which is empty there, is given in UTF-8 as it stands between quotes in JSON. */
  add(row: object, text: Uint8Array): void {
    this.#rows.add(row, text);
    if (this.#rows.size >= FLUSH_BYTES) this.#flush();
  }

  close(): void {
    this.#flush();
    closeSync(this.#file);
    if (this.#rows.roomBytes === ROOM_BYTES) spareRows = this.#rows;
  }

  #flush(): void {
    if (this.#rows.size === 0) return;
    writeGzipMember(this.#rows.lines, (piece) => writeFully(this.#file, piece));
    this.#rows.clear();
  }
}
