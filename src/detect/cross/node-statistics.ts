/** What the features of a text are made of: words, text, links and tags inside every node, in one walk. */
import type { PlacedTokens } from '../../analysis/page-tokens.ts';
import { TAG } from '../../parse/tag-names.ts';
import { ELEMENT, type Tree } from '../../parse/tree.ts';

export interface NodeStatistics {
  words: Int32Array;
  textBytes: Int32Array;
  /** Bytes of text inside links. */
  linkBytes: Int32Array;
  /** Elements inside, itself included. */
  tags: Int32Array;
  /** Neighbours under the same parent that are elements or have text; -1 for none. */
  previous: Int32Array;
  next: Int32Array;
}

export function measureNodes(tree: Tree, placed: PlacedTokens): NodeStatistics {
  const { nodeCount, kind, name, parent, last, textStart } = tree;
  const words = new Int32Array(nodeCount);
  const textBytes = new Int32Array(nodeCount);
  const linkBytes = new Int32Array(nodeCount);
  const tags = new Int32Array(nodeCount);
  const previous = new Int32Array(nodeCount).fill(-1);
  const next = new Int32Array(nodeCount).fill(-1);
  for (let i = 0; i < placed.nodeCount; i++) words[placed.treeNode[i]] = placed.wordCount[i];
  const lastChild = new Int32Array(nodeCount).fill(-1);
  for (let node = 1; node < nodeCount; node++) {
    textBytes[node] = textStart[last[node]] - textStart[node];
    if (kind[node] !== ELEMENT && textBytes[node] === 0) continue;
    const before = lastChild[parent[node]];
    previous[node] = before;
    if (before >= 0) next[before] = node;
    lastChild[parent[node]] = node;
  }
  for (let node = nodeCount - 1; node > 0; node--) {
    if (kind[node] === ELEMENT) {
      tags[node]++;
      if (name[node] === TAG.a) linkBytes[node] = textBytes[node];
    }
    tags[parent[node]] += tags[node];
    linkBytes[parent[node]] += linkBytes[node];
  }
  return { words, textBytes, linkBytes, tags, previous, next };
}
