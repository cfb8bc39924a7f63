/**
 * The fragments of a page that are large enough to be shared, in columns: one row per element, in document
 * order. Sizes and hashes are those of compared-nodes.ts: equal nodes have equal sizes, and an element is
 * always larger than its content. So all elements around a stored fragment are stored, too, and its parent is
 * its nearest stored ancestor.
 *
 * One loop forwards over the tree writes the rows, without allocations or recursion. It skips subtrees that
 * are too small to contain a row.
 *
 * A formatting element that is reopened (`<b class=x><p></b>`) has the attributes of its start tag in its
 * hash, but no bytes for them in its size, so it never equals one with a start tag and attributes.
 */

import { checkWhole } from '../model/check-option.ts';
import { doubled } from '../model/growing-array.ts';
import { firstIndex } from '../model/order.ts';
import { foldHigh, foldLow } from '../parse/hashes.ts';
import { ELEMENT, TEXT, type Tree } from '../parse/tree.ts';
import { ComparedNodes } from './compared-nodes.ts';
import { DEFAULT_MIN_BYTES } from './shared-page.ts';

const FIRST_ROWS = 1024;

/** Columns of the stored fragments of the last page; only the first `rowCount` rows are valid. */
export class FragmentDigest {
  readonly minBytes: number;
  rowCount = 0;

  /** Node of the element; its descendants are the interval (node, sibling). */
  node = new Uint32Array(FIRST_ROWS);
  sibling = new Uint32Array(FIRST_ROWS);
  /** Source bytes [start, end). */
  start = new Uint32Array(FIRST_ROWS);
  end = new Uint32Array(FIRST_ROWS);
  /** Line and column of `start` and of `end`, both from 1; columns in bytes. */
  startLine = new Uint32Array(FIRST_ROWS);
  startColumn = new Uint32Array(FIRST_ROWS);
  endLine = new Uint32Array(FIRST_ROWS);
  endColumn = new Uint32Array(FIRST_ROWS);
  /** Number of rows back to the parent's row; 0 for the root. */
  up = new Uint32Array(FIRST_ROWS);
  /** Bytes of names, attribute names and values, and texts; bytes of names and attribute names alone. */
  completeBytes = new Uint32Array(FIRST_ROWS);
  structuralBytes = new Uint32Array(FIRST_ROWS);
  /** Number of elements and texts in the subtree. */
  nodes = new Uint32Array(FIRST_ROWS);
  /** Hashes as two lanes, low first: 64-bit integers in memory. */
  content = new Int32Array(FIRST_ROWS * 2);
  shape = new Int32Array(FIRST_ROWS * 2);
  /** Number of rows back to the previous stored sibling; 0 when no sibling before it is stored. */
  completeBack = new Uint32Array(FIRST_ROWS);
  /** The same, among siblings with a sufficient structural size. */
  structuralBack = new Uint32Array(FIRST_ROWS);
  /** Hash of the nodes between the two siblings; 0 when they are adjacent. */
  completeGap = new Int32Array(FIRST_ROWS * 2);
  structuralGap = new Int32Array(FIRST_ROWS * 2);

  readonly #compared = new ComparedNodes();
  readonly #lines = new LineStarts();
  /**
   * By row, of its children so far: last row and hash of the nodes since then, complete; the same,
   * structural.
   */
  #open = new Int32Array(FIRST_ROWS * 6);

  constructor({ minBytes = DEFAULT_MIN_BYTES }: { minBytes?: number } = {}) {
    this.minBytes = checkWhole('minBytes', minBytes, 1);
  }

  /** Fills the rows from a tree. */
  read(tree: Tree): void {
    this.#compared.read(tree);
    this.#writeRows(tree);
    this.#lines.read(tree.source);
    const { rowCount, start, end, startLine, startColumn, endLine, endColumn } = this;
    this.#lines.find(start, rowCount, startLine, startColumn);
    this.#lines.find(end, rowCount, endLine, endColumn);
  }

  #writeRows(tree: Tree): void {
    const { nodeCount, kind, parent, last, start, end } = tree;
    const { sums, contentLow, contentHigh, shapeLow, shapeHigh } = this.#compared;
    const { minBytes } = this;
    let rows = 0;
    sums[3] = -1;
    for (let node = 1; node < nodeCount; ) {
      if (kind[node] !== ELEMENT && kind[node] !== TEXT) {
        node++;
        continue;
      }
      const at = node * 4;
      const parentRow = sums[parent[node] * 4 + 3];
      if (kind[node] === TEXT || sums[at] < minBytes) {
        if (parentRow >= 0) {
          this.#fold(parentRow * 6, contentLow[node], contentHigh[node]);
          this.#fold(parentRow * 6 + 3, shapeLow[node], shapeHigh[node]);
        }
        node = last[node];
        continue;
      }

      const row = rows++;
      if (row === this.node.length) this.#grow();
      // the fourth integer of a node is its row
      sums[at + 3] = row;
      this.node[row] = node;
      this.sibling[row] = last[node];
      this.start[row] = start[node];
      this.end[row] = end[node];
      this.up[row] = parentRow < 0 ? 0 : row - parentRow;
      this.completeBytes[row] = sums[at];
      this.structuralBytes[row] = sums[at + 1];
      this.nodes[row] = sums[at + 2];
      this.content[row * 2] = contentLow[node];
      this.content[row * 2 + 1] = contentHigh[node];
      this.shape[row * 2] = shapeLow[node];
      this.shape[row * 2 + 1] = shapeHigh[node];
      this.#follow(row, parentRow * 6, this.completeBack, this.completeGap);
      if (sums[at + 1] >= minBytes) {
        this.#follow(row, parentRow * 6 + 3, this.structuralBack, this.structuralGap);
      } else {
        this.#follow(row, -1, this.structuralBack, this.structuralGap);
        if (parentRow >= 0) this.#fold(parentRow * 6 + 3, shapeLow[node], shapeHigh[node]);
      }
      this.#startChildren(row * 6);
      node++;
    }
    this.rowCount = rows;
  }

  /**
   * Writes the previous sibling of a row and the hash of the nodes in between; `at` is below 0 where there
   * can be none.
   */
  #follow(row: number, at: number, back: Uint32Array, gap: Int32Array): void {
    const open = this.#open;
    const previous = at < 0 ? -1 : open[at];
    back[row] = previous < 0 ? 0 : row - previous;
    gap[row * 2] = previous < 0 ? 0 : open[at + 1];
    gap[row * 2 + 1] = previous < 0 ? 0 : open[at + 2];
    if (at < 0) return;
    open[at] = row;
    open[at + 1] = 0;
    open[at + 2] = 0;
  }

  /** Adds a node without a row to the hash of the nodes after the last row. */
  #fold(at: number, low: number, high: number): void {
    const open = this.#open;
    open[at + 1] = foldLow(open[at + 1], low, high);
    open[at + 2] = foldHigh(open[at + 2], low, high);
  }

  #startChildren(at: number): void {
    const open = this.#open;
    open[at] = open[at + 3] = -1;
    open[at + 1] = open[at + 2] = open[at + 4] = open[at + 5] = 0;
  }

  #grow(): void {
    const rows = this.node.length * 2;
    for (const column of DIGEST_COLUMNS) this[column] = moved(this[column], new Uint32Array(rows));
    for (const column of DIGEST_HASHES) this[column] = moved(this[column], new Int32Array(rows * 2));
    this.#open = moved(this.#open, new Int32Array(rows * 6));
  }
}

/** Names of the columns with one integer per row. */
export const DIGEST_COLUMNS = [
  'node',
  'sibling',
  'start',
  'end',
  'up',
  'completeBytes',
  'structuralBytes',
  'nodes',
  'completeBack',
  'structuralBack',
  'startLine',
  'startColumn',
  'endLine',
  'endColumn',
] as const;
/** Names of the columns with two integers (a hash) per row. */
export const DIGEST_HASHES = ['content', 'shape', 'completeGap', 'structuralGap'] as const;

function moved<T extends Uint32Array | Int32Array>(from: T, to: T): T {
  to.set(from);
  return to;
}

const LINE_FEED = 0x0a;
const RETURN = 0x0d;

/** Start offsets of the lines of a page; finds the line and column of an offset. */
export class LineStarts {
  #starts = new Uint32Array(1024);
  #count = 1;

  /** Reads a source. Lines end with a line feed, or with a carriage return in a source without line feeds. */
  read(source: Uint8Array): void {
    const lineEnd = source.includes(LINE_FEED) ? LINE_FEED : RETURN;
    this.#count = 1;
    for (let at = source.indexOf(lineEnd); at >= 0; at = source.indexOf(lineEnd, at + 1)) {
      if (this.#count === this.#starts.length) this.#starts = doubled(this.#starts);
      this.#starts[this.#count++] = at + 1;
    }
  }

  /** Finds line and column of the first `count` offsets, both from 1, the column in bytes. */
  find(offsets: Uint32Array, count: number, lines: Uint32Array, columns: Uint32Array): void {
    const starts = this.#starts;
    let line = 0;
    for (let k = 0; k < count; k++) {
      const offset = offsets[k];
      // consecutive offsets are usually in the same line
      if (offset < starts[line] || (line + 1 < this.#count && offset >= starts[line + 1])) {
        line = firstIndex(0, this.#count, (k) => starts[k] > offset) - 1;
      }
      lines[k] = line + 1;
      columns[k] = offset - starts[line] + 1;
    }
  }
}
