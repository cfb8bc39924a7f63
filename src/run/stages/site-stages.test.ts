import { expect, test } from 'vitest';
import type { Chunk } from './chunk-tasks.ts';
import { findSharedSites, sharedSitesOf } from './site-stages.ts';

/** Cuts from and up to these groups. */
function chunksOf(groups: [first: number, end: number][]): Chunk[] {
  return groups.map(([firstGroup, endGroup]) => ({
    firstPage: 0,
    endPage: 0,
    firstGroup,
    endGroup,
    bytes: 0,
    pageCount: 0,
    groupCount: 0,
  }));
}

const groupsOf = (sites: string[]) => (first: number, end: number) =>
  sites.slice(first, end).map((site) => ({ site }));

test('a site of several tasks is found, whether a task boundary is inside a snapshot or between two snapshots', () => {
  const sites = ['a', 'b', 'b', 'c', 'd'];
  const chunks = chunksOf([
    [0, 2], // a, and the first snapshot of b
    [2, 4], // the second, and some of c
    [3, 4], // more of c
    [3, 4],
    [4, 5],
  ]);
  const shared = findSharedSites(chunks, groupsOf(sites));
  expect(shared).toEqual([
    { site: 'b', firstTask: 0, endTask: 2 },
    { site: 'c', firstTask: 1, endTask: 4 },
  ]);
  expect(chunks.map((_, k) => sharedSitesOf(k, shared))).toEqual([['b'], ['b', 'c'], ['c'], ['c'], []]);
});

test('sites that begin and end with a task are not shared', () => {
  expect(
    findSharedSites(
      chunksOf([
        [0, 1],
        [1, 3],
      ]),
      groupsOf(['a', 'b', 'c']),
    ),
  ).toEqual([]);
  expect(findSharedSites([], groupsOf([]))).toEqual([]);
});
