/**
 * Signatures of layouts: MinHash over the tokens of a page's tags. There are two kinds of tokens, and
 * signatures of different kinds cannot be compared. The memory of a signer is used again from page to page.
 */

import { findAttribute } from '../parse/attributes.ts';
import { hashName } from '../parse/hashes.ts';
import { FIRST_FOREIGN_TAG, TAG } from '../parse/tag-names.ts';
import { ELEMENT, type Tree } from '../parse/tree.ts';
import { mix32 } from './byte-hash.ts';
import { MinHash, type MinHashOptions } from './minhash.ts';
import { NO_TAG, PageTags } from './page-tags.ts';

/**
 * Kinds of layout tokens. `paths`: tags and classes from the root down (`PathTokens`), which do not change
 * with the length of a page; `layers`: numbered tokens as in Leśniak's thesis (`LayerTokens`).
 */
export const LAYOUT_TOKENS = ['paths', 'layers'] as const;
/** One of LAYOUT_TOKENS. */
export type LayoutTokens = (typeof LAYOUT_TOKENS)[number];

/** Computes layout signatures of pages. */
export class LayoutSigner {
  readonly #paths = new PathTokens();
  readonly #layers = new LayerTokens();
  readonly #minHash: MinHash;

  constructor(options: MinHashOptions = {}) {
    this.#minHash = new MinHash(options);
  }

  /** Writes the signature of a page to `out` from `start`. */
  sign(tree: Tree, kind: LayoutTokens, out: Uint32Array, start = 0): void {
    if (kind === 'paths') {
      this.signPaths(tree, undefined, out, start);
      return;
    }
    this.#layers.make(tree);
    this.#minHash.sign(this.#layers.tokens, this.#layers.count, out, start);
  }

  /**
   * Writes the signature with tokens of the kind `paths`; `tags` is given if it has already read the page.
   */
  signPaths(tree: Tree, tags: PageTags | undefined, out: Uint32Array, start = 0): void {
    this.#paths.make(tree, tags);
    this.#minHash.sign(this.#paths.tokens, this.#paths.count, out, start);
  }
}

/** Path hash of the document, with which every path begins. */
const DOCUMENT_PATH = 0x5bd1e995;
/** Level of a node that is not an element or was removed. */
const NONE = -2;

/**
 * Makes the layout tokens of the thesis (Leśniak 2017, Listings 2.6 and 2.7), one for each element of the
 * sanitised tree: `node_group_level_name` of the element, then the same three numbers with the name of each
 * ancestor up to the document. Attributes and text do not matter.
 *
 * `level` is the element's depth, 0 for html; `group` is the number of its parent among the elements one
 * level up, with or without children; `node` is its number among its siblings. Listing 2.6 prepends every
 * node and every group, so numbers run from the end of the page; this is kept. Elements after the changing
 * part of a layer, such as a footer, thus have the same tokens on all pages. Elements before it, such as a
 * menu, have them only if the number of elements in its layer does not change.
 *
 * All three numbers occur in every part, so a token is the three numbers and the path of names. The hash of
 * the path is folded down the tree once, and no string is made. Two passes over the nodes, no recursion;
 * memory is used again for the next page.
 */
export class LayerTokens {
  /** Hashes of the last page's tokens, all different except for collisions; the first `count` are valid. */
  tokens = new Uint32Array(1024);
  count = 0;
  #path = new Int32Array(1024);
  #level = new Int32Array(1024);
  /** Number of children of each node seen so far, from the end. */
  #children = new Int32Array(1024);
  /** Number of elements of each level seen so far, from the end. */
  #atLevel = new Int32Array(256);

  /** Fills `tokens`, with the last element of the page first. */
  make(tree: Tree): void {
    const { nodeCount, kind, name, parent, last } = tree;
    this.#reserve(nodeCount);
    const path = this.#path;
    const level = this.#level;
    const children = this.#children;
    const foreignHashes = tree.foreignNames.map(hashName);

    // downwards: compute the level and path of every element that is not removed
    let deepest = 0;
    path[0] = DOCUMENT_PATH;
    level[0] = -1;
    children[0] = 0;
    for (let node = 1; node < nodeCount; ) {
      level[node] = NONE;
      if (kind[node] !== ELEMENT) {
        node++;
        continue;
      }
      const tag = name[node];
      if (tag === TAG.script || tag === TAG.iframe) {
        // no node inside is an element of the sanitised page
        level.fill(NONE, node, last[node]);
        node = last[node];
        continue;
      }
      const above = parent[node];
      const nameHash = tag < FIRST_FOREIGN_TAG ? tag : (foreignHashes[tag - FIRST_FOREIGN_TAG] ?? 0);
      path[node] = mix32(Math.imul(path[above], 0x9e3779b1) ^ nameHash);
      const depth = level[above] + 1;
      level[node] = depth;
      if (depth > deepest) deepest = depth;
      children[node] = 0;
      node++;
    }

    // upwards: exactly those elements of the parent's level that follow the parent have been seen
    const atLevel = this.#levels(deepest + 2);
    const { tokens } = this;
    let count = 0;
    for (let node = nodeCount - 1; node > 0; node--) {
      const depth = level[node];
      if (depth === NONE) continue;
      const nodeNr = children[parent[node]]++;
      const groupNr = atLevel[depth];
      atLevel[depth + 1]++;
      const numbers = Math.imul(nodeNr + 1, 0x85ebca6b) ^ Math.imul(groupNr + 1, 0xc2b2ae35);
      tokens[count++] = mix32(path[node] ^ mix32(numbers));
    }
    this.count = count;
  }

  #reserve(nodes: number): void {
    if (this.#path.length >= nodes) return;
    const capacity = Math.max(nodes, this.#path.length * 2);
    this.tokens = new Uint32Array(capacity);
    this.#path = new Int32Array(capacity);
    this.#level = new Int32Array(capacity);
    this.#children = new Int32Array(capacity);
  }

  /** Returns counters of levels, all 0: entry `d` counts the elements of level `d - 1`. */
  #levels(count: number): Int32Array {
    if (this.#atLevel.length < count) this.#atLevel = new Int32Array(count * 2);
    else this.#atLevel.fill(0, 0, count);
    return this.#atLevel;
  }
}

/** Number of recent tokens to compare with, a power of two larger than the distinct tokens of most pages. */
const RECENT = 1024;

/**
 * Makes layout tokens that do not depend on the length of a page: for each element the names from the root
 * down to it and the classes of itself, its parent and its grandparent, without digits (`post-1234` is the
 * same on every page). A list of ten and one of twenty items have the same tokens, whereas the numbered
 * tokens of the thesis (`LayerTokens`) differ for all elements before the list in its layer.
 *
 * Most repeated tokens are left out, since MinHash treats them as a set. One pass, no string, no recursion;
 * the class of each distinct start tag is read once (page-tags.ts). Memory is used again for the next page.
 */
export class PathTokens {
  /** Hashes of the last page's tokens; the first `count` are valid. */
  tokens = new Uint32Array(1024);
  count = 0;
  #path = new Int32Array(1024);
  #class = new Int32Array(1024);
  readonly #recent = new Uint32Array(RECENT);
  /** By number of a start tag: the hash of its class, once it has been read. */
  #classOfTag: (number | undefined)[] = [];
  #numbering = 0;
  readonly #ownTags = new PageTags();

  /** Fills `tokens` for the elements other than script and iframe; `tags` must have read the page. */
  make(tree: Tree, tags = this.#readTags(tree)): void {
    const { nodeCount, kind, name, parent, last } = tree;
    this.#reserve(nodeCount);
    this.#readClasses(tree, tags);
    const path = this.#path;
    const classes = this.#class;
    const classOfTag = this.#classOfTag as number[];
    const { tokens } = this;
    const { numbers } = tags;
    const recent = this.#recent.fill(0);
    const foreignHashes = tree.foreignNames.map(hashName);
    let count = 0;
    path[0] = 0;
    classes[0] = 0;
    for (let node = 1; node < nodeCount; node++) {
      if (kind[node] !== ELEMENT) continue;
      const tag = name[node];
      if (tag === TAG.script || tag === TAG.iframe) {
        node = last[node] - 1;
        continue;
      }
      const above = parent[node];
      const nameHash = tag < FIRST_FOREIGN_TAG ? tag : (foreignHashes[tag - FIRST_FOREIGN_TAG] ?? 0);
      path[node] = mix32(Math.imul(path[above], 0x9e3779b1) ^ nameHash);
      classes[node] = numbers[node] === NO_TAG ? 0 : classOfTag[numbers[node]];
      const grandparent = above === 0 ? 0 : parent[above];
      const near = Math.imul(classes[above], 0x85ebca6b) + Math.imul(classes[grandparent], 0x27d4eb2f);
      const token = mix32(path[node] ^ mix32(classes[node] + near)) >>> 0;
      // zero marks an empty entry
      if (recent[token & (RECENT - 1)] === token && token !== 0) continue;
      recent[token & (RECENT - 1)] = token;
      tokens[count++] = token;
    }
    this.count = count;
  }

  #readTags(tree: Tree): PageTags {
    this.#ownTags.read(tree);
    return this.#ownTags;
  }

  #readClasses({ source, start, openEnd }: Tree, { different, nodes, count, numbering }: PageTags): void {
    if (numbering !== this.#numbering) this.#classOfTag = [];
    this.#numbering = numbering;
    const classOfTag = this.#classOfTag;
    for (let k = 0; k < count; k++) {
      const node = nodes[k];
      classOfTag[different[k]] ??= hashClass(source, start[node], openEnd[node]);
    }
  }

  #reserve(nodes: number): void {
    if (this.#path.length >= nodes) return;
    const capacity = Math.max(nodes, this.#path.length * 2);
    this.tokens = new Uint32Array(capacity);
    this.#path = new Int32Array(capacity);
    this.#class = new Int32Array(capacity);
  }
}

/** Returns the hash of the class of the start tag at `[start, end)` without digits; 0 if it has none. */
function hashClass(source: Uint8Array, start: number, end: number): number {
  const span = findAttribute(source, start, end, 'class');
  if (span === undefined || span.valueStart === span.nameEnd) return 0;
  let hash = 0x811c9dc5;
  for (let p = span.valueStart; p < span.valueEnd; p++) {
    const byte = source[p];
    if (byte < 0x30 || byte > 0x39) hash = Math.imul(hash ^ byte, 0x01000193);
  }
  return hash;
}
