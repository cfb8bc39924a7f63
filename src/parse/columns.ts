/**
 * The columns of a tree while they are filled. They double when full and are kept from page to page, so a
 * parser that has seen its largest page allocates nothing any more.
 */

import { enlarged } from './tag-names.ts';
import type { Tree } from './tree.ts';

/** A page with more nodes than the limit allows. */
export class TooManyNodesError extends Error {
  readonly code = 'too-many-nodes';

  constructor(limit: number) {
    super(`the page has more than ${limit} nodes (--max-nodes)`);
    this.name = 'TooManyNodesError';
  }
}

const FIRST_CAPACITY = 4096;
const FIRST_LINKS = 256;

/**
 * Columns start at different cache lines. Large arrays all start at the beginning of a memory page; entry i
 * of a dozen of them would compete for the same few lines of the cache, which costs 3 % of parsing.
 */
const STAGGER_BYTES = 320;

const NO_BYTES = new Uint8Array(0);
const NO_SHORTS = new Uint16Array(0);
const NO_INTEGERS = new Int32Array(0);

export class Columns implements Tree {
  source: Uint8Array = NO_BYTES;
  nodeCount = 0;
  kind = NO_BYTES;
  name = NO_SHORTS;
  foreignNames: string[] = [];
  parent = NO_INTEGERS;
  last = NO_INTEGERS;
  start = NO_INTEGERS;
  openEnd = NO_INTEGERS;
  end = NO_INTEGERS;
  contentLow = NO_INTEGERS;
  contentHigh = NO_INTEGERS;
  shapeLow = NO_INTEGERS;
  shapeHigh = NO_INTEGERS;
  text = NO_BYTES;
  textLength = 0;
  textStart = NO_INTEGERS;
  linkCount = 0;
  linkNode = NO_INTEGERS;
  linkStart = NO_INTEGERS;
  linkEnd = NO_INTEGERS;
  depthCapped = false;
  exact = false;
  fosteredCount = 0;

  readonly #maxNodes: number;
  #capacity = 0;

  constructor(maxNodes: number) {
    this.#maxNodes = maxNodes;
  }

  /**
   * A tree with a source and columns of its own, which hold what is filled and cannot grow. All of them lie in
   * `memory`, one behind the other, the widest first; it starts at a multiple of four bytes.
   */
  static copyOf(tree: Tree, memory = new Uint8Array(copiedBytes(tree))): Columns {
    const { source, nodeCount, textLength, linkCount } = tree;
    const { buffer } = memory;
    let at = memory.byteOffset;
    const integers = (column: Int32Array, count: number) => {
      const copy = new Int32Array(buffer, at, count);
      copy.set(column.subarray(0, count));
      at += 4 * count;
      return copy;
    };
    const bytes = (column: Uint8Array, count: number) => {
      const copy = new Uint8Array(buffer, at, count);
      copy.set(column.subarray(0, count));
      at += count;
      return copy;
    };
    const copy = new Columns(0);
    copy.nodeCount = nodeCount;
    copy.foreignNames = [...tree.foreignNames];
    copy.parent = integers(tree.parent, nodeCount);
    copy.last = integers(tree.last, nodeCount);
    copy.start = integers(tree.start, nodeCount);
    copy.openEnd = integers(tree.openEnd, nodeCount);
    copy.end = integers(tree.end, nodeCount);
    copy.contentLow = integers(tree.contentLow, nodeCount);
    copy.contentHigh = integers(tree.contentHigh, nodeCount);
    copy.shapeLow = integers(tree.shapeLow, nodeCount);
    copy.shapeHigh = integers(tree.shapeHigh, nodeCount);
    copy.textStart = integers(tree.textStart, nodeCount + 1);
    copy.linkNode = integers(tree.linkNode, linkCount);
    copy.linkStart = integers(tree.linkStart, linkCount);
    copy.linkEnd = integers(tree.linkEnd, linkCount);
    copy.linkCount = linkCount;
    copy.name = new Uint16Array(buffer, at, nodeCount);
    copy.name.set(tree.name.subarray(0, nodeCount));
    at += 2 * nodeCount;
    copy.kind = bytes(tree.kind, nodeCount);
    copy.text = bytes(tree.text, textLength);
    copy.textLength = textLength;
    copy.source = bytes(source, source.length);
    copy.depthCapped = tree.depthCapped;
    copy.exact = tree.exact;
    copy.fosteredCount = tree.fosteredCount;
    return copy;
  }

  reset(source: Uint8Array): void {
    this.source = source;
    this.nodeCount = 0;
    this.textLength = 0;
    this.linkCount = 0;
    this.depthCapped = false;
    this.exact = false;
    this.fosteredCount = 0;
  }

  /** Appends a node and returns its id; `last`, `end` and the hashes are the caller's to set. */
  add(kind: number, name: number, parent: number, start: number, openEnd: number): number {
    const node = this.nodeCount;
    if (node >= this.#capacity) this.#grow();
    this.kind[node] = kind;
    this.name[node] = name;
    this.parent[node] = parent;
    this.start[node] = start;
    this.openEnd[node] = openEnd;
    this.textStart[node] = this.textLength;
    this.nodeCount = node + 1;
    return node;
  }

  /** Appends a text, comment or declaration. */
  addLeaf(
    kind: number,
    parent: number,
    start: number,
    end: number,
    low: number,
    high: number,
    shapeLow: number,
    shapeHigh: number,
  ): number {
    const node = this.add(kind, 0, parent, start, end);
    this.last[node] = node + 1;
    this.end[node] = end;
    this.contentLow[node] = low;
    this.contentHigh[node] = high;
    this.shapeLow[node] = shapeLow;
    this.shapeHigh[node] = shapeHigh;
    return node;
  }

  /** Appends a link of `node` whose href stands at `[start, end)`. */
  addLink(node: number, start: number, end: number): void {
    const link = this.linkCount;
    if (link === this.linkNode.length) {
      const capacity = Math.max(FIRST_LINKS, link * 2);
      this.linkNode = enlarged(this.linkNode, capacity);
      this.linkStart = enlarged(this.linkStart, capacity);
      this.linkEnd = enlarged(this.linkEnd, capacity);
    }
    this.linkNode[link] = node;
    this.linkStart[link] = start;
    this.linkEnd[link] = end;
    this.linkCount = link + 1;
  }

  #grow(): void {
    if (this.nodeCount >= this.#maxNodes) throw new TooManyNodesError(this.#maxNodes);
    const capacity = Math.min(Math.max(FIRST_CAPACITY, this.#capacity * 2), this.#maxNodes);
    this.#capacity = capacity;
    this.kind = moved(this.kind, new Uint8Array(...columnMemory(1, capacity)));
    this.name = moved(this.name, new Uint16Array(...columnMemory(2, capacity)));
    this.parent = moved(this.parent, new Int32Array(...columnMemory(3, capacity)));
    this.last = moved(this.last, new Int32Array(...columnMemory(4, capacity)));
    this.start = moved(this.start, new Int32Array(...columnMemory(5, capacity)));
    this.openEnd = moved(this.openEnd, new Int32Array(...columnMemory(6, capacity)));
    this.end = moved(this.end, new Int32Array(...columnMemory(7, capacity)));
    this.contentLow = moved(this.contentLow, new Int32Array(...columnMemory(8, capacity)));
    this.contentHigh = moved(this.contentHigh, new Int32Array(...columnMemory(9, capacity)));
    this.shapeLow = moved(this.shapeLow, new Int32Array(...columnMemory(10, capacity)));
    this.shapeHigh = moved(this.shapeHigh, new Int32Array(...columnMemory(11, capacity)));
    this.textStart = moved(this.textStart, new Int32Array(...columnMemory(12, capacity)));
  }
}

/** Bytes that a copy takes, its source included. */
export function copiedBytes({ source, nodeCount, textLength, linkCount }: Tree): number {
  return source.length + textLength + (nodeCount + 1) * NODE_BYTES + linkCount * LINK_BYTES;
}

/** Of all columns: kind, name, ten of four bytes; and of a link's three. */
const NODE_BYTES = 1 + 2 + 10 * 4;
const LINK_BYTES = 3 * 4;

/** Memory for a column of `capacity` entries of up to four bytes, and one more. */
function columnMemory(
  column: number,
  capacity: number,
): [buffer: ArrayBuffer, byteOffset: number, length: number] {
  const offset = column * STAGGER_BYTES;
  return [new ArrayBuffer(offset + 4 * (capacity + 1)), offset, capacity + 1];
}

function moved<T extends Uint8Array | Uint16Array | Int32Array>(from: T, to: T): T {
  to.set(from);
  return to;
}
