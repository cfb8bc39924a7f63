/**
 * Sibling template nodes become one template (Gibson et al. §3.1), across small gaps of changing content: a
 * date, a counter, the name of who is logged in. White space and comments between siblings are no gap; a
 * title is never one. Siblings on different numbers of pages stay templates of their own, though the gap
 * between them is template too: a header on every page would otherwise be another one with every page's
 * highlighted menu item.
 */
import { foldHash, type Lanes, startSequence } from '../compare/byte-hash.ts';
import { TAG } from '../parse/tag-names.ts';
import { COMMENT } from '../parse/tree.ts';
import type { NodeJudge } from './dom-evidence.ts';
import type { NodeColumns } from './node-walk.ts';

export interface GapLimits {
  gapBytes: number;
  gapTextBytes: number;
}

/** A template node, or several with the same parent. */
export interface NodeStretch {
  /** Ids of the first and the last node. */
  first: number;
  final: number;
  /** Where it ends, in bytes: with the last node, or where the template after a gap starts. */
  end: number;
  /** Template nodes in it. */
  members: number;
  /** Every one of them is on so many sampled pages. */
  pages: number;
  /** The content hash of the only node; of several, the hash of the sequence of theirs. */
  low: number;
  high: number;
}

export function findNodeStretches(columns: NodeColumns, judge: NodeJudge, limits: GapLimits): NodeStretch[] {
  const { parent, start, end, contentLow, contentHigh } = columns;
  const stretches: NodeStretch[] = [];
  const latestOf = new Map<number, number>(); // parent -> index of the latest stretch among its children
  const lanes: Lanes = { low: 0, high: 0 };

  for (const { node, pages } of judge.find(columns)) {
    const low = contentLow[node];
    const high = contentHigh[node];
    const index = latestOf.get(parent[node]);
    const before = index === undefined ? undefined : stretches[index];
    const joined = before !== undefined && isSmallGap(columns, before.final, node, limits);
    if (joined) {
      // whatever was found within the gap is part of it
      stretches.length = index! + 1;
      before.end = start[node];
    }
    if (joined && before.pages === pages) {
      if (before.members === 1) {
        startSequence(lanes);
        foldHash(before.low, before.high, lanes);
      } else {
        lanes.low = before.low;
        lanes.high = before.high;
      }
      foldHash(low, high, lanes);
      before.low = lanes.low;
      before.high = lanes.high;
      before.final = node;
      before.end = end[node];
      before.members++;
    } else {
      latestOf.set(parent[node], stretches.length);
      stretches.push({ first: node, final: node, end: end[node], members: 1, pages, low, high });
    }
  }
  return stretches;
}

function isSmallGap(columns: NodeColumns, before: number, after: number, limits: GapLimits): boolean {
  const { kind, name, last, start, end, textStart } = columns;
  if (textStart[after] - textStart[last[before]] > limits.gapTextBytes + 2) return false; // two separating spaces
  let bytes = 0;
  for (let node = last[before]; node < after; node = last[node]) {
    if (name[node] === TAG.title) return false; // no text of the page, but what it is called
    if (kind[node] !== COMMENT) bytes += end[node] - start[node];
    if (bytes > limits.gapBytes) return false;
  }
  return true;
}
