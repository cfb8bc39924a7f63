/**
 * The copy of a page that the browser is given: each start tag that made an element of our tree has that
 * element's number as a first attribute, ` data-chaff="17"`. So boxes find their nodes whatever the browser
 * moves, repeats or leaves out; no stylesheet asks for such an attribute, and the page itself stays as it is.
 *
 * Formatting elements (`b`, `font` …) are left unmarked: the standard has browsers open them again when they are
 * misnested, and lets no more than three equal ones pile up. With numbers no two would be equal, and old pages
 * that never close a `font` would grow without end. They are found by their place among marked ones.
 */
import { tagsOf } from '../parse/tag-names.ts';
import { ELEMENT, type Tree } from '../parse/tree.ts';

export const MARK = 'data-chaff';

const UNMARKED = new Set(tagsOf('b big code em font i nobr s small strike strong tt u'));
const LESS = 0x3c;

/** Whether a start tag of this node stands in the source and is marked in the copy. */
export function isMarked({ kind, name, start, openEnd, source }: Tree, node: number): boolean {
  return (
    kind[node] === ELEMENT &&
    openEnd[node] > start[node] + 1 &&
    source[start[node]] === LESS &&
    !UNMARKED.has(name[node])
  );
}

export function markedCopy(tree: Tree): Buffer {
  const { source, nodeCount, start, openEnd } = tree;
  const starts: number[] = [];
  for (let node = 0; node < nodeCount; node++) if (isMarked(tree, node)) starts.push(node);
  // nodes stand in source order but for those that misnested formatting has moved
  starts.sort((a, b) => start[a] - start[b]);

  const copy = Buffer.allocUnsafe(source.length + starts.length * (MARK.length + 4 + 10));
  let from = 0;
  let to = 0;
  for (const node of starts) {
    const at = endOfName(source, start[node] + 1, openEnd[node]);
    if (at <= from) continue; // a tag is marked once
    copy.set(source.subarray(from, at), to);
    to += at - from;
    to += copy.write(` ${MARK}="${node}"`, to, 'latin1');
    from = at;
  }
  copy.set(source.subarray(from), to);
  return copy.subarray(0, to + source.length - from);
}

function endOfName(source: Uint8Array, from: number, end: number): number {
  let at = from;
  for (; at < end; at++) {
    const byte = source[at];
    if (byte <= 0x20 || byte === 0x2f || byte === 0x3e) break;
  }
  return at;
}
