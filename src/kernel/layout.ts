/**
 * The kernel's memory: constants that both compilers read, tsc for the host and asc for the kernel. Untyped integers
 * are `i32` in AssemblyScript. Addresses and sizes are in bytes.
 *
 * Each thread has one memory. From address 0 it holds, in this order:
 *
 *   static    tables and state at fixed addresses, which asc places there (`memory.data`)
 *   results   words that a kernel function leaves for its caller; they hold until the next kernel call
 *   parser    state and tables of the parser: see assembly/builder.ts
 *   heap      blocks that heap.ts hands out: the page workspace, held pages, model tables, output buffers
 *
 * A page in memory is a header of PAGE_WORDS words (below) that points to its bytes, columns and text. There is one
 * workspace per thread: the bytes of a page are inflated or copied into its source, transcoded and parsed there, and
 * every later step (hash, search, label, render) works on it in place. The workspace holds one page, until the next
 * page is read. A page that must live longer is copied once, into a block of its own, with a header of the same form.
 */

/** asc places its static data from here on; address 0 stays unused. */
export const STATIC_AT = 16;

/** Room for static data, then the words that kernel functions leave for the host. */
export const RESULTS_AT = 262_144;
export const RESULT_WORDS = 64;

/** State and tables of the parser. */
export const PARSER_AT = 327_680;
export const PARSER_BYTES = 6 * 1024 * 1024;

/** The first address of the heap. */
export const HEAP_AT = PARSER_AT + PARSER_BYTES;

/** Zeros that follow a page's source and text, so that loops over 16 bytes may read past the end. */
export const PADDING_BYTES = 64;

/** Words of a page header: addresses of the page's parts, and their sizes. */
export const PAGE_SOURCE = 0;
export const PAGE_SOURCE_BYTES = 1;
export const PAGE_TEXT = 2;
export const PAGE_TEXT_BYTES = 3;
export const PAGE_NODE_COUNT = 4;
export const PAGE_LINK_COUNT = 5;
/** Columns by node, in document order; see parse/tree.ts for their meaning. */
export const PAGE_KIND = 6;
export const PAGE_NAME = 7;
export const PAGE_PARENT = 8;
export const PAGE_LAST = 9;
export const PAGE_START = 10;
export const PAGE_OPEN_END = 11;
export const PAGE_END = 12;
export const PAGE_CONTENT_LOW = 13;
export const PAGE_CONTENT_HIGH = 14;
export const PAGE_SHAPE_LOW = 15;
export const PAGE_SHAPE_HIGH = 16;
/** One entry more than there are nodes. */
export const PAGE_TEXT_START = 17;
/** Columns by link. */
export const PAGE_LINK_NODE = 18;
export const PAGE_LINK_START = 19;
export const PAGE_LINK_END = 20;
/** Tag names of the page that HTML does not have: for each, where it starts and ends in the source. */
export const PAGE_NAMES = 21;
export const PAGE_NAME_COUNT = 22;
/** Bits: PAGE_DEPTH_CAPPED, PAGE_EXACT, PAGE_QUIRKS. */
export const PAGE_FLAGS = 23;
export const PAGE_FOSTERED_COUNT = 24;
/** Only in the workspace: stacks of the parser. */
export const PAGE_ELEMENTS = 25;
export const PAGE_FORMATS = 26;
export const PAGE_TEMPLATES = 27;
export const PAGE_WORDS = 32;

export const PAGE_DEPTH_CAPPED = 1;
export const PAGE_EXACT = 2;
export const PAGE_QUIRKS = 4;

/** Room for nodes beyond the limit: the parser looks at the limit once a token, and a token may add several. */
export const SPARE_NODES = 1024;
/** Bytes of an open element and of an entry in the list of active formatting elements. */
export const ELEMENT_BYTES = 64;
export const FORMAT_BYTES = 32;
/** Most tag names of a page, HTML's own included. */
export const TAG_LIMIT = 65_536;
/** Ids of tags from here on are names of the page. */
export const FIRST_FOREIGN_TAG = 256;

/** Columns of a page by node and by link; each header word of a column lies between these. */
export const FIRST_NODE_COLUMN = PAGE_KIND;
export const NODE_COLUMNS = 12;
export const FIRST_LINK_COLUMN = PAGE_LINK_NODE;
export const LINK_COLUMNS = 3;

/** What `inflate` returns: the stream is wrong, has ended, needs more input, or has reached the limit of the output. */
export const INFLATE_BAD = 0;
export const INFLATE_DONE = 1;
export const INFLATE_INPUT_ENDS = 2;
export const INFLATE_OUTPUT_FULL = 3;

/** Numbers of a packed group, and values and quarters of a block of differences, as Parquet defines them. */
export const PACK_GROUP = 8;
export const PACK_BLOCK = 128;
export const PACK_QUARTERS = 4;

/** Tables of the widths of texts: f32 by byte, then from here on bytes. */
export const TEXT_WIDTH_BREAKS = 1024;
export const TEXT_WIDTH_BYTES = 1280;
