/**
 * Boxes of the nodes of a page when it is shown: columns parallel to the tree's, in CSS pixels of a page that
 * is as wide as the window and as high as its content. Nodes that are not shown have no area.
 */

/** Width of the window that all layouts are made for, in CSS pixels. */
export const WINDOW_WIDTH = 1280;
/** Height of the window that all layouts are made for, in CSS pixels. */
export const WINDOW_HEIGHT = 1024;

/** Position and size of each node of a page, in CSS pixels, by node id. */
export interface Boxes {
  /** Only the first `nodeCount` entries of each column are valid. */
  nodeCount: number;
  left: Float32Array;
  top: Float32Array;
  width: Float32Array;
  height: Float32Array;
  pageWidth: number;
  pageHeight: number;
  /** `estimate`, or the browser and its version. */
  origin: string;
}
