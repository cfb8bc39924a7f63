/**
 * Boxes side by side: the children of a flex row. Each is as wide as its style or its content says; what is
 * too much is taken from all in proportion, or begins a new line where the row may wrap; what is left goes to
 * those that grow. Cost: two visits of each child.
 */
import { ELEMENT, TEXT, type Tree } from '../parse/tree.ts';
import type { FlowColumns } from './flow-columns.ts';
import type { IntrinsicWidths } from './intrinsic-widths.ts';
import { fixedPixels, resolveOr } from './lengths.ts';
import { ABSOLUTE, FIXED, type StyleColumns } from './style-columns.ts';
import { NONE } from './tag-styles.ts';

export class RowItems {
  readonly #flow: FlowColumns;
  readonly #style: StyleColumns;
  readonly #sizes: IntrinsicWidths;

  constructor(flow: FlowColumns, style: StyleColumns, sizes: IntrinsicWidths) {
    this.#flow = flow;
    this.#style = style;
    this.#sizes = sizes;
  }

  /** Sets left and width of the boxes in `row`, whose inner box is known. */
  place(tree: Tree, row: number): void {
    const { last } = tree;
    const flow = this.#flow;
    const room = flow.innerWidth[row];
    let sum = 0;
    for (let item = row + 1; item < last[row]; item = last[item]) {
      if (!this.#isItem(tree, item)) continue;
      flow.isPlaced[item] = 1;
      flow.width[item] = this.#wantedWidth(tree, item, room);
      sum += flow.width[item] + this.#marginX(tree, item);
    }
    const squeeze = sum > room && sum > 0 ? room / sum : 1;
    let x = flow.innerLeft[row];
    for (let item = row + 1; item < last[row]; item = last[item]) {
      if (flow.isPlaced[item] === 0) continue;
      const margin = this.#marginX(tree, item);
      flow.width[item] *= squeeze;
      flow.left[item] = x + (tree.kind[item] === TEXT ? 0 : fixedPixels(this.#style.marginLeft[item]) || 0);
      x += flow.width[item] + margin;
    }
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
    if (tree.kind[item] === TEXT) return Math.min(room, this.#sizes.widest[item]);
    return resolveOr(this.#style.width[item], room, Math.min(room, this.#sizes.widest[item]));
  }

  #marginX(tree: Tree, item: number): number {
    if (tree.kind[item] === TEXT) return 0;
    const { marginLeft, marginRight } = this.#style;
    return (fixedPixels(marginLeft[item]) || 0) + (fixedPixels(marginRight[item]) || 0);
  }
}
