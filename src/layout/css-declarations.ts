/**
 * Reads declarations of the properties that the estimate uses into two columns: property and value. Other
 * properties are skipped; docs/research/page-level.md (Layout) says how they were chosen.
 * Cost: one pass over the bytes.
 */
import { enlarged } from '../model/growing-array.ts';
import { hashName, NAME_BASIS, NAME_PRIME } from '../parse/hashes.ts';
import { isCssSpace, isWordByte, ValueReader } from './css-lengths.ts';
import { BLOCK, CELL, FLEX, INLINE, INLINE_BLOCK, NONE, ROW, ROW_GROUP, TABLE } from './tag-styles.ts';

/** Numbers of the properties that the estimate uses. */
export const PROPERTY = {
  fontSize: 0,
  display: 1,
  float: 2,
  clear: 3,
  position: 4,
  visibility: 5,
  width: 6,
  marginTop: 7,
  marginRight: 8,
  marginBottom: 9,
  marginLeft: 10,
  /** Not a CSS property: the element contains its floats (`overflow`, or a `clear` after its content). */
  holdsFloats: 11,
} as const;

/** Number of entries of `PROPERTY`. */
export const PROPERTY_COUNT = 12;
/** A property number from here on belongs to a declaration marked `!important`. */
export const IMPORTANT = 16;

const LONGEST_MARK_BYTES = 12;

interface PropertyEntry {
  property: number;
  /**
   * Kind of the value: one length, the four sides of a shorthand, left and right, the size in `font`, or a
   * word.
   */
  kind: 'length' | 'sides' | 'pair' | 'font' | 'word';
  /** Values of words by their hash. */
  words?: Map<number, number>;
}

const DISPLAY = {
  none: NONE,
  inline: INLINE,
  contents: INLINE,
  'inline-block': INLINE_BLOCK,
  'inline-flex': INLINE_BLOCK,
  'inline-grid': INLINE_BLOCK,
  'inline-table': INLINE_BLOCK,
  table: TABLE,
  'table-row-group': ROW_GROUP,
  'table-header-group': ROW_GROUP,
  'table-footer-group': ROW_GROUP,
  'table-row': ROW,
  'table-cell': CELL,
  block: BLOCK,
  'list-item': BLOCK,
  'flow-root': BLOCK,
  '-webkit-box': BLOCK,
  'table-caption': BLOCK,
  flex: FLEX,
  '-webkit-flex': FLEX,
  grid: FLEX,
};
const FONT_SIZES = {
  'xx-small': 9,
  'x-small': 10,
  small: 13,
  medium: 16,
  large: 18,
  'x-large': 24,
  'xx-large': 32,
};

const ENTRIES: [name: string, PropertyEntry['kind'], property: number, words?: Record<string, number>][] = [
  ['display', 'word', PROPERTY.display, DISPLAY],
  ['float', 'word', PROPERTY.float, { none: 0, left: 1, right: 2, 'inline-start': 1, 'inline-end': 2 }],
  ['clear', 'word', PROPERTY.clear, { none: 0, left: 1, right: 2, both: 3 }],
  // 1: out of the flow
  ['position', 'word', PROPERTY.position, { static: 0, relative: 0, sticky: 0, absolute: 1, fixed: 1 }],
  ['visibility', 'word', PROPERTY.visibility, { visible: 0, hidden: 1, collapse: 1 }],
  ['overflow', 'word', PROPERTY.holdsFloats, { hidden: 1, auto: 1, scroll: 1 }],
  ['font-size', 'length', PROPERTY.fontSize, FONT_SIZES],
  ['font', 'font', PROPERTY.fontSize],
  ['width', 'length', PROPERTY.width],
  ['margin', 'sides', PROPERTY.marginTop],
  ['margin-top', 'length', PROPERTY.marginTop],
  ['margin-right', 'length', PROPERTY.marginRight],
  ['margin-bottom', 'length', PROPERTY.marginBottom],
  ['margin-left', 'length', PROPERTY.marginLeft],
  ['margin-inline', 'pair', PROPERTY.marginLeft],
];
/** Properties by the hash of their name. */
const PROPERTIES = new Map(
  ENTRIES.map(([name, kind, property, words]): [number, PropertyEntry] => [
    hashName(name),
    { kind, property, ...(words && { words: hashed(words) }) },
  ]),
);

/**
 * The declarations of a sheet or of a style attribute, in columns: `property` and `value`, the first `count`
 * valid.
 */
export class Declarations {
  count = 0;
  property = new Uint8Array(64);
  value = new Float64Array(64);
  readonly #reader = new ValueReader();
  #isImportant = false;
  #blockStart = 0;

  reset(): void {
    this.count = 0;
  }

  /** Adds the declarations at `[start, end)`, up to a nested rule. */
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

  #add(source: Uint8Array, start: number, end: number, { kind, property, words }: PropertyEntry): void {
    let valueEnd = end;
    this.#isImportant = false;
    while (valueEnd > start && isCssSpace(source[valueEnd - 1])) valueEnd--;
    // `!important` comes last
    for (let p = valueEnd - 1; p >= start && valueEnd - p <= LONGEST_MARK_BYTES; p--) {
      if (source[p] !== EXCLAMATION) continue;
      this.#isImportant = true;
      valueEnd = p;
    }
    const reader = this.#reader;
    reader.reset(source, start, valueEnd);
    switch (kind) {
      case 'word':
        this.#push(property, words!.get(reader.word()) ?? Number.NaN);
        break;
      case 'length': {
        const value = reader.length();
        if (!Number.isNaN(value) || words === undefined) this.#push(property, value);
        else {
          reader.position = start;
          this.#push(property, words.get(reader.word()) ?? Number.NaN);
        }
        break;
      }
      case 'sides': {
        // one to four lengths: top, right, bottom, left
        const top = reader.length();
        const right = reader.skipSpace() ? reader.length() : top;
        const bottom = reader.skipSpace() ? reader.length() : top;
        const left = reader.skipSpace() ? reader.length() : right;
        for (const [side, value] of [top, right, bottom, left].entries()) this.#push(property + side, value);
        break;
      }
      case 'pair': {
        const first = reader.length();
        this.#push(property, first);
        this.#push(property - 2, reader.skipSpace() ? reader.length() : first);
        break;
      }
      case 'font':
        this.#addFont();
        break;
    }
  }

  /** `font: bold 12px/1.5 Arial`: the first part that begins with a digit and is not a weight is the size. */
  #addFont(): void {
    const reader = this.#reader;
    for (let k = 0; k < 5; k++) {
      const byte = reader.peek();
      if (byte === 0) return;
      if (byte >= 0x30 && byte <= 0x39 && !isWeight(reader)) {
        this.#push(PROPERTY.fontSize, reader.length());
        return;
      }
      const from = reader.position;
      reader.word();
      if (reader.position === from) return;
    }
  }

  #push(property: number, value: number): void {
    if (Number.isNaN(value)) return;
    const stored = this.#isImportant ? property | IMPORTANT : property;
    // the later of two wins, so that a block holds no more declarations than there are properties
    for (let k = this.#blockStart; k < this.count; k++) {
      if (this.property[k] !== stored) continue;
      this.value[k] = value;
      return;
    }
    const at = this.count++;
    if (at === this.property.length) {
      this.property = enlarged(this.property, 2 * at);
      this.value = enlarged(this.value, 2 * at);
    }
    this.property[at] = stored;
    this.value[at] = value;
  }
}

/**
 * Returns the position of the semicolon that ends a value, or `end`. A semicolon in quotes or brackets does
 * not count; a brace also ends the value.
 */
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

/** Returns the position after the end of the comment whose text begins at `start`. */
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

function hashed(words: Record<string, number>): Map<number, number> {
  return new Map(Object.entries(words).map(([word, value]) => [hashName(word), value]));
}

const SEMICOLON = 0x3b;
const COLON = 0x3a;
const EXCLAMATION = 0x21;
const SLASH = 0x2f;
const STAR = 0x2a;
const BRACE = 0x7b;
const PARENTHESIS = 0x28;
