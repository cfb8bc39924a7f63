import { expect, test } from 'vitest';
import { chunkGroups, chunkPages, groupsOfSeveralChunks } from './chunk-tasks.ts';

/** Pages of groups with these sizes, a byte each. */
function* pagesOf(sizes: number[]) {
  let page = 1;
  for (const [group, size] of sizes.entries()) {
    for (let k = 0; k < size; k++) yield { page: page++, group, bytes: 1 };
  }
}

function* groupsOf(sizes: number[]) {
  for (const [group, urls] of sizes.entries()) yield { group, urls };
}

test('label tasks cover every page once, none larger than asked', () => {
  for (const sizes of [[1], [100], [3, 3, 3, 50, 1, 1], Array(40).fill(1), [10, 10, 10]]) {
    const chunks = chunkPages(pagesOf(sizes), { taskPages: 10 });
    let next = 1;
    for (const { firstPage, endPage, firstGroup, endGroup } of chunks) {
      expect(firstPage).toBe(next);
      expect(endPage - firstPage).toBeLessThanOrEqual(10);
      expect(endGroup).toBeGreaterThan(firstGroup);
      next = endPage;
    }
    expect(next - 1).toBe(sizes.reduce((a, b) => a + b, 0));
  }
});

test('a site large enough starts a task of its own, tiny ones share one', () => {
  const chunks = chunkPages(pagesOf([5, 5, 1, 1, 1]), { taskPages: 10 });
  expect(chunks.map(({ firstGroup, endGroup }) => [firstGroup, endGroup])).toEqual([
    [0, 1],
    [1, 2],
    [2, 5],
  ]);
});

test('bytes bound a task too, and one huge page is a task', () => {
  const pages = (function* () {
    for (const [k, bytes] of [50, 50, 500, 50].entries()) yield { page: k + 1, group: 0, bytes };
  })();
  const chunks = chunkPages(pages, { taskPages: 10, taskBytes: 100 });
  expect(chunks.map(({ firstPage, endPage }) => endPage - firstPage)).toEqual([2, 1, 1]);
});

test('learn tasks hold whole groups, about one sample of pages each', () => {
  const chunks = chunkGroups(groupsOf([500, 3, 4, 200, 90, 90, 90]), 200);
  expect(chunks).toEqual([
    { firstGroup: 0, endGroup: 1 },
    { firstGroup: 1, endGroup: 3 },
    { firstGroup: 3, endGroup: 4 },
    { firstGroup: 4, endGroup: 6 },
    { firstGroup: 6, endGroup: 7 },
  ]);
});

test('a group is of several chunks when its pages go on in the next one', () => {
  const chunks = chunkPages(pagesOf([5, 25, 1, 5]), { taskPages: 10 });
  expect([...groupsOfSeveralChunks(chunks)]).toEqual([1]);
  expect([...groupsOfSeveralChunks([])]).toEqual([]);
});

test('learn tasks of chosen groups only never span one that was left out', () => {
  const chunks = chunkGroups(groupsOf([3, 3, 3, 3]), 200, new Set([0, 1, 3]));
  expect(chunks).toEqual([
    { firstGroup: 0, endGroup: 2 },
    { firstGroup: 3, endGroup: 4 },
  ]);
});

test.each([0, 60, 199])(
  'half of all pages in one site, after %i small ones, is fairly shared by four carriers',
  (before) => {
    const small = Array<number>(200).fill(10);
    const sizes = [...small.slice(0, before), 2000, ...small.slice(before)];
    const fairShare = 4000 / 4;
    const chunks = chunkPages(pagesOf(sizes), { taskPages: fairShare });
    // tiny sites are packed, and the large one is cut
    expect(chunks.length).toBeLessThanOrEqual(12);
    const ofLarge = chunks.filter(({ firstGroup, endGroup }) => firstGroup <= before && before < endGroup);
    expect(ofLarge.length).toBeGreaterThanOrEqual(2);
    // the largest tasks first, each to the next free worker: the best order in which a cluster engine can hand them out
    const carriers = [0, 0, 0, 0];
    for (const pages of chunks.map(({ pageCount }) => pageCount).sort((a, b) => b - a)) {
      carriers[carriers.indexOf(Math.min(...carriers))] += pages;
    }
    expect(Math.max(...carriers)).toBeLessThanOrEqual(1.5 * fairShare);
  },
);
