/**
 * Tables of 64-bit hashes on the host side: a counter of pages and occurrences, and a set. Counts are exact:
 * pages come one after the other, so a bucket needs to store only the last page with its hash.
 *
 * The counter is one open-addressing table in one typed array with six 32-bit words per bucket, so that a probe
 * touches one or two cache lines: 24 bytes per bucket, at most 60 % full. The high lane selects the bucket,
 * because the low lanes of sampled windows are all multiples of D.
 */
import type { KeyCounts } from '../kernel/key-tables.ts';

const LOW = 0;
const HIGH = 1;
const LAST_PAGE = 2; // from 1; 0 before the first page
const PAGES = 3; // 0 in a free bucket
const OCCURRENCES = 4;
const NUMBER = 5;
const STRIDE = 6;

const NO_BUCKETS = new Int32Array(0);

/** Counts 64-bit hashes: for each, the distinct pages with it and its occurrences. */
export class HashCounter {
  #buckets: Int32Array = NO_BUCKETS;
  #mask = 0;
  #free = 0;
  #size = 0;

  /** Makes room for `expected` distinct hashes; the table grows beyond them. */
  constructor(expected = 1024) {
    this.#reserve(capacityFor(expected));
  }

  /** Number of distinct hashes. */
  get size(): number {
    return this.#size;
  }

  /**
   * Counts one occurrence on a page. All occurrences of one page must be counted before those of another.
   * Returns the number of the hash, from 0 in the order of first occurrence.
   */
  add(low: number, high: number, page: number): number {
    const buckets = this.#buckets;
    const mask = this.#mask;
    for (let index = high & mask; ; index = (index + 1) & mask) {
      const bucket = index * STRIDE;
      if (buckets[bucket + PAGES] === 0) {
        buckets[bucket + LOW] = low;
        buckets[bucket + HIGH] = high;
        buckets[bucket + LAST_PAGE] = page + 1;
        buckets[bucket + PAGES] = 1;
        buckets[bucket + OCCURRENCES] = 1;
        const number = this.#size++;
        buckets[bucket + NUMBER] = number;
        if (--this.#free === 0) this.#grow();
        return number;
      }
      if (buckets[bucket + HIGH] === high && buckets[bucket + LOW] === low) {
        buckets[bucket + OCCURRENCES]++;
        if (buckets[bucket + LAST_PAGE] !== page + 1) {
          buckets[bucket + LAST_PAGE] = page + 1;
          buckets[bucket + PAGES]++;
        }
        return buckets[bucket + NUMBER];
      }
    }
  }

  /** Returns the number of distinct pages with the hash. */
  pagesOf(low: number, high: number): number {
    const bucket = this.#find(low, high);
    return bucket < 0 ? 0 : this.#buckets[bucket + PAGES];
  }

  /** Returns the number that `add` gave to the hash; -1 if it was not counted. */
  numberOf(low: number, high: number): number {
    const bucket = this.#find(low, high);
    return bucket < 0 ? -1 : this.#buckets[bucket + NUMBER];
  }

  /** Returns the number of occurrences of the hash on all pages. */
  occurrencesOf(low: number, high: number): number {
    const bucket = this.#find(low, high);
    return bucket < 0 ? 0 : this.#buckets[bucket + OCCURRENCES];
  }

  /** Returns the hashes on at least `least` pages, or with at least this many occurrences. */
  select(least: number, by: 'pages' | 'occurrences' = 'pages'): KeyCounts {
    const buckets = this.#buckets;
    const counted = by === 'pages' ? PAGES : OCCURRENCES;
    let count = 0;
    for (let bucket = 0; bucket < buckets.length; bucket += STRIDE) {
      if (buckets[bucket + PAGES] !== 0 && buckets[bucket + counted] >= least) count++;
    }
    // sort 64-bit keys natively, low lane first in memory, then look up their counts
    const keys = new BigUint64Array(count);
    const lanes = new Int32Array(keys.buffer);
    let next = 0;
    for (let bucket = 0; bucket < buckets.length; bucket += STRIDE) {
      if (buckets[bucket + PAGES] === 0 || buckets[bucket + counted] < least) continue;
      lanes[next] = buckets[bucket + LOW];
      lanes[next + 1] = buckets[bucket + HIGH];
      next += 2;
    }
    keys.sort();
    const counts = emptyKeyCounts(count);
    for (let i = 0; i < count; i++) {
      const low = lanes[2 * i];
      const high = lanes[2 * i + 1];
      const bucket = this.#find(low, high);
      counts.low[i] = low;
      counts.high[i] = high;
      counts.pages[i] = buckets[bucket + PAGES];
      counts.occurrences[i] = buckets[bucket + OCCURRENCES];
    }
    return counts;
  }

  /** Removes all hashes and keeps the memory. */
  clear(): void {
    this.#buckets.fill(0);
    this.#free = freeBuckets(this.#mask + 1);
    this.#size = 0;
  }

  #find(low: number, high: number): number {
    const buckets = this.#buckets;
    const mask = this.#mask;
    for (let index = high & mask; ; index = (index + 1) & mask) {
      const bucket = index * STRIDE;
      if (buckets[bucket + PAGES] === 0) return -1;
      if (buckets[bucket + HIGH] === high && buckets[bucket + LOW] === low) return bucket;
    }
  }

  /** Allocates an empty table of this capacity. */
  #reserve(capacity: number): void {
    this.#buckets = new Int32Array(capacity * STRIDE);
    this.#mask = capacity - 1;
    this.#free = freeBuckets(capacity) - this.#size;
  }

  #grow(): void {
    const old = this.#buckets;
    this.#reserve((this.#mask + 1) * 2);
    const buckets = this.#buckets;
    const mask = this.#mask;
    for (let from = 0; from < old.length; from += STRIDE) {
      if (old[from + PAGES] === 0) continue;
      let index = old[from + HIGH] & mask;
      while (buckets[index * STRIDE + PAGES] !== 0) index = (index + 1) & mask;
      for (let word = 0; word < STRIDE; word++) buckets[index * STRIDE + word] = old[from + word];
    }
  }
}

/** Makes columns for `length` counts, filled with zeros. */
export function emptyKeyCounts(length: number): KeyCounts {
  return {
    low: new Int32Array(length),
    high: new Int32Array(length),
    pages: new Uint32Array(length),
    occurrences: new Uint32Array(length),
  };
}

function capacityFor(expected: number): number {
  let capacity = 64;
  while (freeBuckets(capacity) <= expected) capacity *= 2;
  return capacity;
}

function freeBuckets(capacity: number): number {
  return Math.floor(capacity * 0.6);
}

const SET_WORDS = 3; // low, high, generation of the fill that wrote the bucket

/**
 * A set of 64-bit hashes that is refilled from page to page, for example with a page's subtrees; repeats are
 * allowed.
 */
export class HashSet {
  #buckets = new Int32Array(64 * SET_WORDS);
  #mask = 63;
  #generation = 0;

  /** Replaces the content by the first `count` of these hashes. */
  fill(low: Int32Array, high: Int32Array, count: number): this {
    if (this.#mask + 1 < 2 * count) {
      let capacity = this.#mask + 1;
      while (capacity < 2 * count) capacity *= 2;
      this.#buckets = new Int32Array(capacity * SET_WORDS);
      this.#mask = capacity - 1;
      this.#generation = 0;
    }
    const generation = ++this.#generation;
    const buckets = this.#buckets;
    const mask = this.#mask;
    for (let i = 0; i < count; i++) {
      for (let index = high[i] & mask; ; index = (index + 1) & mask) {
        const bucket = index * SET_WORDS;
        if (buckets[bucket + 2] !== generation) {
          buckets[bucket] = low[i];
          buckets[bucket + 1] = high[i];
          buckets[bucket + 2] = generation;
          break;
        }
        if (buckets[bucket] === low[i] && buckets[bucket + 1] === high[i]) break;
      }
    }
    return this;
  }

  /** Whether the last fill had the hash. */
  has(low: number, high: number): boolean {
    const buckets = this.#buckets;
    const mask = this.#mask;
    for (let index = high & mask; ; index = (index + 1) & mask) {
      const bucket = index * SET_WORDS;
      if (buckets[bucket + 2] !== this.#generation) return false;
      if (buckets[bucket] === low && buckets[bucket + 1] === high) return true;
    }
  }
}
