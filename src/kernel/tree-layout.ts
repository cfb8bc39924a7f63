/**
 * Constants of the tree scorer (assembly/tree.ts) that both compilers read: words of a model's header. Vectors have a
 * bit for each of TREE_ROWS rows.
 */

/** Rows that are scored together, and rows whose splits are evaluated together. */
export const TREE_ROWS = 128;
export const TREE_BLOCK_ROWS = 32;
export const TREE_MAX_DEPTH = 8;

/** Features that any split uses: how many; byte offset of each in a row; thresholds of each. */
export const TREE_FEATURE_COUNT = 0;
export const TREE_FEATURES = 1;
export const TREE_THRESHOLD_COUNTS = 2;
/** Distinct thresholds by feature, as floats. */
export const TREE_THRESHOLDS = 3;
/** How many trees; the end of each one's splits. */
export const TREE_COUNT = 4;
export const TREE_SPLIT_ENDS = 5;
/** Splits, tree after tree, each before those below it. */
export const TREE_SPLITS = 6;
/** What the leaf at the end of each path adds, as floats: 256 for each tree. */
export const TREE_LEAVES = 7;
/** Scratch: values by feature for one block of rows; a vector for each threshold; one for each node of a tree. */
export const TREE_COLUMNS = 8;
export const TREE_ABOVE = 9;
export const TREE_REACHED = 10;
/** Scratch: a vector for each depth; then paths, a byte for each row and tree. */
export const TREE_RIGHT_TURNS = 11;
export const TREE_PATHS = 12;
/** The bias, in two words. */
export const TREE_BIAS = 14;
export const TREE_HEADER_WORDS = 16;

/** Words of a split, all in bytes: its threshold's vector, its own and its left child's, its depth's, the next split not below it. */
export const SPLIT_THRESHOLD = 0;
export const SPLIT_NODE = 1;
export const SPLIT_CHILD = 2;
export const SPLIT_DEPTH = 3;
export const SPLIT_AFTER = 4;
export const SPLIT_WORDS = 5;
