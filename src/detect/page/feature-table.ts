/**
 * The nodes of a page that are judged, and what is known of each. Nodes too small to be judged are hidden in
 * the nearest judged ancestor and add to its weight (Chakrabarti, Kumar and Punera 2007, section 5.3), so
 * the rows are a tree of their own: a row's parent stands before it.
 *
 * The columns belong to whoever made the table and are refilled for the next page.
 */
export interface FeatureTable {
  rowCount: number;
  /** Numbers in a row of `values`. */
  width: number;
  /** Node of each row, in document order; row 0 is the document. */
  node: Int32Array;
  /** Row of the nearest judged ancestor; -1 for row 0. */
  parent: Int32Array;
  /** One, and one for each node hidden in it. */
  weight: Float32Array;
  /** Square pixels. */
  area: Float32Array;
  /** `width` numbers a row, in the order of FEATURES. */
  values: Float32Array;
}
