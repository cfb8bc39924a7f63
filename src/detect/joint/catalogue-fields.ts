/**
 * Rules for the values of catalogues (prices, authors, addresses), which scores learnt from prose throw away. A field is
 * a short text that varies over the pages in its slot, and no list of links. Blocks whose slot few pages have keep
 * their verdict.
 */
import * as layout from '../../kernel/block-layout.ts';
import type { PageBlocks } from './block-reader.ts';
import { FEATURE } from './feature-names.ts';

/** Pages that must have a slot before its constancy or its variation says anything. */
export const TELLING_PAGES = 5;
/** A text is constant in its slot when so many of the pages with the slot have it there. */
export const CONSTANT_SHARE = 0.9;
/** Blocks with fewer words are short. */
const SHORT_WORDS = 20;
/** A slot that comes so often on a page is a list, or the paragraphs of a text. */
const MANY_PER_PAGE = 3;
const LINKED_SHARE = 0.8;

/** Keeps the fields of a page whatever their score. */
export function keepFields({ count, rows, records }: PageBlocks, kept: Uint8Array): void {
  for (let block = 0; block < count; block++) {
    const row = block * layout.ROW_FLOATS;
    if (isKnown(rows, row) && isShort(records, block) && varies(rows, row)) kept[block] = 1;
  }
}

/**
 * Decides by slots alone, for tables of a site's values: keeps what varies but for paragraphs of longer texts, such as
 * reviews. Sets `reasons` of what it cuts to `reason`.
 */
export function keepOnlyFields(
  blocks: PageBlocks,
  kept: Uint8Array,
  reasons: Uint8Array,
  reason: number,
): void {
  const { count, rows, records } = blocks;
  for (let block = 0; block < count; block++) {
    const row = block * layout.ROW_FLOATS;
    if (!isKnown(rows, row)) continue;
    const isField = varies(rows, row) && (isShort(records, block) || !isMany(rows, row));
    kept[block] = isField ? 1 : 0;
    if (!isField) reasons[block] = reason;
  }
}

function isKnown(rows: Float32Array, row: number): boolean {
  return rows[row + FEATURE.sitePages] * rows[row + FEATURE.slotShare] >= TELLING_PAGES;
}

function isShort(records: Int32Array, block: number): boolean {
  return records[block * layout.BLOCK_RECORD_WORDS + layout.BLOCK_WORD_COUNT] < SHORT_WORDS;
}

function isMany(rows: Float32Array, row: number): boolean {
  return rows[row + FEATURE.slotPerPage] >= MANY_PER_PAGE;
}

function varies(rows: Float32Array, row: number): boolean {
  const isLinkList = isMany(rows, row) && rows[row + FEATURE.slotLinks] >= LINKED_SHARE;
  return rows[row + FEATURE.pairShare] < CONSTANT_SHARE && !isLinkList;
}
