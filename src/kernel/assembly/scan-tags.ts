/**
 * Scans tags and their attributes. A page, and even more a site, repeats the same tags letter for letter:
 * `<td>`, `<li class="item">`, `</div>`. A cache stores what was found in such a tag the first time (name,
 * hashes of the attributes, position of the href). A hash selects the bucket and the bytes are compared, so a
 * hit is never wrong. Tags with a `>` in a value, very long ones and those with names unknown to HTML are not
 * cached.
 *
 * A cache bucket is a cache line of 64 bytes, so a hit costs one; a new tag replaces the tag in its bucket:
 *
 *    0  size in bytes without the `>`; 0 if the bucket is empty
 *    4  tag, SELF_CLOSING, END_TAG
 *    8  sums over the attributes: values, two lanes, and names, two lanes; their order does not matter
 *   24  start and 28 end of the href, from the start of the tag; the start is -1 without an href
 *   32  the first 32 bytes between `<` and `>`, zeros after the last; further bytes are at LONG_TAGS_AT
 */
import { FIRST_FOREIGN_TAG, RESULTS_AT, TAG_LIMIT } from '../layout.ts';
import {
  b,
  CACHE_AT,
  CACHE_BUCKET_BITS,
  FOREIGN_BUCKET_COUNT,
  FOREIGN_BUCKETS_AT,
  LONG_TAGS_AT,
  UNCACHED_BUCKET,
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
import * as Bytes from './scan-bytes.ts';
import { findTag, nameHash, nameSize, setName } from './tag-table.ts';

// offsets in a bucket
const KNOWN: usize = 4;
const SUMS: usize = 8;
const HREF: usize = 24;
const BYTES: usize = 32;
const BUCKET_BYTES: u32 = 1 << CACHE_BUCKET_BITS;
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

/** Returns the tag id of a cache bucket. */
export function tagOf(bucket: u32): u32 {
  return load<u32>(bucket, KNOWN) & TAG_BITS;
}
/** Whether the tag of a cache bucket is an end tag. */
export function isEndTag(bucket: u32): bool {
  return (load<u32>(bucket, KNOWN) & END_TAG) !== 0;
}
/** Whether the tag of a cache bucket ends in a slash. */
export function isSelfClosing(bucket: u32): bool {
  return (load<u32>(bucket, KNOWN) & SELF_CLOSING) !== 0;
}
/** Returns one of the four lanes of the attributes: values low and high, names low and high. */
export function attributeLane(bucket: u32, lane: u32): u32 {
  return load<u32>(bucket + (lane << 2), SUMS);
}
/** Returns the start of the href, from the start of the tag; -1 if the tag has none. */
export function hrefStart(bucket: u32): i32 {
  return load<i32>(bucket, HREF);
}
/** Returns the end of the href, from the start of the tag. */
export function hrefEnd(bucket: u32): u32 {
  return load<u32>(bucket, HREF + 4);
}
/** Makes a bucket that of a tag without attributes. */
export function clearAttributes(bucket: u32): void {
  memory.fill(bucket, 0, BYTES);
  store<i32>(bucket, -1, HREF);
}

/**
 * Sums up the attributes from `start` on in a bucket; `tagStart` is the start of the tag. Returns the position
 * after the tag, 0 if the source ends inside it.
 */
export function scanAttributes(tagStart: u32, start: u32, bucket: u32): u32 {
  let valuesLow: u32 = 0;
  let valuesHigh: u32 = 0;
  let namesLow: u32 = 0;
  let namesHigh: u32 = 0;
  let href: u32 = 0;
  let hrefLimit: u32 = 0;
  let at = start;
  while (true) {
    let byte: u32 = load<u8>(at);
    while (Bytes.isOneOf(byte, Bytes.SLASH_OR_SPACE)) byte = load<u8>(++at);
    if (byte === Bytes.GREATER) break;
    if (at >= b.sourceEnd) return 0;

    // the name; an equals sign may be its first byte
    const nameStart = at;
    let name = NAME_BASIS;
    do {
      name = (name ^ Bytes.lowerCase(byte)) * NAME_PRIME;
      byte = load<u8>(++at);
    } while (!Bytes.endsAt(byte, at, Bytes.NAME_END));
    const nameEnd = at;
    const lowOfName = nameLow(name);
    const highOfName = nameHigh(name, nameEnd - nameStart);
    namesLow += lowOfName;
    namesHigh += highOfName;

    // the value
    let low: u32 = 0;
    let high: u32 = 0;
    while (Bytes.isSpace(byte)) byte = load<u8>(++at);
    if (byte === 0x3d) {
      byte = load<u8>(++at);
      while (Bytes.isSpace(byte)) byte = load<u8>(++at);
      let valueStart = at;
      const isQuoted = u32(byte === 0x22) | u32(byte === 0x27);
      if (isQuoted) {
        valueStart++;
        at = Bytes.findByte(valueStart, byte);
        if (at >= b.sourceEnd) return 0;
      } else while (!Bytes.endsAt(byte, at, Bytes.VALUE_END)) byte = load<u8>(++at);
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
  const closesItself = start < at && load<u8>(at - 1) === Bytes.SLASH;
  store<u32>(bucket, closesItself ? SELF_CLOSING : 0, KNOWN);
  store<u32>(bucket, valuesLow, SUMS);
  store<u32>(bucket, valuesHigh, SUMS + 4);
  store<u32>(bucket, namesLow, SUMS + 8);
  store<u32>(bucket, namesHigh, SUMS + 12);
  store<i32>(bucket, href ? href - tagStart : -1, HREF);
  store<u32>(bucket, hrefLimit - tagStart, HREF + 4);
  return at + 1;
}

/** Scans a tag that is not in the cache and adds it; `end` is the position of its first `>`, 0 for a long tag. */
function scanNewTag(start: u32, end: u32, cacheBucket: u32): u32 {
  const isEnd = load<u8>(start, 1) === Bytes.SLASH;
  const first = start + 1 + u32(isEnd);
  if (!Bytes.isLetter(load<u8>(first))) return OTHER_MARKUP;
  const raw = v128.load(first);
  const ends = i8x16.bitmask(
    v128.or(
      i8x16.lt_u(raw, i8x16.splat(0x21)),
      v128.or(i8x16.eq(raw, i8x16.splat(0x3e)), i8x16.eq(raw, i8x16.splat(0x2f))),
    ),
  );
  if (!ends) return OTHER_MARKUP; // no name of HTML is that long
  const isCapital = i8x16.lt_u(i8x16.sub(raw, i8x16.splat(0x41)), i8x16.splat(26));
  const name = Bytes.firstBytes(v128.or(raw, v128.and(isCapital, i8x16.splat(0x20))), ctz(ends));
  const nameEnd = first + ctz(ends);
  if (!Bytes.endsTagName(load<u8>(nameEnd))) return OTHER_MARKUP;
  const tag = findTag(name);
  if (!tag) return OTHER_MARKUP;

  const bucket: u32 = end ? cacheBucket : UNCACHED_BUCKET;
  store<u32>(bucket, 0); // the bucket is emptied before its tag is overwritten
  const tagEnd = scanAttributes(start, nameEnd, bucket);
  if (!tagEnd) return OTHER_MARKUP;
  store<u32>(bucket, load<u32>(bucket, KNOWN) | tag | (isEnd ? END_TAG : 0), KNOWN);
  b.tokenEnd = tagEnd;
  if (tagEnd !== end + 1) return bucket; // only a tag that ends at its first `>` can be found again
  store<u32>(bucket, end - start);
  let from = start + 1;
  let to = bucket + BYTES;
  for (; end >= from + 16; from += 16, to = nextSixteen(bucket, to)) v128.store(to, v128.load(from));
  v128.store(to, Bytes.firstBytes(v128.load(from), end - from));
  return bucket;
}

/** Returns the address of the sixteen cached bytes of a tag that follow those at an address. */
function nextSixteen(bucket: u32, at: u32): u32 {
  if (at + 16 !== bucket + BUCKET_BYTES) return at + 16;
  return ((bucket - CACHE_AT) << (LONG_TAG_BITS - CACHE_BUCKET_BITS)) + LONG_TAGS_AT;
}

/** Adds sixteen bytes to a hash, whose lower bits are weak. */
function mixSixteen(hash: u64, sixteen: v128): u64 {
  const low = <u64>i64x2.extract_lane(sixteen, 0) * LOW_FACTOR;
  return rotl<u64>(hash, 29) + (low ^ (<u64>i64x2.extract_lane(sixteen, 1) * HIGH_FACTOR));
}

/**
 * Skips white space and finds the next token: fills `tokenStart`. Returns the bucket of a tag, with `tokenEnd`
 * filled; OTHER_MARKUP if a `<` starts something else, or a tag with a name unknown to HTML; NO_TAG for text.
 */
export function nextTag(start: u32): u32 {
  // a branch, which the processor predicts, is faster than a loop whose result it must wait for
  if (load<u8>(start) <= Bytes.SPACE) start = skipSpaces(start);
  b.tokenStart = start;
  if (load<u8>(start) !== Bytes.LESS) return NO_TAG;
  if (load<u8>(start, 1) === 0x21) return OTHER_MARKUP;

  const first = start + 1;
  let at = first;
  let hash: u64 = 0;
  let sixteen = v128.load(at);
  let found = Bytes.bitsOf(sixteen, Bytes.GREATER);
  while (!found) {
    hash = mixSixteen(hash, sixteen);
    at += 16;
    if (at - first >= MAX_TAG_BYTES) return scanNewTag(start, 0, 0);
    sixteen = v128.load(at);
    found = Bytes.bitsOf(sixteen, Bytes.GREATER);
  }
  sixteen = Bytes.firstBytes(sixteen, ctz(found));
  const end = at + ctz(found);
  const bucket = ((<u32>(mixSixteen(hash, sixteen) >> 52)) << CACHE_BUCKET_BITS) + CACHE_AT;
  if (end >= b.sourceEnd) return OTHER_MARKUP;
  if (load<u32>(bucket) !== end - start) return scanNewTag(start, end, bucket);
  let known: u32 = bucket + BYTES;
  for (let from = first; from < at; from += 16, known = nextSixteen(bucket, known)) {
    if (!Bytes.same(v128.load(from), v128.load(known))) return scanNewTag(start, end, bucket);
  }
  if (!Bytes.same(sixteen, v128.load(known))) return scanNewTag(start, end, bucket);
  b.tokenEnd = end + 1;
  return bucket;
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
    if (Bytes.endsTagName(byte) || (byte === 0 && at >= b.sourceEnd)) break;
    hash = (hash ^ Bytes.lowerCase(byte)) * NAME_PRIME;
  }
  b.tag = findName(nameStart, at, hash);
  const end = scanAttributes(start, at, UNCACHED_BUCKET);
  b.bucket = UNCACHED_BUCKET;
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
    const known = findTag(Bytes.firstBytes(v128.or(raw, v128.and(isCapital, i8x16.splat(0x20))), sizeBytes));
    if (known && nameSize(known) === sizeBytes) return known;
  }
  let bucket = (hash ^ (hash >> 15)) & (FOREIGN_BUCKET_COUNT - 1);
  while (true) {
    const tag: u32 = load<u16>(FOREIGN_BUCKETS_AT + (bucket << 1));
    if (!tag) break;
    if (nameHash(tag) === hash && nameSize(tag) === sizeBytes && isName(tag, start)) return tag;
    bucket = (bucket + 1) & (FOREIGN_BUCKET_COUNT - 1);
  }
  const tag = FIRST_FOREIGN_TAG + b.nameCount;
  if (tag >= TAG_LIMIT - 1) return TAG_LIMIT - 1; // all further names share the last id
  store<u16>(FOREIGN_BUCKETS_AT + (bucket << 1), tag);
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
    if (Bytes.lowerCase(load<u8>(known + i)) !== Bytes.lowerCase(load<u8>(start + i))) return false;
  }
  return true;
}

/**
 * Empties the buckets of the page's names, the newest first, so that the buckets probed before it are as they
 * were when it was added.
 */
export function clearNames(): void {
  for (let tag = FIRST_FOREIGN_TAG + b.nameCount - 1; tag >= FIRST_FOREIGN_TAG; tag--) {
    const hash = nameHash(tag);
    let bucket = (hash ^ (hash >> 15)) & (FOREIGN_BUCKET_COUNT - 1);
    while (<u32>load<u16>(FOREIGN_BUCKETS_AT + (bucket << 1)) !== tag)
      bucket = (bucket + 1) & (FOREIGN_BUCKET_COUNT - 1);
    store<u16>(FOREIGN_BUCKETS_AT + (bucket << 1), 0);
  }
  b.nameCount = 0;
}
