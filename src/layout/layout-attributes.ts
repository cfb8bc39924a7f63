/**
 * Reads the attributes of a start tag that affect layout, and sets the styles that they define: sizes,
 * alignment, spans of cells, the size of a control. One pass over the bytes of the tag; values are spans,
 * nothing is decoded. Names are compared by their hash alone: a collision would only give an element a wrong
 * box.
 */
import { isSpace, lowerCase } from '../model/byte-kinds.ts';
import { AttributeCursor } from '../parse/attributes.ts';
import { hashName, NAME_BASIS, NAME_PRIME } from '../parse/hashes.ts';
import { TAG } from '../parse/tag-names.ts';
import { AUTO, percentLength, pixels } from './css-lengths.ts';
import type { StyleColumns } from './style-columns.ts';
import {
  ALIGN_CENTER,
  ALIGN_RIGHT,
  BLOCK,
  FLOAT_LEFT,
  FLOAT_RIGHT,
  IS_CLOSED,
  NONE,
  tagIsAtomic,
} from './tag-styles.ts';

/** Numbers of the attributes: bits of `found` and indexes of the spans. */
export const ATTRIBUTE = {
  style: 0,
  class: 1,
  id: 2,
  width: 3,
  height: 4,
  align: 5,
  colspan: 6,
  rowspan: 7,
  hidden: 8,
  type: 9,
  value: 10,
  size: 11,
  rows: 12,
  cols: 13,
  cellpadding: 14,
  open: 15,
  alt: 16,
  media: 17,
  controls: 18,
  clear: 19,
} as const;

const COUNT = Object.keys(ATTRIBUTE).length;
const NUMBERS = new Map(
  Object.entries(ATTRIBUTE).map(([name, number]) => [hashName(name), number as number]),
);
/** By first byte of a name: bit n is set when one of the attributes begins with it and has n bytes. */
const LENGTHS = new Int32Array(256);
/** Longest name length that has a bit. */
const LONGEST_NAME = 31;
for (const name of Object.keys(ATTRIBUTE)) {
  for (const first of name[0] + name[0].toUpperCase()) LENGTHS[first.charCodeAt(0)] |= 1 << name.length;
}

/** Reads the attributes of a start tag that affect layout. */
export class StartTag {
  /** Bit `1 << ATTRIBUTE.x` is set when the tag has the attribute. */
  found = 0;
  /** The value of each attribute found, without quotes. */
  readonly start = new Int32Array(COUNT);
  readonly end = new Int32Array(COUNT);
  readonly #cursor = new AttributeCursor();

  /** Reads the start tag at `[from, to)`; the first of two attributes of one name counts. */
  read(source: Uint8Array, from: number, to: number): void {
    this.found = 0;
    const cursor = this.#cursor;
    cursor.open(source, from, to);
    while (cursor.next()) {
      // most names are ruled out by their first letter and their length; the rest are hashed in lower case
      const { nameStart, nameEnd } = cursor;
      const length = nameEnd - nameStart;
      if (length > LONGEST_NAME || ((LENGTHS[source[nameStart]] >>> length) & 1) === 0) continue;
      let hash = NAME_BASIS;
      for (let p = nameStart; p < nameEnd; p++) hash = Math.imul(hash ^ lowerCase(source[p]), NAME_PRIME);
      const attribute = NUMBERS.get(hash);
      if (attribute === undefined || this.has(attribute)) continue;
      this.found |= 1 << attribute;
      this.start[attribute] = cursor.valueStart;
      this.end[attribute] = cursor.valueEnd;
    }
  }

  /** Returns whether the tag that was read has an attribute of `ATTRIBUTE`. */
  has(attribute: number): boolean {
    return (this.found & (1 << attribute)) !== 0;
  }

  /** Returns the number at the beginning of an attribute's value; NaN when it is absent or not a number. */
  number(source: Uint8Array, attribute: number): number {
    if (!this.has(attribute)) return Number.NaN;
    const end = this.end[attribute];
    let p = this.start[attribute];
    while (p < end && isSpace(source[p])) p++;
    let value = 0;
    let digits = 0;
    for (; p < end && source[p] >= 0x30 && source[p] <= 0x39 && digits < 6; p++, digits++) {
      value = value * 10 + source[p] - 0x30;
    }
    return digits === 0 ? Number.NaN : value;
  }

  /** Returns whether an attribute's value ends with a per cent sign. */
  isPercent(source: Uint8Array, attribute: number): boolean {
    return this.has(attribute) && source[this.end[attribute] - 1] === PERCENT;
  }

  /** Returns the first byte of an attribute's value in lower case; 0 when it is absent or empty. */
  initial(source: Uint8Array, attribute: number): number {
    if (!this.has(attribute) || this.start[attribute] === this.end[attribute]) return 0;
    return source[this.start[attribute]] | 0x20;
  }
}

const PERCENT = 0x25;

/** Maximum number of columns and rows that a cell may span. */
const MAX_COLSPAN = 64;
const MAX_ROWSPAN = 1000;
/** Widths of a character and of the borders of a control, in px. */
const CONTROL_CHARACTER = 7;
const CONTROL_EDGE = 6;
const CHECKBOX_SIZE = 13;

/** Changes the style of an element by the attributes in `at`. */
export function setByAttributes(
  c: StyleColumns,
  at: StartTag,
  source: Uint8Array,
  node: number,
  tag: number,
): void {
  if (at.has(ATTRIBUTE.hidden)) c.display[node] = NONE;
  if (tag === 0) return;

  const width = at.number(source, ATTRIBUTE.width);
  if (width > 0 && tagTakesWidth(tag)) {
    c.width[node] = at.isPercent(source, ATTRIBUTE.width) ? percentLength(width) : pixels(width);
  }
  const height = at.number(source, ATTRIBUTE.height);
  if (height > 0 && tag !== TAG.hr && !at.isPercent(source, ATTRIBUTE.height) && tagTakesWidth(tag)) {
    c.height[node] = pixels(height);
  }
  setAlign(c, node, tag, at.initial(source, ATTRIBUTE.align));

  switch (tag) {
    case TAG.td:
    case TAG.th:
      c.colspan[node] = spanOf(at.number(source, ATTRIBUTE.colspan), MAX_COLSPAN);
      c.rowspan[node] = spanOf(at.number(source, ATTRIBUTE.rowspan), MAX_ROWSPAN);
      break;
    case TAG.table: {
      const padding = at.number(source, ATTRIBUTE.cellpadding);
      if (padding >= 0) c.cellPadding[node] = Math.min(padding, 100);
      break;
    }
    case TAG.img:
      // the alternative text replaces a missing picture; an empty one shows nothing
      if (at.has(ATTRIBUTE.alt) && !at.has(ATTRIBUTE.width) && !at.has(ATTRIBUTE.height)) {
        const characters = at.end[ATTRIBUTE.alt] - at.start[ATTRIBUTE.alt];
        c.width[node] = characters === 0 ? 0 : Math.min(IMAGE_MAX, 16 + characters * 0.45 * c.font[node]);
        if (characters === 0) c.height[node] = 0;
      }
      break;
    case TAG.input:
      setInput(c, at, source, node);
      break;
    case TAG.textarea: {
      const cols = at.number(source, ATTRIBUTE.cols);
      const rows = at.number(source, ATTRIBUTE.rows);
      if (cols > 0) c.width[node] = pixels(cols * 8 + CONTROL_EDGE + 16);
      if (rows > 0) c.height[node] = pixels(rows * 15 + CONTROL_EDGE);
      break;
    }
    case TAG.details:
      if (at.has(ATTRIBUTE.open)) c.flags[node] &= ~IS_CLOSED;
      break;
    case TAG.dialog:
      if (at.has(ATTRIBUTE.open)) c.display[node] = BLOCK;
      break;
    case TAG.audio:
      if (!at.has(ATTRIBUTE.controls)) c.display[node] = NONE;
      break;
    case TAG.br:
      if (at.has(ATTRIBUTE.clear)) c.clear[node] = 3;
      break;
  }
}

function setAlign(c: StyleColumns, node: number, tag: number, letter: number): void {
  if (letter === 0) return;
  if (tag === TAG.table || tag === TAG.img || tag === TAG.iframe) {
    if (letter === LETTER_L) c.float[node] = FLOAT_LEFT;
    else if (letter === LETTER_R) c.float[node] = FLOAT_RIGHT;
    else if (letter === LETTER_C && tag === TAG.table) c.marginLeft[node] = c.marginRight[node] = AUTO;
    return;
  }
  c.align[node] =
    letter === LETTER_C || letter === LETTER_M ? ALIGN_CENTER : letter === LETTER_R ? ALIGN_RIGHT : 0;
  c.alignsBlocks[node] = c.align[node] !== 0 ? 1 : 0;
}

function setInput(c: StyleColumns, at: StartTag, source: Uint8Array, node: number): void {
  const type = at.initial(source, ATTRIBUTE.type);
  const length = at.end[ATTRIBUTE.type] - at.start[ATTRIBUTE.type];
  if (type === LETTER_H && length === 6) {
    c.display[node] = NONE;
  } else if ((type === LETTER_C && length === 8) || (type === LETTER_R && length === 5)) {
    c.width[node] = c.height[node] = CHECKBOX_SIZE;
  } else if (
    (type === LETTER_S && length === 6 && (source[at.start[ATTRIBUTE.type] + 1] | 0x20) === LETTER_U) ||
    (type === LETTER_B && length === 6) ||
    (type === LETTER_R && length === 5)
  ) {
    // submit, button, reset: as wide as their label
    const letters = at.has(ATTRIBUTE.value) ? at.end[ATTRIBUTE.value] - at.start[ATTRIBUTE.value] : 6;
    c.width[node] = Math.min(IMAGE_MAX, 2 * CONTROL_EDGE + 4 + letters * CONTROL_CHARACTER);
  } else if (!(type === LETTER_I && length === 5)) {
    const size = at.number(source, ATTRIBUTE.size);
    if (size > 0) c.width[node] = Math.min(1000, CONTROL_EDGE + 7 + size * CONTROL_CHARACTER);
  }
}

/** Largest width of a button or a missing picture, in px. */
const IMAGE_MAX = 400;
const LETTER_B = 0x62;
const LETTER_C = 0x63;
const LETTER_H = 0x68;
const LETTER_I = 0x69;
const LETTER_L = 0x6c;
const LETTER_M = 0x6d;
const LETTER_R = 0x72;
const LETTER_S = 0x73;
const LETTER_U = 0x75;

function tagTakesWidth(tag: number): boolean {
  return (
    tagIsAtomic[tag] === 1 || tag === TAG.table || tag === TAG.td || tag === TAG.th || tag === TAG.object
  );
}

function spanOf(value: number, most: number): number {
  return value >= 1 ? Math.min(value, most) : 1;
}
