/**
 * The composites of the paper's section 3.3: maximal primitive fragments that always stand side by side become one.
 * Class A is followed by class B when every member of A has a member of B as its next stored sibling, always with the
 * same between them, and B has no other members. Paths of such classes are the composites; partial merges (Fig. 2)
 * fall out. One pass over the runs of siblings, a few integers per class.
 */
import { mixHigh, mixLow } from '../../parse/hashes.ts';
import { ClassList, type MaximalClasses } from './fragment-sweep.ts';
import type { SiblingRuns } from './sibling-runs.ts';

/** Merges primitive classes; takes their `classOfRow` over. */
export function mergeAdjacentClasses(maximal: MaximalClasses, runs: SiblingRuns): MaximalClasses {
  const { count, classOfRow, ids } = maximal;
  const { rows, gaps, length } = runs;
  const memberCount = new Uint32Array(count + 1);
  for (const number of classOfRow) memberCount[number]++;
  // by class: what follows its first member, with which gap, and for how many members it is the same
  const next = new Uint32Array(count + 1);
  const gapAfter = new Uint32Array(count + 1);
  const sameCount = new Uint32Array(count + 1);
  for (let at = 0; at + 1 < length; at++) {
    const number = classOfRow[rows[at]];
    const following = classOfRow[rows[at + 1]];
    if (gaps[at] === 0 || number === 0 || following === 0 || number === following) continue;
    if (next[number] === 0) {
      next[number] = following;
      gapAfter[number] = gaps[at];
    }
    if (next[number] === following && gapAfter[number] === gaps[at]) sameCount[number]++;
  }

  // as many pairs as either has members: no member of either is left over
  const follows = new Uint8Array(count + 1);
  for (let number = 1; number <= count; number++) {
    const { [number]: following } = next;
    const always =
      sameCount[number] === memberCount[number] && memberCount[following] === memberCount[number];
    if (following === 0 || !always) next[number] = 0;
    else follows[following] = 1;
  }

  // paths are numbered by their first classes; members begin where these have theirs
  const merged = new ClassList();
  const numberOf = new Uint32Array(count + 1);
  for (let first = 1; first <= count; first++) {
    if (follows[first] === 1) continue;
    let low = ids[first * 2];
    let high = ids[first * 2 + 1];
    let parts = 1;
    for (let part = next[first]; part !== 0; part = next[part], parts++) {
      high += ids[part * 2 + 1];
      low = mixLow(low ^ ids[part * 2], high);
      high = mixHigh(low, high);
    }
    numberOf[first] = merged.add(low, high, parts);
  }
  for (let row = 0; row < classOfRow.length; row++) classOfRow[row] = numberOf[classOfRow[row]];
  return merged.finish(classOfRow, runs);
}
