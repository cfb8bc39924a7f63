/**
 * Layout of the tables of the tree scorer (assembly/score-trees.ts), read by both compilers. A vector has one
 * bit for each of TREE_ROWS rows. The value of a constant that names a word is its offset, in words of four
 * bytes.
 */

/** Number of rows that are scored together. */
export const TREE_ROWS = 128;
/** Number of rows whose splits are evaluated together. */
export const TREE_BLOCK_ROWS = 32;
/** Largest depth of a tree. */
export const TREE_MAX_DEPTH = 8;

/** Header word: number of features that any split uses. */
export const TREE_FEATURE_COUNT = 0;
/** Header word: address of the byte offset in a row of each of these features. */
export const TREE_FEATURES = 1;
/** Header word: address of the number of thresholds of each feature. */
export const TREE_THRESHOLD_COUNTS = 2;
/** Header word: address of the distinct thresholds by feature, as floats. */
export const TREE_THRESHOLDS = 3;
/** Header word: number of trees. */
export const TREE_COUNT = 4;
/** Header word: address of the end of each tree's splits. */
export const TREE_SPLIT_ENDS = 5;
/** Header word: address of the splits, tree after tree, each before the splits below it. */
export const TREE_SPLITS = 6;
/** Header word: address of the values of leaves by path, as floats, 256 for each tree. */
export const TREE_LEAVES = 7;
/** Header word: address of scratch for values by feature for one block of rows. */
export const TREE_COLUMNS = 8;
/** Header word: address of scratch for a vector per threshold, of the rows above it. */
export const TREE_ABOVE = 9;
/** Header word: address of scratch for a vector per node of a tree, of the rows that reach it. */
export const TREE_REACHED = 10;
/** Header word: address of scratch for a vector per depth, of the rows that turn right. */
export const TREE_RIGHT_TURNS = 11;
/** Header word: address of scratch for paths, a byte for each row and tree. */
export const TREE_PATHS = 12;
/** Header word: the bias, an f64 in two words. */
export const TREE_BIAS = 14;
/** Words of the header. */
export const TREE_HEADER_WORDS = 16;

/** Word of a split: byte offset of its threshold's vector. */
export const SPLIT_THRESHOLD = 0;
/** Word of a split: byte offset of its own vector. */
export const SPLIT_NODE = 1;
/** Word of a split: byte offset of its left child's vector. */
export const SPLIT_CHILD = 2;
/** Word of a split: byte offset of its depth's vector. */
export const SPLIT_DEPTH = 3;
/** Word of a split: byte offset of the next split that is not below it. */
export const SPLIT_AFTER = 4;
/** Words of a split. */
export const SPLIT_WORDS = 5;
