/**
 * Constants of the page features (assembly/page-features.ts) that both compilers read. Rows are the judged nodes of a
 * page.
 */

/** Most rows of a page. */
export const MAX_ROWS = 16_384;
/** Numbers of a row: the features of detect/page/feature-list.ts, in its order. */
export const FEATURE_COUNT = 90;

/** Words of the header. By tag: the bits below. */
export const FEATURES_TAGS = 0;
/** log2(1 + n/2) for the first LOGARITHMS n, as f64. */
export const FEATURES_LOGARITHMS = 1;
/** The weights of names: see assembly/element-names.ts. */
export const FEATURES_NAMES = 2;
/** The site of the page and the title of the page, and their sizes in bytes. Zeros follow the title. */
export const FEATURES_SITE = 3;
export const FEATURES_SITE_BYTES = 4;
export const FEATURES_TITLE = 5;
export const FEATURES_TITLE_BYTES = 6;
/** By node, as f32: the boxes. */
export const FEATURES_LEFT = 7;
export const FEATURES_TOP = 8;
export const FEATURES_WIDTH = 9;
export const FEATURES_HEIGHT = 10;
/** Scratch: records of nodes, texts and rows (assembly/feature-records.ts); slots in which siblings of one shape are counted. */
export const FEATURES_NODES = 11;
export const FEATURES_TEXTS = 12;
export const FEATURES_ROWS = 13;
export const FEATURES_SHAPES = 14;
/** Results, by row: its node, the row of the judged node above it, its weight and area, and its features. */
export const FEATURES_ROW_NODE = 15;
export const FEATURES_ROW_PARENT = 16;
export const FEATURES_ROW_WEIGHT = 17;
export const FEATURES_ROW_AREA = 18;
export const FEATURES_VALUES = 19;
export const FEATURES_WORDS = 20;

export const LOGARITHMS = 2048;
/** Room for the records in scratch, and slots of shapes: twice as many as there are rows. */
export const NODE_RECORD_BYTES = 40;
export const TEXT_RECORD_BYTES = 12;
export const ROW_RECORD_BYTES = 288;
export const SHAPE_SLOTS = 2 * MAX_ROWS;
export const SHAPE_SLOT_BYTES = 12;

/** Bits of a tag that are features: of the node itself, then of the node and all above it. */
export const OWN_TAG_BITS = 6;
export const TAG_BITS = 17;
/** Other bits: begins a block of text; is apart when the page is shown; is not shown. */
export const TAG_BLOCK = 1 << 17;
export const TAG_APART = 1 << 18;
export const TAG_UNSHOWN = 1 << 19;
export const TAG_HEADING = 1 << 20;
export const TAG_PARAGRAPH = 1 << 21;
export const TAG_IMAGE = 1 << 22;
export const TAG_CONTROL = 1 << 23;

/** Words of the weights of names: slots of two words each, a hash and a weight (f32, 0 in a free slot), and their mask. */
export const NAMES_SLOTS = 0;
export const NAMES_MASK = 1;
export const NAMES_WORDS = 2;
