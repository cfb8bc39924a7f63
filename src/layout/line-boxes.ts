/**
 * Fills lines with text: words follow each other until the line is full. The number of lines of a text
 * follows from its width; words are not placed one by one. Cost: a few steps per text of any length, and one
 * visit of each node of a centred or right-aligned line.
 */
import { TEXT, type Tree } from '../parse/tree.ts';
import type { FlowColumns } from './floats.ts';
import type { IntrinsicWidths } from './intrinsic-widths.ts';
import type { StyleColumns } from './style-columns.ts';
import { ALIGN_CENTER, BLOCK, INLINE, LINE_HEIGHT, NONE } from './tag-styles.ts';

/** Mean width that a line loses at its end because words are not broken, in em. */
const RAGGED_EM = 1.2;
/** A text begins a new line when less than this is left of the open one, in em. */
const WORD_EM = 2.2;
const SPACE_EM = 0.25;

/** Places texts and boxes in the lines of their containers. */
export class LineBoxes {
  readonly #flow: FlowColumns;
  readonly #style: StyleColumns;
  readonly #sizes: IntrinsicWidths;
  #tree!: Tree;

  constructor(flow: FlowColumns, style: StyleColumns, sizes: IntrinsicWidths) {
    this.#flow = flow;
    this.#style = style;
    this.#sizes = sizes;
  }

  /** Begins a page. */
  reset(tree: Tree): void {
    this.#tree = tree;
  }

  /** Begins a line of a container with `node`, beside the floats that reach down to the line. */
  open(container: number, node: number): void {
    const flow = this.#flow;
    flow.cursor[container] += flow.margin[container];
    flow.margin[container] = 0;
    flow.lineFirst[container] = node;
    flow.lineHeight[container] = 0;
    this.#findEnds(container);
  }

  /** Ends the open line, if any, and aligns its nodes. `next` is the node after it. */
  close(container: number, next: number): void {
    const flow = this.#flow;
    const first = flow.lineFirst[container];
    if (first < 0) return;
    const align = this.#style.align[container];
    const rest = flow.lineRight[container] - flow.lineX[container];
    if (align !== 0 && rest > 1) this.#shift(first, next, align === ALIGN_CENTER ? rest / 2 : rest);
    flow.cursor[container] += flow.lineHeight[container];
    flow.lineFirst[container] = -1;
  }

  /** Puts a text into the lines of its container. */
  placeText(node: number, parent: number, container: number): void {
    const flow = this.#flow;
    const font = this.#style.font[parent];
    const lineHeight = font * LINE_HEIGHT;
    if (flow.lineFirst[container] < 0) this.open(container, node);
    const isFirst = flow.lineX[container] <= flow.lineLeft[container];
    let whole = this.#sizes.widest[node];
    // a line does not begin with a space
    if (isFirst && this.#tree.text[this.#tree.textStart[node]] === 0x20) whole -= SPACE_EM * font;

    let room = flow.lineRight[container] - flow.lineX[container];
    if (!isFirst && whole > room && room < WORD_EM * font) {
      this.close(container, node);
      this.open(container, node);
      room = flow.lineRight[container] - flow.lineX[container];
    }
    flow.left[node] = flow.lineX[container];
    flow.top[node] = flow.cursor[container];
    if (lineHeight > flow.lineHeight[container]) flow.lineHeight[container] = lineHeight;

    // the whole text fits in this line
    if (whole <= room) {
      flow.width[node] = whole;
      flow.height[node] = lineHeight;
      flow.lineX[container] += whole;
      return;
    }

    // over several lines, past the ends of at most two floats
    let remaining = whole - Math.max(0, room - RAGGED_EM * font);
    let left = flow.lineX[container];
    let right = flow.lineRight[container];
    flow.cursor[container] += flow.lineHeight[container];
    flow.lineHeight[container] = lineHeight;
    flow.lineFirst[container] = node + 1;
    for (;;) {
      const narrowUntil = this.#findEnds(container);
      const lineLeft = flow.lineLeft[container];
      const full = Math.max(flow.lineRight[container] - lineLeft, this.#sizes.narrowest[node], font, 1);
      const usable = Math.max(full - RAGGED_EM * font, full * 0.75);
      if (lineLeft < left) left = lineLeft;
      if (lineLeft + full > right) right = lineLeft + full;
      const lines = remaining <= full ? 1 : Math.ceil((remaining - full) / usable) + 1;
      const beside = Math.ceil((narrowUntil - flow.cursor[container]) / Math.max(1, lineHeight));
      const linesBeside = Math.max(1, beside);
      // NaN counts as the end, because a hostile page may have infinite sizes
      if (!(lines > linesBeside)) {
        flow.cursor[container] += (lines - 1) * lineHeight;
        flow.lineX[container] = lineLeft + remaining - (lines - 1) * usable;
        break;
      }
      flow.cursor[container] += linesBeside * lineHeight;
      remaining -= linesBeside * usable;
    }
    flow.left[node] = left;
    flow.width[node] = right - left;
    flow.height[node] = flow.cursor[container] + lineHeight - flow.top[node];
  }

  /** Puts a box into the line, or into the next one when it does not fit; returns its left edge. */
  placeBox(node: number, container: number, outerWidth: number): number {
    const flow = this.#flow;
    if (flow.lineFirst[container] < 0) this.open(container, node);
    const isFirst = flow.lineX[container] <= flow.lineLeft[container];
    if (!isFirst && flow.lineX[container] + outerWidth > flow.lineRight[container] + 0.5) {
      this.close(container, node);
      this.open(container, node);
    }
    const left = flow.lineX[container];
    flow.lineX[container] = left + outerWidth;
    return left;
  }

  /** Sets the ends of the line at the cursor. Returns the height down to which they are valid. */
  #findEnds(container: number): number {
    const flow = this.#flow;
    const root = flow.floatRoot[container];
    const y = flow.cursor[container];
    let left = flow.innerLeft[container];
    let right = left + flow.innerWidth[container];
    let until = Number.POSITIVE_INFINITY;
    if (flow.leftBottom[root] > y && flow.leftEdge[root] > left) {
      left = flow.leftEdge[root];
      until = flow.leftBottom[root];
    }
    if (flow.rightBottom[root] > y && flow.rightEdge[root] < right) {
      right = flow.rightEdge[root];
      until = Math.min(until, flow.rightBottom[root]);
    }
    flow.lineLeft[container] = left;
    flow.lineX[container] = left;
    flow.lineRight[container] = right;
    return until;
  }

  /** Moves the texts and boxes of a line to the right. */
  #shift(first: number, next: number, distance: number): void {
    const { kind, last } = this.#tree;
    const flow = this.#flow;
    const { display, float, isOut } = this.#style;
    for (let node = first; node < next; ) {
      const isText = kind[node] === TEXT;
      if (!isText && display[node] === INLINE) {
        node++;
        continue;
      }
      const isInLine = isText
        ? flow.width[node] > 0
        : float[node] === 0 && isOut[node] === 0 && display[node] !== NONE && display[node] !== BLOCK;
      if (isInLine) flow.shiftX[node] += distance;
      node = isText ? node + 1 : last[node];
    }
  }
}
