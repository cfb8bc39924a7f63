/**
 * Gathers rows as lines of well-formed JSON in UTF-8, in a buffer that is reused. The text of a row, which is most
 * of it, is passed as bytes and never becomes a string.
 */

import { closeSync, openSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { wellFormedJson } from '../model/well-formed-json.ts';
import { writeFully } from '../model/write-fully.ts';

/** Place of the text in the JSON of a row; no other value can have this form. */
const EMPTY_TEXT = '"text":""';
/** Maximum UTF-8 bytes per UTF-16 unit. */
const MAX_PER_CHARACTER = 3;

/** Buffer of JSON lines. */
export class JsonRows {
  #bytes: Buffer;
  #size = 0;

  constructor(roomBytes: number) {
    this.#bytes = Buffer.allocUnsafeSlow(roomBytes);
  }

  /** The lines so far; valid until the next row is added. */
  get lines(): Buffer {
    return this.#bytes.subarray(0, this.#size);
  }

  get size(): number {
    return this.#size;
  }

  clear(): void {
    this.#size = 0;
  }

  /** Adds a row whose `text` is empty. The text is given as JSON has it between quotes. */
  add(row: object, text: Uint8Array): void {
    const json = wellFormedJson(row);
    const textAt = json.indexOf(EMPTY_TEXT);
    if (textAt < 0) throw new RangeError('a text row must have an empty text');
    const textStart = textAt + EMPTY_TEXT.length - 1;
    const bytes = this.#reserve(MAX_PER_CHARACTER * json.length + text.length + 1);
    this.#size += bytes.write(json.slice(0, textStart), this.#size);
    bytes.set(text, this.#size);
    this.#size += text.length;
    this.#size += bytes.write(`${json.slice(textStart)}\n`, this.#size);
  }

  /** Returns the buffer with room for this many more bytes. */
  #reserve(sizeBytes: number): Buffer {
    if (this.#size + sizeBytes > this.#bytes.length) {
      const larger = Buffer.allocUnsafeSlow(2 * (this.#size + sizeBytes));
      this.#bytes.copy(larger, 0, 0, this.#size);
      this.#bytes = larger;
    }
    return this.#bytes;
  }
}

/** Gzip options that prefer speed: level 6 saves a tenth of the size and takes three times as long. */
export const GZIP_OPTIONS = { level: 2, memLevel: 9 };
/** Bytes of rows compressed together. */
const FLUSH_BYTES = 1 << 20;
/** Initial buffer size, enough for these bytes and one more row of usual size. */
const ROOM_BYTES = 2 * FLUSH_BYTES;

/** Writes JSON lines into a gzip file. */
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
    writeFully(this.#file, gzipSync(this.#rows.lines, GZIP_OPTIONS));
    this.#rows.clear();
  }
}
