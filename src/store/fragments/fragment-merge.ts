/**
 * Maximal fragments that always stand side by side become one composite: class A is followed by class B when
 * every member of A has a member of B as its next stored sibling, always with the same between them, and B
 * has no other members. Paths of such classes are the composites; partial merges fall out.
 *
 * One pass over the rows in document order, a few integers per class: as fast for 100,000 siblings under one
 * parent as for two.
 */
import type { DuckDBConnection } from '@duckdb/node-api';
import type { Relation } from '../../fragments/shared-page.ts';
import { mixHigh, mixLow } from '../../parse/hashes.ts';
import { streamVectors } from '../vector-stream.ts';
import { COVERED, type DigestRows, type MaximalClasses } from './fragment-sweep.ts';

/** Result classes, numbered from 1: primitive ones, and composites of several. */
export interface MergedClasses {
  classCount: number;
  /** By result class: 64-bit id in two lanes, low first; number of parts. */
  ids: Uint32Array;
  parts: Uint32Array;
  /** By maximal class: the result class it is a part of. */
  mergedClass: Uint32Array;
  /** By maximal class: whether it is the first part, 1, and the last, 2. */
  position: Uint8Array;
}

const FIRST = 1;
const LAST = 2;

export async function mergeAdjacentClasses(
  connection: DuckDBConnection,
  { from }: DigestRows,
  maximal: MaximalClasses,
  relation: Relation,
): Promise<MergedClasses> {
  const { classCount, classOfRow } = maximal;
  const memberCount = new Uint32Array(classCount + 1);
  // by class: what follows its first member, with which gap, and for how many members it is the same
  const next = new Uint32Array(classCount + 1);
  const gaps = new Uint32Array((classCount + 1) * 2);
  const sameCount = new Uint32Array(classCount + 1);

  const sql = `SELECT ${relation}_back, ${relation}_gap FROM ${from}`;
  let row = 0;
  for await (const { rowCount, columns } of streamVectors(connection, sql)) {
    const [backs, rowGaps] = columns;
    for (let k = 0; k < rowCount; k++, row++) {
      const member = classOfRow[row];
      if (member === 0 || member === COVERED) continue;
      memberCount[member]++;
      if (backs[k] === 0) continue;
      const previous = classOfRow[row - backs[k]];
      if (previous === 0 || previous === member) continue;
      if (next[previous] === 0) {
        next[previous] = member;
        gaps[previous * 2] = rowGaps[k * 2];
        gaps[previous * 2 + 1] = rowGaps[k * 2 + 1];
      } else if (
        next[previous] !== member ||
        gaps[previous * 2] !== rowGaps[k * 2] ||
        gaps[previous * 2 + 1] !== rowGaps[k * 2 + 1]
      ) {
        continue;
      }
      sameCount[previous]++;
    }
  }

  // as many pairs as either has members: no member of either is left over
  const follows = new Uint8Array(classCount + 1);
  for (let number = 1; number <= classCount; number++) {
    const { [number]: following } = next;
    const always =
      sameCount[number] === memberCount[number] && memberCount[following] === memberCount[number];
    if (following === 0 || !always) next[number] = 0;
    else follows[following] = 1;
  }
  return followPaths(maximal, next, follows);
}

/** Numbers the paths by their first classes. */
function followPaths(
  { classCount, ids }: MaximalClasses,
  next: Uint32Array,
  follows: Uint8Array,
): MergedClasses {
  const merged: MergedClasses = {
    classCount: 0,
    ids: new Uint32Array((classCount + 1) * 2),
    parts: new Uint32Array(classCount + 1),
    mergedClass: new Uint32Array(classCount + 1),
    position: new Uint8Array(classCount + 1),
  };
  for (let first = 1; first <= classCount; first++) {
    if (follows[first] === 1) continue;
    const number = ++merged.classCount;
    let low = ids[first * 2];
    let high = ids[first * 2 + 1];
    merged.position[first] |= FIRST;
    for (let part = first; part !== 0; part = next[part]) {
      merged.mergedClass[part] = number;
      merged.parts[number]++;
      if (next[part] === 0) merged.position[part] |= LAST;
      if (part === first) continue;
      // the id of a composite is a hash of those of its parts
      high += ids[part * 2 + 1];
      low = mixLow(low ^ ids[part * 2], high);
      high = mixHigh(low, high);
    }
    merged.ids[number * 2] = low;
    merged.ids[number * 2 + 1] = high;
  }
  separateIds(new BigUint64Array(merged.ids.buffer, 8, merged.classCount));
  return merged;
}

/** Counts an id up that another class has already: keys are wider than ids, and no two classes may be mixed up. */
export function separateIds(ids: BigUint64Array): void {
  const sorted = ids.slice().sort();
  if (sorted.every((id, k) => k === 0 || id !== sorted[k - 1])) return;
  const taken = new Set<bigint>();
  for (let k = 0; k < ids.length; k++) {
    while (taken.has(ids[k])) ids[k]++;
    taken.add(ids[k]);
  }
}

/** Whether a maximal class is the first, the last part of its result class. */
export function isFirstPart({ position }: MergedClasses, number: number): boolean {
  return (position[number] & FIRST) !== 0;
}

export function isLastPart({ position }: MergedClasses, number: number): boolean {
  return (position[number] & LAST) !== 0;
}
