/**
 * Sizes of what the parser hashes (names and values of a start tag, texts with white space collapsed), and the parser's
 * hash of an element taken apart and put together again. The hash mixes the lanes of the start tag with those of the
 * children, and the mix is one to one: where the children are known the start tag follows, even that of a formatting
 * element that was opened again and has no start tag of its own.
 */
import { mixHigh, mixLow, nameHigh, nameLow } from '../parse/hashes.ts';

/** The result of `countStartTag`, reused. */
export interface StartTagBytes {
  /** Bytes of the tag's name and of the names of its attributes. */
  names: number;
  /** Bytes of their values, without quotes. */
  values: number;
  /** Why a DOM may have other attributes than are written, VALUE_DIFFERS and NAME_AGAIN added up; 0 when it has not. */
  differs: number;
}

/** A reference, a carriage return or no value at all; a name that seems to have been there before. */
export const VALUE_DIFFERS = 1;
export const NAME_AGAIN = 2;

/** By hash of a name: the tag in which it was met last, so that a name that comes again is noticed. */
const lastTag = new Uint32Array(1024);
let tagNumber = 0;

/** Ends the name of a tag or attribute: 1, white space; 2, `/`; 4, `>`; 8, `=`, which ends only the latter. */
const NAME_END = new Uint8Array(256);
for (const space of [0x20, 0x09, 0x0a, 0x0c, 0x0d]) NAME_END[space] = 1;
NAME_END[0x2f] = 2;
NAME_END[0x3e] = 4;
NAME_END[0x3d] = 8;

/** Bytes that may stand for others: `&` and carriage returns. */
const WRITTEN = new Uint8Array(256);
WRITTEN[0x26] = WRITTEN[0x0d] = 1;

/**
 * Counts the start tag `[start, end)` by the rules the parser reads it by: its last byte is `>`, which stops
 * every loop here but that over a quoted value. `nameBytes` is the size of its name, 0 when that must be
 * looked for.
 */
export function countStartTag(
  source: Uint8Array,
  start: number,
  end: number,
  nameBytes: number,
  out: StartTagBytes,
): void {
  const nameEnd = NAME_END;
  const nameStart = start + 1;
  let p = Math.min(nameStart + nameBytes, end - 1);
  while ((nameEnd[source[p]] & 7) === 0) p++;
  let names = nameBytes === 0 ? p - nameStart : nameBytes;
  let values = 0;
  let differs = 0;
  tagNumber = (tagNumber + 1) >>> 0;
  while (p < end) {
    while ((nameEnd[source[p]] & 3) !== 0) p++;
    if (source[p] === 0x3e) break;

    // the name, of which an equals sign may be the first byte
    const from = p;
    let hash = source[p++] | 0x20;
    for (; nameEnd[source[p]] === 0; p++) hash = Math.imul(hash, 31) + (source[p] | 0x20);
    names += p - from;
    hash &= 1023;
    if (lastTag[hash] === tagNumber) differs |= NAME_AGAIN;
    lastTag[hash] = tagNumber;

    // the value, where there is one
    let q = p;
    while (nameEnd[source[q]] === 1) q++;
    if (source[q] !== 0x3d) {
      differs |= VALUE_DIFFERS;
      continue;
    }
    do q++;
    while (nameEnd[source[q]] === 1);
    const quote = source[q];
    if (quote === 0x22 || quote === 0x27) {
      p = q + 1;
      for (; p < end && source[p] !== quote; p++) if (WRITTEN[source[p]] === 1) differs |= VALUE_DIFFERS;
      values += p - q - 1;
      p++;
    } else {
      p = q;
      for (; (nameEnd[source[p]] & 5) === 0; p++) if (WRITTEN[source[p]] === 1) differs |= VALUE_DIFFERS;
      values += p - q;
    }
  }
  out.names = names;
  out.values = values;
  out.differs = differs;
}

/** Bytes of `[start, end)` without zeros, runs of white space counted as one and left out at both ends. */
export function collapsedLength(source: Uint8Array, start: number, end: number): number {
  let bytes = 0;
  let spaces = 0;
  for (let p = start; p < end; p++) {
    if (source[p] === 0) continue;
    if (NAME_END[source[p]] === 1) spaces = 1;
    else {
      bytes += bytes === 0 ? 1 : 1 + spaces;
      spaces = 0;
    }
  }
  return bytes;
}

/** Lanes of an element before they are mixed, or of anything else in two lanes; reused. */
export interface Lanes {
  low: number;
  high: number;
}

/** The lanes that `mixLow` and `mixHigh` turned into these. */
export function unmix(low: number, high: number, out: Lanes): void {
  let x = high;
  x ^= (x >>> 15) ^ (x >>> 30);
  x = Math.imul(x, UNDO_297A2D39);
  x ^= (x >>> 12) ^ (x >>> 24);
  x = Math.imul(x, UNDO_2C1B3C6D);
  x ^= (x >>> 15) ^ (x >>> 30);
  out.high = x ^ Math.imul(low, 0x7feb352d);
  x = low;
  x ^= x >>> 16;
  x = Math.imul(x, UNDO_C2B2AE35);
  x ^= (x >>> 13) ^ (x >>> 26);
  x = Math.imul(x, UNDO_85EBCA6B);
  x ^= x >>> 16;
  out.low = (x - Math.imul(out.high, 0x9e3779b1)) | 0;
}

/** The factor that undoes a multiplication by an odd number: each step doubles the bits that are right. */
function inverse(factor: number): number {
  let x = factor;
  for (let k = 0; k < 5; k++) x = Math.imul(x, 2 - Math.imul(factor, x));
  return x;
}

const UNDO_297A2D39 = inverse(0x297a2d39);
const UNDO_2C1B3C6D = inverse(0x2c1b3c6d);
const UNDO_C2B2AE35 = inverse(0xc2b2ae35);
const UNDO_85EBCA6B = inverse(0x85ebca6b);

/** Lanes of bytes, as `hash` of scan-code.ts computes them: four at a time, the last ones filled up with zeros. */
export function hashBytes(bytes: Uint8Array, start: number, end: number, out: Lanes): void {
  let low = 0x2545f491;
  let high = 0x51ed270b;
  let p = start;
  for (; p + 4 <= end; p += 4) {
    const word = bytes[p] | (bytes[p + 1] << 8) | (bytes[p + 2] << 16) | (bytes[p + 3] << 24);
    low = Math.imul(low ^ word, 0x85ebca6b);
    low = (low << 13) | (low >>> 19);
    high = Math.imul(high + word, 0xc2b2ae35);
    high = (high << 17) | (high >>> 15);
  }
  let word = 0;
  for (let shift = 0; p < end; p++, shift += 8) word |= bytes[p] << shift;
  low = Math.imul(low ^ word, 0x85ebca6b);
  high = Math.imul(high + word, 0xc2b2ae35);
  out.low = (low << 13) | (low >>> 19);
  out.high = ((high << 17) | (high >>> 15)) ^ (end - start);
}

/** What an attribute adds to the lanes of its start tag; `value` holds those of the value, zeros without one. */
export function attributeLanes(nameHash: number, nameBytes: number, value: Lanes, out: Lanes): void {
  const high = value.high + nameHigh(nameHash, nameBytes);
  out.low = mixLow(value.low ^ nameLow(nameHash), high);
  out.high = mixHigh(out.low, high);
}
