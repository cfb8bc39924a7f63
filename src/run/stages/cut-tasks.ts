/**
 * How pages are cut into tasks: by canonical order only, so that the parts of the output are the same for
 * any number of workers. Neighbours share a task until it is worth carrying; a site that fills one by itself
 * starts at its beginning.
 */

/** Stored bytes of a label task. */
const TASK_BYTES = 48 * 1024 * 1024;

/** A stretch of pages and the groups they lie in, half-open both. */
export interface Cut {
  firstPage: number;
  endPage: number;
  firstGroup: number;
  endGroup: number;
  bytes: number;
  /** Pages between `firstPage` and `endPage` that belong to it: all of them, unless only some are selected. */
  pageCount: number;
  /** Groups that those pages lie in. */
  groupCount: number;
}

/** A stretch of groups, half-open. */
export type GroupCut = Pick<Cut, 'firstGroup' | 'endGroup'>;

export interface ChunkOptions {
  /** Most pages of a task. */
  taskPages: number;
  /** Most stored bytes of a task, unless one page has more. */
  taskBytes?: number;
  /** Most site snapshots of a task: bounds the samples it carries where few pages of each are labelled. */
  taskGroups?: number;
}

/** Cuts pages, given in order, into label tasks. */
export function cutPages(
  pages: Iterable<{ page: number; group: number; bytes: number }>,
  { taskPages, taskBytes = TASK_BYTES, taskGroups = Number.POSITIVE_INFINITY }: ChunkOptions,
): Cut[] {
  const cuts: Cut[] = [];
  let cut: Cut | undefined;
  for (const { page, group, bytes } of pages) {
    if (cut) {
      const isNewGroup = group >= cut.endGroup;
      const isFull =
        cut.pageCount >= taskPages ||
        cut.bytes + bytes > taskBytes ||
        (isNewGroup && cut.groupCount >= taskGroups);
      // a new site begins a new task unless the one before was tiny
      const isWorthIt = isNewGroup && (cut.pageCount >= taskPages / 4 || cut.bytes >= taskBytes / 4);
      if (isFull || isWorthIt) cut = undefined;
    }
    if (!cut) {
      cut = {
        firstPage: page,
        endPage: page,
        firstGroup: group,
        endGroup: group,
        bytes: 0,
        pageCount: 0,
        groupCount: 0,
      };
      cuts.push(cut);
    }
    if (group >= cut.endGroup) cut.groupCount++;
    cut.pageCount++;
    cut.endPage = page + 1;
    cut.endGroup = group + 1;
    cut.bytes += bytes;
  }
  return cuts;
}

/** The groups whose pages lie in more than one cut. */
export function groupsOfSeveralCuts(cuts: Cut[]): Set<number> {
  const several = new Set<number>();
  for (let k = 1; k < cuts.length; k++) {
    if (cuts[k].firstGroup < cuts[k - 1].endGroup) several.add(cuts[k].firstGroup);
  }
  return several;
}

/**
 * Cuts groups, given in order, into learn tasks of at least `sample` pages to learn from. With `only`, other
 * groups are left out; the groups of a task follow each other without a gap.
 */
export function cutGroups(
  groups: Iterable<{ group: number; urls: number }>,
  sample: number,
  only?: Set<number>,
): GroupCut[] {
  const cuts: GroupCut[] = [];
  let pages = sample;
  for (const { group, urls } of groups) {
    if (only && !only.has(group)) continue;
    const more = Math.min(urls, sample);
    if (pages + more > sample || cuts.at(-1)?.endGroup !== group) {
      cuts.push({ firstGroup: group, endGroup: group });
      pages = 0;
    }
    cuts.at(-1)!.endGroup = group + 1;
    pages += more;
  }
  return cuts;
}
