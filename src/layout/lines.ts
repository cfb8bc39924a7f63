/**
 * Lines of text: words run on until the line is full. How many lines a text takes follows from its width
 * alone; the words are not tried one by one. Cost: a few steps per text, whatever its length, and one visit
 * of each node when its line is moved to the middle, to the right or down.
 */
import { TEXT, type Tree } from '../parse/tree.ts';
import type { FlowColumns } from './flow-columns.ts';
import { type IntrinsicWidths, MONOSPACE_EM } from './intrinsic-widths.ts';
import { ABSOLUTE, ALIGN_CENTER, FIXED, type StyleColumns } from './style-columns.ts';
import { BLOCK, INLINE, NONE } from './tag-styles.ts';

/** Height of a line's letters, times the font size. */
const LETTERS = 1.15;
/** What a line loses at its end because words are not broken, in em. */
const RAGGED_EM = 1.2;
/** A word this wide begins a new line when the rest of the line is narrower, in em. */
const WORD_EM = 2.2;
const SPACE_EM = 0.25;

export class Lines {
  readonly #flow: FlowColumns;
  readonly #style: StyleColumns;
  readonly #sizes: IntrinsicWidths;
  #tree!: Tree;

  constructor(flow: FlowColumns, style: StyleColumns, sizes: IntrinsicWidths) {
    this.#flow = flow;
    this.#style = style;
    this.#sizes = sizes;
  }

  reset(tree: Tree): void {
    this.#tree = tree;
  }

  /** Begins a line of a container with `node`, beside the floats that reach down to it. */
  open(container: number, node: number): void {
    const flow = this.#flow;
    flow.cursor[container] += flow.margin[container];
    flow.margin[container] = 0;
    flow.lineFirst[container] = node;
    flow.lineHeight[container] = 0;
    this.#findEnds(container);
  }

  /** Ends the open line, if any, and moves what is in it as its alignment says. `next` is the node after it. */
  close(container: number, next: number): void {
    const flow = this.#flow;
    const first = flow.lineFirst[container];
    if (first < 0) return;
    const align = this.#style.align[container];
    const height = flow.lineHeight[container];
    const rest = flow.lineRight[container] - flow.lineX[container];
    const isTall = height > this.#style.lineHeight[container] * 1.2;
    if (isTall || (align !== 0 && rest > 1)) {
      this.#move(first, next, align === 0 || rest < 0 ? 0 : align === ALIGN_CENTER ? rest / 2 : rest, height);
    }
    flow.cursor[container] += height;
    flow.lineFirst[container] = -1;
  }

  /** Puts a text into the lines of its container. */
  placeText(node: number, parent: number, container: number): void {
    const flow = this.#flow;
    const style = this.#style;
    const font = style.font[parent];
    const lineHeight = style.lineHeight[parent];
    const letters = Math.min(lineHeight, font * LETTERS);
    const lead = (lineHeight - letters) / 2;
    if (flow.lineFirst[container] < 0) this.open(container, node);
    const whole = this.#sizes.widest[node] - this.#leadingSpace(node, container, font * style.face[parent]);

    let room = flow.lineRight[container] - flow.lineX[container];
    const isFirst = flow.lineX[container] <= flow.lineLeft[container];
    if (!isFirst && whole > room && (style.isNowrap[parent] === 1 || room < WORD_EM * font)) {
      this.close(container, node);
      this.open(container, node);
      room = flow.lineRight[container] - flow.lineX[container];
    }
    flow.left[node] = flow.lineX[container];
    flow.top[node] = flow.cursor[container] + lead;
    if (lineHeight > flow.lineHeight[container]) flow.lineHeight[container] = lineHeight;

    // all in this line
    if (whole <= room || style.isNowrap[parent] === 1) {
      flow.width[node] = whole;
      flow.height[node] = letters;
      flow.lineX[container] += whole;
      return;
    }

    // over several, past the ends of at most two floats
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
      const linesBeside = Math.max(
        1,
        Math.ceil((narrowUntil - flow.cursor[container]) / Math.max(1, lineHeight)),
      );
      // not a number counts as the end: sizes of a hostile page may be beyond all numbers
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
    flow.height[node] = flow.cursor[container] + lead + letters - flow.top[node];
  }

  /** Width of the space before a text's first word that a line does not begin with. */
  #leadingSpace(node: number, container: number, font: number): number {
    const { text, textStart } = this.#tree;
    const isFirst = this.#flow.lineX[container] <= this.#flow.lineLeft[container];
    return isFirst && text[textStart[node]] === 0x20 ? SPACE_EM * font : 0;
  }

  /** Puts a text whose lines end where the source's do: one block of its own. */
  placePre(node: number, parent: number, container: number): void {
    const flow = this.#flow;
    const style = this.#style;
    const { source, start, end } = this.#tree;
    let lines = 0;
    let longest = 0;
    let from = start[node];
    if (flow.lineFirst[container] < 0) this.open(container, node);
    for (let p = from; p < end[node]; p++) {
      if (source[p] !== 0x0a) continue;
      if (p - from > longest) longest = p - from;
      from = p + 1;
      lines++;
    }
    const last = end[node] - from;
    const character = style.font[parent] * MONOSPACE_EM;
    const lineHeight = style.lineHeight[parent];
    const top = flow.cursor[container];
    if (lineHeight > flow.lineHeight[container]) flow.lineHeight[container] = lineHeight;
    flow.left[node] = lines === 0 ? flow.lineX[container] : flow.lineLeft[container];
    flow.top[node] = top;
    flow.width[node] = Math.max(longest, last) * character;
    flow.height[node] = (lines + (last > 0 ? 1 : 0)) * lineHeight;
    flow.cursor[container] = top + lines * lineHeight;
    flow.lineX[container] =
      (lines === 0 ? flow.lineX[container] : flow.lineLeft[container]) + last * character;
    if (lines > 0) flow.lineFirst[container] = node + 1;
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

  /** Sets where the line at the cursor begins and ends; returns down to where that holds. */
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

  /** Moves the texts and boxes of a line to the right by `shift` and down onto its base. */
  #move(first: number, next: number, shift: number, height: number): void {
    const { kind, last } = this.#tree;
    const flow = this.#flow;
    const { display, float, position } = this.#style;
    for (let node = first; node < next; ) {
      if (kind[node] === TEXT) {
        if (flow.width[node] > 0) {
          flow.shiftX[node] += shift;
          flow.shiftY[node] += Math.max(0, height - flow.height[node]);
        }
        node++;
      } else if (display[node] === INLINE) {
        node++;
      } else {
        const isOut =
          float[node] !== 0 ||
          position[node] === ABSOLUTE ||
          position[node] === FIXED ||
          display[node] === NONE;
        if (!isOut && display[node] !== BLOCK) {
          flow.shiftX[node] += shift;
          flow.shiftY[node] += Math.max(0, height - flow.height[node]);
        }
        node = last[node];
      }
    }
  }
}
