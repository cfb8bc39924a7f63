/**
 * Where a node stands on its page, as hashes. Two nodes of two pages stand at the same place when the
 * chain of tags from the root is the same and so is, at each step, the node's number among its siblings
 * of that tag: counted from the first, or counted from the last. Both are kept, because what comes before
 * the changing part of a page keeps its number from the front and what comes after it from the back. The
 * context is the tags of the node's nearest two ancestors, without numbers.
 *
 * Only the nodes asked for are placed, parents before children, all children of a parent at once; what
 * lies inside a template is never looked at. About 10 ns a node.
 */
import { mix32 } from '../compare/byte-hash.ts';
import { FIRST_FOREIGN_TAG } from '../parse/tag-names.ts';
import type { Tree } from '../parse/tree.ts';

/** Siblings of one tag are found by depth and tag; rows that chance to be shared cut them in two. */
const TAG_BITS = 8;
const DEPTHS = 64;
const FIRST_KIND = 240;
const FOREIGN = 255;
const MAX_ID = 2 ** 31 - 1;

export type PlaceColumns = Pick<Tree, 'nodeCount' | 'kind' | 'name' | 'parent'>;

export class Places {
  /** By node: its place counted from the front and from the back. Means something where it was placed. */
  fromFront = new Int32Array(4096);
  fromBack = new Int32Array(4096);
  #depth = new Uint16Array(4096);
  // by place in the list of nodes: tag, siblings of that tag it is one of, number among them
  #tag = new Uint8Array(4096);
  #row = new Int32Array(4096);
  #number = new Int32Array(4096);
  /** How many siblings a row of them has. */
  #rowSize = new Int32Array(4096);
  // by depth and tag: the parent who has the latest row, and the row. Ids of parents go on from page to page
  readonly #latest = new Int32Array((DEPTHS << TAG_BITS) * 2);
  #firstId = 1;
  #nextId = 1;

  /** Starts on a page: places its root. */
  open({ nodeCount }: PlaceColumns): void {
    if (this.fromFront.length < nodeCount) this.#reserve(Math.max(nodeCount, this.fromFront.length * 2));
    // rows of earlier pages are nobody's: their owners have lower ids
    if (this.#nextId + nodeCount > MAX_ID) {
      this.#latest.fill(0);
      this.#nextId = 1;
    }
    this.#firstId = this.#nextId;
    this.#nextId += nodeCount;
    this.fromFront[0] = 1;
    this.fromBack[0] = 2;
    this.#depth[0] = 0;
  }

  /** Places nodes[from, to): in document order, their parents placed or among them, no sibling left out. */
  place({ kind, name, parent }: PlaceColumns, nodes: Int32Array, from: number, to: number): void {
    const { fromFront, fromBack } = this;
    const depths = this.#depth;
    const tags = this.#tag;
    const rows = this.#row;
    const numbers = this.#number;
    const rowSize = this.#rowSize;
    const latest = this.#latest;
    const firstId = this.#firstId;

    // rows of siblings of the same tag, and each node's number in its row
    let rowCount = 0;
    for (let i = from; i < to; i++) {
      const node = nodes[i];
      const above = parent[node];
      const tag = tagOf(kind[node], name[node]);
      const depth = depths[above] + 1;
      const slot = (((depth % DEPTHS) << TAG_BITS) | tag) << 1;
      if (latest[slot] !== firstId + above) {
        latest[slot] = firstId + above;
        latest[slot + 1] = rowCount;
        rowSize[rowCount++] = 0;
      }
      const row = latest[slot + 1];
      depths[node] = depth;
      tags[i] = tag;
      rows[i] = row;
      numbers[i] = ++rowSize[row];
    }

    // now that the rows are whole: parents come before children, so the chains are hashed forward
    for (let i = from; i < to; i++) {
      const node = nodes[i];
      const above = parent[node];
      const tag = tags[i] << 16;
      const number = numbers[i];
      const numberFromBack = rowSize[rows[i]] - number + 1;
      fromFront[node] = mix32(Math.imul(fromFront[above], 0x9e3779b1) ^ tag ^ number);
      fromBack[node] = mix32(Math.imul(fromBack[above], 0x85ebca6b) ^ tag ^ numberFromBack);
    }
  }

  #reserve(capacity: number): void {
    this.fromFront = new Int32Array(capacity);
    this.fromBack = new Int32Array(capacity);
    this.#depth = new Uint16Array(capacity);
    this.#tag = new Uint8Array(capacity);
    this.#row = new Int32Array(capacity);
    this.#number = new Int32Array(capacity);
    this.#rowSize = new Int32Array(capacity);
  }
}

/** The tags of the nearest two ancestors. */
export function contextOf({ kind, name, parent }: PlaceColumns, node: number): number {
  const above = parent[node];
  if (above < 0) return 3;
  const second = parent[above];
  const outer = second < 0 ? 0 : tagOf(kind[second], name[second]);
  return mix32(Math.imul(tagOf(kind[above], name[above]), 0x9e3779b1) ^ outer);
}

/** Ids of foreign names differ from page to page: they count as one tag. Kinds lie above the ids in use. */
function tagOf(kind: number, name: number): number {
  if (name >= FIRST_FOREIGN_TAG) return FOREIGN;
  return name === 0 ? FIRST_KIND + kind : name;
}
