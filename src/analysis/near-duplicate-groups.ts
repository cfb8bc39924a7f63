/**
 * Groups near-duplicates by the stored hashes of each page (see shingles.ts), as stars. Pages are taken in
 * their order; one that shares enough hashes with the first page of a group joins the group with which it
 * shares most, any other page begins a group. Every page that is dropped in favour of a group's first page is
 * thus a near-duplicate of that page; in connected components, a chain of small edits would join pages that
 * share nothing.
 *
 * Pairs that cannot match are not compared. Two lists of n hashes of which t are shared have one in common
 * even among the n - t + 1 rarest of each (the prefix filter: Chaudhuri, Ganti, Kaushik 2006; Bayardo, Ma,
 * Srikant 2007). Only first pages are indexed, under their rarest hashes. Hashes that very many pages share,
 * such as those of template text, are the most frequent of each page and are neither indexed nor looked up,
 * without loss. Pages of frequent hashes in ever new combinations could still make the cost quadratic; so a
 * page is compared with at most `MAX_COMPARED` others, rarest hashes first, and pages that reach this bound
 * are counted. Cost: a sort of all hashes and a bounded step per page; memory 40 bytes per stored hash.
 */
import { firstIndex } from '../model/order.ts';
import { neededMatches } from './shingles.ts';

/** Maximum number of first pages that one page is compared with. */
export const MAX_COMPARED = 2000;

/** The hashes of some pages, in the order in which pages may begin groups. */
export interface HashedPages {
  /** Page k has hashes[starts[k], starts[k + 1]), distinct; a page may have none. */
  starts: Uint32Array;
  hashes: Float64Array;
}

/** Options of `groupByStars`. */
export interface StarOptions {
  /** Maximum number of hashes stored per page. */
  hashes: number;
  /** Number of these hashes that near-duplicates must share. */
  match: number;
}

/** The groups of all pages. */
export interface StarGroups {
  /** First page of each page's group: the page itself if it began one, or has no hashes. */
  first: Uint32Array;
  /** Number of hashes shared with the first page; for a first page, all that it has. */
  matching: Uint16Array;
  /** Number of pages that reached the bound of comparisons, and may have a nearer first page. */
  crowded: number;
}

/** Groups pages by their near-duplicates. */
export function groupByStars({ starts, hashes }: HashedPages, options: StarOptions): StarGroups {
  const pageCount = starts.length - 1;
  const { ids, distinctCount } = numberByRarity({ starts, hashes });
  const index = new FirstPages(distinctCount, ids.length);
  const first = new Uint32Array(pageCount);
  const matching = new Uint16Array(pageCount);
  const lastComparedWith = new Uint32Array(pageCount).fill(pageCount);
  let crowded = 0;

  for (let page = 0; page < pageCount; page++) {
    const start = starts[page];
    const end = starts[page + 1];
    first[page] = page;
    matching[page] = end - start;
    if (start === end) continue;
    const prefixEnd = end - neededMatches(end - start, end - start, options) + 1;

    let most = 0;
    let compared = 0;
    for (let at = start; at < prefixEnd && compared < MAX_COMPARED; at++) {
      let entry = index.heads[ids[at]];
      for (; entry >= 0 && compared < MAX_COMPARED; entry = index.next[entry]) {
        const other = index.pages[entry];
        if (lastComparedWith[other] === page) continue;
        lastComparedWith[other] = page;
        compared++;
        const otherStart = starts[other];
        const otherEnd = starts[other + 1];
        const shared = countShared(ids, start, end, otherStart, otherEnd);
        // of two that share as much, the earlier one
        if (shared < most || (shared === most && other > first[page])) continue;
        if (shared < neededMatches(end - start, otherEnd - otherStart, options)) continue;
        most = shared;
        first[page] = other;
        matching[page] = shared;
      }
    }
    if (compared === MAX_COMPARED) crowded++;
    if (most === 0) for (let at = start; at < prefixEnd; at++) index.add(ids[at], page);
  }
  return { first, matching, crowded };
}

/** The first pages of groups, listed by hash in the order they were added. */
class FirstPages {
  readonly heads: Int32Array;
  readonly next: Int32Array;
  readonly pages: Uint32Array;
  readonly #tails: Int32Array;
  #count = 0;

  constructor(hashCount: number, mostEntries: number) {
    this.heads = new Int32Array(hashCount).fill(-1);
    this.#tails = new Int32Array(hashCount);
    this.next = new Int32Array(mostEntries).fill(-1);
    this.pages = new Uint32Array(mostEntries);
  }

  add(hash: number, page: number): void {
    const entry = this.#count++;
    this.pages[entry] = page;
    if (this.heads[hash] < 0) this.heads[hash] = entry;
    else this.next[this.#tails[hash]] = entry;
    this.#tails[hash] = entry;
  }
}

/**
 * Numbers the hashes from 0, rarest first, and sorts the numbers of each page, so that its rarest hashes come
 * first.
 */
function numberByRarity({ starts, hashes }: HashedPages): { ids: Uint32Array; distinctCount: number } {
  const pageCount = starts.length - 1;
  // distinct hashes in ascending order, with the number of pages that have each
  const distinct = Float64Array.from(hashes).sort();
  const pagesWith = new Uint32Array(distinct.length);
  let distinctCount = 0;
  for (let i = 0; i < distinct.length; i++) {
    if (i === 0 || distinct[i] !== distinct[distinctCount - 1]) distinct[distinctCount++] = distinct[i];
    pagesWith[distinctCount - 1]++;
  }

  // number them by counting sort: of two that are equally rare, the smaller hash is first
  const nextNumber = new Uint32Array(pageCount + 2);
  for (let i = 0; i < distinctCount; i++) nextNumber[pagesWith[i] + 1]++;
  for (let count = 1; count < nextNumber.length; count++) nextNumber[count] += nextNumber[count - 1];
  const numberOf = new Uint32Array(distinctCount);
  for (let i = 0; i < distinctCount; i++) numberOf[i] = nextNumber[pagesWith[i]]++;

  const ids = new Uint32Array(hashes.length);
  for (let page = 0; page < pageCount; page++) {
    for (let i = starts[page]; i < starts[page + 1]; i++) {
      const hash = hashes[i];
      ids[i] = numberOf[firstIndex(0, distinctCount, (k) => distinct[k] >= hash)];
    }
    ids.subarray(starts[page], starts[page + 1]).sort();
  }
  return { ids, distinctCount };
}

/** Counts the numbers that are in both ids[a, aEnd) and ids[b, bEnd), which are ascending. */
function countShared(ids: Uint32Array, a: number, aEnd: number, b: number, bEnd: number): number {
  let shared = 0;
  for (let i = a, k = b; i < aEnd && k < bEnd; ) {
    const left = ids[i];
    const right = ids[k];
    if (left === right) shared++;
    if (left <= right) i++;
    if (left >= right) k++;
  }
  return shared;
}
