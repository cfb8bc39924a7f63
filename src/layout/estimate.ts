/**
 * Where the nodes of a page stand, estimated without a browser: the defaults of the tags and the styles the
 * page itself carries, laid out as blocks, lines, tables and rows. Passes over the tree, each linear:
 *
 *   styles    in document order, what is inherited comes from the parent   (style-maker.ts)
 *   sizes     backwards, how wide the content wants to be                  (intrinsic-widths.ts)
 *   flow      in document order, where everything goes                     (flow.ts)
 *   finish    shifts added up; an inline element is as large as what is in it
 */
import { ELEMENT, TEXT, type Tree } from '../parse/tree.ts';
import { type Boxes, WINDOW_WIDTH } from './boxes.ts';
import { Flow } from './flow.ts';
import { IntrinsicWidths } from './intrinsic-widths.ts';
import { StyleMaker } from './style-maker.ts';
import { INLINE } from './tag-styles.ts';

export class LayoutEstimator {
  readonly #styles = new StyleMaker();
  readonly #sizes = new IntrinsicWidths();
  readonly #flow = new Flow(this.#styles.columns, this.#sizes);

  /** The boxes of a page; they hold until the next call. */
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

  /** Adds up the shifts, then gives inline elements the extent of their content; returns the page's height. */
  #finish(tree: Tree): number {
    const { nodeCount, kind, parent } = tree;
    const { left, top, width, height, shiftX, shiftY, innerShiftY } = this.#flow.columns;
    const { display, isInvisible } = this.#styles.columns;
    let bottom = 0;
    for (let node = 1; node < nodeCount; node++) {
      const up = parent[node];
      shiftX[node] += shiftX[up];
      shiftY[node] += shiftY[up] + innerShiftY[up];
      left[node] += shiftX[node];
      top[node] += shiftY[node];
      const end = top[node] + height[node];
      if (end > bottom && height[node] > 0) bottom = end;
    }

    for (let node = nodeCount - 1; node > 0; node--) {
      const up = parent[node];
      if (isInvisible[kind[node] === TEXT ? up : node] === 1) {
        width[node] = height[node] = 0;
        continue;
      }
      if (kind[up] !== ELEMENT || display[up] !== INLINE || width[node] <= 0) continue;
      if (width[up] === 0) {
        left[up] = left[node];
        top[up] = top[node];
        width[up] = width[node];
        height[up] = height[node];
        continue;
      }
      const right = Math.max(left[up] + width[up], left[node] + width[node]);
      const low = Math.max(top[up] + height[up], top[node] + height[node]);
      left[up] = Math.min(left[up], left[node]);
      top[up] = Math.min(top[up], top[node]);
      width[up] = right - left[up];
      height[up] = low - top[up];
    }
    return Math.max(bottom, height[0]);
  }
}
