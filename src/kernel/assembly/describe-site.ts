/**
 * What kind of site it is: a catalogue, whose pages are fields (short texts that vary over pages, with a constant label
 * before them), or pages of prose. Summed over some pages of the site, in any order.
 */
import {
  BLOCK_FLAGS,
  BLOCK_LABELLED,
  BLOCK_LINK_SIZE,
  BLOCK_RECORD_WORDS,
  BLOCK_SIZE,
  BLOCK_WORD_COUNT,
  BLOCKS_COUNT,
  BLOCKS_RECORDS,
  PAGE_FEATURES,
} from '../block-layout.ts';
import { SITE_DESCRIBED, SITE_FIELDS, SITE_FORUM_PAGES, SITE_PROSE } from '../evidence-layout.ts';
import { rowAt } from './block-features';
import { float, word } from './block-records';

const RECORD_BYTES: u32 = BLOCK_RECORD_WORDS << 2;
const SAME_PAGES: u32 = (PAGE_FEATURES + 1) << 2;
const SLOT_SHARE: u32 = (PAGE_FEATURES + 5) << 2;
const PAIR_SHARE: u32 = (PAGE_FEATURES + 11) << 2;
/** A text is constant in its slot when so many of the pages with the slot have it there. */
const CONSTANT_SHARE: f32 = 0.9;
const PARAGRAPH_WORDS: u32 = 20;
const LABEL_WORDS: u32 = 5;
/** Share of the pages that must have the slot of a field. */
const FIELD_SHARE: f32 = 0.3;

/** Adds a page, whose rows have their evidence, to the sums that tell a catalogue from a site of articles. */
export function describeSite(site: u32, blocks: u32, isForum: bool): void {
  const records = word(blocks, BLOCKS_RECORDS);
  const count = word(blocks, BLOCKS_COUNT);
  addTo(site, SITE_DESCRIBED, 1);
  addTo(site, SITE_FORUM_PAGES, u32(isForum));
  for (let block: u32 = 0; block < count; block++) {
    const record = records + block * RECORD_BYTES;
    if (isLinked(record)) continue;
    const row = rowAt(blocks, block);
    const words = word(record, BLOCK_WORD_COUNT);
    if (words >= PARAGRAPH_WORDS) {
      if (load<f32>(row + SAME_PAGES) === 0) addTo(site, SITE_PROSE, words);
      continue;
    }
    if (load<f32>(row + SLOT_SHARE) < FIELD_SHARE || isConstant(row)) continue;
    if ((word(record, BLOCK_FLAGS) & BLOCK_LABELLED) !== 0 || isAfterLabel(blocks, block)) {
      addTo(site, SITE_FIELDS, 1);
    }
  }
}

function isLinked(record: u32): bool {
  return <f32>2 * float(record, BLOCK_LINK_SIZE) >= float(record, BLOCK_SIZE);
}

function isConstant(row: u32): bool {
  return load<f32>(row + PAIR_SHARE) >= CONSTANT_SHARE;
}

/** Whether the block before names what this one says: a few words that are there on all pages. */
function isAfterLabel(blocks: u32, block: u32): bool {
  if (block === 0) return false;
  const before = word(blocks, BLOCKS_RECORDS) + (block - 1) * RECORD_BYTES;
  return (
    word(before, BLOCK_WORD_COUNT) <= LABEL_WORDS && !isLinked(before) && isConstant(rowAt(blocks, block - 1))
  );
}

function addTo(site: u32, index: u32, amount: u32): void {
  store<u32>(site + (index << 2), word(site, index) + amount);
}
