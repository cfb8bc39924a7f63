/**
 * Declarations that decide where things stand, in two columns: a property and its value. What else a block of
 * declarations holds is passed over. Cost: one pass over the bytes.
 */
import { hashName, NAME_BASIS, NAME_PRIME } from '../parse/hashes.ts';
import { PROPERTIES, PROPERTY, type PropertyEntry } from './css-properties.ts';
import { MAX_TRACKS, readTracks } from './css-tracks.ts';
import { isCssSpace, isWordByte, ValueReader } from './css-values.ts';
import { AUTO, percent, pixels } from './lengths.ts';

/** A property number from here on is that of a declaration marked `!important`. */
export const IMPORTANT = 64;

const LONGEST_MARK_BYTES = 12;

export class Declarations {
  count = 0;
  property = new Uint8Array(64);
  value = new Float64Array(64);
  /** Columns of grids: how many, then each. The value of `gridColumns` is a position here. */
  tracks: number[] = [];
  readonly #reader = new ValueReader();
  #isImportant = false;
  #blockStart = 0;

  reset(): void {
    this.count = 0;
    this.tracks.length = 0;
  }

  /** Adds the declarations at `[start, end)`, up to a rule within them. */
  read(source: Uint8Array, start: number, end: number): void {
    this.#blockStart = this.count;
    for (let p = start; p < end && source[p] !== BRACE; ) {
      if (isCssSpace(source[p]) || source[p] === SEMICOLON) {
        p++;
        continue;
      }
      if (source[p] === SLASH && source[p + 1] === STAR) {
        p = endOfComment(source, p + 2, end);
        continue;
      }
      // the name, hashed in lower case
      let hash = NAME_BASIS;
      for (; p < end && isWordByte(source[p]); p++) {
        const byte = source[p];
        hash = Math.imul(hash ^ (byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte), NAME_PRIME);
      }
      while (p < end && isCssSpace(source[p])) p++;
      const hasValue = p < end && source[p] === COLON;
      const valueStart = hasValue ? p + 1 : p;
      p = endOfValue(source, valueStart, end);
      const entry = hasValue ? PROPERTIES.get(hash) : undefined;
      if (entry !== undefined) this.#add(source, valueStart, p, entry);
    }
  }

  #add(source: Uint8Array, start: number, end: number, entry: PropertyEntry): void {
    let valueEnd = end;
    this.#isImportant = false;
    while (valueEnd > start && isCssSpace(source[valueEnd - 1])) valueEnd--;
    // the mark stands last, and only white space may stand in it
    for (let p = valueEnd - 1; p >= start && valueEnd - p <= LONGEST_MARK_BYTES; p--) {
      if (source[p] !== EXCLAMATION) continue;
      this.#isImportant = true;
      valueEnd = p;
    }
    const reader = this.#reader;
    reader.reset(source, start, valueEnd);
    const { kind, property, words } = entry;
    switch (kind) {
      case 'word':
        this.#push(property, words!.get(reader.word()) ?? Number.NaN);
        break;
      case 'length':
        this.#addLength(property, words);
        break;
      case 'number':
        this.#push(property, reader.number());
        break;
      case 'sides':
        this.#addSides(property);
        break;
      case 'pair': {
        const first = reader.length();
        const second = reader.skipSpace() ? reader.length() : first;
        this.#push(property, first);
        this.#push(property - 2, second);
        break;
      }
      case 'flex':
        this.#addFlex();
        break;
      case 'flow':
        this.#addFlow();
        break;
      case 'font':
        this.#addFont();
        break;
      case 'face':
        this.#push(property, readFace(reader));
        break;
      case 'tracks':
        this.#addTracks();
        break;
      case 'span':
        this.#addSpan();
        break;
    }
  }

  #push(property: number, value: number): void {
    if (Number.isNaN(value)) return;
    const stored = this.#isImportant ? property | IMPORTANT : property;
    // the later of two wins, so that a block never holds more than there are properties
    for (let k = this.#blockStart; k < this.count; k++) {
      if (this.property[k] !== stored) continue;
      this.value[k] = value;
      return;
    }
    const at = this.count++;
    if (at === this.property.length) {
      const [properties, values] = [new Uint8Array(2 * at), new Float64Array(2 * at)];
      properties.set(this.property);
      values.set(this.value);
      this.property = properties;
      this.value = values;
    }
    this.property[at] = stored;
    this.value[at] = value;
  }

  #addLength(property: number, words: Map<number, number> | undefined): void {
    const reader = this.#reader;
    const from = reader.position;
    if (property === PROPERTY.lineHeight) {
      this.#addLineHeight();
      return;
    }
    const value = reader.length();
    if (!Number.isNaN(value) || words === undefined) {
      this.#push(property, value);
      return;
    }
    reader.position = from;
    const named = words.get(reader.word());
    if (named !== undefined) this.#push(property, named);
  }

  /** A bare number is times the font size. */
  #addLineHeight(): void {
    const reader = this.#reader;
    const from = reader.position;
    const factor = reader.number();
    if (Number.isNaN(factor)) return;
    if (reader.position >= reader.end || isCssSpace(reader.source[reader.position])) {
      this.#push(PROPERTY.lineHeight, percent(factor * 100));
      return;
    }
    reader.position = from;
    this.#push(PROPERTY.lineHeight, reader.length());
  }

  /** One to four lengths: top, right, bottom, left. */
  #addSides(first: number): void {
    const reader = this.#reader;
    const top = reader.length();
    const right = reader.skipSpace() ? reader.length() : top;
    const bottom = reader.skipSpace() ? reader.length() : top;
    const left = reader.skipSpace() ? reader.length() : right;
    this.#push(first, top);
    this.#push(first + 1, right);
    this.#push(first + 2, bottom);
    this.#push(first + 3, left);
  }

  /** `flex: 1 0 200px`: how much it grows, whether it shrinks, what it begins with. */
  #addFlex(): void {
    const reader = this.#reader;
    const grow = reader.number();
    if (Number.isNaN(grow)) {
      const word = reader.word();
      if (word !== WORD_AUTO && word !== WORD_NONE) return;
      this.#push(PROPERTY.flexGrow, word === WORD_AUTO ? 1 : 0);
      this.#push(PROPERTY.flexBasis, AUTO);
      return;
    }
    this.#push(PROPERTY.flexGrow, grow);
    if (reader.skipSpace()) {
      const from = reader.position;
      reader.number();
      // a second bare number is the shrink factor
      if (reader.position < reader.end && !isCssSpace(reader.source[reader.position])) reader.position = from;
    }
    this.#push(PROPERTY.flexBasis, reader.skipSpace() ? reader.length() : pixels(0));
  }

  #addFlow(): void {
    const reader = this.#reader;
    for (let k = 0; k < 2 && reader.skipSpace(); k++) {
      const word = reader.word();
      if (word === WORD_COLUMN) this.#push(PROPERTY.flexDirection, 1);
      else if (word === WORD_WRAP) this.#push(PROPERTY.flexWrap, 1);
    }
  }

  /** `font: bold 12px/1.5 Arial`: the first part that begins with a digit is the size. */
  #addFont(): void {
    const reader = this.#reader;
    for (let k = 0; k < 5; k++) {
      const byte = reader.peek();
      if (byte === 0) return;
      if (byte >= 0x30 && byte <= 0x39 && !isWeight(reader)) break;
      const from = reader.position;
      reader.word();
      if (reader.position === from) return;
    }
    this.#push(PROPERTY.fontSize, reader.length());
    if (reader.peek() === SLASH) {
      reader.position++;
      const end = reader.end;
      const start = reader.position;
      while (reader.skipSpace() && !isCssSpace(reader.source[reader.position]) && reader.position < end) {
        if (isCssSpace(reader.source[++reader.position])) break;
      }
      const after = reader.position;
      reader.reset(reader.source, start, after);
      this.#addLineHeight();
      reader.reset(reader.source, after, end);
    }
    if (reader.skipSpace()) this.#push(PROPERTY.fontFace, readFace(reader));
  }

  #addTracks(): void {
    const at = this.tracks.length;
    readTracks(this.#reader, this.tracks);
    if (this.tracks[at] > 0) this.#push(PROPERTY.gridColumns, at);
  }

  /** `span 2`, `1 / 3`, `1 / -1` (all columns). */
  #addSpan(): void {
    const reader = this.#reader;
    const from = reader.number();
    if (Number.isNaN(from)) {
      if (reader.word() === WORD_SPAN) this.#push(PROPERTY.gridSpan, reader.number());
      return;
    }
    if (reader.peek() !== SLASH) return;
    reader.position++;
    const to = reader.number();
    if (to < 0) this.#push(PROPERTY.gridSpan, MAX_TRACKS);
    else if (to > from) this.#push(PROPERTY.gridSpan, to - from);
    else if (reader.word() === WORD_SPAN) this.#push(PROPERTY.gridSpan, reader.number());
  }
}

/** Position of the semicolon that ends a value, or `end`; those in quotes and brackets do not; a brace does. */
function endOfValue(source: Uint8Array, start: number, end: number): number {
  let quote = 0;
  let depth = 0;
  for (let p = start; p < end; p++) {
    const byte = source[p];
    if (byte === 0x22 || byte === 0x27) quote = quote === 0 ? byte : quote === byte ? 0 : quote;
    else if (byte === PARENTHESIS) depth++;
    else if (byte === PARENTHESIS + 1 && depth > 0) depth--;
    else if (byte === BRACE || (byte === SEMICOLON && quote === 0 && depth === 0)) return p;
    else if (byte === SLASH && source[p + 1] === STAR && quote === 0)
      p = endOfComment(source, p + 2, end) - 1;
  }
  return end;
}

/** One past the end of the comment whose text begins at `start`. */
export function endOfComment(source: Uint8Array, start: number, end: number): number {
  for (let p = start; p < end - 1; p++) if (source[p] === STAR && source[p + 1] === SLASH) return p + 2;
  return end;
}

function isWeight(reader: ValueReader): boolean {
  const from = reader.position;
  const value = reader.number();
  const isBare = reader.position < reader.end && isCssSpace(reader.source[reader.position]);
  reader.position = from;
  return isBare && value >= 100 && value <= 900;
}

/** How wide the letters of the first face named are beside those of a serif one. */
function readFace(reader: ValueReader): number {
  reader.skipSpace();
  if (reader.peek() === 0x22 || reader.peek() === 0x27) reader.position++;
  return FACES.get(reader.word()) ?? SANS;
}

const SEMICOLON = 0x3b;
const COLON = 0x3a;
const EXCLAMATION = 0x21;
const SLASH = 0x2f;
const STAR = 0x2a;
const BRACE = 0x7b;
const PARENTHESIS = 0x28;
const WORD_AUTO = hashName('auto');
const WORD_NONE = hashName('none');
const WORD_COLUMN = hashName('column');
const WORD_WRAP = hashName('wrap');
const WORD_SPAN = hashName('span');
const SANS = 1.1;
const FACES = new Map(
  Object.entries({
    times: 1,
    serif: 1,
    garamond: 1,
    georgia: 1.08,
    verdana: 1.22,
    tahoma: 1.22,
    courier: 1.35,
    monaco: 1.35,
    menlo: 1.35,
    consolas: 1.35,
    monospace: 1.35,
  }).map(([name, width]) => [hashName(name), width]),
);
