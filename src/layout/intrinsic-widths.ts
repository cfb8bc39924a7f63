/**
 * How wide each node wants to be: with all its text in one line (`widest`), and with a line ended wherever
 * one may (`narrowest`). Tables, floats and boxes in a row are as wide as their content, which must be known
 * before anything is placed. One pass from the last node to the first: children come before parents.
 *
 * The same pass finds the margin above each block, joined with that of the first block in it.
 */
import { ELEMENT, TEXT, type Tree } from '../parse/tree.ts';
import { fixedPixels } from './lengths.ts';
import { ABSOLUTE, FIXED, type StyleColumns } from './style-columns.ts';
import { BLOCK, FLEX, INLINE, INLINE_BLOCK, LINE_BREAK, NONE, ROW } from './tag-styles.ts';
import { TextWidth } from './text-width.ts';

/** Between the cells of a table, px. */
export const CELL_GAP = 2;

/** Width of every letter where lines end as the source's do, in em. */
export const MONOSPACE_EM = 0.6;

export class IntrinsicWidths {
  /** px, margins not counted. */
  widest = new Float32Array(0);
  narrowest = new Float32Array(0);
  /** Margin above a block once it is joined with that of the first block in it. */
  joinedMargin = new Float32Array(0);
  /** Width of the line under way, from its end. */
  #line = new Float32Array(0);
  #firstMargin = new Float32Array(0);
  readonly #text = new TextWidth();

  measure(tree: Tree, style: StyleColumns): void {
    const { nodeCount, kind, parent, textStart, text } = tree;
    this.#reserve(nodeCount);
    const { widest, narrowest, joinedMargin } = this;
    const line = this.#line;
    const firstMargin = this.#firstMargin;
    widest.fill(0, 0, nodeCount);
    narrowest.fill(0, 0, nodeCount);
    line.fill(0, 0, nodeCount);
    firstMargin.fill(0, 0, nodeCount);

    for (let node = nodeCount - 1; node > 0; node--) {
      const up = parent[node];
      if (kind[node] === TEXT) {
        if (style.isPre[up] === 1) {
          this.#measurePre(tree, node, style.font[up] * MONOSPACE_EM);
          continue;
        }
        const from = textStart[node];
        const to = textStart[node + 1];
        if (from === to) continue;
        this.#text.measure(text, from, to);
        const font = style.font[up] * style.face[up];
        const whole = this.#text.whole * font;
        const word = style.isNowrap[up] === 1 ? whole : this.#text.longestWord * font;
        widest[node] = whole;
        narrowest[node] = word;
        line[up] += whole;
        firstMargin[up] = 0;
        if (word > narrowest[up]) narrowest[up] = word;
        continue;
      }
      const display = style.display[node];
      if (kind[node] !== ELEMENT || display === NONE) continue;
      if (display === LINE_BREAK) {
        if (line[up] > widest[up]) widest[up] = line[up];
        line[up] = 0;
        continue;
      }

      // all of the node's children are known
      const row = display === ROW || display === FLEX;
      if (!row && line[node] > widest[node]) widest[node] = line[node];
      if (row) widest[node] += line[node];
      const own = fixedPixels(style.width[node]);
      if (!Number.isNaN(own)) {
        widest[node] = own;
        narrowest[node] = own;
      } else {
        const padding = style.paddingLeft[node] + style.paddingRight[node];
        widest[node] += padding;
        narrowest[node] += padding;
        const most = fixedPixels(style.maxWidth[node]);
        if (most < widest[node]) widest[node] = most;
        if (most < narrowest[node]) narrowest[node] = most;
        const least = fixedPixels(style.minWidth[node]);
        if (least > widest[node]) widest[node] = least;
        if (least > narrowest[node]) narrowest[node] = least;
      }
      const isPlain = display === BLOCK && style.paddingTop[node] === 0 && style.holdsFloats[node] === 0;
      const marginTop = fixedPixels(style.marginTop[node]) || 0;
      joinedMargin[node] = isPlain ? Math.max(marginTop, firstMargin[node]) : marginTop;
      if (style.position[node] === ABSOLUTE || style.position[node] === FIXED) continue;

      // and the node is one of its parent's
      const marginX =
        display === INLINE
          ? 0
          : (fixedPixels(style.marginLeft[node]) || 0) + (fixedPixels(style.marginRight[node]) || 0);
      const outer = widest[node] + marginX;
      const narrow = narrowest[node] + marginX;
      const outerDisplay = style.display[up];
      if (outerDisplay === ROW || outerDisplay === FLEX) {
        widest[up] += outer + (outerDisplay === ROW ? CELL_GAP : style.gap[up]);
        if (style.isWrapping[up] === 0) narrowest[up] += narrow + (outerDisplay === ROW ? CELL_GAP : 0);
        else if (narrow > narrowest[up]) narrowest[up] = narrow;
        continue;
      }
      if (display === INLINE || display === INLINE_BLOCK || style.float[node] !== 0) {
        line[up] += outer;
        if (style.float[node] === 0) firstMargin[up] = 0;
      } else {
        if (line[up] > widest[up]) widest[up] = line[up];
        line[up] = 0;
        if (outer > widest[up]) widest[up] = outer;
        firstMargin[up] = joinedMargin[node];
      }
      if (narrow > narrowest[up]) narrowest[up] = narrow;
    }
  }

  /** A text whose lines end where the source's do: each line goes on in the texts beside it. */
  #measurePre({ source, start, end, parent }: Tree, node: number, character: number): void {
    const { widest, narrowest } = this;
    const line = this.#line;
    const up = parent[node];
    let longest = 0;
    let first = -1;
    let from = start[node];
    for (let p = from; p < end[node]; p++) {
      if (source[p] !== 0x0a) continue;
      if (first < 0) first = p - from;
      longest = Math.max(longest, p - from);
      from = p + 1;
    }
    const lastLine = (end[node] - from) * character;
    widest[node] = Math.max(longest * character, lastLine);
    line[up] += lastLine;
    if (first >= 0) {
      widest[up] = Math.max(widest[up], longest * character, line[up]);
      line[up] = first * character;
    }
    narrowest[node] = widest[node];
    narrowest[up] = Math.max(narrowest[up], widest[up], line[up]);
    this.#firstMargin[up] = 0;
  }

  #reserve(count: number): void {
    if (count <= this.widest.length) return;
    const room = Math.max(4096, count + (count >> 1));
    this.widest = new Float32Array(room);
    this.narrowest = new Float32Array(room);
    this.joinedMargin = new Float32Array(room);
    this.#line = new Float32Array(room);
    this.#firstMargin = new Float32Array(room);
  }
}
