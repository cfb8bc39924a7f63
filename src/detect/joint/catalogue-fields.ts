/**
 * Rules for the values of catalogues (prices, authors, addresses), which scores learnt from prose drop. A field is a
 * short text whose slot varies over the pages and is not a list of links. Blocks whose slot is on few pages keep their
 * verdict.
 */
import * as layout from '../../kernel/block-layout.ts';
import { IS_NO_FIELD, type KeptBlocks } from './block-verdict.ts';
import { FEATURE } from './feature-names.ts';
import { isConstant, isSlotKnown } from './slot-variation.ts';

/** Blocks with fewer words are short. */
const SHORT_WORDS = 20;
/** A slot with this many blocks per page is a list, or the paragraphs of a text. */
const MANY_PER_PAGE = 3;
const LINKED_SHARE = 0.8;

/** Keeps the fields of a page whatever their scores. */
export function keepFields({ blocks, kept }: KeptBlocks): void {
  const { count, rows } = blocks;
  for (let block = 0; block < count; block++) {
    const row = block * layout.ROW_FLOATS;
    if (isSlotKnown(rows, row) && isShort(rows, row) && varies(rows, row)) kept[block] = 1;
  }
}

/**
 * Decides by slots alone, for tables of a site's values: keeps blocks that vary over pages, except paragraphs of longer
 * texts such as reviews.
 */
export function keepOnlyFields({ blocks, kept, reasons }: KeptBlocks): void {
  const { count, rows } = blocks;
  for (let block = 0; block < count; block++) {
    const row = block * layout.ROW_FLOATS;
    if (!isSlotKnown(rows, row)) continue;
    const isField = varies(rows, row) && (isShort(rows, row) || !isMany(rows, row));
    kept[block] = isField ? 1 : 0;
    if (!isField) reasons[block] = IS_NO_FIELD;
  }
}

function isShort(rows: Float32Array, row: number): boolean {
  return rows[row + FEATURE.words] < SHORT_WORDS;
}

function isMany(rows: Float32Array, row: number): boolean {
  return rows[row + FEATURE.slotPerPage] >= MANY_PER_PAGE;
}

function varies(rows: Float32Array, row: number): boolean {
  const isLinkList = isMany(rows, row) && rows[row + FEATURE.slotLinks] >= LINKED_SHARE;
  return !isConstant(rows, row) && !isLinkList;
}
