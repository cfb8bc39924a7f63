/** What tasks count, page by page, and sums over tasks. */
import type { Page } from '../../model/page.ts';
import type { SkipCode } from '../../model/problem.ts';
import type { Tree } from '../../parse/tree.ts';
import type { TaskCounts } from './task.ts';
import { addTimings, emptyTimings } from './timings.ts';

export function emptyCounts(): TaskCounts {
  return {
    pages: 0,
    skipped: {},
    htmlBytes: 0,
    textBytes: 0,
    links: 0,
    nodes: 0,
    exactPages: 0,
    unsurePages: 0,
    timings: emptyTimings(),
  };
}

export function addCounts(sum: TaskCounts, more: TaskCounts): void {
  for (const name of [
    'pages',
    'htmlBytes',
    'textBytes',
    'links',
    'nodes',
    'exactPages',
    'unsurePages',
  ] as const) {
    sum[name] += more[name];
  }
  addSkips(sum.skipped, more.skipped);
  addTimings(sum.timings, more.timings);
}

/** Counts a page that was taken up. */
export function countPage(counts: TaskCounts, { source }: Pick<Page, 'source'>, tree: Tree): void {
  counts.pages++;
  counts.htmlBytes += source.length;
  counts.textBytes += tree.textLength;
  counts.links += tree.linkCount;
  counts.nodes += tree.nodeCount;
  if (tree.exact) counts.exactPages++;
}

/** Counts a page that was not. */
export function countSkip({ skipped }: Pick<TaskCounts, 'skipped'>, code: SkipCode): void {
  skipped[code] = (skipped[code] ?? 0) + 1;
}

export function addSkips(
  sum: Partial<Record<SkipCode, number>>,
  more: Partial<Record<SkipCode, number>>,
): void {
  for (const [code, count] of Object.entries(more) as [SkipCode, number][])
    sum[code] = (sum[code] ?? 0) + count;
}
