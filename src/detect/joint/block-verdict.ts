/** The verdict on a page's blocks; several rules change it, one after the other. */
import type { PageBlocks } from './block-reader.ts';

/** Reason: the block's score and the page's threshold decided. */
export const BY_SCORE = 0;
/** Reason: the text is the same in its slot on nearly all pages. */
export const IS_CONSTANT = 1;
/** Reason: the block belongs to kept text beside it. */
export const KEPT_WITH_CONTENT = 2;
/** Reason: the mode `fields` keeps only values that vary over pages, and this block does not. */
export const IS_NO_FIELD = 3;
/** Reason: the block's role decided. */
export const BY_ROLE = 4;
/** Reason: the block is inside a dialog shown over the page. */
export const IN_DIALOG = 5;
/** Reason: the block is in a table or a row that is not kept. */
export const LEFT_OUT_WITH_UNIT = 6;
/** Reason: the block is below the headline of another page, in an article that is loaded below the page's own. */
export const IS_NEXT_ARTICLE = 7;
/** Reason: the page has the text twice, and the other copy is kept. */
export const IS_COPY = 8;

/** What the rules read and change. Columns are indexed by block and reused for the next page. */
export interface KeptBlocks {
  blocks: PageBlocks;
  /** Probability of content. */
  scores: Float64Array;
  /** 1 for the blocks that are kept. */
  kept: Uint8Array;
  /** BY_SCORE, IS_CONSTANT and so on. */
  reasons: Uint8Array;
}

/** The final verdict on a page's blocks, with their roles. */
export interface BlockVerdict extends KeptBlocks {
  /** Numbers of `ROLE`. */
  roles: Uint8Array;
  /** Whether the page is a thread of a forum. */
  isForum: boolean;
}
