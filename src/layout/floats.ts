/** Columns of the flow, in absolute px, and the floats in it. */
import { reserveColumns } from '../model/growing-array.ts';
import { resolveOr } from './css-lengths.ts';
import type { StyleColumns } from './style-columns.ts';
import { FLOAT_LEFT } from './tag-styles.ts';

/** Columns of the flow by node, in absolute px. */
export class FlowColumns {
  left = new Float32Array(0);
  top = new Float32Array(0);
  width = new Float32Array(0);
  height = new Float32Array(0);
  /** Added to the left of a node and of all its descendants at the end. */
  shiftX = new Float32Array(0);
  /** 1 when the parent has set left and width: cells, boxes in a row. */
  isPlaced = new Uint8Array(0);

  /** The box whose lines hold the node's text, and the box whose floats these lines avoid. */
  container = new Int32Array(0);
  floatRoot = new Int32Array(0);

  // of containers
  innerLeft = new Float32Array(0);
  innerWidth = new Float32Array(0);
  /** Where the next block or line begins, before `margin`, the margin of the block above. */
  cursor = new Float32Array(0);
  margin = new Float32Array(0);
  /** Margin between a block and the one above. */
  marginAbove = new Float32Array(0);
  /** Lowest end of the boxes in a row. */
  rowBottom = new Float32Array(0);
  /** The open line: first node (-1 without an open line), position of its next word, its ends, its height. */
  lineFirst = new Int32Array(0);
  lineX = new Float32Array(0);
  lineLeft = new Float32Array(0);
  lineRight = new Float32Array(0);
  lineHeight = new Float32Array(0);

  // only for float roots: how far floats reach in from the left and from the right, and how far down
  leftEdge = new Float32Array(0);
  leftBottom = new Float32Array(0);
  rightEdge = new Float32Array(0);
  rightBottom = new Float32Array(0);

  /** Makes room for `count` nodes and clears the columns that must start at 0. */
  reset(count: number): void {
    if (count > this.left.length) reserveColumns(this, count);
    for (const column of [this.left, this.top, this.width, this.height, this.shiftX, this.isPlaced])
      column.fill(0, 0, count);
  }
}

/**
 * Places floats, the boxes at the left and right of the lines. Only the edges of all floats of a box are
 * kept, so a row of floats of different heights counts as one float of the greatest height.
 */
export class Floats {
  readonly #flow: FlowColumns;
  readonly #style: StyleColumns;
  /** The room that `findRoom` found last, in px. */
  top = 0;
  left = 0;
  right = 0;

  constructor(flow: FlowColumns, style: StyleColumns) {
    this.#flow = flow;
    this.#style = style;
  }

  /**
   * Finds room of a width from `top` on: beside the floats, or below them when too little is left beside
   * them.
   */
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

  /** Places a float of a width: beside the floats before it, or below them. */
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

  /** Extends the edges by a float whose height is known. */
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
