/** The title of a page. */
import { decodeReferences } from './character-references.ts';
import { TAG } from './tag-names.ts';
import { TEXT, type Tree } from './tree.ts';

/** The page's first title, references decoded, white space collapsed; empty when it has none. */
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

/** Titles inside drawings are tooltips. */
function inSvg(tree: Tree, node: number): boolean {
  for (let up = tree.parent[node]; up > 0; up = tree.parent[up]) if (tree.name[up] === TAG.svg) return true;
  return false;
}
