/**
 * Finds the blocks of a page: runs of inline text between block boundaries. Links and emphasis stay inside a block.
 * Text of scripts, styles, form controls and pictures is in no block, nor is a short <noscript>; a long one is content
 * that scripts would have built (forums keep their posts there).
 */
import * as Blocks from '../block-layout.ts';
import * as Page from '../layout.ts';
import { addFloat, word } from './block-records';
import { closeText, hasText, openText, readText, wordsEnd } from './block-text';
import { describeElements, ELEMENT_KIND, elementAt, TEXT_KIND } from './describe-elements';

const RECORD_BYTES: u32 = Blocks.BLOCK_RECORD_WORDS << 2;
const TAG_A: u32 = 8;
const TAG_BR: u32 = 13;
const TAG_HR: u32 = 96;
const TAG_B: u32 = 30;
const TAG_STRONG: u32 = 35;
const TAG_TIME: u32 = 136;
const TAG_NOSCRIPT: u32 = 49;
const TAG_H1: u32 = 24;
const TAG_H6: u32 = 29;
/** Minimum bytes of a <noscript> whose text is read: about sixty words. */
const MIN_NOSCRIPT_BYTES: u32 = 300;
/** Characters to a word where words are not separated. */
const CHARACTERS_PER_WORD: f32 = 1.7;
/** Prose has at least this many words outside links, and a full stop or a comma. */
const MIN_PROSE_WORDS: f32 = 10;

let record: u32 = 0;
let firstLink: u32 = 0;
let link: u32 = 0;

/** Finds the blocks and adds them up by element; returns how many there are. */
export function findBlocks(blocks: u32, page: u32): u32 {
  describeElements(blocks, page);
  const tags = word(blocks, Blocks.BLOCKS_TAGS);
  const count = word(page, Page.PAGE_NODE_COUNT);
  const kinds = word(page, Page.PAGE_KIND);
  const tagNames = word(page, Page.PAGE_NAME);
  const parents = word(page, Page.PAGE_PARENT);
  const lasts = word(page, Page.PAGE_LAST);
  const starts = word(page, Page.PAGE_START);
  const ends = word(page, Page.PAGE_END);
  const source = word(page, Page.PAGE_SOURCE);
  const linkNodes = word(page, Page.PAGE_LINK_NODE);
  const linkCount = word(page, Page.PAGE_LINK_COUNT);
  const textStarts = word(page, Page.PAGE_TEXT_START);
  const records = word(blocks, Blocks.BLOCKS_RECORDS);
  store<u32>(blocks, 0, Blocks.BLOCKS_SKIPPED_COUNT << 2);
  record = records;
  firstLink = link = 0;
  openRecord(word(blocks, Blocks.BLOCKS_WORDS));
  let linkEnd: u32 = 0; // one past the subtree of the link that is open
  let open: u32 = 0; // the innermost open element with a boundary
  for (let node: u32 = 1; node < count; ) {
    while (open !== 0 && load<u32>(lasts + (open << 2)) <= node) {
      closeBlock(blocks, page);
      open = load<u32>(parents + (open << 2));
      while (open !== 0 && !isBoundary(tags, load<u16>(tagNames + (open << 1))))
        open = load<u32>(parents + (open << 2));
    }
    const kind: u32 = load<u8>(kinds + node);
    if (kind === ELEMENT_KIND) {
      const tag: u32 = load<u16>(tagNames + (node << 1));
      const treatment: u32 = tag < <u32>Page.FIRST_FOREIGN_TAG ? load<u8>(tags + tag) : 0;
      const last = load<u32>(lasts + (node << 2));
      const isShort =
        tag === TAG_NOSCRIPT &&
        load<u32>(textStarts + (last << 2)) - load<u32>(textStarts + (node << 2)) < MIN_NOSCRIPT_BYTES;
      if (treatment === Blocks.TAG_SKIPPED || isShort) {
        if (load<u32>(textStarts + (last << 2)) > load<u32>(textStarts + (node << 2))) skip(blocks, node);
        node = last;
        continue;
      }
      while (link < linkCount && load<u32>(linkNodes + (link << 2)) < node) link++;
      if (treatment === Blocks.TAG_BOUNDARY) {
        closeBlock(blocks, page);
        if (last > node + 1) open = node;
      } else if (tag === TAG_BR || tag === TAG_HR) closeBlock(blocks, page);
      else {
        if (tag === TAG_A) linkEnd = last;
        if (tag === TAG_B || tag === TAG_STRONG) setFlag(Blocks.BLOCK_BOLD);
        if (tag === TAG_TIME) setFlag(Blocks.BLOCK_TIME);
        store<u32>(record, load<u32>(record, Blocks.BLOCK_INLINE << 2) + 1, Blocks.BLOCK_INLINE << 2);
        const roles = load<u32>(elementAt(blocks, node), Blocks.ELEMENT_ROLES << 2);
        store<u32>(record, load<u32>(record, Blocks.BLOCK_ROLES << 2) | roles, Blocks.BLOCK_ROLES << 2);
      }
    } else if (kind === TEXT_KIND) {
      const wasEmpty = !hasText();
      const start = source + load<u32>(starts + (node << 2));
      readText(record, start, source + load<u32>(ends + (node << 2)), node < linkEnd);
      if (hasText()) {
        if (wasEmpty) {
          store<u32>(record, node, Blocks.BLOCK_FIRST_TEXT << 2);
          store<u32>(record, load<u32>(parents + (node << 2)), Blocks.BLOCK_LEAF << 2);
        }
        store<u32>(record, node, Blocks.BLOCK_LAST_TEXT << 2);
      }
    }
    node++;
  }
  link = linkCount;
  closeBlock(blocks, page);
  const found = (record - records) / RECORD_BYTES;
  store<u32>(blocks, found, Blocks.BLOCKS_COUNT << 2);
  store<u32>(blocks, (wordsEnd() - word(blocks, Blocks.BLOCKS_WORDS)) >> 2, Blocks.BLOCKS_WORD_COUNT << 2);
  addUp(blocks, page);
  return found;
}

/** Lists an element whose text is in no block. */
function skip(blocks: u32, node: u32): void {
  const count = word(blocks, Blocks.BLOCKS_SKIPPED_COUNT);
  store<u32>(word(blocks, Blocks.BLOCKS_SKIPPED) + (count << 2), node);
  store<u32>(blocks, count + 1, Blocks.BLOCKS_SKIPPED_COUNT << 2);
}

function isBoundary(tags: u32, tag: u32): bool {
  return tag < <u32>Page.FIRST_FOREIGN_TAG && load<u8>(tags + tag) === Blocks.TAG_BOUNDARY;
}

function setFlag(flag: u32): void {
  store<u32>(record, load<u32>(record, Blocks.BLOCK_FLAGS << 2) | flag, Blocks.BLOCK_FLAGS << 2);
}

function openRecord(words: u32): void {
  memory.fill(record, 0, RECORD_BYTES);
  store<u32>(record, words, Blocks.BLOCK_WORD_START << 2);
  firstLink = link;
  openText(words);
}

/** Ends the block that is open, if it has a word, and opens the next one. */
function closeBlock(blocks: u32, page: u32): void {
  if (!hasText()) {
    if (load<u32>(record, Blocks.BLOCK_INLINE << 2) !== 0 || load<u32>(record, Blocks.BLOCK_FLAGS << 2) !== 0)
      openRecord(wordsEnd());
    return;
  }
  closeText(record);
  const leaf = elementAt(blocks, load<u32>(record, Blocks.BLOCK_LEAF << 2));
  const container = load<u32>(leaf, Blocks.ELEMENT_CONTAINER << 2);
  store<u32>(record, container, Blocks.BLOCK_CONTAINER << 2);
  const linkNodes = word(page, Page.PAGE_LINK_NODE);
  const linkCount = word(page, Page.PAGE_LINK_COUNT);
  const last = load<u32>(record, Blocks.BLOCK_LAST_TEXT << 2);
  while (link < linkCount && load<u32>(linkNodes + (link << 2)) < last) link++;
  store<u32>(record, firstLink, Blocks.BLOCK_FIRST_LINK << 2);
  store<u32>(record, link, Blocks.BLOCK_END_LINK << 2);
  if ((load<u32>(leaf, Blocks.ELEMENT_ABOVE << 2) & (1 << Blocks.ABOVE_HIDDEN)) !== 0)
    setFlag(Blocks.BLOCK_HIDDEN);
  const tag = load<u32>(elementAt(blocks, container), Blocks.ELEMENT_TAG << 2) >> 8;
  if (tag >= TAG_H1 && tag <= TAG_H6) store<u32>(record, tag - TAG_H1 + 1, Blocks.BLOCK_HEADING << 2);

  const words = f32(load<u32>(record, Blocks.BLOCK_WORD_COUNT << 2));
  const spaceless = f32(load<u32>(record, Blocks.BLOCK_SPACELESS << 2));
  const size = words - spaceless + spaceless / CHARACTERS_PER_WORD;
  const linkShare = words > 0 ? min<f32>(1, f32(load<u32>(record, Blocks.BLOCK_LINK_WORDS << 2)) / words) : 0;
  const signs = load<u32>(record, Blocks.BLOCK_STOPS << 2) + load<u32>(record, Blocks.BLOCK_COMMAS << 2);
  const outside = size * (1 - linkShare);
  store<f32>(record, size, Blocks.BLOCK_SIZE << 2);
  store<f32>(record, size * linkShare, Blocks.BLOCK_LINK_SIZE << 2);
  store<f32>(record, outside >= MIN_PROSE_WORDS && signs > 0 ? outside : 0, Blocks.BLOCK_PROSE << 2);
  if (load<u32>(record, Blocks.BLOCK_CHARACTERS << 2) > 0) record += RECORD_BYTES;
  openRecord(wordsEnd());
}

/** Adds the blocks up for each element around them. */
function addUp(blocks: u32, page: u32): void {
  const records = word(blocks, Blocks.BLOCKS_RECORDS);
  const count = word(blocks, Blocks.BLOCKS_COUNT);
  for (let block: u32 = 0; block < count; block++) {
    const at = records + block * RECORD_BYTES;
    const element = elementAt(blocks, load<u32>(at, Blocks.BLOCK_CONTAINER << 2));
    addFloat(element, Blocks.ELEMENT_WORDS, load<f32>(at, Blocks.BLOCK_SIZE << 2));
    addFloat(element, Blocks.ELEMENT_LINK_WORDS, load<f32>(at, Blocks.BLOCK_LINK_SIZE << 2));
    addFloat(element, Blocks.ELEMENT_PROSE, load<f32>(at, Blocks.BLOCK_PROSE << 2));
    store<u32>(element, load<u32>(element, Blocks.ELEMENT_BLOCKS << 2) + 1, Blocks.ELEMENT_BLOCKS << 2);
    if (<i32>block < load<i32>(element, Blocks.ELEMENT_FIRST << 2))
      store<u32>(element, block, Blocks.ELEMENT_FIRST << 2);
    store<u32>(element, block, Blocks.ELEMENT_LAST << 2);
  }
  const kinds = word(page, Page.PAGE_KIND);
  const parents = word(page, Page.PAGE_PARENT);
  for (let node = word(page, Page.PAGE_NODE_COUNT) - 1; node > 0; node--) {
    if (load<u8>(kinds + node) !== ELEMENT_KIND) continue;
    const element = elementAt(blocks, node);
    if (load<u32>(element, Blocks.ELEMENT_BLOCKS << 2) === 0) continue;
    const parent = elementAt(blocks, load<u32>(parents + (node << 2)));
    addFloat(parent, Blocks.ELEMENT_WORDS, load<f32>(element, Blocks.ELEMENT_WORDS << 2));
    addFloat(parent, Blocks.ELEMENT_LINK_WORDS, load<f32>(element, Blocks.ELEMENT_LINK_WORDS << 2));
    addFloat(parent, Blocks.ELEMENT_PROSE, load<f32>(element, Blocks.ELEMENT_PROSE << 2));
    store<u32>(
      parent,
      load<u32>(parent, Blocks.ELEMENT_BLOCKS << 2) + load<u32>(element, Blocks.ELEMENT_BLOCKS << 2),
      Blocks.ELEMENT_BLOCKS << 2,
    );
    store<i32>(
      parent,
      min(load<i32>(parent, Blocks.ELEMENT_FIRST << 2), load<i32>(element, Blocks.ELEMENT_FIRST << 2)),
      Blocks.ELEMENT_FIRST << 2,
    );
    store<i32>(
      parent,
      max(load<i32>(parent, Blocks.ELEMENT_LAST << 2), load<i32>(element, Blocks.ELEMENT_LAST << 2)),
      Blocks.ELEMENT_LAST << 2,
    );
    const shape = load<u32>(element, Blocks.ELEMENT_SHAPE << 2);
    if (shape === 0) continue;
    addFloat(shape, Blocks.SHAPE_WORDS, load<f32>(element, Blocks.ELEMENT_WORDS << 2));
    addFloat(shape, Blocks.SHAPE_LINK_WORDS, load<f32>(element, Blocks.ELEMENT_LINK_WORDS << 2));
  }
}
