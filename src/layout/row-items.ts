/**
 * Boxes side by side: the children of a flex row or of a grid. In a row each is as wide as its style or its
 * content says; what is too much is taken from all in proportion, or begins a new line where the row may
 * wrap; what is left goes to those that grow, or between them. In a grid the columns are given and the
 * children fill them one after the other. Cost: a few visits of each child.
 */
import { ELEMENT, TEXT, type Tree } from '../parse/tree.ts';
import { AS_MANY_AS_FIT, MAX_TRACKS } from './css-tracks.ts';
import { fractionOf } from './css-values.ts';
import type { FlowColumns } from './flow-columns.ts';
import type { IntrinsicWidths } from './intrinsic-widths.ts';
import { AUTO, resolve, resolveOr } from './lengths.ts';
import { ABSOLUTE, FIXED, type StyleColumns } from './style-columns.ts';
import { GRID, NONE } from './tag-styles.ts';

export class RowItems {
  readonly #flow: FlowColumns;
  readonly #style: StyleColumns;
  readonly #sizes: IntrinsicWidths;
  /** Where the columns of the grid under way begin and how wide they are, px. */
  readonly #columnLeft = new Float64Array(MAX_TRACKS);
  readonly #columnWidth = new Float64Array(MAX_TRACKS);

  constructor(flow: FlowColumns, style: StyleColumns, sizes: IntrinsicWidths) {
    this.#flow = flow;
    this.#style = style;
    this.#sizes = sizes;
  }

  /** Sets left and width of the boxes in `row`, whose inner box is known. */
  place(tree: Tree, row: number): void {
    if (this.#style.display[row] === GRID) this.#placeGrid(tree, row);
    else this.#placeRow(tree, row);
  }

  #placeRow(tree: Tree, row: number): void {
    const { last } = tree;
    const flow = this.#flow;
    const { gap, isWrapping } = this.#style;
    const room = flow.innerWidth[row];

    // what each wants; a line is placed when it is full
    let first = row + 1;
    let count = 0;
    let sum = 0;
    for (let item = row + 1; item < last[row]; item = last[item]) {
      if (!this.#isItem(tree, item)) continue;
      flow.isPlaced[item] = 1;
      const width = this.#wantedWidth(tree, item, room);
      const outer = width + this.#margin(tree, item, 'left', room) + this.#margin(tree, item, 'right', room);
      flow.width[item] = width;
      if (count > 0 && isWrapping[row] === 1 && sum + gap[row] + outer > room + 1) {
        this.#placeLine(tree, row, first, item, count, sum);
        flow.startsLine[item] = 1;
        first = item;
        count = 0;
        sum = 0;
      }
      sum += outer + (count > 0 ? gap[row] : 0);
      count++;
    }
    if (count > 0) this.#placeLine(tree, row, first, last[row], count, sum);
  }

  /** Places the items among the nodes `[first, end)`, which together want `sum`. */
  #placeLine(tree: Tree, row: number, first: number, end: number, count: number, sum: number): void {
    const { last, kind } = tree;
    const flow = this.#flow;
    const style = this.#style;
    const room = flow.innerWidth[row];
    let growing = 0;
    let autos = 0;
    let taken = 0;
    for (let item = first; item < end; item = last[item]) {
      if (flow.isPlaced[item] === 0) continue;
      taken += flow.width[item];
      if (kind[item] === TEXT) continue;
      growing += style.grow[item];
      if (style.marginLeft[item] === AUTO) autos++;
      if (style.marginRight[item] === AUTO) autos++;
    }

    const spare = room - sum;
    const squeeze = spare < 0 && taken > 0 ? Math.max(0, taken + spare) / taken : 1;
    const free = Math.max(0, spare);
    let x = flow.innerLeft[row];
    let between = style.gap[row];
    if (free > 0 && growing === 0 && autos === 0) {
      const justify = style.justify[row];
      if (justify === 1) x += free / 2;
      else if (justify === 2) x += free;
      else if (justify === 3 && count > 1) between += free / (count - 1);
      else if (justify === 4) {
        x += free / count / 2;
        between += free / count;
      }
    }
    for (let item = first; item < end; item = last[item]) {
      if (flow.isPlaced[item] === 0) continue;
      const isText = kind[item] === TEXT;
      if (!isText && growing > 0) flow.width[item] += (free * style.grow[item]) / Math.max(1, growing);
      flow.width[item] *= squeeze;
      const auto = growing === 0 && autos > 0 ? free / autos : 0;
      x += this.#margin(tree, item, 'left', room);
      if (!isText && style.marginLeft[item] === AUTO) x += auto;
      flow.left[item] = x;
      x += flow.width[item] + this.#margin(tree, item, 'right', room) + between;
      if (!isText && style.marginRight[item] === AUTO) x += auto;
    }
  }

  #placeGrid(tree: Tree, row: number): void {
    const { last, kind } = tree;
    const flow = this.#flow;
    const columns = this.#measureColumns(row);
    let column = 0;
    for (let item = row + 1; item < last[row]; item = last[item]) {
      if (!this.#isItem(tree, item)) continue;
      const span = kind[item] === TEXT ? 1 : Math.min(columns, this.#style.gridSpan[item]);
      if (column + span > columns) {
        flow.startsLine[item] = 1;
        column = 0;
      }
      const end = column + span - 1;
      flow.isPlaced[item] = 1;
      flow.left[item] = this.#columnLeft[column];
      flow.width[item] = this.#columnLeft[end] + this.#columnWidth[end] - this.#columnLeft[column];
      column += span;
    }
  }

  /** Shares the room among the columns of a grid; returns how many there are. */
  #measureColumns(row: number): number {
    const { tracks, gridColumns, gap } = this.#style;
    const flow = this.#flow;
    const at = gridColumns[row];
    const room = flow.innerWidth[row];
    const between = gap[row];
    const width = this.#columnWidth;
    let count = tracks[at];
    if (tracks[at + 1] === AS_MANY_AS_FIT) {
      const least = Math.max(40, resolveOr(tracks[at + 2] ?? AUTO, room, 200));
      count = Math.max(1, Math.min(MAX_TRACKS, Math.floor((room + between) / (least + between))));
      width.fill((room - between * (count - 1)) / count, 0, count);
    } else {
      let fractions = 0;
      let taken = between * (count - 1);
      for (let k = 0; k < count; k++) {
        const track = tracks[at + 1 + k];
        const share = track === AUTO ? 1 : fractionOf(track);
        width[k] = share > 0 ? 0 : resolveOr(track, room, 0);
        fractions += share;
        taken += width[k];
      }
      const free = Math.max(0, room - taken);
      for (let k = 0; k < count; k++) {
        const track = tracks[at + 1 + k];
        const share = track === AUTO ? 1 : fractionOf(track);
        if (share > 0) width[k] = (free * share) / fractions;
      }
    }
    for (let k = 0, x = flow.innerLeft[row]; k < count; k++) {
      this.#columnLeft[k] = x;
      x += width[k] + between;
    }
    return count;
  }

  #isItem(tree: Tree, item: number): boolean {
    if (tree.kind[item] === TEXT) return this.#sizes.widest[item] > 0;
    const { display, position } = this.#style;
    return (
      tree.kind[item] === ELEMENT &&
      display[item] !== NONE &&
      position[item] !== ABSOLUTE &&
      position[item] !== FIXED
    );
  }

  #wantedWidth(tree: Tree, item: number, room: number): number {
    const widest = Math.min(room, this.#sizes.widest[item]);
    if (tree.kind[item] === TEXT) return widest;
    const { basis, width, maxWidth, minWidth } = this.#style;
    const wanted = resolveOr(basis[item], room, resolveOr(width[item], room, widest));
    const most = resolveOr(maxWidth[item], room, wanted);
    return Math.max(Math.min(wanted, most), resolve(minWidth[item], room) || 0);
  }

  #margin(tree: Tree, item: number, side: 'left' | 'right', room: number): number {
    if (tree.kind[item] === TEXT) return 0;
    const { marginLeft, marginRight } = this.#style;
    return resolveOr(side === 'left' ? marginLeft[item] : marginRight[item], room, 0);
  }
}
