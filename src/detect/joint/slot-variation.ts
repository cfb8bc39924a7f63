/** How the text of a block's slot varies over the pages of the site, as the block's row tells it. */
import { FEATURE } from './feature-names.ts';

/** Pages that must have a slot before its constancy or its variation says anything. */
const TELLING_PAGES = 5;
/** A text is constant in its slot when so many of the pages with the slot have it there. */
const CONSTANT_SHARE = 0.9;
/** Longer texts are no values. */
const MOST_VALUE_WORDS = 3;

/** Other pages that have the slot; at most 1 where the site tells nothing. `row` is where the block's row starts. */
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
 * Whether nearly all pages of the page's layout have this very text in the slot. Not for a few words in a slot that other
 * pages fill with other words: a layout may be that of one country, and the country is a value all the same.
 */
export function isConstantInLayout(rows: Float32Array, row: number): boolean {
  if (rows[row + FEATURE.groupPages] < TELLING_PAGES) return false;
  if (rows[row + FEATURE.groupShare] < CONSTANT_SHARE) return false;
  return rows[row + FEATURE.words] > MOST_VALUE_WORDS || !isSlotKnown(rows, row);
}
