/**
 * Finds the kind of a site: a catalogue, whose pages consist of fields (short texts that vary over pages,
 * with a constant label before them), or pages of prose. The sums over some pages of the site do not depend
 * on their order.
 */
import * as Blocks from '../block-layout.ts';
import { SITE_DESCRIBED, SITE_FIELDS, SITE_FORUM_PAGES, SITE_PROSE } from '../evidence-layout.ts';
import { rowAt } from './block-features';
import { float, word } from './block-records';

const RECORD_BYTES: u32 = Blocks.BLOCK_RECORD_WORDS << 2;
/** How often the page has the text of a block. */
const TIMES_ON_PAGE: u32 = (Blocks.PAGE_FEATURES - 2) << 2;
const SAME_PAGES: u32 = Blocks.TEXT_PAGES_AT << 2;
const SLOT_SHARE: u32 = (Blocks.PAGE_FEATURES + 5) << 2;
const PAIR_SHARE: u32 = (Blocks.PAGE_FEATURES + 11) << 2;
/** Share of the pages with a slot that have a text there, from which on the text is constant. */
const CONSTANT_SHARE: f32 = 0.9;
const PARAGRAPH_WORDS: u32 = 20;
const LABEL_WORDS: u32 = 5;
/** Linked values such as genres have at most this many words; teasers below a heading have more. */
const LINKED_VALUE_WORDS: u32 = 3;
/** Minimum share of the pages that have the slot of a field. */
const FIELD_SHARE: f32 = 0.3;

/**
 * Adds a page, whose rows have their evidence, to the sums that distinguish a catalogue from a site of
 * articles.
 */
export function describeSite(site: u32, blocks: u32, isForum: bool): void {
  const records = word(blocks, Blocks.BLOCKS_RECORDS);
  const count = word(blocks, Blocks.BLOCKS_COUNT);
  addTo(site, SITE_DESCRIBED, 1);
  addTo(site, SITE_FORUM_PAGES, u32(isForum));
  for (let block: u32 = 0; block < count; block++) {
    const record = records + block * RECORD_BYTES;
    const row = rowAt(blocks, block);
    const words = word(record, Blocks.BLOCK_WORD_COUNT);
    const linked = isLinked(record);
    if (linked && words > LINKED_VALUE_WORDS) continue;
    if (words >= PARAGRAPH_WORDS) {
      if (load<f32>(row + SAME_PAGES) === 0) addTo(site, SITE_PROSE, words);
      continue;
    }
    if (load<f32>(row + SLOT_SHARE) < FIELD_SHARE || isConstant(row)) continue;
    const isLabelled = !linked && (word(record, Blocks.BLOCK_FLAGS) & Blocks.BLOCK_LABELLED) !== 0;
    if (isLabelled || isAfterLabel(blocks, block, linked)) addTo(site, SITE_FIELDS, 1);
  }
}

function isLinked(record: u32): bool {
  return <f32>2 * float(record, Blocks.BLOCK_LINK_SIZE) >= float(record, Blocks.BLOCK_SIZE);
}

function isConstant(row: u32): bool {
  return load<f32>(row + PAIR_SHARE) >= CONSTANT_SHARE;
}

/**
 * Whether the block before is the label of this one: a few words outside links that are on all pages. The
 * label of a link occurs once on a page; a heading above teasers, such as `Related news`, often occurs several
 * times.
 */
function isAfterLabel(blocks: u32, block: u32, linked: bool): bool {
  if (block === 0) return false;
  const before = word(blocks, Blocks.BLOCKS_RECORDS) + (block - 1) * RECORD_BYTES;
  if (word(before, Blocks.BLOCK_WORD_COUNT) > LABEL_WORDS || isLinked(before)) return false;
  const row = rowAt(blocks, block - 1);
  return isConstant(row) && !(linked && load<f32>(row + TIMES_ON_PAGE) > 1);
}

function addTo(site: u32, index: u32, amount: u32): void {
  store<u32>(site + (index << 2), word(site, index) + amount);
}
