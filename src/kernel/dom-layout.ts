/**
 * Layout of the tables of the dom detector (assembly/dom-learn.ts, dom-find.ts), read by both compilers. The
 * value of a constant that names a word is its offset, in words of four bytes.
 */

/** Scratch word: address of a table by tag, with 1 for tags that separate words. */
export const DOM_BREAKS = 0;
/** Scratch word: address of counts by tag, which are 0 between two calls. */
export const DOM_TAG_COUNTS = 1;
/** Scratch word: address of the nodes of the last walk, in document order. */
export const DOM_NODES = 2;
/** Scratch word: address of those of them that are frequent. */
export const DOM_FOUND_NODES = 3;
/** Scratch word: address of the positions of these in the index. */
export const DOM_FOUND_AT = 4;
/** Scratch word: address of the hashes of paths counted from the front, by node. */
export const DOM_FRONT = 5;
/** Scratch word: address of the hashes of paths counted from the back, by node. */
export const DOM_BACK = 6;
/** Scratch word: address of the stack of ancestors. */
export const DOM_PATH = 7;
/** Scratch word: address of the stack of nodes that were found and are not template. */
export const DOM_REFUSED = 8;
/** Scratch word: address of the numbers of sampled pages with each template node, by node. */
export const DOM_PAGES = 9;
/** Scratch word: address of the latest span among the children of each parent, by parent plus one. */
export const DOM_LATEST = 10;
/** Scratch word: address of bytes by node, 1 if changing text is in its line. */
export const DOM_CHANGING = 11;
/** Scratch word: address of bytes by node, 1 if its children have paths. */
export const DOM_PLACED = 12;
/** Scratch word: address of bytes by node, 1 if it is template. */
export const DOM_MARKED = 13;
/** Scratch word: address of the spans of the last page. */
export const DOM_SPANS = 14;
/** Scratch word: address of the gaps of the last page. */
export const DOM_GAPS = 15;
/** Scratch word: number of nodes of the last walk. */
export const DOM_COUNT = 16;
/** Scratch word: number of frequent nodes of the last walk. */
export const DOM_FOUND_COUNT = 17;
/** Scratch word: root of the last walk. */
export const DOM_ROOT = 18;
/** Scratch word: whether that root is in a line of changing text. */
export const DOM_ROOT_IN_LINE = 19;
/** Words of the scratch header. */
export const DOM_HEADER_WORDS = 20;
/** First of the columns with one word per node. Each column has one entry more than there are nodes. */
export const DOM_FIRST_WORD_COLUMN = DOM_NODES;
/** Number of these columns. */
export const DOM_WORD_COLUMNS = 9;
/** First of the columns with one byte per node. */
export const DOM_FIRST_BYTE_COLUMN = DOM_CHANGING;
/** Number of these columns. */
export const DOM_BYTE_COLUMNS = 3;

/** Word of a span: start in the source. */
export const SPAN_START = 0;
/** Word of a span: end in the source. */
export const SPAN_END = 1;
/** Word of a span: number of its nodes. */
export const SPAN_MEMBERS = 2;
/** Word of a span: number of sampled pages with it. */
export const SPAN_PAGES = 3;
/** Word of a span: low lane of its hash. */
export const SPAN_LOW = 4;
/** Word of a span: high lane of its hash. */
export const SPAN_HIGH = 5;
/** Word of a span: its first gap. */
export const SPAN_GAPS_FROM = 6;
/** Word of a span: one past its last gap. */
export const SPAN_GAPS_TO = 7;
/** Word of a span: its last node. */
export const SPAN_LAST_NODE = 8;
/** Words of a span. */
export const SPAN_WORDS = 9;
/** Words of a gap: start and end in the source. */
export const GAP_WORDS = 2;

/** Word of a model: 1 if content alone decides, without positions. */
export const MODEL_BY_CONTENT = 0;
/** Word of a model: address of the index of nodes. */
export const MODEL_NODES = 1;
/** Word of a model: address of the index of nodes at positions. */
export const MODEL_POSITIONS = 2;
/** Word of a model: address of the numbers of pages with each node. */
export const MODEL_PAGES = 3;
/** Word of a model: address of the numbers of occurrences of each node. */
export const MODEL_OCCURRENCES = 4;
/** Word of a model: occurrences above which a trivially small node is not evidence. */
export const MODEL_UPPER_OCCURRENCES = 5;
/** Word of a model: most bytes of a trivially small node. */
export const MODEL_TRIVIAL_BYTES = 6;
/** Word of a model: most bytes of a gap. */
export const MODEL_GAP_BYTES = 7;
/** Word of a model: most bytes of the text of a gap. */
export const MODEL_GAP_TEXT_BYTES = 8;
/** Words of a model. */
export const MODEL_WORDS = 9;

/**
 * Words of a record, which describes an outermost frequent node of a sampled page: the node, its index among
 * frequent nodes, its context.
 */
export const RECORD_WORDS = 3;

/** Bit: the node was seen at a position, alone. */
export const SEEN_ALONE = 1;
/** Bit: the node was seen at a position in a line of changing text. */
export const SEEN_IN_LINE = 2;
/** Bit of a context: nodes inside it were counted, too. */
export const CONTEXT_ENTERED = 4;

/** Bit: the node is stable by its positions. */
export const STABLE_BY_POSITION = 1;
/** Bit: the node is stable with everything inside it. */
export const STABLE_THROUGHOUT = 2;

/** Shift that turns a position into its bit in the filter of positions that matter in lines. */
export const LINE_FILTER_BITS = 16;
