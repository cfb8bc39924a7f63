/**
 * Rows as lines of JSON in UTF-8, in memory that is used again. Rows that follow each other have most values in
 * common (their site, their file): where several side by side are those of the row before, their bytes are copied from
 * there. One value of each row, nearly all of it, comes as bytes. The lines are what wellFormedJson makes of the rows.
 */
import { wellFormedJson } from '../model/well-formed-json.ts';

/** The value that comes as bytes; in the row it is an empty text. */
const GIVEN = 'text';

/** Most bytes that one UTF-16 character becomes, and that a number does. */
const MOST_PER_CHARACTER = 6;
const MOST_PER_NUMBER = 32;
/** Numbers up to this one are written digit by digit: a tenth of one is not rounded up. */
const MOST_BY_DIGIT = 1e12;
/** Of a longer text something is escaped, nearly always. */
const MOST_PLAIN_CHARACTERS = 512;

const [QUOTE, BACKSLASH, LINE_FEED, COMMA] = Buffer.from('"\\\n,');
const [OPEN, CLOSE, ZERO] = Buffer.from('{}0');
/** U+FFFD, which half a surrogate pair becomes: in JSON that is escaped. */
const REPLACEMENT = [0xef, 0xbf, 0xbd];

/** A value of the last row, and where it lies with its name and what parts it from the value before. */
interface Written {
  key: string;
  name: Buffer;
  value: unknown;
  start: number;
  end: number;
}

export class JsonRows {
  #bytes: Buffer;
  #size = 0;
  readonly #written: Written[] = [];
  /** How many of those are of the last row. */
  #known = 0;

  constructor(roomBytes: number) {
    this.#bytes = Buffer.allocUnsafeSlow(roomBytes);
  }

  /** The lines so far, as they lie: they hold until more are added. */
  get lines(): Buffer {
    return this.#bytes.subarray(0, this.#size);
  }

  get size(): number {
    return this.#size;
  }

  get roomBytes(): number {
    return this.#bytes.length;
  }

  clear(): void {
    this.#size = 0;
    this.#known = 0;
  }

  /** Adds a row of texts, numbers and the like; its `text`, which is empty there, is given as it stands between quotes. */
  add(row: object, text: Uint8Array): void {
    const values = row as Record<string, unknown>;
    if (values[GIVEN] !== '') throw new RangeError('a text row must have an empty text');
    const known = this.#known;
    let place = 0;
    // what is copied next from the last row
    let from = 0;
    let to = 0;
    for (const key of Object.keys(values)) {
      const value = values[key];
      if (value === undefined) continue;
      const before = this.#written[place];
      if (place < known && before.value === value && before.key === key && key !== GIVEN) {
        if (from === to) from = before.start;
        to = before.end;
        const moved = this.#size - from;
        before.start += moved;
        before.end += moved;
      } else {
        this.#copy(from, to);
        from = to;
        const written = before?.key === key ? before : this.#begin(place, key);
        written.value = value;
        written.start = this.#size;
        this.#add(place === 0 ? OPEN : COMMA, written.name, key === GIVEN ? text : value);
        written.end = this.#size;
      }
      place++;
    }
    this.#copy(from, to);
    this.#known = place;
    const bytes = this.#reserve(2);
    bytes[this.#size++] = CLOSE;
    bytes[this.#size++] = LINE_FEED;
  }

  #begin(place: number, key: string): Written {
    const name = Buffer.from(`${JSON.stringify(key)}:`);
    return (this.#written[place] = { key, name, value: undefined, start: 0, end: 0 });
  }

  #copy(from: number, to: number): void {
    if (from === to) return;
    this.#reserve(to - from).copyWithin(this.#size, from, to);
    this.#size += to - from;
  }

  #add(sign: number, name: Buffer, value: unknown): void {
    this.#reserve(name.length + 1)[this.#size++] = sign;
    this.#addBytes(name);
    if (typeof value === 'string') this.#addText(value);
    else if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MOST_BY_DIGIT)
      this.#addWhole(value);
    else if (value instanceof Uint8Array) {
      const bytes = this.#reserve(value.length + 2);
      bytes[this.#size++] = QUOTE;
      this.#addBytes(value);
      bytes[this.#size++] = QUOTE;
    } else this.#addString(wellFormedJson(value));
  }

  #addBytes(bytes: Uint8Array): void {
    this.#bytes.set(bytes, this.#size);
    this.#size += bytes.length;
  }

  #addString(text: string): void {
    this.#size += this.#reserve(MOST_PER_CHARACTER * text.length).write(text, this.#size);
  }

  #addText(text: string): void {
    if (text.length <= MOST_PLAIN_CHARACTERS) {
      const bytes = this.#reserve(MOST_PER_CHARACTER * text.length + 2);
      const start = this.#size + 1;
      const end = start + bytes.write(text, start);
      if (isPlain(bytes, start, end)) {
        bytes[this.#size] = QUOTE;
        bytes[end] = QUOTE;
        this.#size = end + 1;
        return;
      }
    }
    this.#addString(wellFormedJson(text));
  }

  #addWhole(number: number): void {
    const bytes = this.#reserve(MOST_PER_NUMBER);
    let digits = 1;
    for (let rest = number; rest >= 10; rest = Math.floor(rest / 10)) digits++;
    this.#size += digits;
    for (let rest = number, at = this.#size; digits > 0; digits--) {
      const tenth = Math.floor(rest / 10);
      bytes[--at] = ZERO + rest - 10 * tenth;
      rest = tenth;
    }
  }

  /** The memory, with room for so many bytes more. */
  #reserve(bytes: number): Buffer {
    if (this.#size + bytes > this.#bytes.length) {
      const larger = Buffer.allocUnsafeSlow(2 * (this.#size + bytes));
      this.#bytes.copy(larger, 0, 0, this.#size);
      this.#bytes = larger;
    }
    return this.#bytes;
  }
}

/** Whether JSON has these characters as they are. */
function isPlain(bytes: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    const byte = bytes[at];
    if (byte < 0x20 || byte === QUOTE || byte === BACKSLASH) return false;
    if (byte === REPLACEMENT[0] && bytes[at + 1] === REPLACEMENT[1] && bytes[at + 2] === REPLACEMENT[2]) {
      return false;
    }
  }
  return true;
}
