/**
 * Computes how wide each node wants to be: with all its text in one line (`widest`), and with a line break
 * wherever one is allowed (`narrowest`). Tables, floats and boxes in a row are as wide as their content, so
 * these widths must be known before anything is placed. One pass goes from the last node to the first,
 * because children come before parents then. It also finds the margin above each block, collapsed with the
 * margin of its first child.
 */
import { Block } from '../kernel/heap.ts';
import { TEXT_WIDTH_BREAKS, TEXT_WIDTH_BYTES } from '../kernel/layout.ts';
import { threadKernel } from '../kernel/thread-kernel.ts';
import { reserveColumns } from '../model/growing-array.ts';
import { ELEMENT, TEXT, type Tree } from '../parse/tree.ts';
import { fixedPixels } from './css-lengths.ts';
import type { StyleColumns } from './style-columns.ts';
import { BLOCK, FLEX, INLINE, INLINE_BLOCK, LINE_BREAK, NONE, ROW } from './tag-styles.ts';

/** Gap between the cells of a table, in px. */
export const CELL_GAP = 2;

/** Widths that the nodes of a page need, by node, in px. */
export class IntrinsicWidths {
  /** px, without margins. */
  widest = new Float32Array(0);
  narrowest = new Float32Array(0);
  /** Margin above a block, collapsed with the margin of its first block. */
  collapsedMargin = new Float32Array(0);
  /** Width of the inline content since the last line break, counted from the end of the element. */
  line = new Float32Array(0);
  /** Margin above the first block inside an element; 0 if text or an inline element comes first. */
  firstMargin = new Float32Array(0);

  /** Computes the widths of all nodes of a tree with these styles. */
  measure(tree: Tree, style: StyleColumns): void {
    const { nodeCount, kind, parent, textStart } = tree;
    const textWidths = measureTexts(tree);
    if (nodeCount > this.widest.length) reserveColumns(this, nodeCount);
    const { widest, narrowest, collapsedMargin, line, firstMargin } = this;
    for (const column of [widest, narrowest, line, firstMargin]) column.fill(0, 0, nodeCount);

    for (let node = nodeCount - 1; node > 0; node--) {
      const up = parent[node];
      if (kind[node] === TEXT) {
        if (textStart[node] === textStart[node + 1]) continue;
        widest[node] = textWidths[2 * node] * style.font[up];
        narrowest[node] = textWidths[2 * node + 1] * style.font[up];
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

/** Width of the character that begins with a byte, in em. */
const WIDTHS = new Float32Array(256);
/** 1 for bytes that allow a line break: a space, or the first byte of a wide character. */
const BREAKS = new Uint8Array(256);

/** Widths in Times, the default font of browsers. */
const LATIN: readonly [characters: string, em: number][] = [
  ['ijlt;:/\\', 0.278],
  ['frI-()[]!|`', 0.333],
  ['sJ', 0.389],
  ['acez?', 0.444],
  ['bdghknopquvxy0123456789$_#', 0.5],
  ['FPS', 0.556],
  ['+<=>~^', 0.564],
  ['ELTZ', 0.611],
  ['BCR', 0.667],
  ['ADGHKNOQUVXYw', 0.722],
  ['m&%@', 0.8],
  ['M', 0.889],
  ['W', 0.944],
  ["'", 0.2],
  ['"*{}', 0.42],
  [' .,', 0.25],
];

WIDTHS.fill(0.5, 0x21, 0x80);
for (const [characters, em] of LATIN) {
  for (const character of characters) WIDTHS[character.charCodeAt(0)] = em;
}
// two bytes: Latin with accents, Greek, Cyrillic, Hebrew, Arabic; three bytes: Indic scripts, Thai, symbols
WIDTHS.fill(0.5, 0xc2, 0xe2);
WIDTHS.fill(0.55, 0xd0, 0xd2);
WIDTHS[0xe2] = 0.5;
// kana, Han, Hangul, full-width forms, emoji
WIDTHS.fill(1, 0xe3, 0xf5);
BREAKS.fill(1, 0xe3, 0xf5);
BREAKS[0x20] = 1;

/** Kernel memory for the widths of texts, one block per thread. */
let scratch: { tables: number; widths: Block } | undefined;

/** Returns two widths of each text node in em: in one line, and of its longest part without a line break. */
export function measureTexts({ address, nodeCount }: Tree): Float64Array {
  const kernel = threadKernel();
  if (!scratch) {
    scratch = { tables: kernel.heap.take(TEXT_WIDTH_BYTES), widths: new Block(kernel) };
    kernel.bytes.set(new Uint8Array(WIDTHS.buffer), scratch.tables);
    kernel.bytes.set(BREAKS, scratch.tables + TEXT_WIDTH_BREAKS);
  }
  const widths = scratch.widths.room(16 * nodeCount);
  kernel.functions.measureTexts(scratch.tables, address, widths);
  return new Float64Array(kernel.memory.buffer, widths, 2 * nodeCount);
}
