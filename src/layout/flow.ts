/**
 * Places every node in one walk in document order. An element's width is known when it opens, its height when
 * it closes; everything before a node is complete by then. The open elements are the ancestors of a node, so
 * no stack is needed. Cost: linear in the nodes.
 */
import { ELEMENT, TEXT, type Tree } from '../parse/tree.ts';
import { WINDOW_WIDTH } from './boxes.ts';
import { AUTO, fixedPixels, resolve, resolveOr } from './css-lengths.ts';
import { Floats, FlowColumns } from './floats.ts';
import { CELL_GAP, type IntrinsicWidths } from './intrinsic-widths.ts';
import { LineBoxes } from './line-boxes.ts';
import type { StyleColumns } from './style-columns.ts';
import { TableColumns } from './table-columns.ts';
import {
  ALIGN_CENTER,
  BLOCK,
  CELL,
  FLEX,
  INLINE,
  INLINE_BLOCK,
  LINE_BREAK,
  LINE_HEIGHT,
  NONE,
  ROW,
  ROW_GROUP,
  TABLE,
} from './tag-styles.ts';

/** Places the boxes of all nodes of a page. */
export class Flow {
  readonly columns = new FlowColumns();
  readonly #style: StyleColumns;
  readonly #sizes: IntrinsicWidths;
  readonly #lines: LineBoxes;
  readonly #floats: Floats;
  readonly #table: TableColumns;
  #tree!: Tree;

  constructor(style: StyleColumns, sizes: IntrinsicWidths) {
    this.#style = style;
    this.#sizes = sizes;
    this.#floats = new Floats(this.columns, style);
    this.#lines = new LineBoxes(this.columns, style, sizes);
    this.#table = new TableColumns(this.columns, style, sizes);
  }

  /** Places all nodes of a tree; `columns` then has their boxes. */
  run(tree: Tree): void {
    const { nodeCount, kind, parent, last, textStart } = tree;
    const { display } = this.#style;
    const flow = this.columns;
    this.#tree = tree;
    this.#lines.reset(tree);
    flow.reset(nodeCount);
    flow.width[0] = WINDOW_WIDTH;
    flow.marginAbove[0] = 0;
    this.#openContainer(0, 0);

    let open = 0;
    for (let node = 1; node < nodeCount; ) {
      while (last[open] <= node) {
        this.#leave(open);
        open = parent[open];
      }
      if (kind[node] === TEXT) {
        if (textStart[node] < textStart[node + 1]) this.#enterText(node, open);
        node++;
      } else if (display[node] === NONE || kind[node] !== ELEMENT || !this.#enter(node, open)) {
        node = last[node];
      } else open = node++;
    }
    for (; open >= 0; open = parent[open]) this.#leave(open);
  }

  #enterText(node: number, parent: number): void {
    const flow = this.columns;
    if (flow.isPlaced[node] === 0) {
      this.#lines.placeText(node, parent, flow.container[parent]);
      return;
    }
    // a text that is a box of its own in a row
    const lines = Math.ceil(this.#sizes.widest[node] / Math.max(1, flow.width[node]) - 0.01);
    flow.top[node] = flow.cursor[parent];
    flow.height[node] = lines * this.#style.font[parent] * LINE_HEIGHT;
    flow.rowBottom[parent] = Math.max(flow.rowBottom[parent], flow.top[node] + flow.height[node]);
  }

  /** Opens an element. Returns whether its content must be placed. */
  #enter(node: number, parent: number): boolean {
    const style = this.#style;
    const flow = this.columns;
    const container = flow.container[parent];
    if (flow.isPlaced[node] === 1) return this.#enterPlaced(node, parent);
    if (style.isOut[node] === 1) return this.#enterOut(node, container);
    if (style.float[node] !== 0) return this.#enterFloat(node, container);
    switch (style.display[node]) {
      case INLINE:
        flow.container[node] = container;
        flow.floatRoot[node] = flow.floatRoot[parent];
        return style.isAtomic[node] === 0;
      case LINE_BREAK:
        return this.#breakLine(node, parent, container);
      case INLINE_BLOCK:
        return this.#enterInlineBlock(node, container);
      case ROW:
      case ROW_GROUP:
        return this.#enterRow(node, container);
      default:
        return this.#enterBlock(node, container);
    }
  }

  #breakLine(node: number, parent: number, container: number): boolean {
    const flow = this.columns;
    if (flow.lineFirst[container] < 0) this.#lines.open(container, node);
    const height = this.#style.font[parent] * LINE_HEIGHT;
    if (flow.lineHeight[container] === 0) flow.lineHeight[container] = height;
    flow.left[node] = flow.lineX[container];
    flow.top[node] = flow.cursor[container];
    flow.height[node] = height;
    this.#lines.close(container, node);
    if (this.#style.clear[node] !== 0) this.#floats.clear(node, container);
    return false;
  }

  #enterBlock(node: number, container: number): boolean {
    const style = this.#style;
    const flow = this.columns;
    this.#lines.close(container, node);
    if (style.clear[node] !== 0) this.#floats.clear(node, container);
    const isFirst = flow.cursor[container] === flow.top[container] && this.#collapsesWithFirst(container);
    const margin = isFirst ? 0 : Math.max(flow.margin[container], this.#sizes.collapsedMargin[node]);
    let top = flow.cursor[container] + margin;
    let left = flow.innerLeft[container];
    let room = flow.innerWidth[container];

    // a box that contains its own floats avoids other floats
    const isTable = style.display[node] === TABLE;
    const holdsFloats =
      style.holdsFloats[node] === 1 || style.display[node] >= TABLE || style.isAtomic[node] === 1;
    if (holdsFloats) {
      const needed = resolveOr(style.width[node], room, Math.min(room, this.#sizes.narrowest[node]));
      this.#floats.findRoom(container, top, needed);
      top = this.#floats.top;
      left = this.#floats.left;
      room = this.#floats.right - left;
    }

    const marginLeft = resolveOr(style.marginLeft[node], room, 0);
    const marginRight = resolveOr(style.marginRight[node], room, 0);
    const rest = Math.max(0, room - marginLeft - marginRight);
    let width = resolve(style.width[node], flow.innerWidth[container]);
    if (isTable) width = this.#table.measure(this.#tree, node, width, rest);
    else if (Number.isNaN(width)) width = rest;

    // centred or aligned right, by its own margins or by the alignment of its container
    const spare = room - width - marginLeft - marginRight;
    if (spare > 0) {
      if (style.marginLeft[node] === AUTO) left += style.marginRight[node] === AUTO ? spare / 2 : spare;
      else if (style.alignsBlocks[container] === 1)
        left += style.align[container] === ALIGN_CENTER ? spare / 2 : spare;
    }
    flow.left[node] = left + marginLeft;
    flow.top[node] = top;
    flow.width[node] = width;
    flow.marginAbove[node] = margin;
    flow.margin[node] = 0; // a picture or rule opens no container, and the column still has the page before
    if (style.isAtomic[node] === 1) {
      this.#setOwnHeight(node);
      this.#closeInFlow(node, container);
      return false;
    }
    if (isTable) this.#table.place(this.#tree, node, flow.left[node]);
    this.#openContainer(node, holdsFloats ? node : flow.floatRoot[container]);
    return true;
  }

  /** Returns whether the top margin of the first block in a container lies outside the container. */
  #collapsesWithFirst(container: number): boolean {
    const { padding, holdsFloats, display } = this.#style;
    return (
      container > 0 &&
      padding[container] === 0 &&
      holdsFloats[container] === 0 &&
      display[container] === BLOCK
    );
  }

  #enterInlineBlock(node: number, container: number): boolean {
    const style = this.#style;
    const flow = this.columns;
    const marginLeft = resolveOr(style.marginLeft[node], flow.innerWidth[container], 0);
    const marginRight = resolveOr(style.marginRight[node], flow.innerWidth[container], 0);
    const width = this.#fittedWidth(node, flow.innerWidth[container]);
    const left = this.#lines.placeBox(node, container, width + marginLeft + marginRight);
    flow.left[node] = left + marginLeft;
    flow.top[node] = flow.cursor[container] + resolveOr(style.marginTop[node], 0, 0);
    flow.width[node] = width;
    if (style.isAtomic[node] === 1) {
      this.#setOwnHeight(node);
      this.#closeInLine(node, container);
      return false;
    }
    this.#openContainer(node, node);
    return true;
  }

  #enterFloat(node: number, container: number): boolean {
    const style = this.#style;
    const flow = this.columns;
    if (style.clear[node] !== 0) {
      this.#lines.close(container, node);
      this.#floats.clear(node, container);
    }
    const room = flow.innerWidth[container];
    const isTable = style.display[node] === TABLE;
    let width = this.#fittedWidth(node, room);
    if (isTable) width = this.#table.measure(this.#tree, node, resolve(style.width[node], room), width);
    this.#floats.place(node, container, width);
    if (style.isAtomic[node] === 1) {
      this.#setOwnHeight(node);
      this.#floats.close(node, container);
      return false;
    }
    if (isTable) this.#table.place(this.#tree, node, flow.left[node]);
    this.#openContainer(node, node);
    return true;
  }

  /**
   * Places a box out of the flow at the position that it would have in the flow, without taking room there.
   */
  #enterOut(node: number, container: number): boolean {
    const style = this.#style;
    const flow = this.columns;
    const room = flow.innerWidth[container];
    const left = flow.lineFirst[container] >= 0 ? flow.lineX[container] : flow.innerLeft[container];
    flow.left[node] = left + resolveOr(style.marginLeft[node], room, 0);
    flow.top[node] =
      flow.cursor[container] + flow.margin[container] + resolveOr(style.marginTop[node], room, 0);
    flow.width[node] = this.#fittedWidth(node, room);
    if (style.isAtomic[node] === 1) {
      this.#setOwnHeight(node);
      return false;
    }
    if (style.display[node] === TABLE) this.#placeTable(node, resolve(style.width[node], 0));
    this.#openContainer(node, node);
    return true;
  }

  /** Places a cell or a box in a row, whose left and width the parent has set. */
  #enterPlaced(node: number, parent: number): boolean {
    const flow = this.columns;
    const style = this.#style;
    const marginTop = style.display[node] === CELL ? 0 : resolveOr(style.marginTop[node], 0, 0);
    flow.top[node] = flow.cursor[parent] + marginTop;
    if (style.isAtomic[node] === 1) {
      this.#setOwnHeight(node);
      this.#closePlaced(node, parent);
      return false;
    }
    if (style.display[node] === TABLE) this.#placeTable(node, flow.width[node]);
    this.#openContainer(node, node);
    return true;
  }

  #placeTable(node: number, wanted: number): void {
    const flow = this.columns;
    flow.width[node] = this.#table.measure(this.#tree, node, wanted, flow.width[node]);
    this.#table.place(this.#tree, node, flow.left[node]);
  }

  #enterRow(node: number, container: number): boolean {
    const flow = this.columns;
    this.#lines.close(container, node);
    flow.left[node] = flow.innerLeft[container];
    flow.top[node] = flow.cursor[container] + (this.#style.display[node] === ROW ? CELL_GAP : 0);
    flow.width[node] = flow.innerWidth[container];
    this.#openContainer(node, node);
    return true;
  }

  #openContainer(node: number, floatRoot: number): void {
    const style = this.#style;
    const flow = this.columns;
    const top = flow.top[node];
    const paddingLeft = style.paddingLeft[node];
    flow.container[node] = node;
    flow.floatRoot[node] = floatRoot;
    flow.innerLeft[node] = flow.left[node] + paddingLeft;
    flow.innerWidth[node] = Math.max(0, flow.width[node] - paddingLeft - style.padding[node]);
    flow.cursor[node] = top + style.padding[node];
    flow.margin[node] = 0;
    flow.rowBottom[node] = flow.cursor[node];
    flow.lineFirst[node] = -1;
    if (floatRoot === node) {
      flow.leftEdge[node] = flow.left[node];
      flow.rightEdge[node] = flow.left[node] + flow.width[node];
      flow.leftBottom[node] = flow.rightBottom[node] = top;
    }
    if (style.display[node] === FLEX) this.#table.placeRow(this.#tree, node);
  }

  /** Returns the width of a box that is as wide as its content unless its style sets a width. */
  #fittedWidth(node: number, room: number): number {
    const width = resolve(this.#style.width[node], room);
    if (!Number.isNaN(width)) return width;
    return Math.min(this.#sizes.widest[node], Math.max(this.#sizes.narrowest[node], room));
  }

  #setOwnHeight(node: number): void {
    this.columns.height[node] = resolveOr(this.#style.height[node], 0, 0);
  }

  /** Closes an element: all its content is placed, so its height and the start of the next box are known. */
  #leave(node: number): void {
    const style = this.#style;
    const flow = this.columns;
    if (flow.container[node] !== node) return;
    this.#lines.close(node, this.#tree.last[node]);
    const display = style.display[node];
    const padding = style.padding[node];
    let bottom = Math.max(flow.cursor[node], flow.rowBottom[node]);
    const isRoot = flow.floatRoot[node] === node;
    // the margin of the last block stays inside when it does not touch the end
    if (isRoot || padding > 0) {
      bottom += flow.margin[node];
      flow.margin[node] = 0;
    }
    if (isRoot) bottom = Math.max(bottom, flow.leftBottom[node], flow.rightBottom[node]);
    if (display === TABLE) bottom += CELL_GAP;
    const own = fixedPixels(style.height[node]);
    let height = bottom + padding - flow.top[node];
    if (!Number.isNaN(own) && (own > height || display < TABLE)) height = own;
    flow.height[node] = Math.max(height, 0);
    if (node === 0) return;

    const parent = this.#tree.parent[node];
    const container = flow.container[parent];
    if (display === ROW) this.#stretch(node, height);
    else if (display === FLEX) this.#stretch(node, bottom - flow.cursor[node]);
    if (flow.isPlaced[node] === 1) this.#closePlaced(node, parent);
    else if (style.isOut[node] === 1) return;
    else if (style.float[node] !== 0) this.#floats.close(node, container);
    else if (display === INLINE_BLOCK) this.#closeInLine(node, container);
    else if (display === ROW || display === ROW_GROUP)
      flow.cursor[container] = flow.top[node] + flow.height[node];
    else this.#closeInFlow(node, container);
  }

  /** Closes a block; the next box of its container goes below it. */
  #closeInFlow(node: number, container: number): void {
    const flow = this.columns;
    const below = resolveOr(this.#style.marginBottom[node], flow.innerWidth[container], 0);
    const inner = flow.container[node] === node ? flow.margin[node] : 0;
    if (flow.height[node] === 0) {
      // the margins above and below an empty block collapse
      flow.cursor[container] = flow.top[node] - flow.marginAbove[node];
      flow.margin[container] = Math.max(flow.marginAbove[node], below, inner);
      return;
    }
    flow.cursor[container] = flow.top[node] + flow.height[node];
    flow.margin[container] = Math.max(below, inner);
  }

  /** Closes a box in a line; the line becomes at least as high as the box. */
  #closeInLine(node: number, container: number): void {
    const flow = this.columns;
    const { marginTop, marginBottom } = this.#style;
    const height = flow.height[node] + resolveOr(marginTop[node], 0, 0) + resolveOr(marginBottom[node], 0, 0);
    if (height > flow.lineHeight[container]) flow.lineHeight[container] = height;
  }

  /** Closes a cell or a box in a row; the row ends at its lowest box. */
  #closePlaced(node: number, row: number): void {
    const flow = this.columns;
    const style = this.#style;
    const below = style.display[node] === CELL ? 0 : resolveOr(style.marginBottom[node], 0, 0);
    const bottom = flow.top[node] + flow.height[node] + below;
    if (bottom > flow.rowBottom[row] && style.rowspan[node] === 1) flow.rowBottom[row] = bottom;
  }

  /** Makes the boxes of a row as high as the row. */
  #stretch(row: number, height: number): void {
    const { last, kind } = this.#tree;
    const flow = this.columns;
    const style = this.#style;
    for (let item = row + 1; item < last[row]; item = last[item]) {
      if (flow.isPlaced[item] === 0 || kind[item] === TEXT || flow.height[item] >= height) continue;
      const isFixed = style.isAtomic[item] === 1 || !Number.isNaN(style.height[item]);
      if (style.display[item] === CELL || !isFixed) flow.height[item] = height;
    }
  }
}
