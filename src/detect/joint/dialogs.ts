/**
 * Dialogs that a page shows over its text: cookie settings, a choice of countries, a form to subscribe, a cart. They
 * are often longer than the text and read like prose, so that they would shift the page's threshold. On the labelled
 * pages, under 1 % of the words inside dialogs are content.
 */
import * as layout from '../../kernel/block-layout.ts';
import type { PageBlocks } from './block-reader.ts';

/**
 * Minimum expected content words outside dialogs, as a number and as a share of those inside; with fewer, dialogs are
 * judged like other text.
 */
const TEXT_WORDS = 60;
const TEXT_SHARE = 0.2;

/**
 * Flags the blocks inside dialogs; no block when the page has hardly any other text. `words` and `scores` are indexed
 * by block.
 */
export function blocksOfDialogs(
  { count, records, elements }: PageBlocks,
  words: Int32Array,
  scores: Float64Array,
): number[] {
  const inside: number[] = [];
  let expectedInside = 0;
  let expectedOutside = 0;
  for (let block = 0; block < count; block++) {
    const leaf = records[block * layout.BLOCK_RECORD_WORDS + layout.BLOCK_LEAF];
    const above = elements[leaf * layout.ELEMENT_WORDS_SIZE + layout.ELEMENT_ABOVE];
    const expected = words[block] * scores[block];
    if ((above & (1 << layout.ABOVE_DIALOG)) === 0) expectedOutside += expected;
    else {
      expectedInside += expected;
      inside.push(block);
    }
  }
  return expectedOutside >= Math.min(TEXT_WORDS, TEXT_SHARE * expectedInside) ? inside : [];
}
