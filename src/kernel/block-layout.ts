/**
 * Layout of the text blocks of a page (assembly/find-blocks.ts and the files around it), read by both
 * compilers. A block is a run of inline text between block boundaries; the joint detector judges blocks. The
 * value of a constant that names a word is its offset, in words of four bytes.
 */

/**
 * Header word: address of the tag table (TAG_TABLE_BYTES). The host fills the header with addresses before a
 * page is analysed.
 */
export const BLOCKS_TAGS = 0;
/** Header word: address of the element records, by node. */
export const BLOCKS_ELEMENTS = 1;
/** Header word: address of the block records. */
export const BLOCKS_RECORDS = 2;
/** Header word: address of the hashes of words. */
export const BLOCKS_WORDS = 3;
/** Header word: address of the feature rows, ROW_FLOATS floats per block. */
export const BLOCKS_ROWS = 4;
/** Header word: address of the weights of hashed names. */
export const BLOCKS_NAME_WEIGHTS = 5;
/** Header word: address of an empty hash table for counting siblings of the same shape. */
export const BLOCKS_SHAPES = 6;
/** Header word: number of buckets of that table minus one. */
export const BLOCKS_SHAPE_MASK = 7;
/** Header word, filled by the kernel: number of blocks. */
export const BLOCKS_COUNT = 8;
/** Header word, filled by the kernel: number of words. */
export const BLOCKS_WORD_COUNT = 9;
/** Header word: start of the page's URL path, as bytes. */
export const BLOCKS_PATH = 10;
/** Header word: end of the page's URL path. */
export const BLOCKS_PATH_END = 11;
/** Header word: address of WORD_SETS sets of words of the page's title and description. */
export const BLOCKS_WORD_SETS = 12;
/** Header word: address of as many bytes as the source has, for text without its escapes. */
export const BLOCKS_SCRATCH = 13;
/** Header word: bits of the page's JSON-LD types, LD_ARTICLE and so on. */
export const BLOCKS_LD_TYPES = 14;
/** Header word: number of the page's og:type. */
export const BLOCKS_OG_TYPE = 15;
/** Header word: address of a list of the elements whose text is in no block. */
export const BLOCKS_SKIPPED = 16;
/** Header word: length of that list. */
export const BLOCKS_SKIPPED_COUNT = 17;
/**
 * Header word: address of the table of role words, ROLE_WORD_BUCKETS buckets. Role words are words of names that
 * show a role.
 */
export const BLOCKS_ROLE_WORDS = 18;
/** Header word: address of the cache of start tags, NAME_CACHE_BYTES, filled by the kernel. */
export const BLOCKS_NAME_CACHE = 19;
/** Words of the header. */
export const BLOCKS_HEADER_WORDS = 24;

/** Word of a cache bucket: address of the bytes of a start tag. */
export const CACHED_START = 0;
/** Word of a cache bucket: number of these bytes. */
export const CACHED_BYTES = 1;
/** Word of a cache bucket: id of the tag. */
export const CACHED_TAG = 2;
/** First word of the values that the tag's names give. */
export const CACHED_VALUES = 3;
/** Words of a cache bucket. */
export const CACHED_SIZE = 12;
/** Buckets of the cache of start tags, a power of two. */
export const NAME_CACHE_BUCKETS = 256;
/** Bytes of the cache of start tags. */
export const NAME_CACHE_BYTES = 4 * CACHED_SIZE * NAME_CACHE_BUCKETS;

/** Kind of a tag: inline, so that its text stays in the block. */
export const TAG_INLINE = 0;
/** Kind of a tag: starts and ends a block. */
export const TAG_BOUNDARY = 1;
/** Kind of a tag: its content is in no block. */
export const TAG_SKIPPED = 2;
/** Offset in the tag table: the kind of each tag of HTML. */
export const TAG_KINDS_AT = 0;
/** Offset in the tag table: the number of each tag among the tags that features distinguish. */
export const TAG_NUMBERS_AT = 256;
/** Offset in the tag table: one more than the bit of each tag in `ELEMENT_ABOVE`; 0 for none. */
export const TAG_BITS_AT = 512;
/** Offset in the tag table: the names of each tag's elements that are part of a slot's path. */
export const TAG_PATHS_AT = 768;
/** The path of a slot has all names of the element. */
export const PATH_ALL_NAMES = 0;
/** The path of a slot has only the classes of the element. */
export const PATH_CLASSES = 1;
/** The path of a slot has no names of the element. */
export const PATH_NO_NAMES = 2;
/** Bytes of the tag table. */
export const TAG_TABLE_BYTES = 1024;

/**
 * Word of an element record: the block-level element that contains the text of this element, or the element
 * itself.
 */
export const ELEMENT_CONTAINER = 0;
/** Word of an element record: the block-level element around its container; -1 for none. */
export const ELEMENT_PARENT = 1;
/** Word of an element record: bits of the tags, roles and item types of the element and of all above it. */
export const ELEMENT_ABOVE = 2;
/** Word of an element record: number of block-level elements above it and of itself. */
export const ELEMENT_DEPTH = 3;
/** Word of an element record: hash of its path with classes, in two words. */
export const ELEMENT_CLASS_PATH = 4;
/** Word of an element record: hash of its path of tags, in two words. */
export const ELEMENT_TAG_PATH = 6;
/** Word of an element record: hash of the element alone. */
export const ELEMENT_OWN = 8;
/** Word of an element record: weight of the names of all elements above it, a float. */
export const ELEMENT_NAMES = 9;
/** Word of an element record: weight of its names as the element that contains a block, a float. */
export const ELEMENT_OWN_NAMES = 10;
/** Word of an element record: weight of its names as the parent of that element, a float. */
export const ELEMENT_PARENT_NAMES = 11;
/** Word of an element record: words of the blocks inside, a float. */
export const ELEMENT_WORDS = 12;
/** Word of an element record: words in links of the blocks inside, a float. */
export const ELEMENT_LINK_WORDS = 13;
/** Word of an element record: words of prose of the blocks inside, a float. */
export const ELEMENT_PROSE = 14;
/** Word of an element record: number of blocks inside. */
export const ELEMENT_BLOCKS = 15;
/** Word of an element record: the first block inside. */
export const ELEMENT_FIRST = 16;
/** Word of an element record: the last block inside. */
export const ELEMENT_LAST = 17;
/** Word of an element record: bucket of its shape among its siblings; -1 for inline elements. */
export const ELEMENT_SHAPE = 18;
/** Word of an element record: likelihood that it holds the article, a float. */
export const ELEMENT_CANDIDATE = 19;
/** Word of an element record: scratch of the second stage, the sum of scores times words, a float. */
export const ELEMENT_SCORE = 20;
/** Word of an element record: scratch of the second stage, the sum of words, a float. */
export const ELEMENT_WEIGHT = 21;
/** Word of an element record: number and id of its tag. */
export const ELEMENT_TAG = 22;
/**
 * Word of an element record: role bits of the words of its class, id, role, rel and item attributes (named in
 * detect/joint/block-roles.ts).
 */
export const ELEMENT_ROLES = 23;
/** Words of an element record. */
export const ELEMENT_WORDS_SIZE = 24;

/** Word of a shape's bucket: its key. */
export const SHAPE_KEY = 0;
/** Word of a shape's bucket: number of elements. */
export const SHAPE_COUNT = 1;
/** Word of a shape's bucket: their words, a float. */
export const SHAPE_WORDS = 2;
/** Word of a shape's bucket: their words in links, a float. */
export const SHAPE_LINK_WORDS = 3;
/** Words of a shape's bucket. */
export const SHAPE_SIZE = 4;

/** Word of a block record: node of its first text. */
export const BLOCK_FIRST_TEXT = 0;
/** Word of a block record: node of its last text. */
export const BLOCK_LAST_TEXT = 1;
/** Word of a block record: the block-level element that contains it. */
export const BLOCK_CONTAINER = 2;
/** Word of a block record: the innermost element around its first text. */
export const BLOCK_LEAF = 3;
/** Word of a block record: index of its first word. */
export const BLOCK_WORD_START = 4;
/** Word of a block record: number of its words. */
export const BLOCK_WORD_COUNT = 5;
/** Word of a block record: number of its words in links. */
export const BLOCK_LINK_WORDS = 6;
/** Word of a block record: number of its characters. */
export const BLOCK_CHARACTERS = 7;
/** Word of a block record: number of full stops and similar signs. */
export const BLOCK_STOPS = 8;
/** Word of a block record: number of commas. */
export const BLOCK_COMMAS = 9;
/** Word of a block record: number of digits. */
export const BLOCK_DIGITS = 10;
/** Word of a block record: number of capitals. */
export const BLOCK_CAPITALS = 11;
/** Word of a block record: number of characters of scripts that put no spaces between words. */
export const BLOCK_SPACELESS = 12;
/** Word of a block record: its first link. */
export const BLOCK_FIRST_LINK = 13;
/** Word of a block record: one past its last link. */
export const BLOCK_END_LINK = 14;
/** Word of a block record: flags, BLOCK_ENDS and so on. */
export const BLOCK_FLAGS = 15;
/** Word of a block record: number of its inline elements. */
export const BLOCK_INLINE = 16;
/** Word of a block record: number of bullets and similar signs. */
export const BLOCK_BULLETS = 17;
/** Word of a block record: number of dates and years. */
export const BLOCK_DATES = 18;
/** Word of a block record: role bits of the inline elements inside. */
export const BLOCK_ROLES = 19;
/** Word of a block record: hash of the text in lower case with all digits as zeros, in two words. */
export const BLOCK_TEXT = 20;
/** Word of a block record: hash of the text in lower case, in two words. */
export const BLOCK_EXACT = 22;
/** Word of a block record: effective number of words, a float. */
export const BLOCK_SIZE = 24;
/** Word of a block record: effective number of words in links, a float. */
export const BLOCK_LINK_SIZE = 25;
/** Word of a block record: effective number of words of prose, a float. */
export const BLOCK_PROSE = 26;
/** Word of a block record: level of the heading, 1 to 6; 0 if the block is not a heading. */
export const BLOCK_HEADING = 27;
/** Words of a block record. */
export const BLOCK_RECORD_WORDS = 28;

/** Flag of a block: the text ends with a stop, a comma or a closing sign. */
export const BLOCK_ENDS = 1;
/** Flag of a block: the text has a price. */
export const BLOCK_PRICE = 2;
/** Flag of a block: it has a `b` or `strong` element. */
export const BLOCK_BOLD = 4;
/** Flag of a block: it has a `time` element. */
export const BLOCK_TIME = 8;
/** Flag of a block: it is hidden. */
export const BLOCK_HIDDEN = 16;
/** Flag of a block: the text starts with a name and a colon, as in `Price: $9.50`. */
export const BLOCK_LABELLED = 32;

/** Bit of `ELEMENT_ABOVE`, after those of tags: role main. */
export const ABOVE_MAIN_ROLE = 18;
/** Bit of `ELEMENT_ABOVE`: role navigation. */
export const ABOVE_NAVIGATION_ROLE = 19;
/** Bit of `ELEMENT_ABOVE`: item property of an article's body. */
export const ABOVE_BODY_ITEM = 20;
/** Bit of `ELEMENT_ABOVE`: item of a comment. */
export const ABOVE_COMMENT_ITEM = 21;
/** Bit of `ELEMENT_ABOVE`: any other item property. */
export const ABOVE_OTHER_ITEM = 22;
/** Bit of `ELEMENT_ABOVE`: hidden. */
export const ABOVE_HIDDEN = 23;
/** Bit of `ELEMENT_ABOVE`: in a dialog. */
export const ABOVE_DIALOG = 24;

/** Buckets of the table of role words, a power of two. */
export const ROLE_WORD_BUCKETS = 1024;
/** Words of a bucket of that table: hash (0 if empty), role bits to set, role bits to clear. */
export const ROLE_WORD_SIZE = 3;

/** Bits of the hash of a name that select its weight. */
export const NAME_BUCKET_BITS = 16;
/** Unit of the weights of names, which are bytes. */
export const NAME_WEIGHT_UNIT = 0.0625;

/**
 * Number of the set of the title's words. A set has a header of two words, its size and its mask, then buckets
 * of two words, hash and stamp. At most half of the buckets are filled.
 */
export const SET_TITLE = 0;
/** Number of the set of the words of og:title. */
export const SET_OG_TITLE = 1;
/** Number of the set of the words of the URL's path. */
export const SET_PATH = 2;
/** Number of the set of runs of three words of the description. */
export const SET_DESCRIPTION = 3;
/** Number of the set of runs of three words of JSON-LD texts. */
export const SET_LD_TEXT = 4;
/** Number of sets of words. */
export const WORD_SETS = 5;
/** Buckets of a set of single words. */
export const SMALL_SET_BUCKETS = 512;
/** Buckets of a set of runs of words. */
export const LARGE_SET_BUCKETS = 16_384;
/** Bytes of the header of a set. */
export const SET_HEADER_BYTES = 8;
/** Bytes of a set of single words. */
export const SMALL_SET_BYTES = 4104;
/** Bytes of a set of runs of words. */
export const LARGE_SET_BYTES = 131_080;

/** Bit of BLOCKS_LD_TYPES: JSON-LD declares an article. */
export const LD_ARTICLE = 1;
/** Bit of BLOCKS_LD_TYPES: JSON-LD declares a product. */
export const LD_PRODUCT = 2;
/** Bit of BLOCKS_LD_TYPES: JSON-LD declares a list. */
export const LD_LIST = 4;
/** Bit of BLOCKS_LD_TYPES: JSON-LD declares a forum. */
export const LD_FORUM = 8;

/** Floats of a feature row that describe the page, with the weights of names. */
export const PAGE_FEATURES = 191;
/** Floats of a feature row that describe the evidence of the site. */
export const SITE_FEATURES = 32;
/** Floats of a feature row that describe the context of the block, for the second stage. */
export const CONTEXT_FEATURES = 34;
/** Floats of a feature row that the model reads. */
export const FEATURE_FLOATS = 257;
/** Offset in a feature row: other pages of the layout group. Only rules read it and the next. */
export const GROUP_PAGES_AT = 257;
/** Offset in a feature row: share of these pages that have the text in this slot. */
export const GROUP_SHARE_AT = 258;
/** Float of a row after those: number of other pages that have the text, wherever it is. */
export const TEXT_PAGES_AT = 259;
/** Floats of a feature row. */
export const ROW_FLOATS = 260;
