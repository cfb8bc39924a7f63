/**
 * Evidence from the pages of a page's layout group. A footer that 15 of 400 pages have is on 15 of the 15
 * pages of its layout. The host makes the groups (detect/joint/page-layouts.ts).
 */
import * as Blocks from '../block-layout.ts';
import * as Evidence from '../evidence-layout.ts';
import { MISSING, rowAt } from './block-features';
import { word } from './block-records';
import { countPage, find, findOrAdd, mix64, numberOf, pairKey, slotKey } from './count-evidence';
import { elementAt } from './describe-elements';
import { otherPages } from './evidence-features';

const RECORD_BYTES: u32 = Blocks.BLOCK_RECORD_WORDS << 2;
const ENTRY_BYTES: u32 = Evidence.ENTRY_SIZE << 2;
/** Minimum number of other pages of a group that give evidence. */
const MIN_PAGES: f32 = 3;

/** Returns the key of a text in its slot (`pair`) on the pages of a group. */
function groupPairKey(pair: u64, group: u32): u64 {
  return mix64(pair + u64(group) * 0x9e3779b97f4a7c15);
}

/**
 * Writes the numbers of the entries of each block's slot and of its text there; 0xffffffff if the site has
 * none.
 */
export function listEntries(site: u32, blocks: u32, slots: u32, pairs: u32): void {
  const records = word(blocks, Blocks.BLOCKS_RECORDS);
  const count = word(blocks, Blocks.BLOCKS_COUNT);
  for (let block: u32 = 0; block < count; block++) {
    const record = records + block * RECORD_BYTES;
    const slotHash = slotKey(elementAt(blocks, word(record, Blocks.BLOCK_CONTAINER)));
    const slot = find(site, slotHash);
    const pair = find(site, pairKey(slotHash, record));
    store<u32>(slots + (block << 2), slot === 0 ? 0xffffffff : numberOf(site, slot));
    store<u32>(pairs + (block << 2), pair === 0 ? 0xffffffff : numberOf(site, pair));
  }
}

/** Counts the texts of a page in their slots, given by the numbers of their entries, for its group. */
export function countGroupPairs(site: u32, pairs: u32, count: u32, group: u32, page: u32): void {
  for (let k: u32 = 0; k < count; k++) {
    const pair = word(site, Evidence.SITE_ENTRIES) + load<u32>(pairs + (k << 2)) * ENTRY_BYTES;
    countPage(findOrAdd(site, groupPairKey(load<u64>(pair), group), Evidence.KIND_GROUP_PAIR), page);
  }
}

/**
 * Writes, for each block, the number of other pages of the group and the share of them with the text in this
 * slot.
 */
export function addGroup(site: u32, blocks: u32, own: u32): void {
  const records = word(blocks, Blocks.BLOCKS_RECORDS);
  const count = word(blocks, Blocks.BLOCKS_COUNT);
  const group = word(site, Evidence.SITE_GROUP);
  const others = f32(word(site, Evidence.SITE_GROUP_PAGES)) - f32(own);
  const isKnown = group > 0 && others >= MIN_PAGES;
  for (let block: u32 = 0; block < count; block++) {
    const row = rowAt(blocks, block);
    if (!isKnown) {
      store<f32>(row, MISSING, Blocks.GROUP_PAGES_AT << 2);
      store<f32>(row, MISSING, Blocks.GROUP_SHARE_AT << 2);
      continue;
    }
    const record = records + block * RECORD_BYTES;
    const pair = pairKey(slotKey(elementAt(blocks, word(record, Blocks.BLOCK_CONTAINER))), record);
    const pages = min<f32>(others, otherPages(find(site, groupPairKey(pair, group)), own));
    store<f32>(row, others, Blocks.GROUP_PAGES_AT << 2);
    store<f32>(row, pages / others, Blocks.GROUP_SHARE_AT << 2);
  }
}
