/** The insertion modes of the tree builder, by the names of the WHATWG HTML standard, section 13.2.4.1. */

/** Insertion mode "initial" of the standard. */
export const INITIAL: u32 = 0;
/** Insertion mode "before html". */
export const BEFORE_HTML: u32 = 1;
/** Insertion mode "before head". */
export const BEFORE_HEAD: u32 = 2;
/** Insertion mode "in head". */
export const IN_HEAD: u32 = 3;
/** Insertion mode "in head noscript". */
export const IN_HEAD_NOSCRIPT: u32 = 4;
/** Insertion mode "after head". */
export const AFTER_HEAD: u32 = 5;
/** Insertion mode "in body". */
export const IN_BODY: u32 = 6;
/** Insertion mode "in table". */
export const IN_TABLE: u32 = 7;
/** Insertion mode "in caption". */
export const IN_CAPTION: u32 = 8;
/** Insertion mode "in column group". */
export const IN_COLUMN_GROUP: u32 = 9;
/** Insertion mode "in table body". */
export const IN_TABLE_BODY: u32 = 10;
/** Insertion mode "in row". */
export const IN_ROW: u32 = 11;
/** Insertion mode "in cell". */
export const IN_CELL: u32 = 12;
/** Insertion mode "in select". */
export const IN_SELECT: u32 = 13;
/** Insertion mode "in select in table". */
export const IN_SELECT_IN_TABLE: u32 = 14;
/** Insertion mode "in template". */
export const IN_TEMPLATE: u32 = 15;
/** Insertion mode "after body". */
export const AFTER_BODY: u32 = 16;
/** Insertion mode "in frameset". */
export const IN_FRAMESET: u32 = 17;
/** Insertion mode "after frameset". */
export const AFTER_FRAMESET: u32 = 18;
/** Insertion mode "after after body". */
export const AFTER_AFTER_BODY: u32 = 19;
/** Insertion mode "after after frameset". */
export const AFTER_AFTER_FRAMESET: u32 = 20;
