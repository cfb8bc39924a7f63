/**
 * What a site tells of a block. Pages of the site are counted: on how many each text is, each link, each slot (the class
 * path of the block's element, its tag path, its last three steps), and each text in its slot. A block of a page then
 * gets what the other pages say: how many have its text, how its slot varies, how much of its surroundings repeats.
 * Counts do not depend on the order of pages.
 */
import {
  BLOCK_CONTAINER,
  BLOCK_END_LINK,
  BLOCK_EXACT,
  BLOCK_FIRST_LINK,
  BLOCK_LINK_SIZE,
  BLOCK_RECORD_WORDS,
  BLOCK_SIZE,
  BLOCK_TEXT,
  BLOCKS_COUNT,
  BLOCKS_RECORDS,
  ELEMENT_CLASS_PATH,
  ELEMENT_OWN,
  ELEMENT_PARENT,
  ELEMENT_SCORE,
  ELEMENT_TAG_PATH,
  ELEMENT_WEIGHT,
  PAGE_FEATURES,
  SITE_FEATURES,
} from '../block-layout.ts';
import {
  ENTRY_DISTINCT,
  ENTRY_KIND,
  ENTRY_LAST_LINKED,
  ENTRY_LAST_PAGE,
  ENTRY_LINK_WORDS,
  ENTRY_LINKED,
  ENTRY_LOW,
  ENTRY_NEAR_SLOT,
  ENTRY_OCCURRENCES,
  ENTRY_PAGES,
  ENTRY_REPEATED,
  ENTRY_SIZE,
  ENTRY_SLOT,
  ENTRY_TAG_SLOT,
  ENTRY_TEXT,
  ENTRY_WORDS,
  KIND_LINK,
  KIND_PAIR,
  KIND_SLOT,
  KIND_TEXT,
  SITE_ENTRIES,
  SITE_ENTRY_COUNT,
  SITE_MASK,
  SITE_PAGES,
  SITE_SLOTS,
} from '../evidence-layout.ts';
import { PAGE_LINK_END, PAGE_LINK_START, PAGE_SOURCE } from '../layout.ts';
import { MISSING, rowAt } from './block-features';
import { float, ratio, word } from './block-records';
import { elementAt } from './describe-elements';

const RECORD_BYTES: u32 = BLOCK_RECORD_WORDS << 2;
/** Sums of words are whole numbers of eighths. */
const WORD_UNITS: f32 = 8;
const ENTRY_BYTES: u32 = ENTRY_SIZE << 2;

// kinds of keys
const TEXT_KEY: u64 = 0x9ddfea08eb382d69;
const PAIR_KEY: u64 = 0xc2b2ae3d27d4eb4f;
const SLOT_KEY: u64 = 0x165667b19e3779f9;
const TAG_SLOT_KEY: u64 = 0x27d4eb2f165667c5;
const NEAR_SLOT_KEY: u64 = 0x85ebca77c2b2ae63;
const LINK_KEY: u64 = 0xff51afd7ed558ccd;

let isNew: bool = false;

function mix64(hash: u64): u64 {
  let x = hash ^ (hash >> 33);
  x *= 0xff51afd7ed558ccd;
  x ^= x >> 33;
  x *= 0xc4ceb9fe1a85ec53;
  return x ^ (x >> 33);
}

/** The entry of a key, or 0. */
function find(site: u32, key: u64): u32 {
  const slots = word(site, SITE_SLOTS);
  const mask = word(site, SITE_MASK);
  const entries = word(site, SITE_ENTRIES);
  let index = u32(key) & mask;
  while (true) {
    const number = load<u32>(slots + (index << 2));
    if (number === 0) return 0;
    const entry = entries + (number - 1) * ENTRY_BYTES;
    if (load<u64>(entry) === key) return entry;
    index = (index + 1) & mask;
  }
}

/** Returns the entry of a key and adds it when it is new. The host has made room for it. */
function findOrAdd(site: u32, key: u64, kind: u32): u32 {
  const slots = word(site, SITE_SLOTS);
  const mask = word(site, SITE_MASK);
  const entries = word(site, SITE_ENTRIES);
  let index = u32(key) & mask;
  isNew = false;
  while (true) {
    const slot = slots + (index << 2);
    const number = load<u32>(slot);
    if (number === 0) {
      const count = word(site, SITE_ENTRY_COUNT);
      store<u32>(site, count + 1, SITE_ENTRY_COUNT << 2);
      store<u32>(slot, count + 1);
      const entry = entries + count * ENTRY_BYTES;
      memory.fill(entry, 0, ENTRY_BYTES);
      store<u64>(entry, key);
      store<u32>(entry, kind, ENTRY_KIND << 2);
      isNew = true;
      return entry;
    }
    const entry = entries + (number - 1) * ENTRY_BYTES;
    if (load<u64>(entry) === key) return entry;
    index = (index + 1) & mask;
  }
}

function numberOf(site: u32, entry: u32): u32 {
  return (entry - word(site, SITE_ENTRIES)) / ENTRY_BYTES;
}

/** Puts all entries into a new, empty table of slots. */
export function indexEntries(site: u32): void {
  const slots = word(site, SITE_SLOTS);
  const mask = word(site, SITE_MASK);
  const entries = word(site, SITE_ENTRIES);
  const count = word(site, SITE_ENTRY_COUNT);
  for (let number: u32 = 0; number < count; number++) {
    let index = word(entries + number * ENTRY_BYTES, ENTRY_LOW) & mask;
    while (load<u32>(slots + (index << 2)) !== 0) index = (index + 1) & mask;
    store<u32>(slots + (index << 2), number + 1);
  }
}

function countPage(entry: u32, page: u32): bool {
  store<u32>(entry, word(entry, ENTRY_OCCURRENCES) + 1, ENTRY_OCCURRENCES << 2);
  if (word(entry, ENTRY_LAST_PAGE) === page) return false;
  store<u32>(entry, page, ENTRY_LAST_PAGE << 2);
  store<u32>(entry, word(entry, ENTRY_PAGES) + 1, ENTRY_PAGES << 2);
  return true;
}

function textKey(record: u32): u64 {
  return mix64(load<u64>(record, BLOCK_TEXT << 2) ^ TEXT_KEY);
}

function slotKey(element: u32): u64 {
  return mix64(load<u64>(element, ELEMENT_CLASS_PATH << 2) ^ SLOT_KEY);
}

function pairKey(slot: u64, record: u32): u64 {
  return mix64(slot * PAIR_KEY + load<u64>(record, BLOCK_EXACT << 2));
}

function tagSlotKey(element: u32): u64 {
  return mix64(load<u64>(element, ELEMENT_TAG_PATH << 2) ^ TAG_SLOT_KEY);
}

function nearSlotKey(blocks: u32, element: u32): u64 {
  const parent = elementAt(blocks, max<i32>(0, load<i32>(element, ELEMENT_PARENT << 2)));
  const grandparent = elementAt(blocks, max<i32>(0, load<i32>(parent, ELEMENT_PARENT << 2)));
  const near = u64(word(element, ELEMENT_OWN)) * 31 + u64(word(parent, ELEMENT_OWN));
  return mix64((near * 0x9e3779b97f4a7c15 + u64(word(grandparent, ELEMENT_OWN))) ^ NEAR_SLOT_KEY);
}

export function findSlot(site: u32, blocks: u32, record: u32): u32 {
  return find(site, slotKey(elementAt(blocks, word(record, BLOCK_CONTAINER))));
}

export function findNearSlot(site: u32, blocks: u32, record: u32): u32 {
  return find(site, nearSlotKey(blocks, elementAt(blocks, word(record, BLOCK_CONTAINER))));
}

export function findText(site: u32, record: u32): u32 {
  return find(site, textKey(record));
}

function linkKey(page: u32, link: u32): u64 {
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
  const records = word(blocks, BLOCKS_RECORDS);
  const count = word(blocks, BLOCKS_COUNT);
  store<u32>(site, word(site, SITE_PAGES) + 1, SITE_PAGES << 2);
  for (let block: u32 = 0; block < count; block++) {
    const record = records + block * RECORD_BYTES;
    const element = elementAt(blocks, word(record, BLOCK_CONTAINER));
    const size = float(record, BLOCK_SIZE);
    const linkSize = float(record, BLOCK_LINK_SIZE);
    const text = findOrAdd(site, textKey(record), KIND_TEXT);
    countPage(text, number);
    if (linkSize >= <f32>0.9 * size && word(text, ENTRY_LAST_LINKED) !== number) {
      store<u32>(text, number, ENTRY_LAST_LINKED << 2);
      store<u32>(text, word(text, ENTRY_LINKED) + 1, ENTRY_LINKED << 2);
    }
    const slotHash = slotKey(element);
    const slot = countSlot(site, slotHash, number, size, linkSize);
    const tagSlot = countSlot(site, tagSlotKey(element), number, size, linkSize);
    const nearSlot = countSlot(site, nearSlotKey(blocks, element), number, size, linkSize);
    const pair = findOrAdd(site, pairKey(slotHash, record), KIND_PAIR);
    if (isNew) {
      store<u32>(pair, numberOf(site, text), ENTRY_TEXT << 2);
      store<u32>(pair, numberOf(site, slot), ENTRY_SLOT << 2);
      store<u32>(pair, numberOf(site, tagSlot), ENTRY_TAG_SLOT << 2);
      store<u32>(pair, numberOf(site, nearSlot), ENTRY_NEAR_SLOT << 2);
      addOne(slot, ENTRY_DISTINCT);
      addOne(tagSlot, ENTRY_DISTINCT);
      addOne(nearSlot, ENTRY_DISTINCT);
    }
    countPage(pair, number);
    const endLink = word(record, BLOCK_END_LINK);
    for (let link = word(record, BLOCK_FIRST_LINK); link < endLink; link++) {
      countPage(findOrAdd(site, linkKey(page, link), KIND_LINK), number);
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
  const slot = findOrAdd(site, key, KIND_SLOT);
  countPage(slot, number);
  addTo(slot, ENTRY_WORDS, u32(size * WORD_UNITS));
  addTo(slot, ENTRY_LINK_WORDS, u32(linkSize * WORD_UNITS));
  return slot;
}

/** Adds up, when all pages are counted, how much the texts of each slot repeat. */
export function finishSite(site: u32): void {
  const entries = word(site, SITE_ENTRIES);
  const count = word(site, SITE_ENTRY_COUNT);
  for (let number: u32 = 0; number < count; number++) {
    const pair = entries + number * ENTRY_BYTES;
    if (word(pair, ENTRY_KIND) !== KIND_PAIR) continue;
    const text = entries + word(pair, ENTRY_TEXT) * ENTRY_BYTES;
    const repeated = (word(text, ENTRY_PAGES) - 1) * word(pair, ENTRY_OCCURRENCES);
    addTo(entries + word(pair, ENTRY_SLOT) * ENTRY_BYTES, ENTRY_REPEATED, repeated);
    addTo(entries + word(pair, ENTRY_TAG_SLOT) * ENTRY_BYTES, ENTRY_REPEATED, repeated);
    addTo(entries + word(pair, ENTRY_NEAR_SLOT) * ENTRY_BYTES, ENTRY_REPEATED, repeated);
  }
}

let cursor: u32 = 0;

function put(value: f32): void {
  store<f32>(cursor, value);
  cursor += 4;
}

/** Lower end of Wilson's interval for a share, one deviation: 3 of 3 is less than 300 of 300. */
function lowerBound(found: f32, all: f32): f32 {
  const share = found / all;
  const spread = sqrt<f32>((share * (1 - share)) / all + 1 / (4 * all * all));
  return (share + 1 / (2 * all) - spread) / (1 + 1 / all);
}

/** Pages besides this one with an entry; `own` is 1 when the page was counted. */
function otherPages(entry: u32, own: u32): f32 {
  if (entry === 0) return 0;
  const pages = word(entry, ENTRY_PAGES);
  return max<f32>(0, f32(pages) - f32(own));
}

/**
 * Fills the site's part of each row. `own` is 1 when the page itself was counted. Without other pages everything is
 * missing.
 */
export function addEvidence(site: u32, blocks: u32, page: u32, own: u32): void {
  const count = word(blocks, BLOCKS_COUNT);
  const pages = word(site, SITE_PAGES);
  const others = max<f32>(0, f32(pages) - f32(own));
  const records = word(blocks, BLOCKS_RECORDS);
  for (let block: u32 = 0; block < count; block++) {
    cursor = rowAt(blocks, block) + (PAGE_FEATURES << 2);
    if (others === 0) {
      for (let k: u32 = 0; k < <u32>SITE_FEATURES; k++) put(MISSING);
      continue;
    }
    const record = records + block * RECORD_BYTES;
    const element = elementAt(blocks, word(record, BLOCK_CONTAINER));
    const text = find(site, textKey(record));
    const same = otherPages(text, own);
    put(others);
    put(same);
    put(same / others);
    put(lowerBound(same, others));
    put(ratio(text === 0 ? 0 : f32(word(text, ENTRY_LINKED)), others));
    const slotHash = slotKey(element);
    const slot = find(site, slotHash);
    const slotPages = otherPages(slot, own);
    put(slotPages / others);
    putSlot(slot, others);
    const pair = find(site, pairKey(slotHash, record));
    const pairPages = otherPages(pair, own);
    put(slotPages >= 2 ? pairPages / slotPages : MISSING);
    put(slotPages > 0 ? lowerBound(pairPages, slotPages) : MISSING);
    put(pairPages);
    const tagSlot = find(site, tagSlotKey(element));
    put(otherPages(tagSlot, own) / others);
    putSlot(tagSlot, others);
    const nearSlot = find(site, nearSlotKey(blocks, element));
    put(otherPages(nearSlot, own) / others);
    putSlot(nearSlot, others);
    putLinks(site, page, record, others, own);
  }
  if (others > 0) addSurroundings(blocks, count);
}

/** 5 features: how a slot's text varies, its words, blocks on a page, repeated share, share of links. */
function putSlot(slot: u32, others: f32): void {
  if (slot === 0) {
    for (let k = 0; k < 5; k++) put(MISSING);
    return;
  }
  const occurrences = f32(word(slot, ENTRY_OCCURRENCES));
  const words = f32(word(slot, ENTRY_WORDS));
  put(f32(word(slot, ENTRY_DISTINCT)) / occurrences);
  put(words / WORD_UNITS / occurrences);
  put(occurrences / f32(word(slot, ENTRY_PAGES)));
  put(f32(word(slot, ENTRY_REPEATED)) / (occurrences * others));
  put(ratio(f32(word(slot, ENTRY_LINK_WORDS)), words));
}

/** 2 features: the mean and the largest share of pages with the block's links. */
function putLinks(site: u32, page: u32, record: u32, others: f32, own: u32): void {
  const first = word(record, BLOCK_FIRST_LINK);
  const end = word(record, BLOCK_END_LINK);
  if (first >= end) {
    put(MISSING);
    put(MISSING);
    return;
  }
  let sum: f32 = 0;
  let most: f32 = 0;
  for (let link = first; link < end; link++) {
    const share = otherPages(find(site, linkKey(page, link)), own) / others;
    sum += share;
    most = max<f32>(most, share);
  }
  put(sum / f32(end - first));
  put(most);
}

const SAME_SHARE: u32 = (PAGE_FEATURES + 2) << 2;
const SURROUNDINGS: u32 = (PAGE_FEATURES + 28) << 2;

/** 4 features: the share of words whose text is on other pages, in the two elements around and in windows of 3 and 8. */
function addSurroundings(blocks: u32, count: u32): void {
  const records = word(blocks, BLOCKS_RECORDS);
  for (let level: u32 = 0; level < 2; level++) {
    for (let block: u32 = 0; block < count; block++) {
      const element = around(blocks, records + block * RECORD_BYTES, level);
      store<f32>(element, 0, ELEMENT_SCORE << 2);
      store<f32>(element, 0, ELEMENT_WEIGHT << 2);
    }
    for (let block: u32 = 0; block < count; block++) {
      const record = records + block * RECORD_BYTES;
      const element = around(blocks, record, level);
      const size = float(record, BLOCK_SIZE);
      const share = load<f32>(rowAt(blocks, block) + SAME_SHARE);
      store<f32>(element, float(element, ELEMENT_SCORE) + size * share, ELEMENT_SCORE << 2);
      store<f32>(element, float(element, ELEMENT_WEIGHT) + size, ELEMENT_WEIGHT << 2);
    }
    for (let block: u32 = 0; block < count; block++) {
      const element = around(blocks, records + block * RECORD_BYTES, level);
      store<f32>(
        rowAt(blocks, block) + SURROUNDINGS + (level << 2),
        ratio(float(element, ELEMENT_SCORE), float(element, ELEMENT_WEIGHT)),
      );
    }
  }
  for (let block: u32 = 0; block < count; block++) {
    const row = rowAt(blocks, block) + SURROUNDINGS;
    store<f32>(row, repeatedNear(blocks, count, block, 3), 8);
    store<f32>(row, repeatedNear(blocks, count, block, 8), 12);
  }
}

function around(blocks: u32, record: u32, level: u32): u32 {
  let element = elementAt(blocks, word(record, BLOCK_CONTAINER));
  for (let step: u32 = 0; step <= level; step++) {
    element = elementAt(blocks, max<i32>(0, load<i32>(element, ELEMENT_PARENT << 2)));
  }
  return element;
}

function repeatedNear(blocks: u32, count: u32, block: u32, reach: u32): f32 {
  const records = word(blocks, BLOCKS_RECORDS);
  const from = block > reach ? block - reach : 0;
  const to = min(count, block + reach + 1);
  let words: f32 = 0;
  let repeated: f32 = 0;
  for (let other = from; other < to; other++) {
    const size = float(records + other * RECORD_BYTES, BLOCK_SIZE);
    words += size;
    repeated += size * load<f32>(rowAt(blocks, other) + SAME_SHARE);
  }
  return ratio(repeated, words);
}
