/**
 * How wide each node wants to be: with all its text in one line (`widest`), and with a line break wherever one is allowed
 * (`narrowest`). Tables, floats and boxes in a row are as wide as their content, which must be known before anything is
 * placed. One pass from the last node to the first: children come before parents. The same pass finds the margin
 * above each block, collapsed with the margin of its first child.
 */
import { reserveColumns } from '../model/growing-array.ts';
import { ELEMENT, TEXT, type Tree } from '../parse/tree.ts';
import { fixedPixels } from './css-lengths.ts';
import type { StyleColumns } from './style-columns.ts';
import { BLOCK, FLEX, INLINE, INLINE_BLOCK, LINE_BREAK, NONE, ROW } from './tag-styles.ts';
import { TextWidth } from './text-width.ts';

/** Between the cells of a table, px. */
export const CELL_GAP = 2;

export class IntrinsicWidths {
  /** px, without margins. */
  widest = new Float32Array(0);
  narrowest = new Float32Array(0);
  /** Margin above a block, collapsed with that of the first block in it. */
  collapsedMargin = new Float32Array(0);
  /** Width of the current line, from its end. */
  line = new Float32Array(0);
  firstMargin = new Float32Array(0);
  readonly #text = new TextWidth();

  measure(tree: Tree, style: StyleColumns): void {
    const { nodeCount, kind, parent, textStart, text } = tree;
    if (nodeCount > this.widest.length) reserveColumns(this, nodeCount);
    const { widest, narrowest, collapsedMargin, line, firstMargin } = this;
    for (const column of [widest, narrowest, line, firstMargin]) column.fill(0, 0, nodeCount);

    for (let node = nodeCount - 1; node > 0; node--) {
      const up = parent[node];
      if (kind[node] === TEXT) {
        const from = textStart[node];
        const to = textStart[node + 1];
        if (from === to) continue;
        this.#text.measure(text, from, to);
        widest[node] = this.#text.whole * style.font[up];
        narrowest[node] = this.#text.longestWord * style.font[up];
        line[up] += widest[node];
        firstMargin[up] = 0;
        if (narrowest[node] > narrowest[up]) narrowest[up] = narrowest[node];
        continue;
      }
      const display = style.display[node];
      if (kind[node] !== ELEMENT || display === NONE) continue;
      if (display === LINE_BREAK) {
        if (line[up] > widest[up]) widest[up] = line[up];
        line[up] = 0;
        continue;
      }

      // the children of the node are complete
      if (display === ROW || display === FLEX) widest[node] += line[node];
      else if (line[node] > widest[node]) widest[node] = line[node];
      const own = fixedPixels(style.width[node]);
      if (!Number.isNaN(own)) widest[node] = narrowest[node] = own;
      else {
        const padding = style.paddingLeft[node] + style.padding[node];
        widest[node] += padding;
        narrowest[node] += padding;
      }
      const collapses = display === BLOCK && style.padding[node] === 0 && style.holdsFloats[node] === 0;
      const marginTop = fixedPixels(style.marginTop[node]) || 0;
      collapsedMargin[node] = collapses ? Math.max(marginTop, firstMargin[node]) : marginTop;
      if (style.isOut[node] === 1) continue;

      // the node is part of its parent
      const marginX =
        display === INLINE
          ? 0
          : (fixedPixels(style.marginLeft[node]) || 0) + (fixedPixels(style.marginRight[node]) || 0);
      const outer = widest[node] + marginX;
      const narrow = narrowest[node] + marginX;
      const outerDisplay = style.display[up];
      if (outerDisplay === ROW || outerDisplay === FLEX) {
        const gap = outerDisplay === ROW ? CELL_GAP : 0;
        widest[up] += outer + gap;
        narrowest[up] += narrow + gap;
        continue;
      }
      if (display === INLINE || display === INLINE_BLOCK || style.float[node] !== 0) {
        line[up] += outer;
        if (style.float[node] === 0) firstMargin[up] = 0;
      } else {
        if (line[up] > widest[up]) widest[up] = line[up];
        line[up] = 0;
        if (outer > widest[up]) widest[up] = outer;
        firstMargin[up] = collapsedMargin[node];
      }
      if (narrow > narrowest[up]) narrowest[up] = narrow;
    }
  }
}
