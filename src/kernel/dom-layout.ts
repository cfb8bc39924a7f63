/** Constants of the dom detector's kernel part (assembly/dom-learn.ts, dom-find.ts) that both compilers read. */

/** Words of the scratch header: addresses of tables and columns, then fields. By tag: 1 where it separates words. */
export const DOM_BREAKS = 0;
/** By tag: words that are 0 between two calls. */
export const DOM_TAG_COUNTS = 1;
/** Nodes walked last, in document order; those of them that are frequent, and their positions in the index. */
export const DOM_NODES = 2;
export const DOM_FOUND_NODES = 3;
export const DOM_FOUND_AT = 4;
/** By node: the hash of its path counted from the front, and from the back. */
export const DOM_FRONT = 5;
export const DOM_BACK = 6;
/** Stack of ancestors; stack of nodes that were found and are not template. */
export const DOM_PATH = 7;
export const DOM_REFUSED = 8;
/** By node: the sampled pages with it, for template nodes; by parent plus one: the latest span among its children. */
export const DOM_PAGES = 9;
export const DOM_LATEST = 10;
/** Bytes by node: changing text is in its line; its children have paths; it is template. */
export const DOM_CHANGING = 11;
export const DOM_PLACED = 12;
export const DOM_MARKED = 13;
/** Results of the last page: spans and gaps. */
export const DOM_SPANS = 14;
export const DOM_GAPS = 15;
/** How many nodes were walked and found; the root of the last walk, and whether it is in a line of changing text. */
export const DOM_COUNT = 16;
export const DOM_FOUND_COUNT = 17;
export const DOM_ROOT = 18;
export const DOM_ROOT_IN_LINE = 19;
export const DOM_HEADER_WORDS = 20;
/** Columns of one word and of one byte by node; each has one entry more than there are nodes. */
export const DOM_FIRST_WORD_COLUMN = DOM_NODES;
export const DOM_WORD_COLUMNS = 9;
export const DOM_FIRST_BYTE_COLUMN = DOM_CHANGING;
export const DOM_BYTE_COLUMNS = 3;

/**
 * Words of a span: start and end in the source, number of its nodes, sampled pages, hash in two lanes, first gap and
 * one past the last gap, and its last node.
 */
export const SPAN_START = 0;
export const SPAN_END = 1;
export const SPAN_MEMBERS = 2;
export const SPAN_PAGES = 3;
export const SPAN_LOW = 4;
export const SPAN_HIGH = 5;
export const SPAN_GAPS_FROM = 6;
export const SPAN_GAPS_TO = 7;
export const SPAN_LAST_NODE = 8;
export const SPAN_WORDS = 9;
/** Words of a gap: start and end in the source. */
export const GAP_WORDS = 2;

/** Words of a model: 1 when content alone decides; indexes of nodes and of nodes at positions; columns of the nodes. */
export const MODEL_BY_CONTENT = 0;
export const MODEL_NODES = 1;
export const MODEL_POSITIONS = 2;
export const MODEL_PAGES = 3;
export const MODEL_OCCURRENCES = 4;
/** Limits of trivially small nodes, and of gaps. */
export const MODEL_UPPER_OCCURRENCES = 5;
export const MODEL_TRIVIAL_BYTES = 6;
export const MODEL_GAP_BYTES = 7;
export const MODEL_GAP_TEXT_BYTES = 8;
export const MODEL_WORDS = 9;

/** Words of a record, an outermost frequent node of a sampled page: the node, its index among frequent nodes, its context. */
export const RECORD_WORDS = 3;

/** How a node was seen at a position, as bits: alone, in a line of changing text; or a context whose inside was taken. */
export const SEEN_ALONE = 1;
export const SEEN_IN_LINE = 2;
export const CONTEXT_ENTERED = 4;

/** Stable by its positions; stable with everything inside it. */
export const STABLE_BY_POSITION = 1;
export const STABLE_THROUGHOUT = 2;

/** Shift of a position to its bit in the filter of positions that matter in lines. */
export const LINE_FILTER_BITS = 16;
