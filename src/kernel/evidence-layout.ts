/** Constants of a site's evidence (assembly/count-evidence.ts) that both compilers read. */

/** Words of the header. */
export const SITE_ENTRIES = 0;
export const SITE_ENTRY_COUNT = 1;
export const SITE_SLOTS = 2;
export const SITE_MASK = 3;
/** Pages counted. */
export const SITE_PAGES = 4;
/**
 * What kind of site it is, summed over some of its pages: how many pages, words of paragraphs that no other page has,
 * fields (short varying texts with a constant label).
 */
export const SITE_DESCRIBED = 5;
export const SITE_PROSE = 6;
export const SITE_FIELDS = 7;
/** Pages with a URL of a forum. */
export const SITE_FORUM_PAGES = 8;
/** The layout group of the page that evidence is added to, from 1 (0: none), and how many pages the group has. */
export const SITE_GROUP = 9;
export const SITE_GROUP_PAGES = 10;
export const SITE_HEADER_WORDS = 12;

/** Words of an entry. The key is a hash of 64 bits that includes the kind of the entry. */
export const ENTRY_LOW = 0;
export const ENTRY_HIGH = 1;
export const ENTRY_PAGES = 2;
export const ENTRY_OCCURRENCES = 3;
/** The page that was counted last, plus one; only while counting. */
export const ENTRY_LAST_PAGE = 4;
/**
 * Of a slot: distinct texts; words and words of links, in units of 1/8; sum over its blocks of the other pages that have
 * the text. Whole numbers, so that sums do not depend on the order.
 */
export const ENTRY_DISTINCT = 5;
export const ENTRY_WORDS = 6;
export const ENTRY_LINK_WORDS = 7;
export const ENTRY_REPEATED = 8;
/** Of a text in a slot: numbers of the entries of the text and of its three slots. Only while counting. */
export const ENTRY_TEXT = 5;
export const ENTRY_SLOT = 6;
export const ENTRY_TAG_SLOT = 7;
export const ENTRY_NEAR_SLOT = 8;
/** Of a text: pages on which it is a link. */
export const ENTRY_LINKED = 5;
export const ENTRY_LAST_LINKED = 6;
/** Of a slot: sum of the first stage's scores weighed by words, and the words; in units of 1/1024 and 1/8. */
export const ENTRY_SCORE = 9;
export const ENTRY_SCORED_WORDS = 10;
export const ENTRY_KIND = 11;
export const ENTRY_SIZE = 12;
export const KIND_TEXT = 0;
export const KIND_SLOT = 1;
export const KIND_PAIR = 2;
export const KIND_LINK = 3;
/** A text in its slot on the pages of one layout group. */
export const KIND_GROUP_PAIR = 4;

/** Entries that a block may add at most, and a link. */
export const ENTRIES_PER_BLOCK = 5;
export const ENTRIES_PER_LINK = 1;
