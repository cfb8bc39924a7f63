/**
 * Where a node stands on its page, as hashes. Two nodes of two pages stand at the same place when the
 * chain of tags from the root is the same and so is, at each step, the node's number among its siblings
 * of that tag: counted from the first, or counted from the last. Both are kept, because what comes before
 * the changing part of a page keeps its number from the front and what comes after it from the back. The
 * context is the tags of the node's nearest two ancestors, without numbers.
 *
 * Nodes are placed when they are asked for: all children of a parent at once, after those of its ancestors.
 * So what has nothing to ask for in it is passed over. A child costs about 10 ns, once a page.
 */
import { mix32 } from '../analysis/byte-hash.ts';
import { FIRST_FOREIGN_TAG } from '../parse/tag-names.ts';
import type { Tree } from '../parse/tree.ts';

const TAGS = 256;
const FIRST_KIND = 240;
const FOREIGN = 255;
const NO_INTEGERS = new Int32Array(0);

export type PlaceColumns = Pick<Tree, 'nodeCount' | 'kind' | 'name' | 'parent' | 'last'>;

export class Places {
  /** By node: its place counted from the front and from the back. Means something where it was placed. */
  fromFront = NO_INTEGERS;
  fromBack = NO_INTEGERS;
  /** By node: the page on which its children were placed last, the pages numbered from 1. */
  #placedOn = NO_INTEGERS;
  #page = 0;
  #path = NO_INTEGERS;
  /** By tag: its children that are still to be numbered from the back; 0 between two parents. */
  readonly #left = new Int32Array(TAGS);

  constructor() {
    // a field that is set once is a constant to V8: all code that reads it would be compiled again when it grows
    this.#reserve(4096);
  }

  /** Starts on a page: places its root. */
  open({ nodeCount }: PlaceColumns): void {
    if (this.fromFront.length < nodeCount) this.#reserve(Math.max(nodeCount, this.fromFront.length * 2));
    this.#page++;
    this.fromFront[0] = 1;
    this.fromBack[0] = 2;
  }

  /** Places a node, when it is not placed yet. */
  place(columns: PlaceColumns, node: number): void {
    const { parent } = columns;
    const placedOn = this.#placedOn;
    const page = this.#page;
    const path = this.#path;
    let length = 0;
    for (let above = parent[node]; above >= 0 && placedOn[above] !== page; above = parent[above]) {
      placedOn[above] = page;
      path[length++] = above;
    }
    while (length > 0) this.placeChildren(columns, path[--length]);
  }

  /** Places the children of a node that is placed, for those who go down all of a page anyway. */
  placeChildren({ kind, name, last }: PlaceColumns, above: number): void {
    const { fromFront, fromBack } = this;
    const end = last[above];
    const front = Math.imul(fromFront[above], 0x9e3779b1);
    const back = Math.imul(fromBack[above], 0x85ebca6b);
    const first = above + 1;
    if (first < end && last[first] === end) {
      // an only child, as half of them are, is the first from either side
      const step = (tagOf(kind[first], name[first]) << 16) ^ 1;
      fromFront[first] = mix32(front ^ step);
      fromBack[first] = mix32(back ^ step);
      return;
    }
    const left = this.#left;
    for (let child = first; child < end; child = last[child]) {
      const tag = tagOf(kind[child], name[child]);
      fromFront[child] = mix32(front ^ (tag << 16) ^ ++left[tag]);
    }
    for (let child = first; child < end; child = last[child]) {
      const tag = tagOf(kind[child], name[child]);
      fromBack[child] = mix32(back ^ (tag << 16) ^ left[tag]--);
    }
  }

  #reserve(capacity: number): void {
    this.fromFront = new Int32Array(capacity);
    this.fromBack = new Int32Array(capacity);
    this.#placedOn = new Int32Array(capacity);
    this.#path = new Int32Array(capacity);
  }
}

/** The tags of the nearest two ancestors. */
export function contextOf(
  { kind, name, parent }: Pick<PlaceColumns, 'kind' | 'name' | 'parent'>,
  node: number,
): number {
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
