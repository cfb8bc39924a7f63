/**
 * Columns of a block's row that TypeScript reads by name; the kernel fills them (kernel/assembly/block-features.ts).
 */
import {
  GROUP_PAGES_AT,
  GROUP_SHARE_AT,
  PAGE_FEATURES,
  SITE_FEATURES,
  TEXT_PAGES_AT,
} from '../../kernel/block-layout.ts';

const CONTEXT = PAGE_FEATURES + SITE_FEATURES;

/** Column of each named feature in a block's row. */
export const FEATURE = {
  words: 0,
  linkShare: 2,
  proseBefore: 50,
  pageWords: 53,
  pageProseShare: 56,
  /** JSON-LD says that the page is a discussion or a page of answers. */
  isForumData: 66,
  /** Number of blocks after the one with the most prose. */
  largestDistance: 71,
  /** Share of the title's words that the block has, of the block's words that the title has, of og:title's words. */
  titleShare: 84,
  titleWordShare: 85,
  ogTitleShare: 86,
  isTitle: 92,
  names: PAGE_FEATURES - 1,
  sitePages: PAGE_FEATURES,
  /** Other pages that have the text in this place; none for an item of a list. */
  samePages: PAGE_FEATURES + 1,
  sameShare: PAGE_FEATURES + 2,
  slotShare: PAGE_FEATURES + 5,
  slotDistinct: PAGE_FEATURES + 6,
  slotWords: PAGE_FEATURES + 7,
  slotPerPage: PAGE_FEATURES + 8,
  slotRepeated: PAGE_FEATURES + 9,
  slotLinks: PAGE_FEATURES + 10,
  pairShare: PAGE_FEATURES + 11,
  pairPages: PAGE_FEATURES + 13,
  slotScore: CONTEXT + 31,
  groupPages: GROUP_PAGES_AT,
  groupShare: GROUP_SHARE_AT,
  /** Other pages that have the text anywhere. */
  textPages: TEXT_PAGES_AT,
} as const;
