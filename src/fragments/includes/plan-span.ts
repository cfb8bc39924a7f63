/**
 * Cuts a stretch of a page into what stays text and what comes from elsewhere. Nodes are visited in document
 * order, so the outermost fragment that has a file is taken and nothing within it is looked at.
 */
import { ELEMENT, type Tree } from '../../parse/tree.ts';
import type { Occurrence } from './fragment-table.ts';
import type { ChosenPartial } from './partial-table.ts';
import type { Skeleton } from './skeleton.ts';

export interface PartialCall {
  partial: ChosenPartial;
  skeleton: Skeleton;
  start: number;
  end: number;
}

export type Piece =
  | { kind: 'text'; start: number; end: number }
  | ({ kind: 'fragment' } & Occurrence)
  | ({ kind: 'partial' } & PartialCall)
  | { kind: 'parameter'; start: number; end: number; name: string };

/** The pieces of `[start, end)`, whose first node is `node`; `pick` says what comes in a node's place, if anything. */
export function planSpan(
  tree: Tree,
  { node: first, start, end }: { node: number; start: number; end: number },
  pick: (node: number) => Piece | undefined,
): Piece[] {
  const pieces: Piece[] = [];
  let cursor = start;
  for (let node = first; node < tree.nodeCount && tree.start[node] < end; ) {
    const piece = tree.kind[node] === ELEMENT && tree.start[node] >= cursor ? pick(node) : undefined;
    if (piece === undefined) {
      node++;
      continue;
    }
    if (piece.start > cursor) pieces.push({ kind: 'text', start: cursor, end: piece.start });
    pieces.push(piece);
    cursor = piece.end;
    node = Math.max(tree.last[node], node + 1);
  }
  if (cursor < end) pieces.push({ kind: 'text', start: cursor, end });
  return pieces;
}
