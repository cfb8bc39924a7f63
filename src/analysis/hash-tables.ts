/**
 * Tables of 64-bit hashes on the host side: a counter of pages and occurrences, and a set. Counts are exact:
 * pages come one after the other, so a slot needs to store only the last page with its hash.
 *
 * The counter is one open-addressing table in one typed array with six 32-bit words per slot, so that a probe
 * touches one or two cache lines: 24 bytes per slot, at most 60 % full. The high lane selects the slot,
 * because the low lanes of sampled windows are all multiples of D.
 */
import type { KeyCounts } from '../kernel/key-tables.ts';

const LOW = 0;
const HIGH = 1;
const LAST_PAGE = 2; // from 1; 0 before the first page
const PAGES = 3; // 0 in a free slot
const OCCURRENCES = 4;
const NUMBER = 5;
const STRIDE = 6;

const NO_SLOTS = new Int32Array(0);

/** Counts 64-bit hashes: for each, the distinct pages with it and its occurrences. */
export class HashCounter {
  #slots: Int32Array = NO_SLOTS;
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
    const slots = this.#slots;
    const mask = this.#mask;
    for (let index = high & mask; ; index = (index + 1) & mask) {
      const slot = index * STRIDE;
      if (slots[slot + PAGES] === 0) {
        slots[slot + LOW] = low;
        slots[slot + HIGH] = high;
        slots[slot + LAST_PAGE] = page + 1;
        slots[slot + PAGES] = 1;
        slots[slot + OCCURRENCES] = 1;
        const number = this.#size++;
        slots[slot + NUMBER] = number;
        if (--this.#free === 0) this.#grow();
        return number;
      }
      if (slots[slot + HIGH] === high && slots[slot + LOW] === low) {
        slots[slot + OCCURRENCES]++;
        if (slots[slot + LAST_PAGE] !== page + 1) {
          slots[slot + LAST_PAGE] = page + 1;
          slots[slot + PAGES]++;
        }
        return slots[slot + NUMBER];
      }
    }
  }

  /** Returns the number of distinct pages with the hash. */
  pagesOf(low: number, high: number): number {
    const slot = this.#find(low, high);
    return slot < 0 ? 0 : this.#slots[slot + PAGES];
  }

  /** Returns the number that `add` gave to the hash; -1 if it was not counted. */
  numberOf(low: number, high: number): number {
    const slot = this.#find(low, high);
    return slot < 0 ? -1 : this.#slots[slot + NUMBER];
  }

  /** Returns the number of occurrences of the hash on all pages. */
  occurrencesOf(low: number, high: number): number {
    const slot = this.#find(low, high);
    return slot < 0 ? 0 : this.#slots[slot + OCCURRENCES];
  }

  /** Returns the hashes on at least `least` pages, or with at least so many occurrences. */
  select(least: number, by: 'pages' | 'occurrences' = 'pages'): KeyCounts {
    const slots = this.#slots;
    const counted = by === 'pages' ? PAGES : OCCURRENCES;
    let count = 0;
    for (let slot = 0; slot < slots.length; slot += STRIDE) {
      if (slots[slot + PAGES] !== 0 && slots[slot + counted] >= least) count++;
    }
    // sort 64-bit keys natively, low lane first in memory, then look up their counts
    const keys = new BigUint64Array(count);
    const lanes = new Int32Array(keys.buffer);
    let next = 0;
    for (let slot = 0; slot < slots.length; slot += STRIDE) {
      if (slots[slot + PAGES] === 0 || slots[slot + counted] < least) continue;
      lanes[next] = slots[slot + LOW];
      lanes[next + 1] = slots[slot + HIGH];
      next += 2;
    }
    keys.sort();
    const counts = emptyCounts(count);
    for (let i = 0; i < count; i++) {
      const low = lanes[2 * i];
      const high = lanes[2 * i + 1];
      const slot = this.#find(low, high);
      counts.low[i] = low;
      counts.high[i] = high;
      counts.pages[i] = slots[slot + PAGES];
      counts.occurrences[i] = slots[slot + OCCURRENCES];
    }
    return counts;
  }

  /** Removes all hashes and keeps the memory. */
  clear(): void {
    this.#slots.fill(0);
    this.#free = freeSlots(this.#mask + 1);
    this.#size = 0;
  }

  #find(low: number, high: number): number {
    const slots = this.#slots;
    const mask = this.#mask;
    for (let index = high & mask; ; index = (index + 1) & mask) {
      const slot = index * STRIDE;
      if (slots[slot + PAGES] === 0) return -1;
      if (slots[slot + HIGH] === high && slots[slot + LOW] === low) return slot;
    }
  }

  /** Allocates an empty table of this capacity. */
  #reserve(capacity: number): void {
    this.#slots = new Int32Array(capacity * STRIDE);
    this.#mask = capacity - 1;
    this.#free = freeSlots(capacity) - this.#size;
  }

  #grow(): void {
    const old = this.#slots;
    this.#reserve((this.#mask + 1) * 2);
    const slots = this.#slots;
    const mask = this.#mask;
    for (let from = 0; from < old.length; from += STRIDE) {
      if (old[from + PAGES] === 0) continue;
      let index = old[from + HIGH] & mask;
      while (slots[index * STRIDE + PAGES] !== 0) index = (index + 1) & mask;
      for (let word = 0; word < STRIDE; word++) slots[index * STRIDE + word] = old[from + word];
    }
  }
}

/** Makes columns for `length` counts, filled with zeros. */
export function emptyCounts(length: number): KeyCounts {
  return {
    low: new Int32Array(length),
    high: new Int32Array(length),
    pages: new Uint32Array(length),
    occurrences: new Uint32Array(length),
  };
}

function capacityFor(expected: number): number {
  let capacity = 64;
  while (freeSlots(capacity) <= expected) capacity *= 2;
  return capacity;
}

function freeSlots(capacity: number): number {
  return Math.floor(capacity * 0.6);
}

const SET_WORDS = 3; // low, high, generation of the fill that wrote the slot

/**
 * A set of 64-bit hashes that is refilled from page to page, for example with a page's subtrees; repeats are
 * allowed.
 */
export class HashSet {
  #slots = new Int32Array(64 * SET_WORDS);
  #mask = 63;
  #generation = 0;

  /** Replaces the content by the first `count` of these hashes. */
  fill(low: Int32Array, high: Int32Array, count: number): this {
    if (this.#mask + 1 < 2 * count) {
      let capacity = this.#mask + 1;
      while (capacity < 2 * count) capacity *= 2;
      this.#slots = new Int32Array(capacity * SET_WORDS);
      this.#mask = capacity - 1;
      this.#generation = 0;
    }
    const generation = ++this.#generation;
    const slots = this.#slots;
    const mask = this.#mask;
    for (let i = 0; i < count; i++) {
      for (let index = high[i] & mask; ; index = (index + 1) & mask) {
        const slot = index * SET_WORDS;
        if (slots[slot + 2] !== generation) {
          slots[slot] = low[i];
          slots[slot + 1] = high[i];
          slots[slot + 2] = generation;
          break;
        }
        if (slots[slot] === low[i] && slots[slot + 1] === high[i]) break;
      }
    }
    return this;
  }

  /** Whether the last fill had the hash. */
  has(low: number, high: number): boolean {
    const slots = this.#slots;
    const mask = this.#mask;
    for (let index = high & mask; ; index = (index + 1) & mask) {
      const slot = index * SET_WORDS;
      if (slots[slot + 2] !== this.#generation) return false;
      if (slots[slot] === low && slots[slot + 1] === high) return true;
    }
  }
}
