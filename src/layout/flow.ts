/**
 * Places every node: one walk in document order. Widths are handed down when an element opens, heights are
 * known when it closes, and what stands before a node is complete by then; so one walk is enough, and the
 * way up from a node is its parents, not a stack. Cost: linear in the nodes.
 */
import { ELEMENT, TEXT, type Tree } from '../parse/tree.ts';
import { BoxCloser } from './box-closer.ts';
import { WINDOW_HEIGHT, WINDOW_WIDTH } from './boxes.ts';
import { Floats } from './floats.ts';
import { FlowColumns } from './flow-columns.ts';
import { CELL_GAP, type IntrinsicWidths } from './intrinsic-widths.ts';
import { AUTO, resolve, resolveOr } from './lengths.ts';
import { Lines } from './lines.ts';
import { RowItems } from './row-items.ts';
import { ABSOLUTE, FIXED, type StyleColumns } from './style-columns.ts';
import { TableColumns } from './table-columns.ts';
import {
  BLOCK,
  CELL,
  FLEX,
  GRID,
  INLINE,
  INLINE_BLOCK,
  LINE_BREAK,
  NONE,
  ROW,
  ROW_GROUP,
  TABLE,
} from './tag-styles.ts';

export class Flow {
  readonly columns = new FlowColumns();
  readonly #style: StyleColumns;
  readonly #sizes: IntrinsicWidths;
  readonly #lines: Lines;
  readonly #floats: Floats;
  readonly #table: TableColumns;
  readonly #row: RowItems;
  readonly #closer: BoxCloser;
  #tree!: Tree;

  constructor(style: StyleColumns, sizes: IntrinsicWidths) {
    this.#style = style;
    this.#sizes = sizes;
    this.#floats = new Floats(this.columns, style);
    this.#lines = new Lines(this.columns, style, sizes);
    this.#table = new TableColumns(this.columns, style, sizes);
    this.#row = new RowItems(this.columns, style, sizes);
    this.#closer = new BoxCloser(this.columns, style, { lines: this.#lines, floats: this.#floats });
  }

  run(tree: Tree): void {
    const { nodeCount, kind, parent, last, textStart } = tree;
    const { display, isPre } = this.#style;
    const flow = this.columns;
    this.#tree = tree;
    this.#lines.reset(tree);
    this.#closer.reset(tree);
    flow.reset(nodeCount);
    this.#openDocument();

    let open = 0;
    for (let node = 1; node < nodeCount; ) {
      while (last[open] <= node) {
        this.#closer.leave(open);
        open = parent[open];
      }
      if (kind[node] === TEXT) {
        // white space counts where lines end as the source's do
        const hasText = textStart[node] < textStart[node + 1] || isPre[open] === 1;
        if (hasText) this.#enterText(node, open, isPre[open] === 1);
        node++;
        continue;
      }
      if (display[node] === NONE || kind[node] !== ELEMENT) {
        node = last[node];
        continue;
      }
      const hasContent = this.#enter(node, open);
      if (!hasContent) node = last[node];
      else open = node++;
    }
    for (; open >= 0; open = parent[open]) this.#closer.leave(open);
  }

  #openDocument(): void {
    const flow = this.columns;
    flow.left[0] = flow.top[0] = 0;
    flow.width[0] = WINDOW_WIDTH;
    flow.anchor[0] = 0;
    flow.floatRoot[0] = 0;
    flow.marginAbove[0] = 0;
    this.#openContainer(0, 0);
  }

  #enterText(node: number, parent: number, isPre: boolean): void {
    const flow = this.columns;
    if (flow.isPlaced[node] === 1) this.#placeTextItem(node, parent);
    else if (isPre) this.#lines.placePre(node, parent, flow.container[parent]);
    else this.#lines.placeText(node, parent, flow.container[parent]);
  }

  /** A text that is a box of its own in a row. */
  #placeTextItem(node: number, row: number): void {
    const flow = this.columns;
    const lines = Math.ceil(this.#sizes.widest[node] / Math.max(1, flow.width[node]) - 0.01);
    flow.top[node] = flow.cursor[row];
    flow.height[node] = lines * this.#style.lineHeight[row];
    flow.rowBottom[row] = Math.max(flow.rowBottom[row], flow.top[node] + flow.height[node]);
  }

  /** Opens an element; returns whether its content is to be placed. */
  #enter(node: number, parent: number): boolean {
    const style = this.#style;
    const flow = this.columns;
    const container = flow.container[parent];
    flow.anchor[node] = style.position[node] === 0 ? flow.anchor[parent] : node;

    if (flow.isPlaced[node] === 1) return this.#enterPlaced(node, parent);
    switch (style.position[node]) {
      case ABSOLUTE:
      case FIXED:
        return this.#enterAbsolute(node, parent, container);
    }
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
    const height = this.#style.lineHeight[parent];
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
    const above = Math.max(flow.margin[container], this.#sizes.joinedMargin[node]);
    const isFirst = flow.cursor[container] === flow.top[container] && this.#joinsParent(container);
    const margin = isFirst ? 0 : above;
    let top = flow.cursor[container] + margin;
    let left = flow.innerLeft[container];
    let room = flow.innerWidth[container];

    // what holds its own floats keeps clear of those of others
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
    const isTable = style.display[node] === TABLE;
    if (isTable) width = this.#table.measure(this.#tree, node, width, rest);
    else if (Number.isNaN(width)) width = rest;
    const most = resolve(style.maxWidth[node], flow.innerWidth[container]);
    if (most < width) width = most;
    const least = resolve(style.minWidth[node], flow.innerWidth[container]);
    if (least > width) width = least;

    // in the middle, or at the right, when the margins say so
    const spare = room - width - marginLeft - marginRight;
    if (spare > 0) {
      const autoLeft = style.marginLeft[node] === AUTO;
      const autoRight = style.marginRight[node] === AUTO;
      if (autoLeft && autoRight) left += spare / 2;
      else if (autoLeft) left += spare;
      else if (style.alignsBlocks[container] === 1) left += style.align[container] === 1 ? spare / 2 : spare;
    }
    flow.left[node] = left + marginLeft;
    flow.top[node] = top;
    flow.width[node] = width;
    flow.marginAbove[node] = margin;
    if (style.isAtomic[node] === 1) {
      flow.height[node] = resolveOr(style.height[node], 0, 0);
      this.#closer.closeInFlow(node, container);
      return false;
    }
    if (isTable) this.#table.place(this.#tree, node, flow.left[node]);
    this.#openContainer(node, holdsFloats ? node : flow.floatRoot[container]);
    return true;
  }

  /** Whether the margin of the first block in a container stands outside it. */
  #joinsParent(container: number): boolean {
    const style = this.#style;
    return (
      container > 0 &&
      style.paddingTop[container] === 0 &&
      style.holdsFloats[container] === 0 &&
      style.display[container] === BLOCK
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
      flow.height[node] = resolveOr(style.height[node], 0, 0);
      this.#closer.closeInLine(node, container);
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
      flow.height[node] = resolveOr(style.height[node], 0, 0);
      this.#floats.close(node, container);
      return false;
    }
    if (isTable) this.#table.place(this.#tree, node, flow.left[node]);
    this.#openContainer(node, node);
    return true;
  }

  /** Out of the flow, by the box it is anchored to where its style says, else where it would have stood. */
  #enterAbsolute(node: number, parent: number, container: number): boolean {
    const style = this.#style;
    const flow = this.columns;
    const anchor = style.position[node] === FIXED ? 0 : flow.anchor[parent];
    const room = flow.width[anchor];
    const insetLeft = resolve(style.insetLeft[node], room);
    const insetRight = resolve(style.insetRight[node], room);
    let width = this.#fittedWidth(node, room);
    if (Number.isNaN(resolve(style.width[node], room)) && insetLeft + insetRight < room) {
      width = room - insetLeft - insetRight;
    }
    const left = flow.lineFirst[container] >= 0 ? flow.lineX[container] : flow.innerLeft[container];
    if (!Number.isNaN(insetLeft)) flow.left[node] = flow.left[anchor] + insetLeft;
    else if (!Number.isNaN(insetRight)) flow.left[node] = flow.left[anchor] + room - insetRight - width;
    else flow.left[node] = left;
    flow.left[node] += resolveOr(style.marginLeft[node], room, 0);
    const insetTop = resolve(style.insetTop[node], WINDOW_HEIGHT);
    if (Number.isNaN(insetTop)) flow.top[node] = flow.cursor[container] + flow.margin[container];
    else flow.top[node] = flow.top[anchor] + insetTop;
    flow.top[node] += resolveOr(style.marginTop[node], room, 0);
    flow.width[node] = width;
    if (style.isAtomic[node] === 1) {
      flow.height[node] = resolveOr(style.height[node], 0, 0);
      return false;
    }
    if (style.display[node] === TABLE) {
      flow.width[node] = this.#table.measure(this.#tree, node, resolve(style.width[node], 0), width);
      this.#table.place(this.#tree, node, flow.left[node]);
    }
    this.#openContainer(node, node);
    return true;
  }

  /** A cell, or a box in a row: its parent has set left and width. */
  #enterPlaced(node: number, parent: number): boolean {
    const flow = this.columns;
    const style = this.#style;
    if (flow.startsLine[node] === 1) flow.cursor[parent] = flow.rowBottom[parent] + style.gap[parent];
    flow.top[node] =
      flow.cursor[parent] + (style.display[node] === CELL ? 0 : resolveOr(style.marginTop[node], 0, 0));
    if (style.isAtomic[node] === 1) {
      flow.height[node] = resolveOr(style.height[node], 0, 0);
      this.#closer.closePlaced(node, parent);
      return false;
    }
    if (style.display[node] === TABLE) {
      flow.width[node] = this.#table.measure(this.#tree, node, flow.width[node], flow.width[node]);
      this.#table.place(this.#tree, node, flow.left[node]);
    }
    this.#openContainer(node, node);
    return true;
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
    flow.container[node] = node;
    flow.floatRoot[node] = floatRoot;
    flow.innerLeft[node] = flow.left[node] + style.paddingLeft[node];
    flow.innerWidth[node] = Math.max(
      0,
      flow.width[node] - style.paddingLeft[node] - style.paddingRight[node],
    );
    flow.cursor[node] = top + style.paddingTop[node];
    flow.margin[node] = 0;
    flow.rowBottom[node] = flow.cursor[node];
    flow.lineFirst[node] = -1;
    if (floatRoot === node) {
      flow.leftEdge[node] = flow.left[node];
      flow.rightEdge[node] = flow.left[node] + flow.width[node];
      flow.leftBottom[node] = flow.rightBottom[node] = top;
    }
    if (style.display[node] === FLEX || style.display[node] === GRID) this.#row.place(this.#tree, node);
  }

  /** Width of a box that is as wide as its content when its style does not say otherwise. */
  #fittedWidth(node: number, room: number): number {
    const style = this.#style;
    let width = resolve(style.width[node], room);
    if (Number.isNaN(width)) {
      width = Math.min(this.#sizes.widest[node], Math.max(this.#sizes.narrowest[node], room));
    }
    const most = resolve(style.maxWidth[node], room);
    return Number.isNaN(most) ? width : Math.min(most, width);
  }
}
