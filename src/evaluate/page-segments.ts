/**
 * A page's leaves in groups, to compare sections with (Chakrabarti, Kumar and Punera 2007, section 6.1). By gold a
 * group is one of the largest fragments of the tree that are all template or all content, as people labelled the
 * paper's pages. By a detector that finds sections a leaf belongs to the closest one around it; by any other, to
 * the stretch of one label it lies in.
 */

import type { ParsedPage } from '../detect/detector.ts';
import { PageJudge } from '../detect/page/judge-page.ts';
import type { PageDetectorOptions } from '../detect/page/page-detector.ts';
import { packagedPageModel } from '../detect/page/page-model.ts';
import type { Range } from '../model/range.ts';
import type { DetectorChoice } from './evaluate.ts';
import { NEUTRAL, type PageLeaves } from './page-leaves.ts';

/** The node that is each leaf's group. Leaves gold says nothing of are in the group around them, or alone. */
export function goldSegments({ nodes, tree }: PageLeaves, gold: Uint8Array): Int32Array {
  const { parent, nodeCount } = tree;
  // bit by bit: kinds of the leaves in a subtree
  const kinds = new Uint8Array(nodeCount);
  for (const [leaf, node] of nodes.entries()) kinds[node] = gold[leaf];
  for (let node = nodeCount - 1; node > 0; node--) kinds[parent[node]] |= kinds[node];
  // a parent stands before its children
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

/** The innermost section `[start, end)` that each leaf begins in, by its number; -1 is none. Outer sections first. */
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

/** The number of the stretch of one label that each leaf begins in. */
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

/** Of the leaves that gold knows; undefined for fewer than two, which can be grouped in one way only. */
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

/**
 * Into which sections a detector cuts a page. Only `page` finds sections of its own; what any other detector
 * labels alike in one stretch counts as one.
 */

/** Number of the section of each leaf. */
export type SectionFinder = (parsed: ParsedPage, leaves: PageLeaves, ranges: readonly Range[]) => Int32Array;

export function sectionFinder({
  name,
  options = {},
}: Pick<DetectorChoice, 'name' | 'options'>): SectionFinder {
  if (name !== 'page') return (_, leaves, ranges) => stretchesOfLeaves(leaves, ranges);
  const { model, ...rest } = options as PageDetectorOptions;
  // ranges do not tell sections apart that have one label, so the page is judged once more
  let judge: PageJudge | undefined;
  return (parsed, leaves) => {
    judge ??= new PageJudge(model ?? packagedPageModel(), rest);
    return sectionsOfLeaves(leaves, judge.judge(parsed).sections);
  };
}
