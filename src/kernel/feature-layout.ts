/**
 * Layout of the page features (assembly/feature-values.ts), read by both compilers. A row describes one
 * judged node of a page. The value of a constant that names a word is its offset, in words of four bytes.
 */

/** Maximum number of rows of a page. */
export const MAX_ROWS = 16_384;
/** Numbers of a row: the features of detect/page/feature-list.ts, in its order. */
export const FEATURE_COUNT = 90;

/** Header word: address of the bits of each tag, by tag. */
export const FEATURES_TAGS = 0;
/** Header word: address of log2(1 + n/2) for n below LOGARITHMS, as f64. */
export const FEATURES_LOGARITHMS = 1;
/** Header word: address of the weights of names; see assembly/element-names.ts. */
export const FEATURES_NAMES = 2;
/** Header word: address of the page's site. */
export const FEATURES_SITE = 3;
/** Header word: bytes of the page's site. */
export const FEATURES_SITE_BYTES = 4;
/** Header word: address of the page's title, which is followed by zeros. */
export const FEATURES_TITLE = 5;
/** Header word: bytes of the page's title. */
export const FEATURES_TITLE_BYTES = 6;
/** Header word: address of the left edges of boxes by node, as f32. */
export const FEATURES_LEFT = 7;
/** Header word: address of the top edges of boxes by node, as f32. */
export const FEATURES_TOP = 8;
/** Header word: address of the widths of boxes by node, as f32. */
export const FEATURES_WIDTH = 9;
/** Header word: address of the heights of boxes by node, as f32. */
export const FEATURES_HEIGHT = 10;
/** Header word: address of the records of nodes (assembly/feature-records.ts). */
export const FEATURES_NODES = 11;
/** Header word: address of the records of texts. */
export const FEATURES_TEXTS = 12;
/** Header word: address of the records of rows. */
export const FEATURES_ROWS = 13;
/** Header word: address of the buckets that count siblings of one shape. */
export const FEATURES_SHAPES = 14;
/** Header word: address of the node of each row, a result. */
export const FEATURES_ROW_NODE = 15;
/** Header word: address of the row of the judged node above each row, a result. */
export const FEATURES_ROW_PARENT = 16;
/** Header word: address of the weight of each row, a result. */
export const FEATURES_ROW_WEIGHT = 17;
/** Header word: address of the area of each row, a result. */
export const FEATURES_ROW_AREA = 18;
/** Header word: address of the features of each row, a result. */
export const FEATURES_VALUES = 19;
/** Words of the header. */
export const FEATURES_WORDS = 20;

/** Entries of the table of logarithms. */
export const LOGARITHMS = 2048;
/** Bytes of the record of a node. */
export const NODE_RECORD_BYTES = 40;
/** Bytes of the record of a text. */
export const TEXT_RECORD_BYTES = 12;
/** Bytes of the record of a row. */
export const ROW_RECORD_BYTES = 288;
/** Buckets of shapes: twice the number of rows. */
export const SHAPE_BUCKETS = 2 * MAX_ROWS;
/** Bytes of a bucket of a shape. */
export const SHAPE_BUCKET_BYTES = 12;

/** Number of bits of a tag that are features of the node itself. */
export const OWN_TAG_BITS = 6;
/** Number of bits of a tag that are features of the node and of all above it. */
export const TAG_BITS = 17;
/** Bit of a tag: begins a block of text. */
export const TAG_BLOCK = 1 << 17;
/** Bit of a tag: is displayed apart from the text around it. */
export const TAG_APART = 1 << 18;
/** Bit of a tag: is not displayed. */
export const TAG_UNSHOWN = 1 << 19;
/** Bit of a tag: is a heading. */
export const TAG_HEADING = 1 << 20;
/** Bit of a tag: is a paragraph. */
export const TAG_PARAGRAPH = 1 << 21;
/** Bit of a tag: is an image. */
export const TAG_IMAGE = 1 << 22;
/** Bit of a tag: is a control of a form. */
export const TAG_CONTROL = 1 << 23;

/**
 * Word of the weights of names: address of buckets of two words, a hash and a weight (f32, 0 in a free bucket).
 */
export const NAMES_BUCKETS = 0;
/** Word of the weights of names: number of buckets minus one. */
export const NAMES_MASK = 1;
/** Words of the weights of names. */
export const NAMES_WORDS = 2;
