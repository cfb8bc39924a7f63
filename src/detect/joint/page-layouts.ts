/**
 * Layout groups of a site for the joint detector: article, listing, thread. A page is represented by the set of its
 * slots, without those of nearly all pages (the frame of the site) and those of one page alone. A group is the set of
 * pages nearest to its leader. Leaders are the pages, in the given order, that are not similar to an earlier leader.
 *
 * `chaff groups` compares MinHash signatures of all tags instead. Here the slots are counted anyway, and a new page
 * must find its group in microseconds.
 */

/** A slot on a larger share of the pages does not distinguish groups. */
const FRAME_SHARE = 0.8;
/** Minimum similarity (Jaccard, 0 to 1) of a page to the leader of its group. */
const MIN_SIMILARITY = 0.5;
const MAX_GROUPS = 16;
/** Minimum number of pages of a group; pages of smaller groups have no group. */
const MIN_PAGES = 4;

/** One group as plain data. */
export interface LayoutGroup {
  pages: number;
  /** Hashes of the slots of its leader, sorted. */
  slots: Uint32Array;
}

/** Whether a slot on `slotPages` of the pages distinguishes layouts. */
export function isDistinctive(slotPages: number, pages: number): boolean {
  return slotPages >= 2 && slotPages < FRAME_SHARE * pages;
}

/** Sorts slots and removes duplicates. */
export function slotSet(slots: Iterable<number>): Uint32Array {
  return Uint32Array.from(new Set(slots)).sort();
}

/** Groups pages, given by their slots, and returns the group number of each page; -1 for none. */
export function groupLayouts(pages: readonly Uint32Array[]): { groups: LayoutGroup[]; groupOf: Int32Array } {
  const leaders: LayoutGroup[] = [];
  for (const slots of pages) {
    if (leaders.length === MAX_GROUPS) break;
    if (findGroup(leaders, slots) < 0) leaders.push({ pages: 0, slots });
  }
  const leaderOf = pages.map((slots) => findGroup(leaders, slots));
  for (const leader of leaderOf) if (leader >= 0) leaders[leader].pages++;
  const groups = leaders.filter((leader) => leader.pages >= MIN_PAGES);
  return { groups, groupOf: Int32Array.from(leaderOf, (leader) => groups.indexOf(leaders[leader])) };
}

/** The group whose leader is most similar to a page, the first of several; -1 if none is similar. */
export function findGroup(groups: readonly LayoutGroup[], slots: Uint32Array): number {
  let best = -1;
  let most = 0;
  for (const [group, leader] of groups.entries()) {
    const similarity = jaccard(leader.slots, slots);
    if (similarity < MIN_SIMILARITY || similarity <= most) continue;
    best = group;
    most = similarity;
  }
  return best;
}

/** Jaccard similarity of two sorted sets; 1 for two empty ones. */
function jaccard(a: Uint32Array, b: Uint32Array): number {
  let common = 0;
  for (let i = 0, k = 0; i < a.length && k < b.length; ) {
    if (a[i] === b[k]) {
      common++;
      i++;
      k++;
    } else if (a[i] < b[k]) i++;
    else k++;
  }
  const all = a.length + b.length - common;
  return all === 0 ? 1 : common / all;
}
