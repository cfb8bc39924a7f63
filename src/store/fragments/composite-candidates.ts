/**
 * Finds runs of siblings that are equal in enough places and could be maximal composite fragments. The runs of all
 * pages form one sequence of classes and gaps. In its sorted suffixes equal runs are adjacent, and the tree over
 * common prefixes has a node for each run that is followed by different elements (other runs occur only within a
 * longer one with the same places). Near-linear: a suffix array, and a few steps for each node.
 *
 * A run whose places overlap (x x in x x x) repeats a shorter run and is not a candidate; its longest prefix whose
 * places do not overlap is one.
 */
import { commonPrefixes, suffixArray } from '../../model/suffix-array.ts';
import type { SharedGroups, SiblingRuns } from './fragment-groups.ts';

/** Candidates as columns, and their first positions as linked lists. */
export interface CompositeCandidates {
  count: number;
  /** Number of fragments of a run, and their bytes. */
  parts: Uint32Array;
  bytes: Float64Array;
  /** Longest candidate that is a prefix of this one; NONE when no candidate is. */
  parent: Int32Array;
  /** First position that no longer candidate with this prefix has; `next` has the next one by position, or NONE. */
  firstPlace: Int32Array;
  nextPlace: Int32Array;
}

/** Value for no candidate, position or place. */
export const NONE = -1;
const NO_GAP = 0x7fffffff;

/** Empty list of candidates. */
export const NO_CANDIDATES: CompositeCandidates = {
  count: 0,
  parts: new Uint32Array(0),
  bytes: new Float64Array(0),
  parent: new Int32Array(0),
  firstPlace: new Int32Array(0),
  nextPlace: new Int32Array(0),
};

/** A node of the tree while its places are collected. */
interface TreeNode {
  parts: number;
  /** First place, in the order of suffixes. */
  from: number;
  /** Places and candidates below it that belong to no candidate yet. */
  firstPlace: number;
  lastPlace: number;
  firstChild: number;
  lastChild: number;
  /** Smallest distance from a place to the next fragment of its first class. */
  repeat: number;
  /** Smallest known distance between two places. */
  distance: number;
  /** A place when all places have the same fragment before them; else NONE. */
  before: number;
}

/** Finds the candidates among runs of siblings. */
export function findCandidates(
  runs: SiblingRuns,
  { groupOfRow, bytes, count: groupCount }: SharedGroups,
  minShared: number,
): CompositeCandidates {
  const { length, rows, gaps } = runs;
  const text = textOf(runs, groupOfRow);
  const order = suffixArray(text, groupCount + 1 + runs.gapHashes.length / 2);
  const common = commonPrefixes(text, order);
  const repeats = findRepeats(runs, groupOfRow, groupCount);
  // bytes of all fragments before each position
  const before = new Float64Array(length + 1);
  for (let at = 0; at < length; at++) before[at + 1] = before[at] + bytes[groupOfRow[rows[at]]];

  const found: CompositeCandidates = {
    count: 0,
    parts: new Uint32Array(length),
    bytes: new Float64Array(length),
    parent: new Int32Array(length).fill(NONE),
    firstPlace: new Int32Array(length),
    nextPlace: new Int32Array(length).fill(NONE),
  };
  const nextChild = new Int32Array(length).fill(NONE);
  // skip suffixes that begin with a gap or the end of a run: they sort first, one for each position
  const place = (k: number) => order[length + k] >> 1;
  const isSameBefore = (a: number, b: number) =>
    a > 0 &&
    b > 0 &&
    gaps[a - 1] !== 0 &&
    text[2 * a - 1] === text[2 * b - 1] &&
    text[2 * a - 2] === text[2 * b - 2];

  /** Moves the places of a node to the node around it. */
  function join(to: TreeNode, node: TreeNode): void {
    if (node.firstPlace !== NONE) {
      if (to.firstPlace === NONE) to.firstPlace = node.firstPlace;
      else found.nextPlace[to.lastPlace] = node.firstPlace;
      to.lastPlace = node.lastPlace;
    }
    if (node.firstChild !== NONE) {
      if (to.firstChild === NONE) to.firstChild = node.firstChild;
      else nextChild[to.lastChild] = node.firstChild;
      to.lastChild = node.lastChild;
    }
    to.repeat = Math.min(to.repeat, node.repeat);
    to.distance = Math.min(to.distance, node.distance);
    if (to.before !== NONE && (node.before === NONE || !isSameBefore(to.before, node.before)))
      to.before = NONE;
  }

  /** Makes a node a candidate unless it cannot be maximal; `outer` is the length of the node around it. */
  function finish(node: TreeNode, end: number, outer: number): void {
    if (end - node.from < minShared || node.parts < 2 || node.distance <= outer) return;
    if (node.repeat < node.parts) {
      node.distance = Math.min(node.distance, smallestDistance(order, length + node.from, length + end));
    }
    const parts = Math.min(node.parts, node.distance);
    // a run with the same fragment before all places is part of a longer run, unless that run overlaps itself
    if (parts <= outer || parts < 2 || (node.before !== NONE && parts < node.repeat)) return;
    const number = found.count++;
    const first = place(node.from);
    found.parts[number] = parts;
    found.bytes[number] = before[first + parts] - before[first];
    found.firstPlace[number] = node.firstPlace;
    for (let child = node.firstChild; child !== NONE; child = nextChild[child]) found.parent[child] = number;
    node.firstPlace = node.lastPlace = NONE;
    node.firstChild = node.lastChild = number;
  }

  const openNode = (parts: number, from: number): TreeNode => ({
    parts,
    from,
    firstPlace: NONE,
    lastPlace: NONE,
    firstChild: NONE,
    lastChild: NONE,
    repeat: NO_GAP,
    distance: NO_GAP,
    before: place(from),
  });
  if (length === 0) return found;
  const stack = [openNode(0, 0)];
  const leaf = openNode(0, 0);
  for (let k = 0; k < length; k++) {
    // number of fragments that this place and the next have in common
    const same = k + 1 < length ? (common[length + k + 1] + 1) >> 1 : 0;
    let top = stack[stack.length - 1];
    if (same > top.parts) stack.push((top = openNode(same, k)));
    leaf.firstPlace = leaf.lastPlace = leaf.before = place(k);
    leaf.repeat = repeats[leaf.before];
    join(top, leaf);
    while (top.parts > same) {
      stack.pop();
      const outer = stack[stack.length - 1];
      finish(top, k + 1, Math.max(same, outer.parts));
      if (outer.parts < same) {
        const between = openNode(same, top.from);
        stack.push(between);
        join(between, top);
        top = between;
      } else {
        join(outer, top);
        top = outer;
      }
    }
  }
  return found;
}

/** Returns the sequence of fragments and gaps: gaps from 1, then classes; 0 ends a run. */
function textOf({ length, rows, gaps, gapHashes }: SiblingRuns, groupOfRow: Uint32Array): Uint32Array {
  const text = new Uint32Array(2 * length);
  const firstGroup = gapHashes.length / 2 - 1;
  for (let at = 0; at < length; at++) {
    text[2 * at] = firstGroup + groupOfRow[rows[at]];
    text[2 * at + 1] = gaps[at];
  }
  return text;
}

/** Returns for each position the distance to the next fragment of the same class in its run. */
function findRepeats(
  { length, rows, gaps }: SiblingRuns,
  groupOfRow: Uint32Array,
  groupCount: number,
): Int32Array {
  const repeats = new Int32Array(length).fill(NO_GAP);
  const last = new Int32Array(groupCount + 1).fill(NO_GAP);
  let runEnd = length;
  for (let at = length - 1; at >= 0; at--) {
    if (gaps[at] === 0) runEnd = at + 1;
    const group = groupOfRow[rows[at]];
    if (last[group] < runEnd) repeats[at] = last[group] - at;
    last[group] = at;
  }
  return repeats;
}

/** Returns the distance between the two nearest of some places. */
function smallestDistance(order: Uint32Array, from: number, end: number): number {
  const places = order.slice(from, end).sort();
  let distance = NO_GAP;
  for (let k = 1; k < places.length; k++) distance = Math.min(distance, (places[k] - places[k - 1]) >> 1);
  return distance;
}
