/** Blocks of text: what stands between two breaks of a line, whatever inline elements it is made of. */
import { breaksWords } from '../parse/tag-names.ts';
import { ELEMENT, type Tree } from '../parse/tree.ts';

/** Whether no break of a line stands between two texts, of which `left` comes first. */
export function sameBlock({ kind, name, last, parent }: Tree, left: number, right: number): boolean {
  if (left === right) return true;
  for (let node = left + 1; node < right; node++) {
    if (kind[node] === ELEMENT && breaksWords(name[node])) return false;
  }
  // blocks that end between them
  for (let node = parent[left]; node > 0 && last[node] <= right; node = parent[node]) {
    if (breaksWords(name[node])) return false;
  }
  return true;
}
