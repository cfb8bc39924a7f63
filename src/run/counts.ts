/** Sums over tasks. */
import type { SkipCode } from '../model/problem.ts';
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

export function addSkips(
  sum: Partial<Record<SkipCode, number>>,
  more: Partial<Record<SkipCode, number>>,
): void {
  for (const [code, count] of Object.entries(more) as [SkipCode, number][])
    sum[code] = (sum[code] ?? 0) + count;
}
