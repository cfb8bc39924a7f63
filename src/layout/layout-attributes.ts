/**
 * The attributes of a start tag that affect layout: one pass over its bytes; spans of the values, nothing decoded. Names
 * are compared by their hash alone: a collision would give an element a wrong box, no more.
 */
import { isSpace } from '../model/byte-kinds.ts';
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
const SLOTS = 256;
const slotHash = new Int32Array(SLOTS);
const slotAttribute = new Int8Array(SLOTS).fill(-1);
/** By first byte of a name: bit n is set when one of the attributes begins with it and has n bytes. */
const LENGTHS = new Int32Array(256);
/** Longest name that a bit stands for. */
const LONGEST_NAME = 31;
for (const [name, attribute] of Object.entries(ATTRIBUTE)) {
  for (const first of name[0] + name[0].toUpperCase()) LENGTHS[first.charCodeAt(0)] |= 1 << name.length;
  const hash = hashName(name);
  let slot = slotOf(hash);
  while (slotAttribute[slot] >= 0) slot = (slot + 1) & (SLOTS - 1);
  slotHash[slot] = hash;
  slotAttribute[slot] = attribute;
}

/** Bytes of names of attributes in lower case; 0 for what ends a name. */
const NAME_BYTE = new Uint8Array(256);
for (let byte = 0; byte < 256; byte++) {
  const isUpper = byte >= 0x41 && byte <= 0x5a;
  NAME_BYTE[byte] = isUpper ? byte | 0x20 : byte;
}
for (const end of ' \t\n\f\r/>=') NAME_BYTE[end.charCodeAt(0)] = 0;

export class StartTag {
  /** Bit `1 << ATTRIBUTE.x` is set when the tag has the attribute. */
  found = 0;
  /** The value of each attribute found, without quotes. */
  readonly start = new Int32Array(COUNT);
  readonly end = new Int32Array(COUNT);

  /** Reads the start tag at `[from, to)`; the first of two attributes of one name counts. */
  read(source: Uint8Array, from: number, to: number): void {
    this.found = 0;
    let p = from + 1;
    while (p < to && NAME_BYTE[source[p]] !== 0) p++;
    for (;;) {
      while (p < to && (isSpace(source[p]) || source[p] === SLASH)) p++;
      if (p >= to || source[p] === GREATER) return;

      // the name; an equals sign is part of it when it comes first
      const nameStart = p;
      for (p++; p < to && NAME_BYTE[source[p]] !== 0; ) p++;
      const nameEnd = p;

      // the value
      let valueStart = nameEnd;
      let valueEnd = nameEnd;
      let q = p;
      while (q < to && isSpace(source[q])) q++;
      if (q < to && source[q] === EQUALS) {
        for (q++; q < to && isSpace(source[q]); ) q++;
        const quote = source[q];
        if (q < to && (quote === 0x22 || quote === 0x27)) {
          for (p = q + 1; p < to && source[p] !== quote; ) p++;
          valueStart = q + 1;
          valueEnd = p++;
        } else {
          for (p = q; p < to && !isSpace(source[p]) && source[p] !== GREATER; ) p++;
          valueStart = q;
          valueEnd = p;
        }
      }

      // most names are ruled out by their first letter and their length; the rest are hashed in lower case
      const length = nameEnd - nameStart;
      if (length > LONGEST_NAME || ((LENGTHS[source[nameStart]] >>> length) & 1) === 0) continue;
      let hash = NAME_BASIS;
      for (let k = nameStart; k < nameEnd; k++) hash = Math.imul(hash ^ NAME_BYTE[source[k]], NAME_PRIME);
      let slot = slotOf(hash);
      while (slotAttribute[slot] >= 0 && slotHash[slot] !== hash) slot = (slot + 1) & (SLOTS - 1);
      const attribute = slotAttribute[slot];
      if (attribute < 0 || (this.found & (1 << attribute)) !== 0) continue;
      this.found |= 1 << attribute;
      this.start[attribute] = valueStart;
      this.end[attribute] = valueEnd;
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

const SLASH = 0x2f;
const EQUALS = 0x3d;
const GREATER = 0x3e;
const PERCENT = 0x25;

function slotOf(hash: number): number {
  return (hash ^ (hash >>> 15)) & (SLOTS - 1);
}
