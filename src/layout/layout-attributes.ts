/**
 * The attributes of a start tag that affect layout: one pass over its bytes; spans of the values, nothing decoded. Names
 * are compared by their hash alone: a collision would give an element a wrong box, no more.
 */
import { isSpace, lowerCase } from '../model/byte-kinds.ts';
import { AttributeCursor } from '../parse/attributes.ts';
import { hashName, NAME_BASIS, NAME_PRIME } from '../parse/hashes.ts';

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
/** Longest name that a bit stands for. */
const LONGEST_NAME = 31;
for (const name of Object.keys(ATTRIBUTE)) {
  for (const first of name[0] + name[0].toUpperCase()) LENGTHS[first.charCodeAt(0)] |= 1 << name.length;
}

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

  has(attribute: number): boolean {
    return (this.found & (1 << attribute)) !== 0;
  }

  /** The number that an attribute's value begins with; NaN when it is absent or no number. */
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

  /** Whether an attribute's value ends with a per cent sign. */
  isPercent(source: Uint8Array, attribute: number): boolean {
    return this.has(attribute) && source[this.end[attribute] - 1] === PERCENT;
  }

  /** First byte of an attribute's value, lower case; 0 when it is absent or empty. */
  initial(source: Uint8Array, attribute: number): number {
    if (!this.has(attribute) || this.start[attribute] === this.end[attribute]) return 0;
    return source[this.start[attribute]] | 0x20;
  }
}

const PERCENT = 0x25;
