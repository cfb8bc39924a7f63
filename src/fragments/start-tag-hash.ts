/**
 * Computes the lanes of a start tag from the parser's hash of an element, and the reverse; and sizes of texts
 * as the parser hashes them. The hash of an element mixes the lanes of the start tag with those of the
 * children, and the mix is invertible. So where the children are known, the start tag follows, even of a
 * formatting element that was reopened and has no start tag of its own.
 */
import { inverseOf, type Lanes } from '../analysis/byte-hash.ts';
import { isSpace } from '../model/byte-kinds.ts';
import { mixHigh, mixLow, nameHigh, nameLow } from '../parse/hashes.ts';

/** Returns the bytes of `[start, end)` without zero bytes, with white space collapsed and trimmed. */
export function collapsedLength(source: Uint8Array, start: number, end: number): number {
  let bytes = 0;
  let spaces = 0;
  for (let p = start; p < end; p++) {
    if (source[p] === 0) continue;
    if (isSpace(source[p])) spaces = 1;
    else {
      bytes += bytes === 0 ? 1 : 1 + spaces;
      spaces = 0;
    }
  }
  return bytes;
}

/** Inverts `mixLow` and `mixHigh`. */
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

const UNDO_297A2D39 = inverseOf(0x297a2d39);
const UNDO_2C1B3C6D = inverseOf(0x2c1b3c6d);
const UNDO_C2B2AE35 = inverseOf(0xc2b2ae35);
const UNDO_85EBCA6B = inverseOf(0x85ebca6b);

/**
 * Returns the lanes of bytes as the parser hashes them: four bytes at a time, the last ones filled up with
 * zeros.
 */
export function hashTagBytes(bytes: Uint8Array, start: number, end: number, out: Lanes): void {
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

/**
 * Returns what an attribute adds to the lanes of its start tag; `value` has the lanes of the value, zeros
 * without one.
 */
export function attributeLanes(nameHash: number, nameBytes: number, value: Lanes, out: Lanes): void {
  const high = value.high + nameHigh(nameHash, nameBytes);
  out.low = mixLow(value.low ^ nameLow(nameHash), high);
  out.high = mixHigh(out.low, high);
}
