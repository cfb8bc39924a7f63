import { expect } from 'vitest';
import { ELEMENT, type Tree } from '../src/parse/tree.ts';

/** What must hold for the columns of any page. */
export function validate(tree: Tree): void {
  const { nodeCount, parent, last, start, openEnd, end, textStart } = tree;
  expect(parent[0]).toBe(-1);
  expect([start[0], end[0], last[0]]).toEqual([0, tree.source.length, nodeCount]);
  for (let node = 1; node < nodeCount; node++) {
    const up = parent[node];
    if (!(up >= 0 && up < node && last[node] > node && last[node] <= last[up])) {
      throw new Error(`ids of node ${node} do not nest in ${up}`);
    }
    if (!(start[node] <= openEnd[node] && openEnd[node] <= end[node]))
      throw new Error(`node ${node} ends early`);
    if (start[node] < openEnd[up] && tree.kind[up] === ELEMENT) throw new Error(`node ${node} in a tag`);
    if (end[node] > end[up]) throw new Error(`bytes of node ${node} do not nest in ${up}`);
    // the sibling before ends before this one starts
    if (node - 1 !== up) {
      let before = node - 1;
      while (parent[before] !== up) before = parent[before];
      if (last[before] !== node || end[before] > start[node])
        throw new Error(`node ${node} overlaps ${before}`);
    }
    if (textStart[node] < textStart[node - 1]) throw new Error('text goes back');
    if (tree.kind[node] !== ELEMENT && (last[node] !== node + 1 || openEnd[node] !== end[node])) {
      throw new Error(`leaf ${node} has content`);
    }
  }
  expect(textStart[nodeCount]).toBe(tree.textLength);
  for (let link = 0; link < tree.linkCount; link++) {
    const node = tree.linkNode[link];
    if (link > 0 && node <= tree.linkNode[link - 1]) throw new Error(`link ${link} is out of order`);
    if (!(start[node] < tree.linkStart[link] && tree.linkStart[link] <= tree.linkEnd[link]))
      throw new Error(`link ${link} is not in its tag`);
    if (tree.linkEnd[link] >= openEnd[node]) throw new Error(`link ${link} is not in its tag`);
  }
}
