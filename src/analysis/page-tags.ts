/**
 * Numbers the start tags of pages, byte for byte: pages of a site are made of the same few hundred, and what is to be
 * read in a tag needs reading once. A tag is known by a 64-bit hash of its bytes and its element's name; those too short
 * for an attribute that matters have no number. Where a link leads is no part of how a page looks: of `<a href="…" …>`
 * only what follows counts. One pass over the elements, four bytes of a tag at a time.
 */

import { doubled } from '../model/growing-array.ts';
import { hashName } from '../parse/hashes.ts';
import { FIRST_FOREIGN_TAG } from '../parse/tag-names.ts';
import { ELEMENT, type Tree } from '../parse/tree.ts';
import { hashQuickly, type Lanes } from './byte-hash.ts';
import { HashCounter } from './hash-tables.ts';

/** `<a id=b>` is the shortest tag with an attribute that says something about how a page looks. */
const LEAST_BYTES = 8;
/** Tags that are kept from page to page; all are forgotten when there are more. */
const MOST_KNOWN = 1 << 15;
/** What links begin with whose address is passed over, `<a href="`, in two halves after the first byte. */
const LINK_BYTES = 9;
const LINK_START = new DataView(new TextEncoder().encode('a href="').buffer);
const A_HR = LINK_START.getInt32(0, true);
const EF_QUOTE = LINK_START.getInt32(4, true);
/** Keeps them apart from tags that are hashed whole. */
const LINK_SEED = 0x5bd1e995;
/** The number of what is no element and of tags that have none. */
export const NO_TAG = -1;

/** Numberings of this thread so far: whoever keeps what it read in a tag by its number must know whose number it is. */
let numberings = 0;

/** Reads page after page; what it tells of a page holds until the next is read. */
export class PageTags {
  /** By node of the page. */
  numbers = new Int32Array(1024);
  /** The different numbers on the page in the order they turn up, and a node that has each; the first `count` hold. */
  different = new Int32Array(256);
  nodes = new Int32Array(256);
  count = 0;
  /** Which numbers these are: another one when all tags have been forgotten, and for every other `PageTags`. */
  numbering = ++numberings;
  readonly #tags = new HashCounter();
  readonly #lanes: Lanes = { low: 0, high: 0 };
  /** By tag: the page on which it was met last. */
  #lastPage = new Int32Array(1024);
  #page = 0;

  /** Tags that are known. */
  get known(): number {
    return this.#tags.size;
  }

  read(tree: Tree): void {
    const { source, nodeCount, kind, name, start, openEnd, linkNode, linkCount, linkStart, linkEnd } = tree;
    this.#begin(nodeCount);
    const { numbers } = this;
    const page = this.#page;
    const tags = this.#tags;
    const lanes = this.#lanes;
    let lastPage = this.#lastPage;
    const view = new DataView(source.buffer, source.byteOffset, source.byteLength);
    const foreign = tree.foreignNames.map(hashName);
    let count = 0;
    let link = 0;
    for (let node = 0; node < nodeCount; node++) {
      if (kind[node] !== ELEMENT || openEnd[node] - start[node] < LEAST_BYTES) {
        numbers[node] = NO_TAG;
        continue;
      }
      const tag = name[node];
      const nameHash = tag < FIRST_FOREIGN_TAG ? tag : (foreign[tag - FIRST_FOREIGN_TAG] ?? 0);
      while (link < linkCount && linkNode[link] < node) link++;
      // an address that comes first and in double quotes: nothing in it can be taken for another attribute
      const isLink =
        link < linkCount &&
        linkNode[link] === node &&
        linkStart[link] === start[node] + LINK_BYTES &&
        view.getInt32(start[node] + 1, true) === A_HR &&
        view.getInt32(start[node] + 5, true) === EF_QUOTE;
      const from = isLink ? linkEnd[link] : start[node];
      const { low, high } = hashQuickly(view, from, openEnd[node], lanes);
      const number = tags.add(low ^ (isLink ? LINK_SEED : nameHash), high, 0);
      numbers[node] = number;
      if (lastPage[number] === page) continue;
      if (number >= lastPage.length) lastPage = this.#lastPage = doubled(lastPage);
      lastPage[number] = page;
      if (count === this.nodes.length) {
        this.different = doubled(this.different);
        this.nodes = doubled(this.nodes);
      }
      this.different[count] = number;
      this.nodes[count++] = node;
    }
    this.count = count;
  }

  #begin(nodeCount: number): void {
    this.#page++;
    if (this.numbers.length < nodeCount) this.numbers = new Int32Array(2 * nodeCount);
    if (this.#tags.size <= MOST_KNOWN) return;
    this.#tags.clear();
    this.#lastPage.fill(0);
    this.numbering = ++numberings;
  }
}
