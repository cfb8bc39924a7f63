import { expect, test } from 'vitest';
import { groupByStars, type HashedPages, MAX_COMPARED, type StarOptions } from './near-duplicate-groups.ts';
import { countMatching, neededMatches } from './shingles.ts';

const PAPER: StarOptions = { hashes: 8, match: 4 };

function pagesOf(lists: number[][]): HashedPages {
  const starts = new Uint32Array(lists.length + 1);
  for (const [k, list] of lists.entries()) starts[k + 1] = starts[k] + list.length;
  return { starts, hashes: Float64Array.from(lists.flat()) };
}

/** The slow definition: compares every page with every first page. */
function plainGroups(lists: number[][], options: StarOptions): { first: number[]; matching: number[] } {
  const first: number[] = [];
  const matching: number[] = [];
  for (const [page, list] of lists.entries()) {
    first[page] = page;
    matching[page] = list.length;
    let most = 0;
    for (let other = 0; other < page; other++) {
      if (first[other] !== other) continue;
      const shared = countMatching(sorted(list), sorted(lists[other]));
      if (shared <= most || shared < neededMatches(list.length, lists[other].length, options)) continue;
      most = shared;
      first[page] = other;
      matching[page] = shared;
    }
  }
  return { first, matching };
}

function sorted(list: number[]): Float64Array {
  return Float64Array.from(list).sort();
}

function* numbers(seed: number): Generator<number, never> {
  for (let x = seed | 0; ; ) {
    x = Math.imul(x ^ (x >>> 15), 0x2c1b3c6d) + 0x9e3779b9;
    yield (x ^ (x >>> 13)) >>> 0;
  }
}

/** Pages of up to `most` hashes out of `pool`, with smaller ones more frequent. */
function randomLists(pages: number, { most, pool, seed }: { most: number; pool: number; seed: number }) {
  const random = numbers(seed);
  return Array.from({ length: pages }, () => {
    const size = random.next().value % 4 === 0 ? random.next().value % (most + 1) : most;
    const list = new Set<number>();
    while (list.size < size)
      list.add(Math.floor(((random.next().value % pool) * (random.next().value % pool)) / pool));
    return [...list].sort((a, b) => a - b);
  });
}

test('every page is in the group that comparing it with all first pages gives', () => {
  for (let seed = 1; seed <= 60; seed++) {
    const hashes = [8, 8, 5, 16][seed % 4];
    const match = [4, 6, 1, 12][(seed >> 2) % 4];
    const options = { hashes, match: Math.min(match, hashes) };
    const lists = randomLists(120, { most: hashes, pool: 20 + 10 * (seed % 9), seed });
    const { first, matching, crowded } = groupByStars(pagesOf(lists), options);
    const plain = plainGroups(lists, options);
    expect([...first]).toEqual(plain.first);
    expect([...matching]).toEqual(plain.matching);
    expect(crowded).toBe(0);
  }
});

test('every page of a group shares enough hashes with its first page: chains do not join', () => {
  const chain = [0, 1, 2, 3, 4].map((k) => Array.from({ length: 8 }, (_, i) => 4 * k + i));
  const { first } = groupByStars(pagesOf(chain), PAPER);
  expect([...first]).toEqual([0, 0, 2, 2, 4]);
});

test('a page joins the group with which it shares most hashes, and of two equal ones the earlier', () => {
  const lists = [
    [1, 2, 3, 4, 11, 12, 13, 14],
    [5, 6, 7, 8, 9, 15, 16, 17],
    [1, 2, 3, 5, 6, 7, 8, 9],
    [1, 2, 3, 4, 5, 6, 7, 8],
  ];
  expect([...groupByStars(pagesOf(lists), PAPER).first]).toEqual([0, 1, 1, 0]);
});

test('a page without hashes is a group of its own', () => {
  const { first, matching } = groupByStars(pagesOf([[], [1, 2], [], [1, 2]]), PAPER);
  expect([...first]).toEqual([0, 1, 2, 1]);
  expect([...matching]).toEqual([0, 2, 0, 2]);
});

test('an empty list has no groups', () => {
  expect(groupByStars(pagesOf([]), PAPER).first).toHaveLength(0);
});

test('three hashes that all pages share are never looked up', () => {
  const pages = 20_000;
  const lists = Array.from({ length: pages }, (_, k) => [
    1,
    2,
    3,
    ...[4, 5, 6, 7, 8].map((i) => i + 10 * k + 10),
  ]);
  const { first, crowded } = groupByStars(pagesOf(lists), PAPER);
  expect(crowded).toBe(0);
  expect(first.every((page, k) => page === k)).toBe(true);
});

test('pages of frequent hashes in ever new combinations are compared with a bounded number of pages, and counted', () => {
  // one hash and three of 24 more frequent ones: no two pages share more than three, and all must look up the
  // one
  const common = 24;
  let own = 100;
  const unique = (count: number) => Array.from({ length: count }, () => own++);
  const lists: number[][] = [];
  for (let hash = 1; hash <= common; hash++) {
    for (let i = 0; i < MAX_COMPARED + 100; i++) lists.push([hash, ...unique(4)]);
  }
  for (let a = 1; a <= common; a++)
    for (let b = a + 1; b <= common; b++)
      for (let c = b + 1; c <= common; c++) lists.push([0, a, b, c, ...unique(4)]);
  const { first, crowded } = groupByStars(pagesOf(lists), PAPER);
  expect(first.every((page, k) => page === k)).toBe(true);
  expect(crowded).toBe(2024 - MAX_COMPARED);
});
