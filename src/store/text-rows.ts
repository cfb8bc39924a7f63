/**
 * Rows of clean text on their way to a file of gzip members. The text of a page, nearly all of its row, never
 * becomes a string: it comes as bytes, escaped as it was written, and is compressed as it is.
 */
import { closeSync, openSync, writeSync } from 'node:fs';
import { writeGzipMember } from './gzip/gzip-member.ts';

/** Bytes of rows that are compressed together. */
const FLUSH_BYTES = 1 << 20;
/** Room for them and one more row, unless that is very large. */
const ROOM_BYTES = 2 * FLUSH_BYTES;
/** Most bytes that one UTF-16 character of a row becomes. */
const MOST_PER_CHARACTER = 3;
/** No value can hold this: its quotes would be escaped. */
const EMPTY_TEXT = '"text":""';
const LINE_FEED = 0x0a;

/** Room that a file of this thread was done with; whoever takes it has it alone. */
let spareRoom: Buffer | undefined;

export class TextRows {
  readonly #file: number;
  #out = spareRoom ?? Buffer.allocUnsafeSlow(ROOM_BYTES);
  #size = 0;

  constructor(path: string) {
    spareRoom = undefined;
    this.#file = openSync(path, 'w');
  }

  /** Adds a row; its `text`, which is empty there, is given in UTF-8 as it stands between quotes in JSON. */
  add(row: object, text: Uint8Array): void {
    const json = JSON.stringify(row);
    const place = json.indexOf(EMPTY_TEXT);
    if (place < 0) throw new RangeError('a text row must have an empty text');
    const cut = place + EMPTY_TEXT.length - 1;
    this.#makeRoom(MOST_PER_CHARACTER * json.length + text.length + 1);
    this.#write(json.slice(0, cut));
    this.#out.set(text, this.#size);
    this.#size += text.length;
    this.#write(json.slice(cut));
    this.#out[this.#size++] = LINE_FEED;
    if (this.#size >= FLUSH_BYTES) this.#flush();
  }

  close(): void {
    this.#flush();
    closeSync(this.#file);
    if (this.#out.length === ROOM_BYTES) spareRoom = this.#out;
  }

  #write(json: string): void {
    this.#size += this.#out.write(json, this.#size);
  }

  #makeRoom(bytes: number): void {
    if (this.#size + bytes <= this.#out.length) return;
    const larger = Buffer.allocUnsafeSlow(2 * (this.#size + bytes));
    this.#out.copy(larger, 0, 0, this.#size);
    this.#out = larger;
  }

  #flush(): void {
    if (this.#size === 0) return;
    writeGzipMember(this.#out.subarray(0, this.#size), (piece) => {
      for (let done = 0; done < piece.length; ) done += writeSync(this.#file, piece, done);
    });
    this.#size = 0;
  }
}
