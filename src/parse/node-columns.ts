/** The arrays that make up the columns of a tree: made, in memory of their own or in the one that is shared, and copied. */
import { LINK_CAPACITY, LINKS, NODE_CAPACITY, NODES, STAGGER_BYTES } from './kernel-layout.ts';
import type { Tree } from './tree.ts';

/** Columns of the nodes, with one entry more than there may be nodes. */
export type NodeColumns = Pick<Tree, keyof typeof NODES>;
export type LinkColumns = Pick<Tree, keyof typeof LINKS>;

/** Columns in the memory that is shared. */
export interface SharedColumns {
  nodes: NodeColumns;
  links: LinkColumns;
}

/** The columns that parsers share, in their memory. */
export function sharedColumns(memory: ArrayBuffer): SharedColumns {
  return {
    nodes: nodesAt((name) => [memory, NODES[name], NODE_CAPACITY + 1]),
    links: linksAt((name) => [memory, LINKS[name], LINK_CAPACITY]),
  };
}

/** What the constructors of typed arrays take. */
type ArrayPlace = [buffer: ArrayBuffer, byteOffset: number, length: number];

/** Columns for so many nodes, which start at different cache lines. */
export function makeNodes(capacity: number): NodeColumns {
  let made = 0;
  return nodesAt(() => {
    const offset = made++ * STAGGER_BYTES;
    return [new ArrayBuffer(offset + 4 * (capacity + 1)), offset, capacity + 1];
  });
}

/** Columns for so many links. */
export function makeLinks(capacity: number): LinkColumns {
  return linksAt(() => [new ArrayBuffer(4 * capacity), 0, capacity]);
}

function nodesAt(place: (name: keyof NodeColumns) => ArrayPlace): NodeColumns {
  return {
    kind: new Uint8Array(...place('kind')),
    name: new Uint16Array(...place('name')),
    parent: new Int32Array(...place('parent')),
    last: new Int32Array(...place('last')),
    start: new Int32Array(...place('start')),
    openEnd: new Int32Array(...place('openEnd')),
    end: new Int32Array(...place('end')),
    contentLow: new Int32Array(...place('contentLow')),
    contentHigh: new Int32Array(...place('contentHigh')),
    shapeLow: new Int32Array(...place('shapeLow')),
    shapeHigh: new Int32Array(...place('shapeHigh')),
    textStart: new Int32Array(...place('textStart')),
  };
}

function linksAt(place: (name: keyof LinkColumns) => ArrayPlace): LinkColumns {
  return {
    linkNode: new Int32Array(...place('linkNode')),
    linkStart: new Int32Array(...place('linkStart')),
    linkEnd: new Int32Array(...place('linkEnd')),
  };
}

/** Copies the first `count` nodes, and where the text of the next one starts. */
export function copyNodes(from: NodeColumns, to: NodeColumns, count: number): void {
  to.kind.set(from.kind.subarray(0, count));
  to.name.set(from.name.subarray(0, count));
  to.parent.set(from.parent.subarray(0, count));
  to.last.set(from.last.subarray(0, count));
  to.start.set(from.start.subarray(0, count));
  to.openEnd.set(from.openEnd.subarray(0, count));
  to.end.set(from.end.subarray(0, count));
  to.contentLow.set(from.contentLow.subarray(0, count));
  to.contentHigh.set(from.contentHigh.subarray(0, count));
  to.shapeLow.set(from.shapeLow.subarray(0, count));
  to.shapeHigh.set(from.shapeHigh.subarray(0, count));
  to.textStart.set(from.textStart.subarray(0, count + 1));
}

/** Copies the first `count` links. */
export function copyLinks(from: LinkColumns, to: LinkColumns, count: number): void {
  to.linkNode.set(from.linkNode.subarray(0, count));
  to.linkStart.set(from.linkStart.subarray(0, count));
  to.linkEnd.set(from.linkEnd.subarray(0, count));
}

/** A power of two times `first` that is enough for `count`. */
export function enough(count: number, first: number): number {
  let capacity = first;
  while (capacity < count) capacity *= 2;
  return capacity;
}
