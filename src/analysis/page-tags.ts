/**
 * Numbers the start tags of pages by their bytes. Pages of a site have the same few hundred tags, so that
 * values read from a tag need reading only once. A tag is identified by a 64-bit hash of its bytes and its
 * element's name; tags too short for an attribute that matters have no number. The address of a link does not
 * change the look of a page, so of `<a href="…" …>` only the bytes after the address count. One pass over the
 * elements, four bytes of a tag at a time.
 */

import { doubled } from '../model/growing-array.ts';
import { hashName } from '../parse/hashes.ts';
import { FIRST_FOREIGN_TAG } from '../parse/tag-names.ts';
import { ELEMENT, type Tree } from '../parse/tree.ts';
import { hashQuickly, type Lanes } from './byte-hash.ts';
import { HashCounter } from './hash-tables.ts';

/** Bytes of `<a id=b>`, the shortest tag with an attribute that can change the look of a page. */
const MIN_BYTES = 8;
/** Maximum number of tags that are kept from page to page; when there are more, all are removed. */
const MAX_CACHED = 1 << 15;
/** Start of the links whose address is ignored, `<a href="`, in two halves after the first byte. */
const LINK_BYTES = 9;
const LINK_START = new DataView(new TextEncoder().encode('a href="').buffer);
const A_HR = LINK_START.getInt32(0, true);
const EF_QUOTE = LINK_START.getInt32(4, true);
/** Keeps the hashes of links apart from those of tags that are hashed as a whole. */
const LINK_SEED = 0x5bd1e995;
/** The number of nodes that are not elements, and of tags without a number. */
export const NO_TAG = -1;

/**
 * Count of the numberings of this thread. A caller that stores values by tag number must also store the
 * numbering.
 */
let numberings = 0;

/** Numbers the tags of one page after another; columns are valid until the next page is read. */
export class PageTags {
  /** Number of the tag of each node. */
  numbers = new Int32Array(1024);
  /**
   * The distinct numbers on the page in their order of appearance, and a node with each; the first `count`
   * are valid.
   */
  different = new Int32Array(256);
  nodes = new Int32Array(256);
  count = 0;
  /** Identifies the numbering: it changes when all tags are removed, and differs between objects. */
  numbering = ++numberings;
  readonly #tags = new HashCounter();
  readonly #lanes: Lanes = { low: 0, high: 0 };
  /** By tag: the last page that had it. */
  #lastPage = new Int32Array(1024);
  #page = 0;

  /** Number of tags that have a number. */
  get known(): number {
    return this.#tags.size;
  }

  /** Numbers the start tags of a page. */
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
      if (kind[node] !== ELEMENT || openEnd[node] - start[node] < MIN_BYTES) {
        numbers[node] = NO_TAG;
        continue;
      }
      const tag = name[node];
      const nameHash = tag < FIRST_FOREIGN_TAG ? tag : (foreign[tag - FIRST_FOREIGN_TAG] ?? 0);
      while (link < linkCount && linkNode[link] < node) link++;
      // the address comes first and in double quotes, so nothing in it can be taken for another attribute
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
    if (this.#tags.size <= MAX_CACHED) return;
    this.#tags.clear();
    this.#lastPage.fill(0);
    this.numbering = ++numberings;
  }
}
