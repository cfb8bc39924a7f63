/**
 * Layout of the kernel's memory: constants that both compilers read, tsc for the host and asc for the kernel.
 * Untyped integers are `i32` in AssemblyScript. Addresses and sizes are in bytes.
 *
 * Each thread has one memory. From address 0 it holds, in this order:
 *
 *   static    tables and state at fixed addresses, which asc places there (`memory.data`)
 *   results   words that a kernel function returns to its caller; valid until the next kernel call
 *   parser    state and tables of the parser: see assembly/builder.ts
 *   heap      blocks that heap.ts allocates: the page workspace, held pages, model tables, output buffers
 *
 * A page in memory is a header of PAGE_WORDS words (below) that points to its bytes, columns and text. There
 * is one workspace per thread: the bytes of a page are inflated or copied into its source, transcoded and
 * parsed there, and every later step (hash, search, label, render) works on it in place. The workspace holds
 * one page, until the next page is read. A page that must live longer is copied once, into a block of its own
 * with a header of the same form.
 */

/** First address of asc's static data; address 0 stays unused. */
export const STATIC_AT = 16;

/** Address of the words that kernel functions return to the host, after the room for static data. */
export const RESULTS_AT = 262_144;
/** Number of these words. */
export const RESULT_WORDS = 64;

/** Address of the state and tables of the parser. */
export const PARSER_AT = 327_680;
/** Bytes of the parser's state and tables. */
export const PARSER_BYTES = 6 * 1024 * 1024;

/** First address of the heap. */
export const HEAP_AT = PARSER_AT + PARSER_BYTES;

/** Number of zero bytes after a page's source and text, so that loops over 16 bytes may read past the end. */
export const PADDING_BYTES = 64;

/** Word of a page header: address of the source. */
export const PAGE_SOURCE = 0;
/** Word of a page header: bytes of the source. */
export const PAGE_SOURCE_BYTES = 1;
/** Word of a page header: address of the text. */
export const PAGE_TEXT = 2;
/** Word of a page header: bytes of the text. */
export const PAGE_TEXT_BYTES = 3;
/** Word of a page header: number of nodes. */
export const PAGE_NODE_COUNT = 4;
/** Word of a page header: number of links. */
export const PAGE_LINK_COUNT = 5;
/**
 * Word of a page header: address of the column `kind`. Columns by node are in document order; parse/tree.ts
 * defines them.
 */
export const PAGE_KIND = 6;
/** Word of a page header: address of the column `name`. */
export const PAGE_NAME = 7;
/** Word of a page header: address of the column `parent`. */
export const PAGE_PARENT = 8;
/** Word of a page header: address of the column `last`. */
export const PAGE_LAST = 9;
/** Word of a page header: address of the column `start`. */
export const PAGE_START = 10;
/** Word of a page header: address of the column `openEnd`. */
export const PAGE_OPEN_END = 11;
/** Word of a page header: address of the column `end`. */
export const PAGE_END = 12;
/** Word of a page header: address of the column `contentLow`. */
export const PAGE_CONTENT_LOW = 13;
/** Word of a page header: address of the column `contentHigh`. */
export const PAGE_CONTENT_HIGH = 14;
/** Word of a page header: address of the column `shapeLow`. */
export const PAGE_SHAPE_LOW = 15;
/** Word of a page header: address of the column `shapeHigh`. */
export const PAGE_SHAPE_HIGH = 16;
/**
 * Word of a page header: address of the column `textStart`, which has one entry more than there are nodes.
 */
export const PAGE_TEXT_START = 17;
/** Word of a page header: address of the column `linkNode`, by link. */
export const PAGE_LINK_NODE = 18;
/** Word of a page header: address of the column `linkStart`, by link. */
export const PAGE_LINK_START = 19;
/** Word of a page header: address of the column `linkEnd`, by link. */
export const PAGE_LINK_END = 20;
/**
 * Word of a page header: address of the tag names that HTML does not have, as start and end in the source.
 */
export const PAGE_NAMES = 21;
/** Word of a page header: number of these names. */
export const PAGE_NAME_COUNT = 22;
/** Word of a page header: flags PAGE_DEPTH_CAPPED, PAGE_EXACT and PAGE_QUIRKS. */
export const PAGE_FLAGS = 23;
/** Word of a page header: number of nodes that a browser would move out of tables. */
export const PAGE_FOSTERED_COUNT = 24;
/** Word of a workspace's header: address of the parser's stack of open elements. */
export const PAGE_ELEMENTS = 25;
/** Word of a workspace's header: address of the parser's list of active formatting elements. */
export const PAGE_FORMATS = 26;
/** Word of a workspace's header: address of the parser's stack of template insertion modes. */
export const PAGE_TEMPLATES = 27;
/** Words of a page header. */
export const PAGE_WORDS = 32;

/** Flag of a page: the depth limit changed the nesting. */
export const PAGE_DEPTH_CAPPED = 1;
/** Flag of a page: misnested formatting was rebuilt as in browsers. */
export const PAGE_EXACT = 2;
/** Flag of a page: it is in quirks mode. */
export const PAGE_QUIRKS = 4;

/**
 * Room for nodes beyond the limit: the parser checks the limit once per token, and a token may add several
 * nodes.
 */
export const SPARE_NODES = 1024;
/** Bytes of an open element. */
export const ELEMENT_BYTES = 64;
/** Bytes of an entry in the list of active formatting elements. */
export const FORMAT_BYTES = 32;
/** Maximum number of tag names of a page, including HTML's own. */
export const TAG_LIMIT = 65_536;
/** First tag id that is a name of the page and not of HTML. */
export const FIRST_FOREIGN_TAG = 256;

/** First word of the columns by node; the columns follow each other in the header. */
export const FIRST_NODE_COLUMN = PAGE_KIND;
/** Number of columns by node. */
export const NODE_COLUMNS = 12;
/** First word of the columns by link. */
export const FIRST_LINK_COLUMN = PAGE_LINK_NODE;
/** Number of columns by link. */
export const LINK_COLUMNS = 3;

/** Result of `inflate`: the stream is invalid. */
export const INFLATE_BAD = 0;
/** Result of `inflate`: the stream has ended. */
export const INFLATE_DONE = 1;
/** Result of `inflate`: the stream needs more input. */
export const INFLATE_INPUT_ENDS = 2;
/** Result of `inflate`: the output has reached its limit. */
export const INFLATE_OUTPUT_FULL = 3;

/** Numbers of a packed group, as Parquet defines it. */
export const PACK_GROUP = 8;
/** Values of a block of differences, as Parquet defines it. */
export const PACK_BLOCK = 128;
/** Parts of a block of differences with a bit width of their own, as Parquet defines them. */
export const PACK_QUARTERS = 4;

/**
 * Offset in the tables for the widths of texts: for each byte value, 1 if it allows a line break. Widths by
 * byte value, as f32, precede it.
 */
export const TEXT_WIDTH_BREAKS = 1024;
/** Bytes of the tables for the widths of texts. */
export const TEXT_WIDTH_BYTES = 1280;
