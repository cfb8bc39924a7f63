/**
 * The adjusted Rand index of two groupings of the same things (Hubert and Arabie, "Comparing partitions", 1985):
 * how often two of them are together in both or apart in both, beyond chance. 1 for equal groupings, about 0 for
 * chance. Linear.
 */

/** Groups are any whole numbers from 0; both lists are of the same things in the same order. */
export function adjustedRandIndex(left: ArrayLike<number>, right: ArrayLike<number>): number {
  if (left.length !== right.length) {
    throw new RangeError(`groupings must be of the same things, not of ${left.length} and ${right.length}`);
  }
  const inLeft = new Map<number, number>();
  const inRight = new Map<number, number>();
  const inBoth = new Map<string, number>();
  for (let k = 0; k < left.length; k++) {
    count(inLeft, left[k]);
    count(inRight, right[k]);
    count(inBoth, `${left[k]} ${right[k]}`);
  }
  const all = pairsOf(left.length);
  const together = pairsIn(inBoth);
  const togetherLeft = pairsIn(inLeft);
  const togetherRight = pairsIn(inRight);
  const byChance = all === 0 ? 0 : (togetherLeft * togetherRight) / all;
  const most = (togetherLeft + togetherRight) / 2;
  // both one group, or both all apart: there is nothing to disagree about
  return most === byChance ? 1 : (together - byChance) / (most - byChance);
}

function count<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

function pairsIn(counts: ReadonlyMap<unknown, number>): number {
  let pairs = 0;
  for (const size of counts.values()) pairs += pairsOf(size);
  return pairs;
}

function pairsOf(size: number): number {
  return (size * (size - 1)) / 2;
}
