/** Sizes of what the parser hashes: names and values of a start tag, and texts with white space collapsed. */

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
