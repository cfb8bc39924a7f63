/**
 * Estimates the boxes of a page's nodes without a browser, from the defaults of the tags and the styles in
 * the page itself. It makes these passes over the tree, each linear:
 *
 *     styles    in document order; inherited values come from the parent     (style-columns.ts)
 *     sizes     backwards; the width that the content needs                  (intrinsic-widths.ts)
 *     flow      in document order; positions of all boxes                    (flow.ts)
 *     finish    adds up shifts; an inline element gets the box around its content
 */
import { ELEMENT, TEXT, type Tree } from '../parse/tree.ts';
import { type Boxes, WINDOW_WIDTH } from './boxes.ts';
import { Flow } from './flow.ts';
import { IntrinsicWidths } from './intrinsic-widths.ts';
import { StyleMaker } from './style-columns.ts';

/** Estimates the boxes of pages one after another and reuses its memory. */
export class LayoutEstimator {
  readonly #styles = new StyleMaker();
  readonly #sizes = new IntrinsicWidths();
  readonly #flow = new Flow(this.#styles.columns, this.#sizes);
  /** 1 for nodes without a box of their own. */
  #wraps = new Uint8Array(0);

  /** Returns the boxes of a page, valid until the next call. */
  estimate(tree: Tree): Boxes {
    this.#styles.make(tree);
    this.#sizes.measure(tree, this.#styles.columns);
    this.#flow.run(tree);
    const pageHeight = this.#finish(tree);
    const { left, top, width, height } = this.#flow.columns;
    return {
      nodeCount: tree.nodeCount,
      left,
      top,
      width,
      height,
      pageWidth: WINDOW_WIDTH,
      pageHeight,
      origin: 'estimate',
    };
  }

  /**
   * Adds up the shifts, cuts off boxes left of or above the page, and gives elements without an area of their
   * own (inline elements, and elements that hold only floats) the box around their content. Returns the
   * page's height in px.
   */
  #finish(tree: Tree): number {
    const { nodeCount, kind, parent } = tree;
    const { left, top, width, height, shiftX } = this.#flow.columns;
    const { isInvisible } = this.#styles.columns;
    if (this.#wraps.length < nodeCount) this.#wraps = new Uint8Array(nodeCount + (nodeCount >> 1));
    const wraps = this.#wraps;
    let bottom = 0;
    for (let node = 1; node < nodeCount; node++) {
      const up = parent[node];
      shiftX[node] += shiftX[up];
      if (width[node] <= 0 || height[node] <= 0 || isInvisible[kind[node] === TEXT ? up : node] === 1) {
        width[node] = height[node] = 0;
        wraps[node] = 1;
        continue;
      }
      wraps[node] = 0;
      left[node] += shiftX[node];
      if (left[node] < 0) {
        width[node] = Math.max(0, width[node] + left[node]);
        left[node] = 0;
      }
      if (top[node] < 0) {
        height[node] = Math.max(0, height[node] + top[node]);
        top[node] = 0;
      }
      if (width[node] === 0 || height[node] === 0) width[node] = height[node] = 0;
      else bottom = Math.max(bottom, top[node] + height[node]);
    }

    // children come after their parents, so going backwards each child is complete when its parent includes
    // it
    for (let node = nodeCount - 1; node > 0; node--) {
      const up = parent[node];
      if (wraps[up] === 0 || width[node] === 0 || height[node] === 0 || kind[up] !== ELEMENT) continue;
      const isFirst = width[up] === 0;
      const right = left[node] + width[node];
      const low = top[node] + height[node];
      const endX = isFirst ? right : Math.max(right, left[up] + width[up]);
      const endY = isFirst ? low : Math.max(low, top[up] + height[up]);
      left[up] = isFirst ? left[node] : Math.min(left[up], left[node]);
      top[up] = isFirst ? top[node] : Math.min(top[up], top[node]);
      width[up] = endX - left[up];
      height[up] = endY - top[up];
    }
    return bottom;
  }
}
