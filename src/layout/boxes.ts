/**
 * Where the nodes of a page stand when it is shown: columns parallel to the tree's, in CSS pixels of a page
 * that is as wide as the window and as high as its content. What is not shown has no area.
 */

/** The window all layouts are made for. */
export const WINDOW_WIDTH = 1280;
export const WINDOW_HEIGHT = 1024;

export interface Boxes {
  /** Only the first `nodeCount` entries of each column mean anything. */
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
