/**
 * The fragments of a page that are large enough to be shared, as columns: a row per element, in document
 * order. Sizes count what the hashes of parse/ are made of, so equal nodes have equal sizes, and an element
 * is always larger than what it holds: all elements around a stored fragment are stored too, and the nearest
 * stored ancestor is simply the parent.
 *
 * Two loops over the tree, neither of which allocates or recurses: backwards, sizes go from children to
 * parents; forwards, rows are written, and subtrees too small to hold a row are stepped over. About an eighth of
 * what parsing costs.
 *
 * One thing is not counted as it is hashed: a formatting element that is opened again (`<b class=x><p></b>`)
 * has the attributes of its start tag in its hash, but no bytes of its own for them, and makes a class apart.
 */
import { foldHigh, foldLow } from '../parse/hashes.ts';
import { isHidden, TAG, tagsOf } from '../parse/tag-names.ts';
import { ELEMENT, TEXT, type Tree } from '../parse/tree.ts';
import { DEFAULT_MIN_BYTES } from './shared-page.ts';
import { collapsedLength, countStartTag, type StartTagBytes } from './start-tag-bytes.ts';

const FIRST_ROWS = 1024;

/** Bytes of each name of the static table, by tag; 0 for names of the page. */
const NAME_BYTES = new Uint8Array(65_536);
for (const name of Object.keys(TAG)) NAME_BYTES[tagsOf(name)[0]] = name.length;

/** Columns of the stored fragments of the page read last; only the first `rowCount` rows mean anything. */
export class FragmentDigest {
  readonly minBytes: number;
  rowCount = 0;

  /** The element; its descendants are the interval (node, sibling). */
  node = new Uint32Array(FIRST_ROWS);
  sibling = new Uint32Array(FIRST_ROWS);
  /** Source bytes [start, end). */
  start = new Uint32Array(FIRST_ROWS);
  end = new Uint32Array(FIRST_ROWS);
  /** Rows back to the parent's; 0 for the root. */
  up = new Uint32Array(FIRST_ROWS);
  /** Bytes of names, attribute names and values, texts; bytes of names and attribute names. */
  completeBytes = new Uint32Array(FIRST_ROWS);
  structuralBytes = new Uint32Array(FIRST_ROWS);
  /** Elements and texts of the subtree. */
  nodes = new Uint32Array(FIRST_ROWS);
  /** Hashes as two lanes, low first: 64-bit integers in memory. */
  content = new Int32Array(FIRST_ROWS * 2);
  shape = new Int32Array(FIRST_ROWS * 2);
  /** Rows back to the previous sibling that is stored; 0 when there is none. */
  completeBack = new Uint32Array(FIRST_ROWS);
  /** The same among those whose structural size is enough. */
  structuralBack = new Uint32Array(FIRST_ROWS);
  /** Hash of what stands between the two; 0 when nothing does. */
  completeGap = new Int32Array(FIRST_ROWS * 2);
  structuralGap = new Int32Array(FIRST_ROWS * 2);

  /** By node: complete bytes, structural bytes, nodes, row. */
  #sums = new Int32Array(4 * 4096);
  /** By row, of its children so far: last row and the hash since then, complete; the same, structural. */
  #open = new Int32Array(FIRST_ROWS * 6);
  readonly #tag: StartTagBytes = { names: 0, values: 0 };

  constructor({ minBytes = DEFAULT_MIN_BYTES }: { minBytes?: number } = {}) {
    if (!(Number.isInteger(minBytes) && minBytes >= 1)) {
      throw new RangeError(`minBytes must be a whole number from 1, not ${minBytes}`);
    }
    this.minBytes = minBytes;
  }

  /** Fills the rows from a tree. */
  read(tree: Tree): void {
    this.#sumSizes(tree);
    this.#writeRows(tree);
  }

  #sumSizes(tree: Tree): void {
    const { nodeCount, kind, name, parent, start, openEnd, source, text, textStart } = tree;
    if (this.#sums.length < nodeCount * 4) {
      this.#sums = new Int32Array(Math.max(nodeCount * 4, this.#sums.length * 2));
    }
    const sums = this.#sums.fill(0, 0, nodeCount * 4);
    const counted = this.#tag;
    for (let node = nodeCount - 1; node > 0; node--) {
      const to = parent[node] * 4;
      if (kind[node] === TEXT) {
        const from = textStart[node];
        let bytes = textStart[node + 1] - from;
        // the space between two nodes is no part of the text
        if (bytes > 0) bytes -= text[from] === 0x20 ? 1 : 0;
        else bytes = hiddenBytes(tree, node);
        sums[to] += bytes;
        sums[to + 2]++;
      } else if (kind[node] === ELEMENT) {
        const at = node * 4;
        const tag = name[node];
        let names = NAME_BYTES[tag];
        let bytes = names;
        const tagBytes = openEnd[node] - start[node];
        if (tagBytes > 0 && (tagBytes !== names + 2 || names === 0)) {
          countStartTag(source, start[node], openEnd[node], names, counted);
          names = counted.names;
          bytes = names + counted.values;
        }
        sums[to] += sums[at] += bytes;
        sums[to + 1] += sums[at + 1] += names;
        sums[to + 2] += ++sums[at + 2];
      }
    }
  }

  #writeRows(tree: Tree): void {
    const { nodeCount, kind, parent, last, start, end, contentLow, contentHigh, shapeLow, shapeHigh } = tree;
    const { minBytes } = this;
    const sums = this.#sums;
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

  /** Writes which sibling comes before a row, and what stands between; `at` is below 0 where none can. */
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

  /** Adds a node that is no row of its own to what stands after the last one. */
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

/** Columns of one integer a row, and of two. */
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
] as const;
export const DIGEST_HASHES = ['content', 'shape', 'completeGap', 'structuralGap'] as const;

/** Text that is none of the page: as it stands in script, style and their like, else as it would be. */
function hiddenBytes({ name, parent, source, start, end }: Tree, node: number): number {
  const tag = name[parent[node]];
  if (isHidden(tag) && tag !== TAG.template) return end[node] - start[node];
  return collapsedLength(source, start[node], end[node]);
}

function moved<T extends Uint32Array | Int32Array>(from: T, to: T): T {
  to.set(from);
  return to;
}
