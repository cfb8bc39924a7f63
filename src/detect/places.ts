/**
 * Where a node stands on its page, as hashes. Two nodes of two pages stand at the same place when the
 * chain of tags from the root is the same and so is, at each step, the node's number among its siblings
 * of that tag: counted from the first, or counted from the last. Both are kept, because what comes before
 * the changing part of a page keeps its number from the front and what comes after it from the back. The
 * context is the tags of the node's nearest two ancestors, without numbers.
 *
 * Two passes over the columns, about 10 ns a node; nothing is allocated once the largest page was seen.
 */
import { mix32 } from '../compare/byte-hash.ts';
import { FIRST_FOREIGN_TAG } from '../parse/tag-names.ts';
import type { Tree } from '../parse/tree.ts';

/** Numbers of siblings are kept per depth and tag; foreign tags that share a row share their numbers. */
const TAGS = 256;
const DEPTHS = 64;
const FIRST_KIND = 240;
const FOREIGN = 255;

export type PlaceColumns = Pick<Tree, 'nodeCount' | 'kind' | 'name' | 'parent'>;

export class Places {
  /** By node: place counted from the front, from the back, and context. */
  fromFront = new Int32Array(4096);
  fromBack = new Int32Array(4096);
  context = new Int32Array(4096);
  #depth = new Uint16Array(4096);
  // who counted last in this row, and how far
  readonly #owner = new Int32Array(TAGS * DEPTHS);
  readonly #number = new Int32Array(TAGS * DEPTHS);

  /** Fills the columns for the nodes of a page. */
  fill({ nodeCount, kind, name, parent }: PlaceColumns): void {
    this.#reserve(nodeCount);
    const { fromFront, fromBack, context } = this;
    const depth = this.#depth;
    const owner = this.#owner;
    const number = this.#number;
    if (nodeCount === 0) return;

    // forward: number among the earlier siblings of the same tag
    owner.fill(-1);
    fromFront[0] = 1;
    fromBack[0] = 2;
    context[0] = 3;
    depth[0] = 0;
    for (let node = 1; node < nodeCount; node++) {
      const above = parent[node];
      const tag = tagOf(kind[node], name[node]);
      const level = depth[above] + 1;
      depth[node] = level;
      const row = (level % DEPTHS) * TAGS + (tag & (TAGS - 1));
      if (owner[row] !== above) {
        owner[row] = above;
        number[row] = 0;
      }
      fromFront[node] = mix32(Math.imul(fromFront[above], 0x9e3779b1) ^ (tag << 16) ^ ++number[row]);
      const second = parent[above] < 0 ? 0 : tagOf(kind[parent[above]], name[parent[above]]);
      context[node] = mix32(Math.imul(tagOf(kind[above], name[above]), 0x9e3779b1) ^ second);
    }

    // backward: number among the later ones; parents come before their children, so hash forward again
    owner.fill(-1);
    for (let node = nodeCount - 1; node > 0; node--) {
      const above = parent[node];
      const row = (depth[node] % DEPTHS) * TAGS + (tagOf(kind[node], name[node]) & (TAGS - 1));
      if (owner[row] !== above) {
        owner[row] = above;
        number[row] = 0;
      }
      fromBack[node] = ++number[row];
    }
    for (let node = 1; node < nodeCount; node++) {
      const tag = tagOf(kind[node], name[node]);
      fromBack[node] = mix32(Math.imul(fromBack[parent[node]], 0x85ebca6b) ^ (tag << 16) ^ fromBack[node]);
    }
  }

  #reserve(count: number): void {
    if (this.fromFront.length >= count) return;
    const capacity = Math.max(count, this.fromFront.length * 2);
    this.fromFront = new Int32Array(capacity);
    this.fromBack = new Int32Array(capacity);
    this.context = new Int32Array(capacity);
    this.#depth = new Uint16Array(capacity);
  }
}

/** Ids of foreign names differ from page to page: they count as one tag. Kinds lie above the ids in use. */
function tagOf(kind: number, name: number): number {
  if (name >= FIRST_FOREIGN_TAG) return FOREIGN;
  return name === 0 ? FIRST_KIND + kind : name;
}
