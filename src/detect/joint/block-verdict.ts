/** The verdict on a page's blocks, which rules change in turn. */
import type { PageBlocks } from './block-reader.ts';

/** Why a block was kept or cut. */
export const BY_SCORE = 0;
export const IS_CONSTANT = 1;
export const KEPT_WITH_CONTENT = 2;
export const IS_NO_FIELD = 3;
export const BY_ROLE = 4;

/** What the rules read and change. Columns are by block, and refilled for the next page. */
export interface KeptBlocks {
  blocks: PageBlocks;
  /** Probability of content. */
  scores: Float64Array;
  /** 1 for the blocks that are kept. */
  kept: Uint8Array;
  /** BY_SCORE, IS_CONSTANT and so on. */
  reasons: Uint8Array;
}

export interface BlockVerdict extends KeptBlocks {
  /** Numbers of `ROLE`. */
  roles: Uint8Array;
}
