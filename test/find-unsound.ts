import { ELEMENT, type Tree } from '../src/parse/tree.ts';

/** What is wrong with the columns of a page; empty when they are sound. Needs no test runner. */
export function findUnsound(tree: Tree): string {
  const { nodeCount, parent, last, start, openEnd, end, textStart } = tree;
  if (parent[0] !== -1) return 'the document has a parent';
  if (start[0] !== 0 || end[0] !== tree.source.length || last[0] !== nodeCount) {
    return 'the document does not span the source';
  }
  for (let node = 1; node < nodeCount; node++) {
    const up = parent[node];
    if (!(up >= 0 && up < node && last[node] > node && last[node] <= last[up])) {
      return `ids of node ${node} do not nest in ${up}`;
    }
    if (!(start[node] <= openEnd[node] && openEnd[node] <= end[node])) return `node ${node} ends early`;
    if (start[node] < openEnd[up] && tree.kind[up] === ELEMENT) return `node ${node} in a tag`;
    if (end[node] > end[up]) return `bytes of node ${node} do not nest in ${up}`;
    // the sibling before ends before this one starts
    if (node - 1 !== up) {
      let before = node - 1;
      while (parent[before] !== up) before = parent[before];
      if (last[before] !== node || end[before] > start[node]) return `node ${node} overlaps ${before}`;
    }
    if (textStart[node] < textStart[node - 1]) return 'text goes back';
    if (tree.kind[node] !== ELEMENT && (last[node] !== node + 1 || openEnd[node] !== end[node])) {
      return `leaf ${node} has content`;
    }
  }
  if (textStart[nodeCount] !== tree.textLength) return 'the text does not end where the nodes do';
  return findUnsoundLink(tree);
}

function findUnsoundLink({ linkCount, linkNode, linkStart, linkEnd, start, openEnd }: Tree): string {
  for (let link = 0; link < linkCount; link++) {
    const node = linkNode[link];
    if (link > 0 && node <= linkNode[link - 1]) return `link ${link} is out of order`;
    const isInTag =
      start[node] < linkStart[link] && linkStart[link] <= linkEnd[link] && linkEnd[link] < openEnd[node];
    if (!isInTag) return `link ${link} is not in its tag`;
  }
  return '';
}
