/**
 * Rules for the values of catalogues (prices, authors, addresses), which scores learnt from prose throw away. A field is
 * a short text that varies over the pages in its slot, and no list of links. Blocks whose slot few pages have keep
 * their verdict.
 */
import * as layout from '../../kernel/block-layout.ts';
import { IS_NO_FIELD, type KeptBlocks } from './block-verdict.ts';
import { FEATURE } from './feature-names.ts';
import { isConstant, isSlotKnown } from './slot-variation.ts';

/** Blocks with fewer words are short. */
const SHORT_WORDS = 20;
/** A slot that comes so often on a page is a list, or the paragraphs of a text. */
const MANY_PER_PAGE = 3;
const LINKED_SHARE = 0.8;

/** Keeps the fields of a page whatever their score. */
export function keepFields({ blocks, kept }: KeptBlocks): void {
  const { count, rows, records } = blocks;
  for (let block = 0; block < count; block++) {
    const row = block * layout.ROW_FLOATS;
    if (isSlotKnown(rows, row) && isShort(records, block) && varies(rows, row)) kept[block] = 1;
  }
}

/**
 * Decides by slots alone, for tables of a site's values: keeps what varies but for paragraphs of longer texts, such as
 * reviews.
 */
export function keepOnlyFields({ blocks, kept, reasons }: KeptBlocks): void {
  const { count, rows, records } = blocks;
  for (let block = 0; block < count; block++) {
    const row = block * layout.ROW_FLOATS;
    if (!isSlotKnown(rows, row)) continue;
    const isField = varies(rows, row) && (isShort(records, block) || !isMany(rows, row));
    kept[block] = isField ? 1 : 0;
    if (!isField) reasons[block] = IS_NO_FIELD;
  }
}

function isShort(records: Int32Array, block: number): boolean {
  return records[block * layout.BLOCK_RECORD_WORDS + layout.BLOCK_WORD_COUNT] < SHORT_WORDS;
}

function isMany(rows: Float32Array, row: number): boolean {
  return rows[row + FEATURE.slotPerPage] >= MANY_PER_PAGE;
}

function varies(rows: Float32Array, row: number): boolean {
  const isLinkList = isMany(rows, row) && rows[row + FEATURE.slotLinks] >= LINKED_SHARE;
  return !isConstant(rows, row) && !isLinkList;
}
