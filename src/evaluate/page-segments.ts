/**
 * A page's leaves in groups, to compare sections with (Chakrabarti, Kumar and Punera 2007, section 6.1). By gold a
 * group is one of the largest fragments of the tree that are all template or all content, as people labelled the
 * paper's pages. By a detector that finds sections a leaf belongs to the closest one around it; by any other, to
 * the stretch of one label it lies in.
 */
import type { Range } from '../model/range.ts';
import { NEUTRAL, type PageLeaves } from './page-leaves.ts';
import { adjustedRandIndex } from './rand-index.ts';

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
