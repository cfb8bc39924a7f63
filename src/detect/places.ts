/**
 * Where a node stands on its page, as hashes. Two nodes of two pages stand at the same place when the
 * chain of tags from the root is the same and so is, at each step, the node's number among its siblings
 * of that tag: counted from the first, or counted from the last. Both are kept, because what comes before
 * the changing part of a page keeps its number from the front and what comes after it from the back. The
 * context is the tags of the node's nearest two ancestors, without numbers.
 *
 * Only the nodes asked for are placed, parents before children, all children of a parent at once; what
 * lies inside a template is never looked at. About 20 ns a node.
 */
import { mix32 } from '../compare/byte-hash.ts';
import { FIRST_FOREIGN_TAG } from '../parse/tag-names.ts';
import type { Tree } from '../parse/tree.ts';

/** Numbers of siblings are kept per depth and tag; rows that chance to be shared share their numbers. */
const TAGS = 256;
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
  // who counted last in this row, and how far; one of each for either direction. Ids go on from page to page
  readonly #frontOwner = new Int32Array(TAGS * DEPTHS);
  readonly #frontNumber = new Int32Array(TAGS * DEPTHS);
  readonly #backOwner = new Int32Array(TAGS * DEPTHS);
  readonly #backNumber = new Int32Array(TAGS * DEPTHS);
  #firstId = 1;
  #nextId = 1;

  /** Starts on a page: places its root. */
  open({ nodeCount }: PlaceColumns): void {
    if (this.fromFront.length < nodeCount) {
      const capacity = Math.max(nodeCount, this.fromFront.length * 2);
      this.fromFront = new Int32Array(capacity);
      this.fromBack = new Int32Array(capacity);
      this.#depth = new Uint16Array(capacity);
    }
    // rows of earlier pages are nobody's: their owners have lower ids
    if (this.#nextId + nodeCount > MAX_ID) {
      this.#frontOwner.fill(0);
      this.#backOwner.fill(0);
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
    const depth = this.#depth;
    const frontOwner = this.#frontOwner;
    const frontNumber = this.#frontNumber;
    const backOwner = this.#backOwner;
    const backNumber = this.#backNumber;
    const firstId = this.#firstId;

    // forward: number among the earlier siblings of the same tag
    for (let i = from; i < to; i++) {
      const node = nodes[i];
      const above = parent[node];
      const tag = tagOf(kind[node], name[node]);
      const level = depth[above] + 1;
      depth[node] = level;
      const row = (level % DEPTHS) * TAGS + tag;
      if (frontOwner[row] !== firstId + above) {
        frontOwner[row] = firstId + above;
        frontNumber[row] = 0;
      }
      fromFront[node] = mix32(Math.imul(fromFront[above], 0x9e3779b1) ^ (tag << 16) ^ ++frontNumber[row]);
    }

    // backward: number among the later ones; parents come before children, so the chain is hashed forward
    for (let i = to - 1; i >= from; i--) {
      const node = nodes[i];
      const above = parent[node];
      const row = (depth[node] % DEPTHS) * TAGS + tagOf(kind[node], name[node]);
      if (backOwner[row] !== firstId + above) {
        backOwner[row] = firstId + above;
        backNumber[row] = 0;
      }
      fromBack[node] = ++backNumber[row];
    }
    for (let i = from; i < to; i++) {
      const node = nodes[i];
      const tag = tagOf(kind[node], name[node]);
      fromBack[node] = mix32(Math.imul(fromBack[parent[node]], 0x85ebca6b) ^ (tag << 16) ^ fromBack[node]);
    }
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
