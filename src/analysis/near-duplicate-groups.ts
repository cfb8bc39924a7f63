/**
 * Groups of near-duplicates by the hashes stored of each page (see shingles.ts), as stars: pages are taken in
 * their order; one that shares enough hashes with the first page of a group joins the group it shares most
 * with, any other begins a group. So whatever is dropped in favour of a group's first page is a near-duplicate
 * of just that page; in connected components, a chain of small edits would join pages that share nothing.
 *
 * No pair is compared that cannot match. Two lists of n hashes of which t are shared have one in common even
 * among the n - t + 1 rarest of each (the prefix filter: Chaudhuri, Ganti, Kaushik 2006; Bayardo, Ma,
 * Srikant 2007). Only first pages are indexed, under their rarest hashes; the hashes that very many pages
 * share, those of template text, are the commonest of each page and are neither indexed nor looked up, and
 * nothing is lost by it. What could still make it quadratic are pages made of common hashes in ever new
 * combinations: a page is compared with at most `MOST_COMPARED` others, rarest hashes first, and the pages
 * that met this bound are counted. Cost: a sort of all hashes and a bounded step a page; memory 40 bytes a
 * stored hash.
 */
import { firstIndex } from '../model/order.ts';
import { neededMatches } from './shingles.ts';

/** First pages that one page is compared with. */
export const MOST_COMPARED = 2000;

/** The hashes of some pages; earlier pages come first in their groups. */
export interface HashedPages {
  /** Those of page k are hashes[starts[k], starts[k + 1]), distinct; a page may have none. */
  starts: Uint32Array;
  hashes: Float64Array;
}

export interface StarOptions {
  /** Hashes stored of a page, at most. */
  hashes: number;
  /** Hashes to share, of so many. */
  match: number;
}

export interface StarGroups {
  /** The first page of each page's group: itself when it began one, or has no hashes. */
  first: Uint32Array;
  /** Hashes shared with the first page; of a first page, all it has. */
  matching: Uint16Array;
  /** Pages that were compared with as many others as may be: they may have a nearer one. */
  crowded: number;
}

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
    for (let at = start; at < prefixEnd && compared < MOST_COMPARED; at++) {
      let entry = index.heads[ids[at]];
      for (; entry >= 0 && compared < MOST_COMPARED; entry = index.next[entry]) {
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
    if (compared === MOST_COMPARED) crowded++;
    if (most === 0) for (let at = start; at < prefixEnd; at++) index.add(ids[at], page);
  }
  return { first, matching, crowded };
}

/** The first pages of groups by hash: lists that run from the page added first. */
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

/** Hashes as numbers from 0, rarest first; of each page ascending, so its rarest come first. */
function numberByRarity({ starts, hashes }: HashedPages): { ids: Uint32Array; distinctCount: number } {
  const pageCount = starts.length - 1;
  // distinct hashes, ascending, and how many pages have each
  const distinct = Float64Array.from(hashes).sort();
  const pagesWith = new Uint32Array(distinct.length);
  let distinctCount = 0;
  for (let i = 0; i < distinct.length; i++) {
    if (i === 0 || distinct[i] !== distinct[distinctCount - 1]) distinct[distinctCount++] = distinct[i];
    pagesWith[distinctCount - 1]++;
  }

  // numbers by counting sort: of two as rare the smaller hash is first
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

/** Numbers that stand both in ids[a, aEnd) and in ids[b, bEnd), each ascending. */
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
