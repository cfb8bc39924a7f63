/**
 * Rows of clean text on their way to a file of gzip members. The text of a page, nearly all of its row, never
 * becomes a string: its bytes are escaped into a buffer, which is compressed as it is.
 */
import { closeSync, openSync, writeSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

/** Characters (UTF-16) of rows that are compressed together. */
const FLUSH_CHARACTERS = 1 << 20;
/** Fast rather than small: level 6 saves 13 % of the bytes for two and a half times the time. */
const GZIP_LEVEL = 1;
/** Bytes of a text that room is made for at a time. */
const PIECE_BYTES = 1 << 16;
/** Most bytes that one byte of text becomes: `\u001f`. */
const MOST_PER_BYTE = 6;
/** No value can hold this: its quotes would be escaped. */
const EMPTY_TEXT = '"text":""';

export class TextRows {
  readonly #file: number;
  #out = Buffer.alloc(FLUSH_CHARACTERS + 2 * MOST_PER_BYTE * PIECE_BYTES);
  #size = 0;
  #characters = 0;

  constructor(path: string) {
    this.#file = openSync(path, 'w');
  }

  /** Adds a row; its `text`, which is empty there, is given as UTF-8. */
  add(row: object, text: Uint8Array): void {
    const json = JSON.stringify(row);
    const place = json.indexOf(EMPTY_TEXT);
    if (place < 0) throw new RangeError('a text row must have an empty text');
    const cut = place + EMPTY_TEXT.length - 1;
    this.#write(json.slice(0, cut));
    for (let at = 0; at < text.length; at += PIECE_BYTES) {
      this.#writeEscaped(text, at, Math.min(text.length, at + PIECE_BYTES));
    }
    this.#write(json.slice(cut));
    this.#out[this.#size++] = LINE_FEED;
    if (this.#characters >= FLUSH_CHARACTERS) this.#flush();
  }

  close(): void {
    this.#flush();
    closeSync(this.#file);
  }

  #write(json: string): void {
    this.#makeRoom(3 * json.length + 1);
    this.#size += this.#out.write(json, this.#size);
    this.#characters += json.length;
  }

  /** Bytes as JSON.stringify writes what is in a string. */
  #writeEscaped(text: Uint8Array, start: number, end: number): void {
    this.#makeRoom(MOST_PER_BYTE * (end - start));
    const out = this.#out;
    let size = this.#size;
    let characters = this.#characters;
    for (let at = start; at < end; at++) {
      const byte = text[at];
      const kind = kinds[byte];
      if (kind < ESCAPED) {
        out[size++] = byte;
        characters += kind;
      } else if (kind !== LETTER_U) {
        out[size++] = BACKSLASH;
        out[size++] = kind;
        characters += 2;
      } else {
        size += out.write(`\\u00${byte.toString(16).padStart(2, '0')}`, size);
        characters += 6;
      }
    }
    this.#size = size;
    this.#characters = characters;
  }

  #makeRoom(bytes: number): void {
    if (this.#size + bytes <= this.#out.length) return;
    const larger = Buffer.alloc(2 * (this.#size + bytes));
    this.#out.copy(larger, 0, 0, this.#size);
    this.#out = larger;
  }

  #flush(): void {
    if (this.#size === 0) return;
    const member = gzipSync(this.#out.subarray(0, this.#size), { level: GZIP_LEVEL });
    for (let done = 0; done < member.length; ) done += writeSync(this.#file, member, done);
    this.#size = 0;
    this.#characters = 0;
  }
}

const LINE_FEED = 0x0a;
const BACKSLASH = 0x5c;
const LETTER_U = 0x75;

/**
 * For a byte of UTF-8 that stands for itself, how many UTF-16 characters begin there: none in the middle of a
 * sequence, two in one of four bytes. For one that is escaped, what stands behind the backslash.
 */
const kinds = new Uint8Array(256).fill(1);
kinds.fill(0, 0x80, 0xc0).fill(2, 0xf0);
kinds.fill(LETTER_U, 0, 0x20);
for (const text of ['"', '\\', '\b', '\f', '\n', '\r', '\t'])
  kinds[text.charCodeAt(0)] = JSON.stringify(text).charCodeAt(2);
/** All letters behind a backslash are larger. */
const ESCAPED = 3;
