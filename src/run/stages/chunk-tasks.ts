/**
 * Divides pages into tasks by canonical order only, so that the parts of the output are the same for any number of
 * workers. Adjacent sites share a task until it is large enough; a site that fills a task by itself starts a new one.
 */

/** Maximum number of stored bytes of a label task. */
const TASK_BYTES = 48 * 1024 * 1024;

/** A sequence of pages and the groups that they belong to, both half-open. */
export interface Chunk {
  firstPage: number;
  endPage: number;
  firstGroup: number;
  endGroup: number;
  bytes: number;
  /** Number of its pages: all from `firstPage` to `endPage`, unless only some are selected. */
  pageCount: number;
  /** Number of groups of those pages. */
  groupCount: number;
}

/** A half-open sequence of groups. */
export type GroupChunk = Pick<Chunk, 'firstGroup' | 'endGroup'>;

/** Bounds on one label task. */
export interface ChunkOptions {
  /** Maximum number of pages of a task. */
  taskPages: number;
  /** Maximum number of stored bytes of a task, unless one page has more. */
  taskBytes?: number;
  /** Maximum number of site snapshots of a task, which bounds its samples when few pages of each are labelled. */
  taskGroups?: number;
}

/** Divides pages, given in order, into label tasks. */
export function chunkPages(
  pages: Iterable<{ page: number; group: number; bytes: number }>,
  { taskPages, taskBytes = TASK_BYTES, taskGroups = Number.POSITIVE_INFINITY }: ChunkOptions,
): Chunk[] {
  const chunks: Chunk[] = [];
  let chunk: Chunk | undefined;
  for (const { page, group, bytes } of pages) {
    if (chunk) {
      const isNewGroup = group >= chunk.endGroup;
      const isFull =
        chunk.pageCount >= taskPages ||
        chunk.bytes + bytes > taskBytes ||
        (isNewGroup && chunk.groupCount >= taskGroups);
      // a new site begins a new task unless the current task is still tiny
      const isWorthIt = isNewGroup && (chunk.pageCount >= taskPages / 4 || chunk.bytes >= taskBytes / 4);
      if (isFull || isWorthIt) chunk = undefined;
    }
    if (!chunk) {
      chunk = {
        firstPage: page,
        endPage: page,
        firstGroup: group,
        endGroup: group,
        bytes: 0,
        pageCount: 0,
        groupCount: 0,
      };
      chunks.push(chunk);
    }
    if (group >= chunk.endGroup) chunk.groupCount++;
    chunk.pageCount++;
    chunk.endPage = page + 1;
    chunk.endGroup = group + 1;
    chunk.bytes += bytes;
  }
  return chunks;
}

/** The groups that have pages in more than one chunk. */
export function groupsOfSeveralChunks(chunks: Chunk[]): Set<number> {
  const several = new Set<number>();
  for (let k = 1; k < chunks.length; k++) {
    if (chunks[k].firstGroup < chunks[k - 1].endGroup) several.add(chunks[k].firstGroup);
  }
  return several;
}

/**
 * Divides groups, given in order, into learn tasks of at least `sample` pages to learn from. With `only`, other groups
 * are left out; the groups of a task are consecutive.
 */
export function chunkGroups(
  groups: Iterable<{ group: number; urls: number }>,
  sample: number,
  only?: Set<number>,
): GroupChunk[] {
  const chunks: GroupChunk[] = [];
  let pages = sample;
  for (const { group, urls } of groups) {
    if (only && !only.has(group)) continue;
    const more = Math.min(urls, sample);
    if (pages + more > sample || chunks.at(-1)?.endGroup !== group) {
      chunks.push({ firstGroup: group, endGroup: group });
      pages = 0;
    }
    chunks.at(-1)!.endGroup = group + 1;
    pages += more;
  }
  return chunks;
}
