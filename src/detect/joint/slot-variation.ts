/** How the text of a block's slot varies over the pages of the site, read from the block's row. */
import { FEATURE } from './feature-names.ts';

/** Minimum number of pages with a slot before its constancy or variation is used. */
const TELLING_PAGES = 5;
/** A text is constant in its slot if this share of the pages with the slot have it there. */
const CONSTANT_SHARE = 0.9;
/** Maximum words of a value. */
const MAX_VALUE_WORDS = 6;

/** Number of other pages with the slot, at most 1 without site evidence. `row` is the offset of the block's row. */
export function slotPages(rows: Float32Array, row: number): number {
  return rows[row + FEATURE.sitePages] * rows[row + FEATURE.slotShare];
}

/** Whether enough pages have the slot. */
export function isSlotKnown(rows: Float32Array, row: number): boolean {
  return slotPages(rows, row) >= TELLING_PAGES;
}

/** Whether nearly all pages with the slot have this very text in it. */
export function isConstant(rows: Float32Array, row: number): boolean {
  return rows[row + FEATURE.pairShare] >= CONSTANT_SHARE;
}

/**
 * Whether nearly all pages of the page's layout have this very text in the slot. False for a few words in a slot that
 * other pages fill with other words: the layout may be that of one country, and its name is still a value.
 */
export function isConstantInLayout(rows: Float32Array, row: number): boolean {
  if (rows[row + FEATURE.groupPages] < TELLING_PAGES) return false;
  if (rows[row + FEATURE.groupShare] < CONSTANT_SHARE) return false;
  return rows[row + FEATURE.words] > MAX_VALUE_WORDS || !isSlotKnown(rows, row);
}
