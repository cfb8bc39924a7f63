/**
 * Layout of the evidence of a site (assembly/count-evidence.ts), read by both compilers. The value of a
 * constant that names a word is its offset, in words of four bytes.
 */

/** Header word: address of the entries. */
export const SITE_ENTRIES = 0;
/** Header word: number of entries. */
export const SITE_ENTRY_COUNT = 1;
/** Header word: address of the buckets, which find an entry by its key. */
export const SITE_BUCKETS = 2;
/** Header word: number of buckets minus one. */
export const SITE_MASK = 3;
/** Header word: number of pages counted. */
export const SITE_PAGES = 4;
/**
 * Header word: number of pages that describe the kind of the site. The next two words are sums over these
 * pages.
 */
export const SITE_DESCRIBED = 5;
/** Header word: words of paragraphs that no other page has. */
export const SITE_PROSE = 6;
/** Header word: number of fields, which are short varying texts with a constant label. */
export const SITE_FIELDS = 7;
/** Header word: number of pages with a URL of a forum. */
export const SITE_FORUM_PAGES = 8;
/** Header word: layout group of the page to which evidence is added, from 1; 0 for none. */
export const SITE_GROUP = 9;
/** Header word: number of pages of that group. */
export const SITE_GROUP_PAGES = 10;
/** Words of the header. */
export const SITE_HEADER_WORDS = 12;

/** Word of an entry: low lane of its key, a hash of 64 bits that includes the kind of the entry. */
export const ENTRY_LOW = 0;
/** Word of an entry: high lane of its key. */
export const ENTRY_HIGH = 1;
/** Word of an entry: number of pages with it. */
export const ENTRY_PAGES = 2;
/** Word of an entry: number of its occurrences. */
export const ENTRY_OCCURRENCES = 3;
/** Word of an entry: the last page that was counted, plus one; used only while counting. */
export const ENTRY_LAST_PAGE = 4;
/**
 * Word of a slot's entry: number of distinct texts. All sums are whole numbers, so that they do not depend on
 * the order of pages.
 */
export const ENTRY_DISTINCT = 5;
/** Word of a slot's entry: words, in units of 1/8. */
export const ENTRY_WORDS = 6;
/** Word of a slot's entry: words in links, in units of 1/8. */
export const ENTRY_LINK_WORDS = 7;
/** Word of a slot's entry: sum over its blocks of the other pages that have the text. */
export const ENTRY_REPEATED = 8;
/**
 * Word of the entry of a text in a slot: number of the entry of the text in its near slot. This and the next three are
 * used only while counting.
 */
export const ENTRY_NEAR_PAIR = 5;
/** Word of the entry of a text in a slot: number of the slot's entry. */
export const ENTRY_SLOT = 6;
/** Word of the entry of a text in a slot: number of the entry of the slot that its path of tags identifies. */
export const ENTRY_TAG_SLOT = 7;
/** Word of the entry of a text in a slot: number of the entry of the slot that its nearest elements identify. */
export const ENTRY_NEAR_SLOT = 8;
/** Word of a text's entry: number of pages on which it is a link. */
export const ENTRY_LINKED = 5;
/** Word of a text's entry: the last page, plus one, on which it is a link. */
export const ENTRY_LAST_LINKED = 6;
/** Word of a slot's entry: sum of the first stage's scores times words, in units of 1/1024. */
export const ENTRY_SCORE = 9;
/** Word of a slot's entry: sum of these words, in units of 1/8. */
export const ENTRY_SCORED_WORDS = 10;
/** Word of an entry: its kind. */
export const ENTRY_KIND = 11;
/** Words of an entry. */
export const ENTRY_SIZE = 12;
/** Kind of an entry: a text. */
export const KIND_TEXT = 0;
/** Kind of an entry: a slot. */
export const KIND_SLOT = 1;
/** Kind of an entry: a text in a slot. */
export const KIND_PAIR = 2;
/** Kind of an entry: a link. */
export const KIND_LINK = 3;
/** Kind of an entry: a text in a slot on the pages of one layout group. */
export const KIND_GROUP_PAIR = 4;
/** Kind of an entry: a text, with all digits alike, in the slot that its nearest elements identify. */
export const KIND_NEAR_PAIR = 5;

/** Maximum number of entries that one block adds. */
export const ENTRIES_PER_BLOCK = 6;
/** Maximum number of entries that one link adds. */
export const ENTRIES_PER_LINK = 1;
