/**
 * Counts the pages of a site: on how many each text is, each link, each slot (the class path of the block's element,
 * its tag path, its last three steps), and each text in its slot and in its near slot. evidence-features.ts says what that means for a
 * block. Counts do not depend on the order of pages.
 */
import * as Blocks from '../block-layout.ts';
import * as Evidence from '../evidence-layout.ts';
import { PAGE_LINK_END, PAGE_LINK_START, PAGE_SOURCE } from '../layout.ts';
import { float, word } from './block-records';
import { elementAt } from './describe-elements';

const RECORD_BYTES: u32 = Blocks.BLOCK_RECORD_WORDS << 2;
/** Sums of words are whole numbers of eighths. */
export const WORD_UNITS: f32 = 8;
const ENTRY_BYTES: u32 = Evidence.ENTRY_SIZE << 2;

// kinds of keys
const TEXT_KEY: u64 = 0x9ddfea08eb382d69;
const PAIR_KEY: u64 = 0xc2b2ae3d27d4eb4f;
const SLOT_KEY: u64 = 0x165667b19e3779f9;
const TAG_SLOT_KEY: u64 = 0x27d4eb2f165667c5;
const NEAR_SLOT_KEY: u64 = 0x85ebca77c2b2ae63;
const LINK_KEY: u64 = 0xff51afd7ed558ccd;

let isNew: bool = false;

/** Mixes the bits of a 64-bit hash (the finalizer of MurmurHash3). */
export function mix64(hash: u64): u64 {
  let x = hash ^ (hash >> 33);
  x *= 0xff51afd7ed558ccd;
  x ^= x >> 33;
  x *= 0xc4ceb9fe1a85ec53;
  return x ^ (x >> 33);
}

/** The entry of a key, or 0. */
export function find(site: u32, key: u64): u32 {
  const buckets = word(site, Evidence.SITE_BUCKETS);
  const mask = word(site, Evidence.SITE_MASK);
  const entries = word(site, Evidence.SITE_ENTRIES);
  let index = u32(key) & mask;
  while (true) {
    const number = load<u32>(buckets + (index << 2));
    if (number === 0) return 0;
    const entry = entries + (number - 1) * ENTRY_BYTES;
    if (load<u64>(entry) === key) return entry;
    index = (index + 1) & mask;
  }
}

/** Returns the entry of a key and adds it when it is new. The host has made room for it. */
export function findOrAdd(site: u32, key: u64, kind: u32): u32 {
  const buckets = word(site, Evidence.SITE_BUCKETS);
  const mask = word(site, Evidence.SITE_MASK);
  const entries = word(site, Evidence.SITE_ENTRIES);
  let index = u32(key) & mask;
  isNew = false;
  while (true) {
    const bucket = buckets + (index << 2);
    const number = load<u32>(bucket);
    if (number === 0) {
      const count = word(site, Evidence.SITE_ENTRY_COUNT);
      store<u32>(site, count + 1, Evidence.SITE_ENTRY_COUNT << 2);
      store<u32>(bucket, count + 1);
      const entry = entries + count * ENTRY_BYTES;
      memory.fill(entry, 0, ENTRY_BYTES);
      store<u64>(entry, key);
      store<u32>(entry, kind, Evidence.ENTRY_KIND << 2);
      isNew = true;
      return entry;
    }
    const entry = entries + (number - 1) * ENTRY_BYTES;
    if (load<u64>(entry) === key) return entry;
    index = (index + 1) & mask;
  }
}

/** Returns the number of an entry of the site, from 0, by its address. */
export function numberOf(site: u32, entry: u32): u32 {
  return (entry - word(site, Evidence.SITE_ENTRIES)) / ENTRY_BYTES;
}

/** Puts all entries into a new, empty table of buckets. */
export function indexEntries(site: u32): void {
  const buckets = word(site, Evidence.SITE_BUCKETS);
  const mask = word(site, Evidence.SITE_MASK);
  const entries = word(site, Evidence.SITE_ENTRIES);
  const count = word(site, Evidence.SITE_ENTRY_COUNT);
  for (let number: u32 = 0; number < count; number++) {
    let index = word(entries + number * ENTRY_BYTES, Evidence.ENTRY_LOW) & mask;
    while (load<u32>(buckets + (index << 2)) !== 0) index = (index + 1) & mask;
    store<u32>(buckets + (index << 2), number + 1);
  }
}

/** Counts an occurrence of an entry on a page. Returns whether it is the first on this page. */
export function countPage(entry: u32, page: u32): bool {
  store<u32>(entry, word(entry, Evidence.ENTRY_OCCURRENCES) + 1, Evidence.ENTRY_OCCURRENCES << 2);
  if (word(entry, Evidence.ENTRY_LAST_PAGE) === page) return false;
  store<u32>(entry, page, Evidence.ENTRY_LAST_PAGE << 2);
  store<u32>(entry, word(entry, Evidence.ENTRY_PAGES) + 1, Evidence.ENTRY_PAGES << 2);
  return true;
}

/** Key of the text of a block. */
export function textKey(record: u32): u64 {
  return mix64(load<u64>(record, Blocks.BLOCK_TEXT << 2) ^ TEXT_KEY);
}

/** Key of the slot of an element, by its path of classes. */
export function slotKey(element: u32): u64 {
  return mix64(load<u64>(element, Blocks.ELEMENT_CLASS_PATH << 2) ^ SLOT_KEY);
}

/** Key of a text in a slot: both must be the same. */
export function pairKey(slot: u64, record: u32): u64 {
  return mix64(slot * PAIR_KEY + load<u64>(record, Blocks.BLOCK_EXACT << 2));
}

/** Key of a text, with all digits alike, in a near slot. */
export function nearPairKey(nearSlot: u64, record: u32): u64 {
  return mix64(nearSlot * PAIR_KEY + load<u64>(record, Blocks.BLOCK_TEXT << 2));
}

/** Key of the slot of an element, by its path of tags. */
export function tagSlotKey(element: u32): u64 {
  return mix64(load<u64>(element, Blocks.ELEMENT_TAG_PATH << 2) ^ TAG_SLOT_KEY);
}

/** Key of the slot of an element, by the names of the element, its parent and its grandparent. */
export function nearSlotKey(blocks: u32, element: u32): u64 {
  const parent = elementAt(blocks, max<i32>(0, load<i32>(element, Blocks.ELEMENT_PARENT << 2)));
  const grandparent = elementAt(blocks, max<i32>(0, load<i32>(parent, Blocks.ELEMENT_PARENT << 2)));
  const near = u64(word(element, Blocks.ELEMENT_OWN)) * 31 + u64(word(parent, Blocks.ELEMENT_OWN));
  return mix64((near * 0x9e3779b97f4a7c15 + u64(word(grandparent, Blocks.ELEMENT_OWN))) ^ NEAR_SLOT_KEY);
}

/** Returns the entry of the slot of a block on the site, 0 if there is no entry. */
export function findSlot(site: u32, blocks: u32, record: u32): u32 {
  return find(site, slotKey(elementAt(blocks, word(record, Blocks.BLOCK_CONTAINER))));
}

/** Returns the entry of the slot of a block by its three nearest elements, 0 if there is no entry. */
export function findNearSlot(site: u32, blocks: u32, record: u32): u32 {
  return find(site, nearSlotKey(blocks, elementAt(blocks, word(record, Blocks.BLOCK_CONTAINER))));
}

/** Returns the entry of the text of a block on the site, 0 if there is no entry. */
export function findText(site: u32, record: u32): u32 {
  return find(site, textKey(record));
}

/** Key of the target of a link of the page, without its fragment. */
export function linkKey(page: u32, link: u32): u64 {
  const source = word(page, PAGE_SOURCE);
  const end = source + load<u32>(word(page, PAGE_LINK_END) + (link << 2));
  let hash: u64 = LINK_KEY;
  for (let at = source + load<u32>(word(page, PAGE_LINK_START) + (link << 2)); at < end; at++) {
    const byte: u32 = load<u8>(at);
    if (byte === 0x23 /* # */) break;
    hash = (hash ^ byte) * 0x100000001b3;
  }
  return mix64(hash);
}

/** Counts the blocks of a page; pages are numbered from 1. */
export function countSitePage(site: u32, blocks: u32, page: u32, number: u32): void {
  const records = word(blocks, Blocks.BLOCKS_RECORDS);
  const count = word(blocks, Blocks.BLOCKS_COUNT);
  store<u32>(site, word(site, Evidence.SITE_PAGES) + 1, Evidence.SITE_PAGES << 2);
  for (let block: u32 = 0; block < count; block++) {
    const record = records + block * RECORD_BYTES;
    const element = elementAt(blocks, word(record, Blocks.BLOCK_CONTAINER));
    const size = float(record, Blocks.BLOCK_SIZE);
    const linkSize = float(record, Blocks.BLOCK_LINK_SIZE);
    const text = findOrAdd(site, textKey(record), Evidence.KIND_TEXT);
    countPage(text, number);
    if (linkSize >= <f32>0.9 * size && word(text, Evidence.ENTRY_LAST_LINKED) !== number) {
      store<u32>(text, number, Evidence.ENTRY_LAST_LINKED << 2);
      store<u32>(text, word(text, Evidence.ENTRY_LINKED) + 1, Evidence.ENTRY_LINKED << 2);
    }
    const slotHash = slotKey(element);
    const slot = countSlot(site, slotHash, number, size, linkSize);
    const tagSlot = countSlot(site, tagSlotKey(element), number, size, linkSize);
    const nearHash = nearSlotKey(blocks, element);
    const nearSlot = countSlot(site, nearHash, number, size, linkSize);
    const nearPair = findOrAdd(site, nearPairKey(nearHash, record), Evidence.KIND_NEAR_PAIR);
    countPage(nearPair, number);
    const pair = findOrAdd(site, pairKey(slotHash, record), Evidence.KIND_PAIR);
    if (isNew) {
      store<u32>(pair, numberOf(site, nearPair), Evidence.ENTRY_NEAR_PAIR << 2);
      store<u32>(pair, numberOf(site, slot), Evidence.ENTRY_SLOT << 2);
      store<u32>(pair, numberOf(site, tagSlot), Evidence.ENTRY_TAG_SLOT << 2);
      store<u32>(pair, numberOf(site, nearSlot), Evidence.ENTRY_NEAR_SLOT << 2);
      addOne(slot, Evidence.ENTRY_DISTINCT);
      addOne(tagSlot, Evidence.ENTRY_DISTINCT);
      addOne(nearSlot, Evidence.ENTRY_DISTINCT);
    }
    countPage(pair, number);
    const endLink = word(record, Blocks.BLOCK_END_LINK);
    for (let link = word(record, Blocks.BLOCK_FIRST_LINK); link < endLink; link++) {
      countPage(findOrAdd(site, linkKey(page, link), Evidence.KIND_LINK), number);
    }
  }
}

function addOne(entry: u32, index: u32): void {
  store<u32>(entry + (index << 2), word(entry, index) + 1);
}

function addTo(entry: u32, index: u32, amount: u32): void {
  store<u32>(entry + (index << 2), word(entry, index) + amount);
}

function countSlot(site: u32, key: u64, number: u32, size: f32, linkSize: f32): u32 {
  const slot = findOrAdd(site, key, Evidence.KIND_SLOT);
  countPage(slot, number);
  addTo(slot, Evidence.ENTRY_WORDS, u32(size * WORD_UNITS));
  addTo(slot, Evidence.ENTRY_LINK_WORDS, u32(linkSize * WORD_UNITS));
  return slot;
}

/** Adds up, when all pages are counted, how much the texts of each slot repeat. */
export function finishSite(site: u32): void {
  const entries = word(site, Evidence.SITE_ENTRIES);
  const count = word(site, Evidence.SITE_ENTRY_COUNT);
  for (let number: u32 = 0; number < count; number++) {
    const pair = entries + number * ENTRY_BYTES;
    if (word(pair, Evidence.ENTRY_KIND) !== Evidence.KIND_PAIR) continue;
    const nearPair = entries + word(pair, Evidence.ENTRY_NEAR_PAIR) * ENTRY_BYTES;
    const repeated = (word(nearPair, Evidence.ENTRY_PAGES) - 1) * word(pair, Evidence.ENTRY_OCCURRENCES);
    addTo(entries + word(pair, Evidence.ENTRY_SLOT) * ENTRY_BYTES, Evidence.ENTRY_REPEATED, repeated);
    addTo(entries + word(pair, Evidence.ENTRY_TAG_SLOT) * ENTRY_BYTES, Evidence.ENTRY_REPEATED, repeated);
    addTo(entries + word(pair, Evidence.ENTRY_NEAR_SLOT) * ENTRY_BYTES, Evidence.ENTRY_REPEATED, repeated);
  }
}
