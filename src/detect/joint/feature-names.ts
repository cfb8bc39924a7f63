/** Columns of a block's row that code reads by name; the kernel fills them (kernel/assembly/block-features.ts). */
import { PAGE_FEATURES, SITE_FEATURES } from '../../kernel/block-layout.ts';

const CONTEXT = PAGE_FEATURES + SITE_FEATURES;

export const FEATURE = {
  words: 0,
  linkShare: 2,
  isTitle: 92,
  names: PAGE_FEATURES - 1,
  sitePages: PAGE_FEATURES,
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
} as const;
