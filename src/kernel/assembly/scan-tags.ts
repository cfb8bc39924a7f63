/**
 * Scans tags and their attributes. A page, and even more a site, repeats the same tags letter for letter:
 * `<td>`, `<li class="item">`, `</div>`. A cache stores what was found in such a tag the first time (name,
 * hashes of the attributes, position of the href). A hash selects the slot and the bytes are compared, so a
 * hit is never wrong. Tags with a `>` in a value, very long ones and those with names unknown to HTML are not
 * cached.
 *
 * A cache slot is a cache line of 64 bytes, so a hit costs one; a new tag replaces the tag in its slot:
 *
 *    0  size in bytes without the `>`; 0 if the slot is empty
 *    4  tag, SELF_CLOSING, END_TAG
 *    8  sums over the attributes: values, two lanes, and names, two lanes; their order does not matter
 *   24  start and 28 end of the href, from the start of the tag; the start is -1 without an href
 *   32  the first 32 bytes between `<` and `>`, zeros after the last; further bytes are at LONG_TAGS_AT
 */
import { FIRST_FOREIGN_TAG, RESULTS_AT, TAG_LIMIT } from '../layout.ts';
import {
  b,
  CACHE_AT,
  CACHE_SLOT_BITS,
  FOREIGN_SLOT_COUNT,
  FOREIGN_SLOTS_AT,
  LONG_TAGS_AT,
  UNCACHED_SLOT,
} from './builder.ts';
import { hashBytes } from './hash.ts';
import {
  HIGH_FACTOR,
  LOW_FACTOR,
  mixHigh,
  mixLow,
  NAME_BASIS,
  NAME_PRIME,
  nameHigh,
  nameLow,
} from './node-hashes.ts';
import {
  bitsOf,
  endsAt,
  endsTagName,
  findByte,
  firstBytes,
  GREATER,
  isLetter,
  isOneOf,
  isSpace,
  LESS,
  lowerCase,
  NAME_END,
  SLASH,
  SLASH_OR_SPACE,
  SPACE,
  same,
  VALUE_END,
} from './scan-bytes.ts';
import { findTag, nameHash, nameSize, setName } from './tag-table.ts';

// offsets in a slot
const KNOWN: usize = 4;
const SUMS: usize = 8;
const HREF: usize = 24;
const BYTES: usize = 32;
const SLOT_BYTES: u32 = 1 << CACHE_SLOT_BITS;
const LONG_TAG_BITS: u32 = 8;

const TAG_BITS: u32 = 0xffff;
const SELF_CLOSING: u32 = 1 << 16;
const END_TAG: u32 = 1 << 17;
/** Largest size of a tag that is cached. */
const MAX_TAG_BYTES: u32 = 208;

/** Result of `nextTag` at a text. */
export const NO_TAG: u32 = -1;
/** Result of `nextTag` at markup other than a tag of HTML. */
export const OTHER_MARKUP: u32 = 0;

/** Returns the tag id of a cache slot. */
export function tagOf(slot: u32): u32 {
  return load<u32>(slot, KNOWN) & TAG_BITS;
}
/** Whether the tag of a cache slot is an end tag. */
export function isEndTag(slot: u32): bool {
  return (load<u32>(slot, KNOWN) & END_TAG) !== 0;
}
/** Whether the tag of a cache slot ends in a slash. */
export function isSelfClosing(slot: u32): bool {
  return (load<u32>(slot, KNOWN) & SELF_CLOSING) !== 0;
}
/** Returns one of the four lanes of the attributes: values low and high, names low and high. */
export function attributeLane(slot: u32, lane: u32): u32 {
  return load<u32>(slot + (lane << 2), SUMS);
}
/** Returns the start of the href, from the start of the tag; -1 if the tag has none. */
export function hrefStart(slot: u32): i32 {
  return load<i32>(slot, HREF);
}
/** Returns the end of the href, from the start of the tag. */
export function hrefEnd(slot: u32): u32 {
  return load<u32>(slot, HREF + 4);
}
/** Makes a slot that of a tag without attributes. */
export function clearAttributes(slot: u32): void {
  memory.fill(slot, 0, BYTES);
  store<i32>(slot, -1, HREF);
}

/**
 * Sums up the attributes from `start` on in a slot; `tagStart` is the start of the tag. Returns the position
 * after the tag, 0 if the source ends inside it.
 */
export function scanAttributes(tagStart: u32, start: u32, slot: u32): u32 {
  let valuesLow: u32 = 0;
  let valuesHigh: u32 = 0;
  let namesLow: u32 = 0;
  let namesHigh: u32 = 0;
  let href: u32 = 0;
  let hrefLimit: u32 = 0;
  let at = start;
  while (true) {
    let byte: u32 = load<u8>(at);
    while (isOneOf(byte, SLASH_OR_SPACE)) byte = load<u8>(++at);
    if (byte === GREATER) break;
    if (at >= b.sourceEnd) return 0;

    // the name; an equals sign may be its first byte
    const nameStart = at;
    let name = NAME_BASIS;
    do {
      name = (name ^ lowerCase(byte)) * NAME_PRIME;
      byte = load<u8>(++at);
    } while (!endsAt(byte, at, NAME_END));
    const nameEnd = at;
    const lowOfName = nameLow(name);
    const highOfName = nameHigh(name, nameEnd - nameStart);
    namesLow += lowOfName;
    namesHigh += highOfName;

    // the value
    let low: u32 = 0;
    let high: u32 = 0;
    while (isSpace(byte)) byte = load<u8>(++at);
    if (byte === 0x3d) {
      byte = load<u8>(++at);
      while (isSpace(byte)) byte = load<u8>(++at);
      let valueStart = at;
      const isQuoted = u32(byte === 0x22) | u32(byte === 0x27);
      if (isQuoted) {
        valueStart++;
        at = findByte(valueStart, byte);
        if (at >= b.sourceEnd) return 0;
      } else while (!endsAt(byte, at, VALUE_END)) byte = load<u8>(++at);
      hashBytes(valueStart, at);
      low = load<u32>(RESULTS_AT);
      high = load<u32>(RESULTS_AT, 4);
      if (!href && nameEnd - nameStart === 4 && (load<u32>(nameStart) | 0x20202020) === 0x66657268) {
        href = valueStart;
        hrefLimit = at;
      }
      at += isQuoted;
    } else at = nameEnd; // without a value the next name begins where this one ends
    low = mixLow(low ^ lowOfName, high + highOfName);
    valuesHigh += mixHigh(low, high + highOfName);
    valuesLow += low;
  }
  const closesItself = start < at && load<u8>(at - 1) === SLASH;
  store<u32>(slot, closesItself ? SELF_CLOSING : 0, KNOWN);
  store<u32>(slot, valuesLow, SUMS);
  store<u32>(slot, valuesHigh, SUMS + 4);
  store<u32>(slot, namesLow, SUMS + 8);
  store<u32>(slot, namesHigh, SUMS + 12);
  store<i32>(slot, href ? href - tagStart : -1, HREF);
  store<u32>(slot, hrefLimit - tagStart, HREF + 4);
  return at + 1;
}

/** Scans a tag that is not in the cache and adds it; `end` is the position of its first `>`, 0 for a long tag. */
function scanNewTag(start: u32, end: u32, cacheSlot: u32): u32 {
  const isEnd = load<u8>(start, 1) === SLASH;
  const first = start + 1 + u32(isEnd);
  if (!isLetter(load<u8>(first))) return OTHER_MARKUP;
  const raw = v128.load(first);
  const ends = i8x16.bitmask(
    v128.or(
      i8x16.lt_u(raw, i8x16.splat(0x21)),
      v128.or(i8x16.eq(raw, i8x16.splat(0x3e)), i8x16.eq(raw, i8x16.splat(0x2f))),
    ),
  );
  if (!ends) return OTHER_MARKUP; // no name of HTML is that long
  const isCapital = i8x16.lt_u(i8x16.sub(raw, i8x16.splat(0x41)), i8x16.splat(26));
  const name = firstBytes(v128.or(raw, v128.and(isCapital, i8x16.splat(0x20))), ctz(ends));
  const nameEnd = first + ctz(ends);
  if (!endsTagName(load<u8>(nameEnd))) return OTHER_MARKUP;
  const tag = findTag(name);
  if (!tag) return OTHER_MARKUP;

  const slot: u32 = end ? cacheSlot : UNCACHED_SLOT;
  store<u32>(slot, 0); // the slot is emptied before its tag is overwritten
  const tagEnd = scanAttributes(start, nameEnd, slot);
  if (!tagEnd) return OTHER_MARKUP;
  store<u32>(slot, load<u32>(slot, KNOWN) | tag | (isEnd ? END_TAG : 0), KNOWN);
  b.tokenEnd = tagEnd;
  if (tagEnd !== end + 1) return slot; // only a tag that ends at its first `>` can be found again
  store<u32>(slot, end - start);
  let from = start + 1;
  let to = slot + BYTES;
  for (; end >= from + 16; from += 16, to = nextSixteen(slot, to)) v128.store(to, v128.load(from));
  v128.store(to, firstBytes(v128.load(from), end - from));
  return slot;
}

/** Returns the address of the sixteen cached bytes of a tag that follow those at an address. */
function nextSixteen(slot: u32, at: u32): u32 {
  if (at + 16 !== slot + SLOT_BYTES) return at + 16;
  return ((slot - CACHE_AT) << (LONG_TAG_BITS - CACHE_SLOT_BITS)) + LONG_TAGS_AT;
}

/** Adds sixteen bytes to a hash, whose lower bits are weak. */
function mixSixteen(hash: u64, sixteen: v128): u64 {
  const low = <u64>i64x2.extract_lane(sixteen, 0) * LOW_FACTOR;
  return rotl<u64>(hash, 29) + (low ^ (<u64>i64x2.extract_lane(sixteen, 1) * HIGH_FACTOR));
}

/**
 * Skips white space and finds the next token: fills `tokenStart`. Returns the slot of a tag, with `tokenEnd`
 * filled; OTHER_MARKUP if a `<` starts something else, or a tag with a name unknown to HTML; NO_TAG for text.
 */
export function nextTag(start: u32): u32 {
  // a branch, which the processor predicts, is faster than a loop whose result it must wait for
  if (load<u8>(start) <= SPACE) start = skipSpaces(start);
  b.tokenStart = start;
  if (load<u8>(start) !== LESS) return NO_TAG;
  if (load<u8>(start, 1) === 0x21) return OTHER_MARKUP;

  const first = start + 1;
  let at = first;
  let hash: u64 = 0;
  let sixteen = v128.load(at);
  let found = bitsOf(sixteen, GREATER);
  while (!found) {
    hash = mixSixteen(hash, sixteen);
    at += 16;
    if (at - first >= MAX_TAG_BYTES) return scanNewTag(start, 0, 0);
    sixteen = v128.load(at);
    found = bitsOf(sixteen, GREATER);
  }
  sixteen = firstBytes(sixteen, ctz(found));
  const end = at + ctz(found);
  const slot = ((<u32>(mixSixteen(hash, sixteen) >> 52)) << CACHE_SLOT_BITS) + CACHE_AT;
  if (end >= b.sourceEnd) return OTHER_MARKUP;
  if (load<u32>(slot) !== end - start) return scanNewTag(start, end, slot);
  let known: u32 = slot + BYTES;
  for (let from = first; from < at; from += 16, known = nextSixteen(slot, known)) {
    if (!same(v128.load(from), v128.load(known))) return scanNewTag(start, end, slot);
  }
  if (!same(sixteen, v128.load(known))) return scanNewTag(start, end, slot);
  b.tokenEnd = end + 1;
  return slot;
}

/** Returns the first position from `at` on that is not white space; for long runs of white space. */
function skipSpaces(at: u32): u32 {
  while (true) {
    const bytes = v128.load(at);
    const control = i8x16.lt_u(i8x16.sub(bytes, i8x16.splat(9)), i8x16.splat(5));
    const spaces = v128.or(
      i8x16.eq(bytes, i8x16.splat(0x20)),
      v128.andnot(control, i8x16.eq(bytes, i8x16.splat(0x0b))),
    );
    const others = i8x16.bitmask(spaces) ^ 0xffff;
    if (others) return at + ctz(others);
    at += 16;
  }
}

/**
 * Scans a tag with a name unknown to HTML, which starts at `nameStart`; false if the source ends inside the
 * tag.
 */
export function scanForeignTag(start: u32, nameStart: u32): bool {
  let hash = NAME_BASIS;
  let at = nameStart;
  for (; ; at++) {
    const byte: u32 = load<u8>(at);
    if (endsTagName(byte) || (byte === 0 && at >= b.sourceEnd)) break;
    hash = (hash ^ lowerCase(byte)) * NAME_PRIME;
  }
  b.tag = findName(nameStart, at, hash);
  const end = scanAttributes(start, at, UNCACHED_SLOT);
  b.slot = UNCACHED_SLOT;
  b.tokenStart = start;
  b.tokenEnd = end;
  return end !== 0;
}

/**
 * Returns the tag id of a name, which is one of HTML's if the tag was cut off. A name that is new on the page
 * gets the next id.
 */
function findName(start: u32, end: u32, hash: u32): u32 {
  const sizeBytes = end - start;
  if (sizeBytes <= 16) {
    const raw = v128.load(start);
    const isCapital = i8x16.lt_u(i8x16.sub(raw, i8x16.splat(0x41)), i8x16.splat(26));
    const known = findTag(firstBytes(v128.or(raw, v128.and(isCapital, i8x16.splat(0x20))), sizeBytes));
    if (known && nameSize(known) === sizeBytes) return known;
  }
  let slot = (hash ^ (hash >> 15)) & (FOREIGN_SLOT_COUNT - 1);
  while (true) {
    const tag: u32 = load<u16>(FOREIGN_SLOTS_AT + (slot << 1));
    if (!tag) break;
    if (nameHash(tag) === hash && nameSize(tag) === sizeBytes && isName(tag, start)) return tag;
    slot = (slot + 1) & (FOREIGN_SLOT_COUNT - 1);
  }
  const tag = FIRST_FOREIGN_TAG + b.nameCount;
  if (tag >= TAG_LIMIT - 1) return TAG_LIMIT - 1; // all further names share the last id
  store<u16>(FOREIGN_SLOTS_AT + (slot << 1), tag);
  setName(tag, hash, sizeBytes);
  const span = b.names + (b.nameCount << 3);
  store<u32>(span, start - b.source);
  store<u32>(span, end - b.source, 4);
  b.nameCount++;
  return tag;
}

function isName(tag: u32, start: u32): bool {
  const known = b.source + load<u32>(b.names + ((tag - FIRST_FOREIGN_TAG) << 3));
  const sizeBytes = nameSize(tag);
  for (let i: u32 = 0; i < sizeBytes; i++) {
    if (lowerCase(load<u8>(known + i)) !== lowerCase(load<u8>(start + i))) return false;
  }
  return true;
}

/**
 * Empties the slots of the page's names, the newest first, so that the slots probed before it are as they
 * were when it was added.
 */
export function clearNames(): void {
  for (let tag = FIRST_FOREIGN_TAG + b.nameCount - 1; tag >= FIRST_FOREIGN_TAG; tag--) {
    const hash = nameHash(tag);
    let slot = (hash ^ (hash >> 15)) & (FOREIGN_SLOT_COUNT - 1);
    while (<u32>load<u16>(FOREIGN_SLOTS_AT + (slot << 1)) !== tag)
      slot = (slot + 1) & (FOREIGN_SLOT_COUNT - 1);
    store<u16>(FOREIGN_SLOTS_AT + (slot << 1), 0);
  }
  b.nameCount = 0;
}
