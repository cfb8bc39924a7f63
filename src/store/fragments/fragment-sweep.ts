/**
 * Finds the maximal fragments by a sweep over classes, primitive and composite, from the largest to the smallest. A
 * fragment that contains another is larger, so it has been decided before. A member is covered when its parent is
 * part of or inside a maximal fragment, or when a longer run of siblings around it is maximal. A class with enough
 * uncovered members is maximal, and those are its members. Cost: one step per row, and a few per candidate.
 */
import { doubled } from '../../model/growing-array.ts';
import { mixHigh, mixLow } from '../../parse/hashes.ts';
import { type CompositeCandidates, NONE } from './composite-candidates.ts';
import type { SharedGroups, SiblingRuns } from './fragment-groups.ts';

/** Maximal classes, numbered from 1. */
export interface MaximalClasses {
  count: number;
  /** By class: 64-bit id in two lanes, low first, and number of parts. */
  ids: Uint32Array;
  parts: Uint32Array;
  /** Class of the member that begins at each row; 0 for other rows. At most one member begins at a row. */
  classOfRow: Uint32Array;
  /** Last rows of the members of composite classes, in the order of their first rows. */
  lastRows: Uint32Array;
}

/** Runs the sweep; reuses `groupOfRow` as `classOfRow`. */
export function sweep(
  groups: SharedGroups,
  runs: SiblingRuns,
  candidates: CompositeCandidates,
  { minShared }: { minShared: number },
): MaximalClasses {
  const { members, firstMember, upOfRow } = groups;
  const { rows, positionOfRow } = runs;
  const groupOfPosition = rows.slice(0, runs.length);
  for (let at = 0; at < runs.length; at++) groupOfPosition[at] = groups.groupOfRow[rows[at]];
  const classOfRow = groups.groupOfRow.fill(0);
  const result = new ClassList();
  /** Marks rows that are part of a maximal fragment or inside one. */
  const isCovered = new Uint8Array(classOfRow.length);
  /** By position: the furthest end of a maximal run that begins here or before. */
  const reach = new Uint32Array(runs.length);
  let uncovered = new Uint32Array(1024);

  /** Collects the uncovered rows of a class in `uncovered`. */
  function decideGroup(group: number): void {
    let count = 0;
    for (let k = firstMember[group]; k < firstMember[group + 1]; k++) {
      const row = members[k];
      const position = positionOfRow[row];
      const up = upOfRow[row];
      if ((up > 0 && isCovered[row - up] === 1) || (position > 0 && reach[position - 1] >= position)) {
        isCovered[row] = 1;
        continue;
      }
      if (count === uncovered.length) uncovered = doubled(uncovered);
      uncovered[count++] = row;
    }
    if (count < minShared) return;
    const number = result.add(groups.ids[group * 2], groups.ids[group * 2 + 1], 1);
    for (let k = 0; k < count; k++) {
      classOfRow[uncovered[k]] = number;
      isCovered[uncovered[k]] = 1;
    }
  }

  function decideCandidate(candidate: number): void {
    const { nextPlace, firstPlace, parent } = candidates;
    const parts = candidates.parts[candidate];
    let count = 0;
    let last = NONE;
    let left = NONE;
    // remove covered places from the list: they are covered for shorter runs too
    for (let at = firstPlace[candidate]; at !== NONE; at = nextPlace[at]) {
      const up = upOfRow[rows[at]];
      if ((up > 0 && isCovered[rows[at] - up] === 1) || reach[at] >= at + parts) continue;
      if (last === NONE) left = at;
      else nextPlace[last] = at;
      last = at;
      count++;
    }
    if (last === NONE) return;
    nextPlace[last] = NONE;
    if (count < minShared) {
      const outer = parent[candidate];
      if (outer === NONE) return;
      nextPlace[last] = firstPlace[outer];
      firstPlace[outer] = left;
      return;
    }
    const number = addComposite(result, groups, runs, groupOfPosition, left, parts);
    for (let at = left; at !== NONE; at = nextPlace[at]) {
      classOfRow[rows[at]] = number;
      const end = at + parts;
      for (let k = at; k < end && reach[k] < end; k++) reach[k] = end;
    }
  }

  const order = candidateOrder(candidates);
  let next = 0;
  for (let group = 1; group <= groups.count; group++) {
    for (; next < order.length && candidates.bytes[order[next]] > groups.bytes[group]; next++)
      decideCandidate(order[next]);
    decideGroup(group);
  }
  for (; next < order.length; next++) decideCandidate(order[next]);
  return result.finish(classOfRow, runs);
}

/** Orders classes by size, largest first; equal ones keep their order. */
function candidateOrder({ count, bytes }: CompositeCandidates): Uint32Array {
  const order = Uint32Array.from({ length: count }, (_, k) => k);
  return order.sort((a, b) => bytes[b] - bytes[a] || a - b);
}

/** Returns the id of a composite: a hash of the ids of its parts and of the gaps between them. */
function addComposite(
  result: ClassList,
  { ids }: SharedGroups,
  { gaps, gapHashes }: SiblingRuns,
  groupOfPosition: Uint32Array,
  first: number,
  parts: number,
): number {
  let low = 0;
  let high = parts;
  for (let at = first; at < first + parts; at++) {
    const group = groupOfPosition[at];
    const gap = at > first ? gaps[at - 1] : 1;
    high += ids[group * 2 + 1] + gapHashes[gap * 2 + 1];
    low = mixLow(low ^ ids[group * 2] ^ gapHashes[gap * 2], high);
    high = mixHigh(low, high);
  }
  return result.add(low, high, parts);
}

/** Result classes while the sweep runs. */
class ClassList {
  #count = 0;
  #ids = new Uint32Array(2 * 1024);
  #parts = new Uint32Array(1024);

  add(low: number, high: number, parts: number): number {
    const number = ++this.#count;
    if (number >= this.#parts.length) {
      this.#ids = doubled(this.#ids);
      this.#parts = doubled(this.#parts);
    }
    this.#ids[number * 2] = low;
    this.#ids[number * 2 + 1] = high;
    this.#parts[number] = parts;
    return number;
  }

  /** `classOfRow` has the first rows of members. */
  finish(classOfRow: Uint32Array, { rows, positionOfRow }: SiblingRuns): MaximalClasses {
    const count = this.#count;
    const ids = this.#ids;
    const parts = this.#parts;
    separateIds(new BigUint64Array(ids.buffer, 8, count));
    let lastRows = new Uint32Array(1024);
    let composites = 0;
    for (let row = 0; row < classOfRow.length; row++) {
      const number = classOfRow[row];
      if (number === 0 || parts[number] === 1) continue;
      if (composites === lastRows.length) lastRows = doubled(lastRows);
      lastRows[composites++] = rows[positionOfRow[row] - 1 + parts[number] - 1];
    }
    return { count, ids, parts, classOfRow, lastRows };
  }
}

/** Increments ids that another class has already: keys are wider than ids, and two classes must not share an id. */
export function separateIds(ids: BigUint64Array): void {
  const sorted = ids.slice().sort();
  if (sorted.every((id, k) => k === 0 || id !== sorted[k - 1])) return;
  const taken = new Set<bigint>();
  for (let k = 0; k < ids.length; k++) {
    while (taken.has(ids[k])) ids[k]++;
    taken.add(ids[k]);
  }
}

/**
 * Merges classes into composites as in section 3.3 of the paper: maximal primitive fragments that are always
 * adjacent become one. Class A is followed by class B when every member of A has a member of B as its next stored
 * sibling, always with the same gap, and B has no other members. Chains of such classes are the composites; partial
 * merges (Fig. 2) follow from that. One pass over the runs of siblings with a few integers per class; reuses
 * `classOfRow`.
 */
export function mergeAdjacentClasses(maximal: MaximalClasses, runs: SiblingRuns): MaximalClasses {
  const { count, classOfRow, ids } = maximal;
  const { rows, gaps, length } = runs;
  const memberCount = new Uint32Array(count + 1);
  for (const number of classOfRow) memberCount[number]++;
  // by class: the class and gap after its first member, and the number of members with the same
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

  // no member of either class is left over
  const follows = new Uint8Array(count + 1);
  for (let number = 1; number <= count; number++) {
    const { [number]: following } = next;
    const always =
      sameCount[number] === memberCount[number] && memberCount[following] === memberCount[number];
    if (following === 0 || !always) next[number] = 0;
    else follows[following] = 1;
  }

  // number chains by their first classes; members begin where those of the first class begin
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
