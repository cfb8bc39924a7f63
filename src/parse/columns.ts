/**
 * The columns of a tree. While they are filled they lie in the memory that parsers of a thread share; then they are
 * copied to arrays that belong to the parser. Those double when they are too short and are kept from page to page,
 * so a parser that has seen its largest page allocates nothing any more. A page with more nodes than the shared
 * memory has room for goes on in the parser's own arrays.
 */

import { NODE_CAPACITY } from './kernel-layout.ts';
import {
  copyLinks,
  copyNodes,
  enough,
  type LinkColumns,
  makeLinks,
  makeNodes,
  type NodeColumns,
  type SharedColumns,
} from './node-columns.ts';
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

const NO_BYTES: Uint8Array = new Uint8Array(0);
const NO_SHORTS: Uint16Array = new Uint16Array(0);
const NO_INTEGERS: Int32Array = new Int32Array(0);
const NO_NODES = makeNodes(0);
const NO_LINKS = makeLinks(0);

export class Columns implements Tree {
  address = 0;
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
  /** Columns of this parser alone. */
  #ownNodes: NodeColumns = NO_NODES;
  #ownLinks: LinkColumns = NO_LINKS;

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

  /** Begins a page, in columns that are shared. */
  reset(source: Uint8Array, { nodes, links }: SharedColumns): void {
    this.source = source;
    this.#useNodes(nodes);
    this.#useLinks(links);
    this.#capacity = Math.min(NODE_CAPACITY, this.#maxNodes);
    this.nodeCount = 0;
    this.textLength = 0;
    this.linkCount = 0;
    this.depthCapped = false;
    this.exact = false;
    this.fosteredCount = 0;
  }

  /** Whether all columns are still those that were handed to `reset`. */
  isIn({ nodes, links }: SharedColumns): boolean {
    return this.kind === nodes.kind && this.linkNode === links.linkNode;
  }

  /** Nodes there is room for before the columns grow or the page is given up. */
  get capacity(): number {
    return this.#capacity;
  }

  /** Ends the page: what was filled is this parser's own from now on. */
  keep(): void {
    const { nodeCount, linkCount } = this;
    if (this.kind !== this.#ownNodes.kind) {
      if (this.#ownNodes.kind.length <= nodeCount)
        this.#ownNodes = makeNodes(enough(nodeCount, FIRST_CAPACITY));
      copyNodes(this, this.#ownNodes, nodeCount);
      this.#useNodes(this.#ownNodes);
    }
    if (this.linkNode !== this.#ownLinks.linkNode) {
      if (this.#ownLinks.linkNode.length < linkCount)
        this.#ownLinks = makeLinks(enough(linkCount, FIRST_LINKS));
      copyLinks(this, this.#ownLinks, linkCount);
      this.#useLinks(this.#ownLinks);
    }
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
    if (link === this.linkNode.length) this.#growLinks();
    this.linkNode[link] = node;
    this.linkStart[link] = start;
    this.linkEnd[link] = end;
    this.linkCount = link + 1;
  }

  #grow(): void {
    if (this.nodeCount >= this.#maxNodes) throw new TooManyNodesError(this.#maxNodes);
    const capacity = Math.min(this.#capacity * 2, this.#maxNodes);
    const longer = this.#ownNodes.kind.length > capacity ? this.#ownNodes : makeNodes(capacity);
    copyNodes(this, longer, this.nodeCount);
    this.#ownNodes = longer;
    this.#useNodes(longer);
    this.#capacity = capacity;
  }

  #growLinks(): void {
    const capacity = this.linkCount * 2;
    const longer = this.#ownLinks.linkNode.length > capacity ? this.#ownLinks : makeLinks(capacity);
    copyLinks(this, longer, this.linkCount);
    this.#ownLinks = longer;
    this.#useLinks(longer);
  }

  #useNodes(nodes: NodeColumns): void {
    this.kind = nodes.kind;
    this.name = nodes.name;
    this.parent = nodes.parent;
    this.last = nodes.last;
    this.start = nodes.start;
    this.openEnd = nodes.openEnd;
    this.end = nodes.end;
    this.contentLow = nodes.contentLow;
    this.contentHigh = nodes.contentHigh;
    this.shapeLow = nodes.shapeLow;
    this.shapeHigh = nodes.shapeHigh;
    this.textStart = nodes.textStart;
  }

  #useLinks({ linkNode, linkStart, linkEnd }: LinkColumns): void {
    this.linkNode = linkNode;
    this.linkStart = linkStart;
    this.linkEnd = linkEnd;
  }
}

/** Bytes that a copy takes, its source included. */
export function copiedBytes({ source, nodeCount, textLength, linkCount }: Tree): number {
  return source.length + textLength + (nodeCount + 1) * NODE_BYTES + linkCount * LINK_BYTES;
}

/** Of all columns: kind, name, ten of four bytes; and of a link's three. */
const NODE_BYTES = 1 + 2 + 10 * 4;
const LINK_BYTES = 3 * 4;
