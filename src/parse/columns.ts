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
    super(`the page has more than ${limit} nodes`);
    this.name = 'TooManyNodesError';
  }
}

const FIRST_CAPACITY = 4096;

export class Columns implements Tree {
  source: Uint8Array = new Uint8Array(0);
  nodeCount = 0;
  kind = new Uint8Array(FIRST_CAPACITY);
  name = new Uint16Array(FIRST_CAPACITY);
  foreignNames: string[] = [];
  parent = new Int32Array(FIRST_CAPACITY);
  last = new Int32Array(FIRST_CAPACITY);
  start = new Int32Array(FIRST_CAPACITY);
  openEnd = new Int32Array(FIRST_CAPACITY);
  end = new Int32Array(FIRST_CAPACITY);
  contentLow = new Int32Array(FIRST_CAPACITY);
  contentHigh = new Int32Array(FIRST_CAPACITY);
  shapeLow = new Int32Array(FIRST_CAPACITY);
  shapeHigh = new Int32Array(FIRST_CAPACITY);
  text = new Uint8Array(0);
  textLength = 0;
  textStart = new Int32Array(FIRST_CAPACITY + 1);
  linkCount = 0;
  linkNode = new Int32Array(256);
  linkStart = new Int32Array(256);
  linkEnd = new Int32Array(256);
  depthCapped = false;
  exact = false;
  fosteredCount = 0;

  #maxNodes: number;

  constructor(maxNodes: number) {
    this.#maxNodes = maxNodes;
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
    if (node >= this.kind.length || node >= this.#maxNodes) this.#grow();
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
      this.linkNode = enlarged(this.linkNode, link * 2);
      this.linkStart = enlarged(this.linkStart, link * 2);
      this.linkEnd = enlarged(this.linkEnd, link * 2);
    }
    this.linkNode[link] = node;
    this.linkStart[link] = start;
    this.linkEnd[link] = end;
    this.linkCount = link + 1;
  }

  #grow(): void {
    if (this.nodeCount >= this.#maxNodes) throw new TooManyNodesError(this.#maxNodes);
    const capacity = this.kind.length * 2;
    this.kind = enlarged(this.kind, capacity);
    this.name = enlarged(this.name, capacity);
    this.parent = enlarged(this.parent, capacity);
    this.last = enlarged(this.last, capacity);
    this.start = enlarged(this.start, capacity);
    this.openEnd = enlarged(this.openEnd, capacity);
    this.end = enlarged(this.end, capacity);
    this.contentLow = enlarged(this.contentLow, capacity);
    this.contentHigh = enlarged(this.contentHigh, capacity);
    this.shapeLow = enlarged(this.shapeLow, capacity);
    this.shapeHigh = enlarged(this.shapeHigh, capacity);
    this.textStart = enlarged(this.textStart, capacity + 1);
  }
}
