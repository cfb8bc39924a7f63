import { decodeReferences } from './character-references.ts';
import { TAG } from './tag-names.ts';
import { TEXT, type Tree } from './tree.ts';

/**
 * Returns the text of the page's first title, with references decoded and white space collapsed; empty if the
 * page has no title.
 */
export function readTitle(tree: Tree): string {
  for (let node = 1; node < tree.nodeCount; node++) {
    if (tree.name[node] !== TAG.title || tree.last[node] === node + 1 || inSvg(tree, node)) continue;
    const child = node + 1;
    if (tree.kind[child] !== TEXT) continue;
    const text = decoder.decode(tree.source.subarray(tree.start[child], tree.end[child]));
    return decodeReferences(text).replace(/\s+/g, ' ').trim();
  }
  return '';
}

const decoder = new TextDecoder();

/** Whether a title is inside an svg element, where it is a tooltip. */
function inSvg(tree: Tree, node: number): boolean {
  for (let up = tree.parent[node]; up > 0; up = tree.parent[up]) if (tree.name[up] === TAG.svg) return true;
  return false;
}
