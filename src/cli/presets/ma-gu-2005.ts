/**
 * Options as in Ma and Gu 2005: every file is a page, M is 2 and MIN_FRAG_SIZE 256 bytes (section 4), and composites
 * come from merging maximal primitive fragments (section 3.3).
 */

export const maGu2005 = {
  captures: 'all',
  minShared: 2,
  minBytes: 256,
  composites: 'merged',
  relation: 'both',
} as const;
