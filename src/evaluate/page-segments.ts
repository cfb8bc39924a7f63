/**
 * Groups a page's leaves, to compare sections (Chakrabarti, Kumar and Punera 2007, section 6.1). By gold, a group
 * is one of the largest fragments of the tree that are all template or all content, as people labelled the pages of
 * the paper. For a detector that finds sections, a leaf belongs to the innermost section around it; for other
 * detectors, to its run of one label.
 */

import type { ParsedPage } from '../detect/detector.ts';
import { PageJudge } from '../detect/page/judge-page.ts';
import type { PageDetectorOptions } from '../detect/page/page-detector.ts';
import { packagedPageModel } from '../detect/page/page-model.ts';
import type { Range } from '../model/range.ts';
import type { DetectorChoice } from './evaluate.ts';
import { NEUTRAL, type PageLeaves } from './page-leaves.ts';

/**
 * Returns the node that is the group of each leaf. Neutral leaves belong to the group around them, or form their
 * own.
 */
export function goldSegments({ nodes, tree }: PageLeaves, gold: Uint8Array): Int32Array {
  const { parent, nodeCount } = tree;
  // bits: labels of the leaves in each subtree
  const kinds = new Uint8Array(nodeCount);
  for (const [leaf, node] of nodes.entries()) kinds[node] = gold[leaf];
  for (let node = nodeCount - 1; node > 0; node--) kinds[parent[node]] |= kinds[node];
  // parents precede their children
  const top = new Int32Array(nodeCount);
  for (let node = 1; node < nodeCount; node++) {
    const above = parent[node];
    top[node] = isMixed(kinds[above]) ? node : top[above];
  }
  return Int32Array.from(nodes, (node) => top[node]);
}

function isMixed(kinds: number): boolean {
  return kinds === 3;
}

/**
 * Returns the number of the innermost section `[start, end)` in which each leaf begins; -1 for none. Outer sections
 * must come first.
 */
export function sectionsOfLeaves(
  { nodes, tree }: PageLeaves,
  sections: readonly { start: number; end: number }[],
): Int32Array {
  const open: number[] = [];
  let next = 0;
  return Int32Array.from(nodes, (node) => {
    const at = tree.start[node];
    for (; next < sections.length && sections[next].start <= at; next++) open.push(next);
    while (open.length > 0 && sections[open[open.length - 1]].end <= at) open.pop();
    return open.at(-1) ?? -1;
  });
}

/** Returns the number of the run of one label in which each leaf begins. */
export function stretchesOfLeaves({ nodes, tree }: PageLeaves, ranges: readonly Range[]): Int32Array {
  let at = 0;
  let stretch = 0;
  return Int32Array.from(nodes, (node) => {
    while (at + 1 < ranges.length && ranges[at].end <= tree.start[node]) {
      if (ranges[at + 1].label !== ranges[at].label) stretch++;
      at++;
    }
    return stretch;
  });
}

/**
 * Compares two groupings of the leaves with gold labels; undefined for fewer than two leaves, which can be grouped
 * in one way only.
 */
export function compareSegments(
  gold: Uint8Array,
  segments: Int32Array,
  groups: Int32Array,
): number | undefined {
  const known = [...gold.keys()].filter((leaf) => gold[leaf] !== NEUTRAL);
  if (known.length < 2) return undefined;
  return adjustedRandIndex(
    known.map((leaf) => segments[leaf]),
    known.map((leaf) => groups[leaf]),
  );
}

/**
 * The adjusted Rand index of two groupings of the same things (Hubert and Arabie, "Comparing partitions", 1985):
 * how often two things are together in both groupings or apart in both, beyond chance. 1 for equal groupings, about
 * 0 for chance. Linear.
 */

/**
 * Returns the adjusted Rand index; groups are integers from 0, and both lists are of the same things in the same
 * order.
 */
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
  // both are one group, or all are single: the groupings are equal
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

/**
 * Finds the sections into which a detector divides a page. Only `page` finds sections itself; for other detectors
 * each run of one label is a section.
 */

/** Returns the number of the section of each leaf. */
export type SectionFinder = (parsed: ParsedPage, leaves: PageLeaves, ranges: readonly Range[]) => Int32Array;

/** Returns the function that finds the sections of a detector. */
export function sectionFinder({
  name,
  options = {},
}: Pick<DetectorChoice, 'name' | 'options'>): SectionFinder {
  if (name !== 'page') return (_, leaves, ranges) => stretchesOfLeaves(leaves, ranges);
  const { model, ...rest } = options as PageDetectorOptions;
  // adjacent sections of one label share a range, so the page is judged once more
  let judge: PageJudge | undefined;
  return (parsed, leaves) => {
    judge ??= new PageJudge(model ?? packagedPageModel(), rest);
    return sectionsOfLeaves(leaves, judge.judge(parsed).sections);
  };
}
