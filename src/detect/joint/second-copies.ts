/**
 * Second copies of the text of a page: for printing, for small screens, the whole text after its beginning. A repeated sentence
 * is no copy of the text; therefore copies must be long and a large part of what is kept.
 */
import * as layout from '../../kernel/block-layout.ts';
import { IS_COPY, type KeptBlocks } from './block-verdict.ts';

const MIN_WORDS = 15;
/** Minimum share of the kept words in second copies. */
const MIN_SHARE = 0.3;

/** Drops all copies of a kept text but one: the first that is visible, or else the first. */
export function dropCopies({ blocks, kept, reasons }: KeptBlocks): void {
  const { count, records, elements } = blocks;
  const record = (block: number, field: number) => records[block * layout.BLOCK_RECORD_WORDS + field];
  const isHidden = (block: number) => (record(block, layout.BLOCK_FLAGS) & layout.BLOCK_HIDDEN) !== 0;
  const around = (block: number) =>
    elements[record(block, layout.BLOCK_CONTAINER) * layout.ELEMENT_WORDS_SIZE + layout.ELEMENT_PARENT];
  const first = new Map<string, number>();
  const copies: number[] = [];
  let words = 0;
  let copied = 0;
  for (let block = 0; block < count; block++) {
    if (kept[block] === 0) continue;
    const size = record(block, layout.BLOCK_WORD_COUNT);
    words += size;
    if (size < MIN_WORDS) continue;
    const text = `${record(block, layout.BLOCK_EXACT)} ${record(block, layout.BLOCK_EXACT + 1)}`;
    const other = first.get(text);
    if (other === undefined || (isHidden(other) && !isHidden(block))) first.set(text, block);
    // the same sentence twice in a row is part of the text
    if (other === undefined || around(other) === around(block)) continue;
    copies.push(first.get(text) === block ? other : block);
    copied += size;
  }
  if (copied < MIN_SHARE * words) return;
  for (const block of copies) {
    kept[block] = 0;
    reasons[block] = IS_COPY;
  }
}
