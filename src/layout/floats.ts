/**
 * Floats: boxes at the left and right that lines run beside. Of all floats of a box only the edges are kept,
 * how far they reach in from each side and down to where; a row of floats of different heights counts as one
 * as high as the highest.
 */
import type { FlowColumns } from './flow-columns.ts';
import { resolveOr } from './lengths.ts';
import { FLOAT_LEFT, type StyleColumns } from './style-columns.ts';

export class Floats {
  readonly #flow: FlowColumns;
  readonly #style: StyleColumns;
  /** The room found last. */
  top = 0;
  left = 0;
  right = 0;

  constructor(flow: FlowColumns, style: StyleColumns) {
    this.#flow = flow;
    this.#style = style;
  }

  /** Finds room of a width from `top` on: beside the floats, or below them when there is too little. */
  findRoom(container: number, top: number, width: number): void {
    const flow = this.#flow;
    const root = flow.floatRoot[container];
    const left = flow.innerLeft[container];
    const right = left + flow.innerWidth[container];
    this.top = top;
    this.left = flow.leftBottom[root] > top ? Math.max(left, flow.leftEdge[root]) : left;
    this.right = flow.rightBottom[root] > top ? Math.min(right, flow.rightEdge[root]) : right;
    if (this.right - this.left >= width) return;
    if (this.left > left) this.top = Math.max(this.top, flow.leftBottom[root]);
    if (this.right < right) this.top = Math.max(this.top, flow.rightBottom[root]);
    this.left = left;
    this.right = right;
  }

  /** Places a float of a width: beside those before it, or below them. */
  place(node: number, container: number, width: number): void {
    const flow = this.#flow;
    const style = this.#style;
    const room = flow.innerWidth[container];
    const marginLeft = resolveOr(style.marginLeft[node], room, 0);
    const marginRight = resolveOr(style.marginRight[node], room, 0);
    const top = flow.cursor[container] + flow.margin[container];
    this.findRoom(container, top, width + marginLeft + marginRight - 0.5);
    const isLeft = style.float[node] === FLOAT_LEFT;
    flow.left[node] = isLeft ? this.left + marginLeft : this.right - marginRight - width;
    flow.top[node] = this.top + resolveOr(style.marginTop[node], room, 0);
    flow.width[node] = width;
  }

  /** Lets a float whose height is known reach into the lines beside it. */
  close(node: number, container: number): void {
    const flow = this.#flow;
    const style = this.#style;
    const root = flow.floatRoot[container];
    const bottom = flow.top[node] + flow.height[node] + resolveOr(style.marginBottom[node], 0, 0);
    if (style.float[node] === FLOAT_LEFT) {
      flow.leftEdge[root] = flow.left[node] + flow.width[node] + resolveOr(style.marginRight[node], 0, 0);
      flow.leftBottom[root] = Math.max(bottom, flow.leftBottom[root]);
    } else {
      flow.rightEdge[root] = flow.left[node] - resolveOr(style.marginLeft[node], 0, 0);
      flow.rightBottom[root] = Math.max(bottom, flow.rightBottom[root]);
    }
  }

  /** Moves the cursor below the floats that a node clears. */
  clear(node: number, container: number): void {
    const flow = this.#flow;
    const clear = this.#style.clear[node];
    const root = flow.floatRoot[container];
    let y = flow.cursor[container];
    if ((clear & 1) !== 0 && flow.leftBottom[root] > y) y = flow.leftBottom[root];
    if ((clear & 2) !== 0 && flow.rightBottom[root] > y) y = flow.rightBottom[root];
    if (y > flow.cursor[container]) flow.margin[container] = 0;
    flow.cursor[container] = y;
  }
}
