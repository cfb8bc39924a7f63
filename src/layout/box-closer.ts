/**
 * Closes boxes: when all that stands in an element is placed its height is known, and with it where the next box in
 * its container, line or row begins.
 */
import { TEXT, type Tree } from '../parse/tree.ts';
import type { Floats } from './floats.ts';
import type { FlowColumns } from './flow-columns.ts';
import { CELL_GAP } from './intrinsic-widths.ts';
import { fixedPixels, resolveOr } from './lengths.ts';
import type { Lines } from './lines.ts';
import { ABSOLUTE, FIXED, type StyleColumns } from './style-columns.ts';
import { CELL, FLEX, GRID, INLINE_BLOCK, ROW, ROW_GROUP, TABLE } from './tag-styles.ts';

export class BoxCloser {
  readonly #flow: FlowColumns;
  readonly #style: StyleColumns;
  readonly #lines: Lines;
  readonly #floats: Floats;
  #tree!: Tree;

  constructor(flow: FlowColumns, style: StyleColumns, { lines, floats }: { lines: Lines; floats: Floats }) {
    this.#flow = flow;
    this.#style = style;
    this.#lines = lines;
    this.#floats = floats;
  }

  reset(tree: Tree): void {
    this.#tree = tree;
  }

  /** Closes an element: its height is known. */
  leave(node: number): void {
    const style = this.#style;
    const flow = this.#flow;
    if (flow.container[node] !== node) return;
    this.#lines.close(node, this.#tree.last[node]);
    const display = style.display[node];
    let bottom = Math.max(flow.cursor[node], flow.rowBottom[node]);
    const isRoot = flow.floatRoot[node] === node;
    const padding = style.paddingBottom[node];
    // the margin of the last block stays inside when something stands between it and the end
    if (isRoot || padding > 0) {
      bottom += flow.margin[node];
      flow.margin[node] = 0;
    }
    if (isRoot) bottom = Math.max(bottom, flow.leftBottom[node], flow.rightBottom[node]);
    if (display === TABLE) bottom += CELL_GAP;
    const own = fixedPixels(style.height[node]);
    let height = bottom + padding - flow.top[node];
    if (!Number.isNaN(own) && (own > height || display < TABLE)) height = own;
    flow.height[node] = Math.max(height, style.minHeight[node], 0);
    if (node === 0) return;

    const parent = this.#tree.parent[node];
    const container = flow.container[parent];
    if (display === ROW) this.#stretch(node, height);
    else if (display === FLEX || display === GRID) this.#stretch(node, bottom - flow.cursor[node]);
    if (flow.isPlaced[node] === 1) this.closePlaced(node, parent);
    else if (style.position[node] === ABSOLUTE || style.position[node] === FIXED) return;
    else if (style.float[node] !== 0) this.#floats.close(node, container);
    else if (display === INLINE_BLOCK) this.closeInLine(node, container);
    else if (display === ROW || display === ROW_GROUP)
      flow.cursor[container] = flow.top[node] + flow.height[node];
    else this.closeInFlow(node, container);
  }

  /** A block: what comes after it in its container stands below it. */
  closeInFlow(node: number, container: number): void {
    const flow = this.#flow;
    const style = this.#style;
    const below = resolveOr(style.marginBottom[node], flow.innerWidth[container], 0);
    const inner = flow.container[node] === node ? flow.margin[node] : 0;
    if (flow.height[node] === 0) {
      // nothing in it: the margins above and below are one
      flow.cursor[container] = flow.top[node] - flow.marginAbove[node];
      flow.margin[container] = Math.max(flow.marginAbove[node], below, inner);
      return;
    }
    flow.cursor[container] = flow.top[node] + flow.height[node];
    flow.margin[container] = Math.max(below, inner);
  }

  /** A box in a line, which becomes as high. */
  closeInLine(node: number, container: number): void {
    const flow = this.#flow;
    const { marginTop, marginBottom } = this.#style;
    const height = flow.height[node] + resolveOr(marginTop[node], 0, 0) + resolveOr(marginBottom[node], 0, 0);
    if (height > flow.lineHeight[container]) flow.lineHeight[container] = height;
  }

  /** A cell, or a box in a row, which ends where the lowest of them does. */
  closePlaced(node: number, row: number): void {
    const flow = this.#flow;
    const style = this.#style;
    const below = style.display[node] === CELL ? 0 : resolveOr(style.marginBottom[node], 0, 0);
    const bottom = flow.top[node] + flow.height[node] + below;
    if (bottom > flow.rowBottom[row] && style.rowspan[node] === 1) flow.rowBottom[row] = bottom;
  }

  /** Makes the boxes of a row as high as it is; what is in a cell stands in its middle. */
  #stretch(row: number, height: number): void {
    const { last, kind } = this.#tree;
    const flow = this.#flow;
    const style = this.#style;
    for (let item = row + 1; item < last[row]; item = last[item]) {
      // in a row that wraps, only the last line is known to be this high
      if (flow.isPlaced[item] === 0 || flow.top[item] < flow.cursor[row]) continue;
      if (style.alignItems[row] === 2) flow.shiftY[item] += Math.max(0, height - flow.height[item]) / 2;
      if (kind[item] === TEXT || flow.height[item] >= height || style.alignItems[row] !== 0) continue;
      if (style.display[item] !== CELL) {
        if (style.isAtomic[item] === 0 && Number.isNaN(style.height[item])) flow.height[item] = height;
        continue;
      }
      if (style.isTop[item] === 0) flow.innerShiftY[item] = (height - flow.height[item]) / 2;
      flow.height[item] = height;
    }
  }
}
