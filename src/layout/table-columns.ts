/**
 * Computes the widths of the columns of a table, and from them the left edge of each cell. A cell has a
 * preferred width (all text in one line) and a minimum (one word per line); the available room is usually
 * between the sums of these, and is shared in proportion (CSS 2, 17.5.2.2). Cost: two visits of each cell of
 * the table itself, not of nested tables.
 *
 * A row of boxes (a flex container) is simpler: each child has the width of its style or content; when they
 * are too wide together, all shrink in proportion.
 */
import { ELEMENT, TEXT, type Tree } from '../parse/tree.ts';
import { fixedPixels, isPercent, resolve, resolveOr } from './css-lengths.ts';
import type { FlowColumns } from './floats.ts';
import { CELL_GAP, type IntrinsicWidths } from './intrinsic-widths.ts';
import type { StyleColumns } from './style-columns.ts';
import { CELL, NONE, ROW, ROW_GROUP } from './tag-styles.ts';

/** Maximum number of columns; further cells share the last column. */
const MAX_COLUMNS = 256;

/** Computes the column widths of tables and places cells and boxes of a row. */
export class TableColumns {
  readonly #flow: FlowColumns;
  readonly #style: StyleColumns;
  readonly #sizes: IntrinsicWidths;
  /** For each column of the current table: minimum and preferred width, share of the table, left edge. */
  readonly #least = new Float64Array(MAX_COLUMNS);
  readonly #most = new Float64Array(MAX_COLUMNS);
  readonly #share = new Float64Array(MAX_COLUMNS);
  readonly #isFixed = new Uint8Array(MAX_COLUMNS);
  readonly #begin = new Float64Array(MAX_COLUMNS + 1);
  /** First row in which a column is free again after a cell that spans rows. */
  readonly #freeFrom = new Int32Array(MAX_COLUMNS);
  #columnCount = 0;

  constructor(flow: FlowColumns, style: StyleColumns, sizes: IntrinsicWidths) {
    this.#flow = flow;
    this.#style = style;
    this.#sizes = sizes;
  }

  /**
   * Finds the columns of a table and returns its width: `wanted` when its style sets one, else as much of
   * `room` as its cells need.
   */
  measure(tree: Tree, table: number, wanted: number, room: number): number {
    this.#columnCount = 0;
    this.#visitCells(tree, table, false);
    return this.#shareRoom(wanted, room);
  }

  /**
   * Sets left and width of the cells of the table measured last; `left` is the left edge of its first column.
   */
  place(tree: Tree, table: number, left: number): void {
    for (let column = 0; column <= this.#columnCount; column++) this.#begin[column] += left;
    this.#visitCells(tree, table, true);
  }

  #visitCells(tree: Tree, table: number, places: boolean): void {
    const { last } = tree;
    const { display } = this.#style;
    this.#freeFrom.fill(0, 0, this.#columnCount);
    let rowNumber = 0;
    const tableEnd = last[table];
    for (let node = table + 1; node < tableEnd; ) {
      if (display[node] === ROW_GROUP) {
        node++;
        continue;
      }
      if (display[node] === ROW) this.#visitRow(tree, node, rowNumber++, places);
      node = last[node];
    }
  }

  #visitRow(tree: Tree, row: number, rowNumber: number, places: boolean): void {
    const { last } = tree;
    const { display, colspan, rowspan } = this.#style;
    const freeFrom = this.#freeFrom;
    let column = 0;
    for (let cell = row + 1; cell < last[row]; cell = last[cell]) {
      if (display[cell] !== CELL) continue;
      while (column < this.#columnCount && freeFrom[column] > rowNumber) column++;
      if (column === MAX_COLUMNS) column--;
      const end = Math.min(MAX_COLUMNS, column + colspan[cell]);
      while (this.#columnCount < end) this.#addColumn();
      if (rowspan[cell] > 1) for (let k = column; k < end; k++) freeFrom[k] = rowNumber + rowspan[cell];
      if (places) {
        this.#flow.isPlaced[cell] = 1;
        this.#flow.left[cell] = this.#begin[column];
        this.#flow.width[cell] = Math.max(0, this.#begin[end] - this.#begin[column] - CELL_GAP);
      } else this.#addCell(cell, column, end);
      column = Math.min(end, MAX_COLUMNS - 1);
    }
  }

  #addColumn(): void {
    const column = this.#columnCount++;
    this.#least[column] = 0;
    this.#most[column] = 0;
    this.#share[column] = 0;
    this.#isFixed[column] = 0;
    this.#freeFrom[column] = 0;
  }

  #addCell(cell: number, column: number, end: number): void {
    const width = this.#style.width[cell];
    const fixed = fixedPixels(width);
    const span = end - column;
    const least = this.#sizes.narrowest[cell];
    const most = Math.max(least, this.#sizes.widest[cell]);
    if (span === 1) {
      if (least > this.#least[column]) this.#least[column] = least;
      if (most > this.#most[column]) this.#most[column] = most;
      if (!Number.isNaN(fixed)) this.#isFixed[column] = 1;
      if (isPercent(width)) this.#share[column] = Math.max(this.#share[column], resolve(width, 1));
      return;
    }
    // a cell that spans several columns widens them evenly when they are narrower
    let hadLeast = 0;
    let hadMost = 0;
    for (let k = column; k < end; k++) {
      hadLeast += this.#least[k];
      hadMost += this.#most[k];
    }
    const addLeast = Math.max(0, least - hadLeast) / span;
    const addMost = Math.max(0, most - hadMost) / span;
    for (let k = column; k < end; k++) {
      this.#least[k] += addLeast;
      this.#most[k] += addMost;
    }
  }

  #shareRoom(wanted: number, room: number): number {
    const count = this.#columnCount;
    const least = this.#least;
    const most = this.#most;
    const gaps = (count + 1) * CELL_GAP;
    let leastSum = 0;
    let mostSum = 0;
    for (let k = 0; k < count; k++) {
      leastSum += least[k];
      mostSum += Math.max(most[k], least[k]);
    }
    let inner = (Number.isNaN(wanted) ? Math.min(room, mostSum + gaps) : wanted) - gaps;
    if (inner < leastSum) inner = leastSum;

    // percentage columns first; the others share the remaining width
    let taken = 0;
    let freeLeast = 0;
    let freeMost = 0;
    let growing = 0;
    for (let k = 0; k < count; k++) {
      if (this.#share[k] > 0) taken += this.#share[k] * inner;
      else {
        freeLeast += least[k];
        freeMost += most[k];
        if (this.#isFixed[k] === 0) growing += most[k];
      }
    }
    const scale = taken > inner - freeLeast && taken > 0 ? Math.max(0, inner - freeLeast) / taken : 1;
    const free = inner - taken * scale;
    const stretch = free >= freeMost;
    const spread = freeMost > freeLeast ? Math.max(0, free - freeLeast) / (freeMost - freeLeast) : 0;
    const begin = this.#begin;
    begin[0] = CELL_GAP;
    for (let k = 0; k < count; k++) {
      let width: number;
      if (this.#share[k] > 0) width = this.#share[k] * inner * scale;
      else if (!stretch) width = least[k] + (most[k] - least[k]) * spread;
      else if (growing > 0)
        width = most[k] + (this.#isFixed[k] === 1 ? 0 : ((free - freeMost) * most[k]) / growing);
      else width = freeMost > 0 ? (free * most[k]) / freeMost : free / count;
      begin[k + 1] = begin[k] + width + CELL_GAP;
    }
    return Number.isNaN(wanted) ? inner + gaps : Math.max(wanted, inner + gaps);
  }

  /** Sets left and width of the boxes in a flex container, whose inner box is known. */
  placeRow(tree: Tree, row: number): void {
    const { last } = tree;
    const flow = this.#flow;
    const room = flow.innerWidth[row];
    let boxes = 0;
    let margins = 0;
    for (let item = row + 1; item < last[row]; item = last[item]) {
      if (!this.#isItem(tree, item)) continue;
      const isText = tree.kind[item] === TEXT;
      const widest = Math.min(room, this.#sizes.widest[item]);
      flow.isPlaced[item] = 1;
      flow.width[item] = isText ? widest : resolveOr(this.#style.width[item], room, widest);
      boxes += flow.width[item];
      if (!isText) margins += this.#margin(this.#style.marginLeft, item, room);
      if (!isText) margins += this.#margin(this.#style.marginRight, item, room);
    }
    const squeeze = boxes + margins > room && boxes > 0 ? Math.max(0, room - margins) / boxes : 1;
    let x = flow.innerLeft[row];
    for (let item = row + 1; item < last[row]; item = last[item]) {
      if (flow.isPlaced[item] === 0) continue;
      const isText = tree.kind[item] === TEXT;
      flow.width[item] *= squeeze;
      if (!isText) x += this.#margin(this.#style.marginLeft, item, room);
      flow.left[item] = x;
      x += flow.width[item];
      if (!isText) x += this.#margin(this.#style.marginRight, item, room);
    }
  }

  #isItem({ kind }: Tree, item: number): boolean {
    if (kind[item] === TEXT) return this.#sizes.widest[item] > 0;
    return kind[item] === ELEMENT && this.#style.display[item] !== NONE && this.#style.isOut[item] === 0;
  }

  #margin(margins: Float32Array, item: number, room: number): number {
    return resolveOr(margins[item], room, 0);
  }
}
