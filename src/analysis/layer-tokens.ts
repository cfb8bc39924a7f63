/**
 * The tokens that tell layouts apart (Leśniak 2017, Listings 2.6 and 2.7), one for each element of the
 * sanitised tree: `node_group_level_name` of the element, then the same three numbers with the name of each
 * ancestor up to the document. Attributes and text do not matter.
 *
 * `level` is the element's depth, 0 for html; `group` the number of its parent among the elements one level
 * up, whether they have children or not; `node` its number among its siblings. Listing 2.6 puts every node
 * and every group in front of those before it, so numbers run from the end of the page: kept as it is. What
 * stands after the changing part of a layer, a footer, has the same tokens on all pages; what stands before
 * it, a menu, has them only while nothing in its layer changes in number.
 *
 * Since all three numbers stand in every part, a token is the three numbers and the path of names: the hash
 * of the path is folded down the tree once and no string is made. Two passes over the nodes, no recursion.
 */
import { hashName } from '../parse/hashes.ts';
import { FIRST_FOREIGN_TAG, TAG } from '../parse/tag-names.ts';
import { ELEMENT, type Tree } from '../parse/tree.ts';
import { mix32 } from './byte-hash.ts';

/** Path hash of the document, which every path begins with. */
const DOCUMENT_PATH = 0x5bd1e995;
/** Level of a node that is no element or was taken out. */
const NONE = -2;

/** Makes the tokens of page after page; keeps its memory. */
export class LayerTokens {
  /** The hashes of the last page's tokens, all different but for collisions; the first `count` hold. */
  tokens = new Uint32Array(1024);
  count = 0;
  #path = new Int32Array(1024);
  #level = new Int32Array(1024);
  /** Children of each node seen so far, from the end. */
  #children = new Int32Array(1024);
  /** Elements of each level seen so far, from the end. */
  #atLevel = new Int32Array(256);

  /** Fills `tokens`, the last element of the page first. */
  make(tree: Tree): void {
    const { nodeCount, kind, name, parent, last } = tree;
    this.#reserve(nodeCount);
    const path = this.#path;
    const level = this.#level;
    const children = this.#children;
    const foreignHashes = tree.foreignNames.map(hashName);

    // downwards: the level and the path of every element that is left
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
        // nothing within is an element of the sanitised page
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

    // upwards: all elements of the parent's level that follow the parent have been seen, and no others
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

  /** Counters of levels, all 0: entry `d` counts the elements of level `d - 1`. */
  #levels(count: number): Int32Array {
    if (this.#atLevel.length < count) this.#atLevel = new Int32Array(count * 2);
    else this.#atLevel.fill(0, 0, count);
    return this.#atLevel;
  }
}
