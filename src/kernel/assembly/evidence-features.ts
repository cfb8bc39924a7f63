/**
 * Collects for each block of a page what the other pages of the site say (count-evidence.ts): how many have its text in this
 * place, how its slot varies, how much of its surroundings repeats.
 */
import * as Blocks from '../block-layout.ts';
import * as Evidence from '../evidence-layout.ts';
import { MISSING, rowAt } from './block-features';
import { float, ratio, word } from './block-records';
import {
  find,
  linkKey,
  nearPairKey,
  nearSlotKey,
  pairKey,
  slotKey,
  tagSlotKey,
  textKey,
  WORD_UNITS,
} from './count-evidence';
import { elementAt } from './describe-elements';
import { addGroup } from './layout-group';

const RECORD_BYTES: u32 = Blocks.BLOCK_RECORD_WORDS << 2;

/** A slot with more blocks a page is a list; on fewer pages, its texts may repeat by chance. */
const LIST_PER_PAGE: f32 = 1.5;
const LIST_PAGES: f32 = 5;
/** A text on a smaller share of the pages with a list is an item of the list, and not part of the frame. */
const ITEM_SHARE: f32 = 0.3;

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
export function otherPages(entry: u32, own: u32): f32 {
  if (entry === 0) return 0;
  const pages = word(entry, Evidence.ENTRY_PAGES);
  return max<f32>(0, f32(pages) - f32(own));
}

/**
 * Fills the site's part of each row. `own` is 1 when the page itself was counted. Without other pages everything is
 * missing.
 */
export function addEvidence(site: u32, blocks: u32, page: u32, own: u32): void {
  const count = word(blocks, Blocks.BLOCKS_COUNT);
  const pages = word(site, Evidence.SITE_PAGES);
  const others = max<f32>(0, f32(pages) - f32(own));
  const records = word(blocks, Blocks.BLOCKS_RECORDS);
  for (let block: u32 = 0; block < count; block++) {
    cursor = rowAt(blocks, block) + (Blocks.PAGE_FEATURES << 2);
    if (others === 0) {
      for (let k: u32 = 0; k < <u32>Blocks.SITE_FEATURES; k++) put(MISSING);
      store<f32>(rowAt(blocks, block), MISSING, Blocks.TEXT_PAGES_AT << 2);
      continue;
    }
    const record = records + block * RECORD_BYTES;
    const element = elementAt(blocks, word(record, Blocks.BLOCK_CONTAINER));
    const text = find(site, textKey(record));
    const slotHash = slotKey(element);
    const slot = find(site, slotHash);
    const slotPages = otherPages(slot, own);
    const pair = find(site, pairKey(slotHash, record));
    const pairPages = otherPages(pair, own);
    const nearHash = nearSlotKey(blocks, element);
    const nearSlot = find(site, nearHash);
    const nearPages = otherPages(nearSlot, own);
    let same = otherPages(find(site, nearPairKey(nearHash, record)), own);
    const isList =
      slot !== 0 &&
      f32(word(slot, Evidence.ENTRY_OCCURRENCES)) >= LIST_PER_PAGE * f32(word(slot, Evidence.ENTRY_PAGES));
    if (isList && max(slotPages, nearPages) >= LIST_PAGES) {
      if (max(ratio(same, nearPages), ratio(pairPages, slotPages)) < ITEM_SHARE) same = 0;
    }
    put(others);
    put(same);
    put(same / others);
    put(lowerBound(same, others));
    put(min(same, text === 0 ? 0 : f32(word(text, Evidence.ENTRY_LINKED))) / others);
    store<f32>(rowAt(blocks, block), otherPages(text, own), Blocks.TEXT_PAGES_AT << 2);
    put(slotPages / others);
    putSlot(slot, others);
    put(slotPages >= 2 ? pairPages / slotPages : MISSING);
    put(slotPages > 0 ? lowerBound(pairPages, slotPages) : MISSING);
    put(pairPages);
    const tagSlot = find(site, tagSlotKey(element));
    put(otherPages(tagSlot, own) / others);
    putSlot(tagSlot, others);
    put(nearPages / others);
    putSlot(nearSlot, others);
    putLinks(site, page, record, others, own);
  }
  if (others > 0) addSurroundings(blocks, count);
  addGroup(site, blocks, own);
}

/** 5 features: how a slot's text varies, its words, blocks on a page, repeated share, share of links. */
function putSlot(slot: u32, others: f32): void {
  if (slot === 0) {
    for (let k = 0; k < 5; k++) put(MISSING);
    return;
  }
  const occurrences = f32(word(slot, Evidence.ENTRY_OCCURRENCES));
  const words = f32(word(slot, Evidence.ENTRY_WORDS));
  put(f32(word(slot, Evidence.ENTRY_DISTINCT)) / occurrences);
  put(words / WORD_UNITS / occurrences);
  put(occurrences / f32(word(slot, Evidence.ENTRY_PAGES)));
  put(f32(word(slot, Evidence.ENTRY_REPEATED)) / (occurrences * others));
  put(ratio(f32(word(slot, Evidence.ENTRY_LINK_WORDS)), words));
}

/** 2 features: the mean and the largest share of pages with the block's links. */
function putLinks(site: u32, page: u32, record: u32, others: f32, own: u32): void {
  const first = word(record, Blocks.BLOCK_FIRST_LINK);
  const end = word(record, Blocks.BLOCK_END_LINK);
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

const SAME_SHARE: u32 = (Blocks.PAGE_FEATURES + 2) << 2;
const SURROUNDINGS: u32 = (Blocks.PAGE_FEATURES + 28) << 2;

/** 4 features: the share of words whose text is on other pages, in the two elements around and in windows of 3 and 8. */
function addSurroundings(blocks: u32, count: u32): void {
  const records = word(blocks, Blocks.BLOCKS_RECORDS);
  for (let level: u32 = 0; level < 2; level++) {
    for (let block: u32 = 0; block < count; block++) {
      const element = around(blocks, records + block * RECORD_BYTES, level);
      store<f32>(element, 0, Blocks.ELEMENT_SCORE << 2);
      store<f32>(element, 0, Blocks.ELEMENT_WEIGHT << 2);
    }
    for (let block: u32 = 0; block < count; block++) {
      const record = records + block * RECORD_BYTES;
      const element = around(blocks, record, level);
      const size = float(record, Blocks.BLOCK_SIZE);
      const share = load<f32>(rowAt(blocks, block) + SAME_SHARE);
      store<f32>(element, float(element, Blocks.ELEMENT_SCORE) + size * share, Blocks.ELEMENT_SCORE << 2);
      store<f32>(element, float(element, Blocks.ELEMENT_WEIGHT) + size, Blocks.ELEMENT_WEIGHT << 2);
    }
    for (let block: u32 = 0; block < count; block++) {
      const element = around(blocks, records + block * RECORD_BYTES, level);
      store<f32>(
        rowAt(blocks, block) + SURROUNDINGS + (level << 2),
        ratio(float(element, Blocks.ELEMENT_SCORE), float(element, Blocks.ELEMENT_WEIGHT)),
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
  let element = elementAt(blocks, word(record, Blocks.BLOCK_CONTAINER));
  for (let step: u32 = 0; step <= level; step++) {
    element = elementAt(blocks, max<i32>(0, load<i32>(element, Blocks.ELEMENT_PARENT << 2)));
  }
  return element;
}

function repeatedNear(blocks: u32, count: u32, block: u32, reach: u32): f32 {
  const records = word(blocks, Blocks.BLOCKS_RECORDS);
  const from = block > reach ? block - reach : 0;
  const to = min(count, block + reach + 1);
  let words: f32 = 0;
  let repeated: f32 = 0;
  for (let other = from; other < to; other++) {
    const size = float(records + other * RECORD_BYTES, Blocks.BLOCK_SIZE);
    words += size;
    repeated += size * load<f32>(rowAt(blocks, other) + SAME_SHARE);
  }
  return ratio(repeated, words);
}
