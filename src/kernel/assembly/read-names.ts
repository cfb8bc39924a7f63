/**
 * Reads the class, id, role, rel and itemprop or itemtype attributes of an element: hashes for its paths, weights of its
 * names, the role bits of their words, and whether it is hidden. The results are in the variables below until
 * the next element is read.
 */
import * as Blocks from '../block-layout.ts';
import * as Page from '../layout.ts';
import { word } from './block-records';
import { mix32 } from './hash';
import { findByteBefore } from './scan-bytes';

const KEY_PRIME: u64 = 0x9e3779b97f4a7c15;

// prefixes for hashes, by the element that a name belongs to
const OWN_NAME: u32 = 0x1b873593;
const PARENT_NAME: u32 = 0x52dce729;
const ANY_NAME: u32 = 0x38495ab5;
const OWN_TAG: u32 = 0x2127599b;
const PARENT_TAG: u32 = 0x6c8e9cf5;
const CLASSES: u32 = 0x7f4a7c15;
const ROLE: u32 = 0x165667b1;
const ITEM: u32 = 0x27d4eb2f;

// attributes that are read; `attributeOf` identifies them by their length and first four letters
const CLASS: u32 = 1;
const ID: u32 = 2;
const ROLE_ATTRIBUTE: u32 = 3;
const ITEM_ATTRIBUTE: u32 = 4;
const STYLE: u32 = 5;
const HIDDEN: u32 = 6;
const REL: u32 = 7;

const TAG_A: u32 = 8;
const TAG_IMG: u32 = 12;
/** Shorter start tags are not cached, because they have at most one short name. */
const MIN_CACHED_BYTES: u32 = 12;

/** Maximum number of words in the names of one element; further words are ignored. */
const MAX_NAMES: u32 = 24;

// hashes of the names of the current element
const names: u32 = <u32>memory.data(96, 16);
let nameCount: u32 = 0;
/** Sum of the hashes of its classes and id, without digits. */
export let ownHash: u32 = 0;
/** Sum of the hashes of its classes, without digits. */
export let classHash: u32 = 0;
/** Hash of its first four words together. */
let combined: u32 = 0;
/** Bits of its roles, item types and hiding for `ELEMENT_ABOVE`. */
export let aboveBits: u32 = 0;
/** Role bits of the element; the table of words that they come from follows. */
export let roleBits: u32 = 0;
let roleWords: u32 = 0;
/** Weight of its names as those of any element above a block. */
export let anyWeight: f32 = 0;
/** Weight of its names as those of the element that contains a block. */
export let ownWeight: f32 = 0;
/** Weight of its names as those of the parent of that element. */
export let parentWeight: f32 = 0;

/** Prepares for the elements of a page and empties the cache; called before the first element. */
export function openNames(blocks: u32): void {
  roleWords = word(blocks, Blocks.BLOCKS_ROLE_WORDS);
  memory.fill(word(blocks, Blocks.BLOCKS_NAME_CACHE), 0, Blocks.NAME_CACHE_BYTES);
}

/**
 * Reads the names of an element. Most start tags of a page occur many times with the same bytes, and are read
 * once. Links and pictures have addresses of their own and are not cached.
 */
export function nameElement(blocks: u32, page: u32, node: u32, tag: u32): void {
  const weights = word(blocks, Blocks.BLOCKS_NAME_WEIGHTS);
  const cache = word(blocks, Blocks.BLOCKS_NAME_CACHE);
  const start = word(page, Page.PAGE_SOURCE) + load<u32>(word(page, Page.PAGE_START) + (node << 2));
  const size = word(page, Page.PAGE_SOURCE) + load<u32>(word(page, Page.PAGE_OPEN_END) + (node << 2)) - start;
  if (size < MIN_CACHED_BYTES || tag === TAG_A || tag === TAG_IMG) {
    readNames(page, node);
    weighNames(weights, tag);
    return;
  }
  // mix the bytes after `<` with the last ones
  const key = load<u64>(start, 1) ^ (load<u64>(start + size - 8) * KEY_PRIME);
  const index = mix32(u32(key >> 32) * 0x9e3779b1 + u32(key) + size) & (Blocks.NAME_CACHE_BUCKETS - 1);
  const bucket = cache + index * (Blocks.CACHED_SIZE << 2);
  if (
    load<u32>(bucket, Blocks.CACHED_BYTES << 2) === size &&
    load<u32>(bucket, Blocks.CACHED_TAG << 2) === tag &&
    isSame(load<u32>(bucket, Blocks.CACHED_START << 2), start, size)
  ) {
    ownHash = load<u32>(bucket, Blocks.CACHED_VALUES << 2);
    classHash = load<u32>(bucket, (Blocks.CACHED_VALUES + 1) << 2);
    aboveBits = load<u32>(bucket, (Blocks.CACHED_VALUES + 2) << 2);
    roleBits = load<u32>(bucket, (Blocks.CACHED_VALUES + 3) << 2);
    anyWeight = load<f32>(bucket, (Blocks.CACHED_VALUES + 4) << 2);
    ownWeight = load<f32>(bucket, (Blocks.CACHED_VALUES + 5) << 2);
    parentWeight = load<f32>(bucket, (Blocks.CACHED_VALUES + 6) << 2);
    return;
  }
  readNames(page, node);
  weighNames(weights, tag);
  store<u32>(bucket, start, Blocks.CACHED_START << 2);
  store<u32>(bucket, size, Blocks.CACHED_BYTES << 2);
  store<u32>(bucket, tag, Blocks.CACHED_TAG << 2);
  store<u32>(bucket, ownHash, Blocks.CACHED_VALUES << 2);
  store<u32>(bucket, classHash, (Blocks.CACHED_VALUES + 1) << 2);
  store<u32>(bucket, aboveBits, (Blocks.CACHED_VALUES + 2) << 2);
  store<u32>(bucket, roleBits, (Blocks.CACHED_VALUES + 3) << 2);
  store<f32>(bucket, anyWeight, (Blocks.CACHED_VALUES + 4) << 2);
  store<f32>(bucket, ownWeight, (Blocks.CACHED_VALUES + 5) << 2);
  store<f32>(bucket, parentWeight, (Blocks.CACHED_VALUES + 6) << 2);
}

/** Whether two spans of at least eight bytes are equal. */
function isSame(one: u32, other: u32, size: u32): bool {
  for (let at: u32 = 0; at + 8 < size; at += 8) {
    if (load<u64>(one + at) !== load<u64>(other + at)) return false;
  }
  return load<u64>(one + size - 8) === load<u64>(other + size - 8);
}

/** Adds up the weights of the names that were read. */
function weighNames(weights: u32, tag: u32): void {
  let any: f32 = 0;
  let asOwn: f32 = weightOf(weights, OWN_TAG, tag);
  let asParent: f32 = weightOf(weights, PARENT_TAG, tag);
  for (let k: u32 = 0; k < nameCount; k++) {
    const hash = load<u32>(names + (k << 2));
    any += weightOf(weights, ANY_NAME, hash);
    asOwn += weightOf(weights, OWN_NAME, hash);
    asParent += weightOf(weights, PARENT_NAME, hash);
  }
  if (nameCount > 0) {
    const both = weightOf(weights, CLASSES, combined);
    asOwn += both;
    asParent += both;
  }
  anyWeight = any;
  ownWeight = asOwn;
  parentWeight = asParent;
}

function weightOf(weights: u32, prefix: u32, hash: u32): f32 {
  const bucket = mix32(hash ^ prefix) >> (32 - Blocks.NAME_BUCKET_BITS);
  return f32(load<i8>(weights + bucket)) * <f32>Blocks.NAME_WEIGHT_UNIT;
}

/** Whether a byte is white space: space, tab, line feed, vertical tab, form feed or carriage return. */
export function isSpace(byte: u32): bool {
  return byte === 0x20 || byte - 9 < 5;
}

/** Reads the naming attributes of a start tag. */
function readNames(page: u32, node: u32): void {
  nameCount = 0;
  ownHash = classHash = combined = aboveBits = roleBits = 0;
  const source = word(page, Page.PAGE_SOURCE);
  const end = source + load<u32>(word(page, Page.PAGE_OPEN_END) + (node << 2));
  let at = source + load<u32>(word(page, Page.PAGE_START) + (node << 2)) + 1;
  while (at < end && !isSpace(load<u8>(at)) && load<u8>(at) !== 0x2f && load<u8>(at) !== 0x3e) at++;
  while (at < end) {
    while (at < end && (isSpace(load<u8>(at)) || load<u8>(at) === 0x2f)) at++;
    if (at >= end || load<u8>(at) === 0x3e) break;
    const nameStart = at;
    at = endOfName(at + 1, end);
    const attribute = attributeOf(nameStart, at);
    let value = at;
    while (value < end && isSpace(load<u8>(value))) value++;
    if (value >= end || load<u8>(value) !== 0x3d) {
      if (attribute === HIDDEN) aboveBits |= 1 << Blocks.ABOVE_HIDDEN;
      continue;
    }
    for (value++; value < end && isSpace(load<u8>(value)); ) value++;
    const quote: u32 = load<u8>(value);
    const isQuoted = quote === 0x22 || quote === 0x27;
    if (isQuoted) value++;
    at = value;
    if (isQuoted) at = findByteBefore(at, end, quote);
    else while (at < end && !isSpace(load<u8>(at)) && load<u8>(at) !== 0x3e) at++;
    readValue(attribute, value, at);
    if (isQuoted) at++;
  }
}

/**
 * Returns the first position from `at` on that ends an attribute's name: white space, `=`, `>` or a slash.
 */
export function endOfName(at: u32, end: u32): u32 {
  for (; at < end; at += 16) {
    const sixteen = v128.load(at);
    const signs = v128.or(
      v128.or(i8x16.eq(sixteen, i8x16.splat(0x3d)), i8x16.eq(sixteen, i8x16.splat(0x3e))),
      i8x16.eq(sixteen, i8x16.splat(0x2f)),
    );
    const spaces = v128.or(
      i8x16.eq(sixteen, i8x16.splat(0x20)),
      i8x16.lt_u(i8x16.sub(sixteen, i8x16.splat(9)), i8x16.splat(5)),
    );
    const found = i8x16.bitmask(v128.or(signs, spaces));
    if (found) return min(at + ctz(found), end);
  }
  return end;
}

/** Returns the number of an attribute that is read; 0 for all others. Bit 0x20 makes letters small. */
function attributeOf(start: u32, end: u32): u32 {
  const size = end - start;
  if (size === 2) return (load<u16>(start) | 0x2020) === 0x6469 /* id */ ? ID : 0;
  if (size === 3) return ((load<u32>(start) & 0xffffff) | 0x202020) === 0x6c6572 /* rel */ ? REL : 0;
  if (size < 4 || size > 8) return 0;
  const four = load<u32>(start) | 0x20202020;
  if (size === 5 && four === 0x73616c63 /* clas */) return CLASS;
  if (size === 5 && four === 0x6c797473 /* styl */) return STYLE;
  if (size === 4 && four === 0x656c6f72 /* role */) return ROLE_ATTRIBUTE;
  if (size === 8 && four === 0x6d657469 /* item */) return ITEM_ATTRIBUTE;
  if (size === 6 && four === 0x64646968 /* hidd */) return HIDDEN;
  return 0;
}

function readValue(attribute: u32, start: u32, end: u32): void {
  if (attribute === 0) return;
  if (attribute === STYLE) {
    if (hides(start, end)) aboveBits |= 1 << Blocks.ABOVE_HIDDEN;
    return;
  }
  if (attribute === HIDDEN) {
    aboveBits |= 1 << Blocks.ABOVE_HIDDEN;
    return;
  }
  if (attribute === CLASS || attribute === ID) {
    if (end - start < 80) {
      const hash = hashWithoutDigits(start, end);
      ownHash += attribute === ID ? hash * 31 : hash;
      if (attribute === CLASS) classHash += hash;
    }
    splitNames(start, end, true);
    return;
  }
  splitNames(start, end, false);
  if (attribute === REL) return;
  // the value of a role or item is one name
  const hash = lastStep(start, end);
  if (attribute === ROLE_ATTRIBUTE) {
    const four = load<u32>(start) | 0x20202020;
    if (four === 0x6e69616d /* main */) aboveBits |= 1 << Blocks.ABOVE_MAIN_ROLE;
    else if (four === 0x6976616e || four === 0x6e6e6162 || four === 0x746e6f63 || four === 0x706d6f63)
      aboveBits |= 1 << Blocks.ABOVE_NAVIGATION_ROLE; // navigation, banner, contentinfo, complementary
    else if (four === 0x6c616964 /* dial */ || (four === 0x72656c61 && end - start === 11) /* alertdialog */)
      aboveBits |= 1 << Blocks.ABOVE_DIALOG;
  } else if (
    containsBytes(start, end, 0x6c636974, 0x646f4265) /* ticleBod */ ||
    containsBytes(start, end, 0x50676f6c, 0x0074736f) /* logPost */
  )
    aboveBits |= 1 << Blocks.ABOVE_BODY_ITEM;
  else if (containsBytes(start, end, 0x656d6d6f, 0x0000746e) /* omment */)
    aboveBits |= 1 << Blocks.ABOVE_COMMENT_ITEM;
  else aboveBits |= 1 << Blocks.ABOVE_OTHER_ITEM;
  nameWhole(attribute === ROLE_ATTRIBUTE ? ROLE : ITEM, hash);
}

/** Adds a hash to the names of the element. */
function nameWhole(prefix: u32, hash: u32): void {
  if (nameCount === MAX_NAMES) return;
  store<u32>(names + (nameCount++ << 2), mix32(hash ^ prefix));
}

/** Whether a value contains eight bytes; zeros at the end of the bytes match anything. */
function containsBytes(start: u32, end: u32, low: u32, high: u32): bool {
  const mask: u32 = high >> 24 !== 0 ? 0xffffffff : high >> 16 !== 0 ? 0xffffff : 0xffff;
  for (let at = start; at + 4 < end; at++) {
    if (load<u32>(at) === low && (load<u32>(at, 4) & mask) === high) return true;
  }
  return false;
}

/** Whether a style hides the element: display: none or visibility: hidden. */
export function hides(start: u32, end: u32): bool {
  for (let at = start; at + 10 < end; at++) {
    const four = load<u32>(at) | 0x20202020;
    if (four !== 0x70736964 /* disp */ && four !== 0x69736976 /* visi */) continue;
    let p = at;
    while (p < end && load<u8>(p) !== 0x3a) p++;
    for (p++; p < end && isSpace(load<u8>(p)); ) p++;
    const value = load<u32>(p) | 0x20202020;
    if (p + 4 <= end && (value === 0x656e6f6e /* none */ || value === 0x64646968) /* hidd */) return true;
  }
  return false;
}

/**
 * Whether a class names the subject of the page, as in the markup of blogs: tag-x, category-x, author-x,
 * page-x.
 */
function namesPage(start: u32, end: u32): bool {
  const size = end - start;
  if (size < 5) return false;
  const four = load<u32>(start);
  if (four === 0x2d676174 /* tag- */) return true;
  if (four === 0x65676170 /* page */) return load<u8>(start, 4) === 0x2d;
  if (four === 0x68747561 /* auth */) return size > 7 && load<u8>(start, 6) === 0x2d;
  return four === 0x65746163 /* cate */ && size > 9 && load<u8>(start, 8) === 0x2d;
}

/**
 * Returns a sum over the words of a value, which does not depend on their order. Digits and names of the
 * page's subject are left out.
 */
function hashWithoutDigits(start: u32, end: u32): u32 {
  let sum: u32 = 0;
  let first = start;
  let hash: u32 = 0;
  for (let at = start; at <= end; at++) {
    const byte: u32 = at < end ? load<u8>(at) : 0x20;
    if (isSpace(byte)) {
      if (hash !== 0 && !namesPage(first, at)) sum += mix32(hash);
      hash = 0;
      first = at + 1;
    } else if (byte - 0x30 >= 10) hash = (hash ^ byte) * 0x01000193 + 1;
  }
  return sum;
}

/** Returns the hash of the part of a value after its last slash. */
function lastStep(start: u32, end: u32): u32 {
  let hash: u32 = 0;
  for (let at = start; at < end; at++) {
    const byte: u32 = load<u8>(at);
    hash = byte === 0x2f ? 0 : (hash ^ byte) * 0x01000193 + 1;
  }
  return hash;
}

/**
 * Reads the words of a value, split at signs, at digits and where a capital follows a small letter. Adds
 * those of a class or an id to the names, and the role bits of each to the element's. Words joined by a sign
 * are read together: `open` in `comments-open` clears the bit that `comments` sets.
 */
function splitNames(start: u32, end: u32, isName: bool): void {
  let hash: u32 = 0;
  let size: u32 = 0;
  let wasSmall = false;
  let set: u32 = 0;
  let cleared: u32 = 0;
  for (let at = start; at <= end; at++) {
    const byte: u32 = at < end ? load<u8>(at) : 0;
    const lower = byte | 0x20;
    const isLetter = lower - 0x61 < 26 && byte < 0x80;
    const isCapital = isLetter && byte < 0x61;
    if (!isLetter || (isCapital && wasSmall)) {
      if (size >= 2 && size <= 24) {
        if (isName && nameCount < MAX_NAMES) {
          store<u32>(names + (nameCount << 2), hash);
          if (nameCount < 4) combined = mix32(combined + hash);
          nameCount++;
        }
        const bucket = roleWord(hash);
        set |= load<u32>(bucket, 4);
        cleared |= load<u32>(bucket, 8);
      }
      hash = size = 0;
    }
    if (isLetter) {
      hash = (hash ^ lower) * 0x01000193 + 0x811c9dc5;
      size++;
    } else if (at === end || isSpace(byte)) {
      roleBits |= set & ~cleared;
      set = cleared = 0;
    }
    wasSmall = isLetter && !isCapital;
  }
}

/**
 * Returns the bucket of a word in the table of role words; for any other word an empty bucket, which sets no
 * bits.
 */
function roleWord(hash: u32): u32 {
  let index = hash & (Blocks.ROLE_WORD_BUCKETS - 1);
  while (true) {
    const bucket = roleWords + index * (Blocks.ROLE_WORD_SIZE << 2);
    const known = load<u32>(bucket);
    if (known === hash || known === 0) return bucket;
    index = (index + 1) & (Blocks.ROLE_WORD_BUCKETS - 1);
  }
}

/**
 * Writes the buckets whose weights make up the names' score of a block in this leaf, for training; returns
 * their number. `out` has room for `most`.
 */
export function listNameBuckets(blocks: u32, page: u32, leaf: u32, out: u32, most: u32): u32 {
  const parents = word(page, Page.PAGE_PARENT);
  let count: u32 = 0;
  let level: u32 = 0;
  const tags = load<u32>(blocks + (Blocks.BLOCKS_TAGS << 2));
  for (let node = leaf; node !== 0 && count + 4 * MAX_NAMES < most; node = load<u32>(parents + (node << 2))) {
    readNames(page, node);
    const tag: u32 = load<u16>(word(page, Page.PAGE_NAME) + (node << 1));
    for (let k: u32 = 0; k < nameCount; k++) {
      const hash = load<u32>(names + (k << 2));
      count = list(out, count, ANY_NAME, hash);
      if (level === 0) count = list(out, count, OWN_NAME, hash);
      if (level === 1) count = list(out, count, PARENT_NAME, hash);
    }
    if (level <= 1 && nameCount > 0) count = list(out, count, CLASSES, combined);
    if (level === 0) count = list(out, count, OWN_TAG, tag);
    if (level === 1) count = list(out, count, PARENT_TAG, tag);
    if (tag < <u32>Page.FIRST_FOREIGN_TAG && load<u8>(tags + tag) === Blocks.TAG_BOUNDARY) level++;
  }
  return count;
}

/** Appends the bucket of a name to a list; returns the new number of buckets. */
function list(out: u32, count: u32, prefix: u32, hash: u32): u32 {
  store<u32>(out + (count << 2), mix32(hash ^ prefix) >> (32 - Blocks.NAME_BUCKET_BITS));
  return count + 1;
}
