/**
 * Constants of the text blocks of a page (assembly/find-blocks.ts and the files around it) that both compilers read. A
 * block is a run of inline text between block boundaries; the joint detector judges blocks.
 */

/** Words of the header that the host fills with addresses before a page is analysed. */
export const BLOCKS_TAGS = 0;
export const BLOCKS_ELEMENTS = 1;
export const BLOCKS_RECORDS = 2;
export const BLOCKS_WORDS = 3;
export const BLOCKS_ROWS = 4;
export const BLOCKS_NAME_WEIGHTS = 5;
/** An empty hash table of so many slots, for elements of the same shape. */
export const BLOCKS_SHAPES = 6;
export const BLOCKS_SHAPE_MASK = 7;
/** Filled by the kernel. */
export const BLOCKS_COUNT = 8;
export const BLOCKS_WORD_COUNT = 9;
/** The page's URL path, as bytes: where it starts and ends. */
export const BLOCKS_PATH = 10;
export const BLOCKS_PATH_END = 11;
/** Sets of words of the page's title and description: WORD_SETS of them. */
export const BLOCKS_WORD_SETS = 12;
/** As many bytes as the source has, for text without its escapes. */
export const BLOCKS_SCRATCH = 13;
/** Bits of LD_ARTICLE and so on, and the number of the page's og:type. */
export const BLOCKS_LD_TYPES = 14;
export const BLOCKS_OG_TYPE = 15;
/** Elements whose text is in no block: a list of nodes, and how many. */
export const BLOCKS_SKIPPED = 16;
export const BLOCKS_SKIPPED_COUNT = 17;
/** Words of names that tell a role: ROLE_WORD_SLOTS slots, each the hash of a word and the role bits that it sets and clears. */
export const BLOCKS_ROLE_WORDS = 18;
/** Start tags of the page and what their names say: NAME_CACHE_BYTES, filled by the kernel. */
export const BLOCKS_NAME_CACHE = 19;
export const BLOCKS_HEADER_WORDS = 24;

/** A slot of the cache of start tags: where the bytes of one are, how many, its tag; then the values that they give. */
export const CACHED_START = 0;
export const CACHED_BYTES = 1;
export const CACHED_TAG = 2;
export const CACHED_VALUES = 3;
export const CACHED_SIZE = 12;
export const NAME_CACHE_SLOTS = 256;
export const NAME_CACHE_BYTES = 4 * CACHED_SIZE * NAME_CACHE_SLOTS;

/** For each tag of HTML: how it breaks text, and its number among the tags that features tell apart. */
export const TAG_INLINE = 0;
export const TAG_BOUNDARY = 1;
/** Not part of any block. */
export const TAG_SKIPPED = 2;
export const TAG_KINDS_AT = 0;
export const TAG_NUMBERS_AT = 256;
/** Bit of each tag in `ELEMENT_ABOVE`, plus one; 0 for none. */
export const TAG_BITS_AT = 512;
/** Which names of an element are part of its slot's path. */
export const TAG_PATHS_AT = 768;
export const PATH_ALL_NAMES = 0;
export const PATH_CLASSES = 1;
export const PATH_NO_NAMES = 2;
export const TAG_TABLE_BYTES = 1024;

/** Words of an element's record. */
export const ELEMENT_CONTAINER = 0;
/** The block-level element around its container; -1 for none. */
export const ELEMENT_PARENT = 1;
/** Bits of the tags, roles and item types above it, its own included. */
export const ELEMENT_ABOVE = 2;
export const ELEMENT_DEPTH = 3;
/** Hashes of the class path and of the tag path, and of the element alone. */
export const ELEMENT_CLASS_PATH = 4;
export const ELEMENT_TAG_PATH = 6;
export const ELEMENT_OWN = 8;
/** Weights of names, as floats: all above it, as the block's own element, as the one above. */
export const ELEMENT_NAMES = 9;
export const ELEMENT_OWN_NAMES = 10;
export const ELEMENT_PARENT_NAMES = 11;
/** Sums over the blocks inside, as floats: words, words of links, words of prose. */
export const ELEMENT_WORDS = 12;
export const ELEMENT_LINK_WORDS = 13;
export const ELEMENT_PROSE = 14;
/** Blocks inside: how many, the first and the last. */
export const ELEMENT_BLOCKS = 15;
export const ELEMENT_FIRST = 16;
export const ELEMENT_LAST = 17;
/** Slot of its shape among its siblings; -1 for inline elements. */
export const ELEMENT_SHAPE = 18;
/** How much it looks like the element that holds the article (float), and scratch of the second stage (floats). */
export const ELEMENT_CANDIDATE = 19;
export const ELEMENT_SCORE = 20;
export const ELEMENT_WEIGHT = 21;
/** Tag number, tag id. */
export const ELEMENT_TAG = 22;
/** Role bits of the words of its class, id, role, rel and item attributes (detect/joint/block-roles.ts names them). */
export const ELEMENT_ROLES = 23;
export const ELEMENT_WORDS_SIZE = 24;

/** Words of a shape's slot: key, count, words and words of links (floats). */
export const SHAPE_KEY = 0;
export const SHAPE_COUNT = 1;
export const SHAPE_WORDS = 2;
export const SHAPE_LINK_WORDS = 3;
export const SHAPE_SIZE = 4;

/** Words of a block's record. */
export const BLOCK_FIRST_TEXT = 0;
export const BLOCK_LAST_TEXT = 1;
export const BLOCK_CONTAINER = 2;
export const BLOCK_LEAF = 3;
export const BLOCK_WORD_START = 4;
export const BLOCK_WORD_COUNT = 5;
export const BLOCK_LINK_WORDS = 6;
export const BLOCK_CHARACTERS = 7;
export const BLOCK_STOPS = 8;
export const BLOCK_COMMAS = 9;
export const BLOCK_DIGITS = 10;
export const BLOCK_CAPITALS = 11;
/** Words of scripts that do not separate them: characters. */
export const BLOCK_SPACELESS = 12;
export const BLOCK_FIRST_LINK = 13;
export const BLOCK_END_LINK = 14;
export const BLOCK_FLAGS = 15;
export const BLOCK_INLINE = 16;
export const BLOCK_BULLETS = 17;
export const BLOCK_DATES = 18;
/** Role bits of the inline elements inside. */
export const BLOCK_ROLES = 19;
/** Hashes of the text in lower case: with digits as zeros, and as they are. */
export const BLOCK_TEXT = 20;
export const BLOCK_EXACT = 22;
/** Effective words, words of links and words of prose, as floats. */
export const BLOCK_SIZE = 24;
export const BLOCK_LINK_SIZE = 25;
export const BLOCK_PROSE = 26;
export const BLOCK_HEADING = 27;
export const BLOCK_RECORD_WORDS = 28;

export const BLOCK_ENDS = 1;
export const BLOCK_PRICE = 2;
export const BLOCK_BOLD = 4;
export const BLOCK_TIME = 8;
export const BLOCK_HIDDEN = 16;
/** Starts with a name and a colon: `Price: $9.50`. */
export const BLOCK_LABELLED = 32;

/** Bits of `ELEMENT_ABOVE` beyond those of tags. */
export const ABOVE_MAIN_ROLE = 18;
export const ABOVE_NAVIGATION_ROLE = 19;
export const ABOVE_BODY_ITEM = 20;
export const ABOVE_COMMENT_ITEM = 21;
export const ABOVE_OTHER_ITEM = 22;
export const ABOVE_HIDDEN = 23;

/** Slots of the table of role words, a power of two, and the words of a slot: hash (0 is empty), bits set, bits cleared. */
export const ROLE_WORD_SLOTS = 1024;
export const ROLE_WORD_SIZE = 3;

/** Hashed names: weights are bytes, in units of 1/16. */
export const NAME_BUCKET_BITS = 16;
export const NAME_WEIGHT_UNIT = 0.0625;

/**
 * Sets of hashed words: of the title, of og:title, of the URL's path; of runs of three words of the description and of
 * JSON-LD texts. A set has a header of two words, its size and its mask, then slots of two words: hash and stamp.
 */
export const SET_TITLE = 0;
export const SET_OG_TITLE = 1;
export const SET_PATH = 2;
export const SET_DESCRIPTION = 3;
export const SET_LD_TEXT = 4;
export const WORD_SETS = 5;
export const SMALL_SET_SLOTS = 512;
export const LARGE_SET_SLOTS = 16_384;
export const SET_HEADER_BYTES = 8;
export const SMALL_SET_BYTES = 4104;
export const LARGE_SET_BYTES = 131_080;
/** A set takes no more than half of its slots. */

/** What JSON-LD says the page is. */
export const LD_ARTICLE = 1;
export const LD_PRODUCT = 2;
export const LD_LIST = 4;
export const LD_FORUM = 8;

/** Floats of a block's row: what the page tells, then what the names weigh, then what the site tells. */
export const PAGE_FEATURES = 191;
export const SITE_FEATURES = 32;
export const CONTEXT_FEATURES = 34;
/** Floats that the model reads. */
export const FEATURE_FLOATS = 257;
/** Then what only rules read: other pages of the layout group, and the share of them with the text in this slot. */
export const GROUP_PAGES_AT = 257;
export const GROUP_SHARE_AT = 258;
export const ROW_FLOATS = 259;
