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

  /** A tree with columns of its own, which hold what is filled and cannot grow. */
  static copyOf(tree: Tree): Columns {
    const { nodeCount, textLength, linkCount } = tree;
    const copy = new Columns(0);
    copy.source = tree.source;
    copy.nodeCount = nodeCount;
    copy.kind = tree.kind.slice(0, nodeCount);
    copy.name = tree.name.slice(0, nodeCount);
    copy.foreignNames = [...tree.foreignNames];
    copy.parent = tree.parent.slice(0, nodeCount);
    copy.last = tree.last.slice(0, nodeCount);
    copy.start = tree.start.slice(0, nodeCount);
    copy.openEnd = tree.openEnd.slice(0, nodeCount);
    copy.end = tree.end.slice(0, nodeCount);
    copy.contentLow = tree.contentLow.slice(0, nodeCount);
    copy.contentHigh = tree.contentHigh.slice(0, nodeCount);
    copy.shapeLow = tree.shapeLow.slice(0, nodeCount);
    copy.shapeHigh = tree.shapeHigh.slice(0, nodeCount);
    copy.text = tree.text.slice(0, textLength);
    copy.textLength = textLength;
    copy.textStart = tree.textStart.slice(0, nodeCount + 1);
    copy.linkCount = linkCount;
    copy.linkNode = tree.linkNode.slice(0, linkCount);
    copy.linkStart = tree.linkStart.slice(0, linkCount);
    copy.linkEnd = tree.linkEnd.slice(0, linkCount);
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
