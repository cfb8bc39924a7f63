/**
 * Hash tables of the kernel, made and enlarged by the host. Keys are hashes of 64 bits in two lanes. Each
 * table owns blocks of the kernel's memory until `release`.
 */
import type { Kernel } from './kernel.ts';
import * as layout from './key-layout.ts';
import { threadKernel } from './thread-kernel.ts';

/** Keys with their counts, as columns sorted by (high, low) read as unsigned numbers. */
export interface KeyCounts {
  low: Int32Array;
  high: Int32Array;
  /** Distinct pages with the key. */
  pages: Uint32Array;
  /** Occurrences of the key on all pages. */
  occurrences: Uint32Array;
}

/** Largest share of a counter's buckets that are filled. */
const MAX_LOAD = 0.6;
/** Bits of an index's filter per key: at most one in 64 of other keys passes it. */
const FILTER_BITS_PER_KEY = 64;
const MAX_FILTER_BITS = 23;

/** Counts keys exactly: the distinct pages with each key, and its occurrences. */
export class KeyCounter {
  /** Address of the counter's header. */
  readonly address: number;
  readonly #kernel: Kernel;
  #buckets = 0;
  #bucketCount = 0;

  constructor(expected = 1024, kernel = threadKernel()) {
    this.#kernel = kernel;
    this.address = kernel.heap.take(4 * layout.COUNTER_WORDS);
    kernel.words[(this.address >> 2) + layout.COUNTER_SIZE] = 0;
    this.reserve(expected);
  }

  /** Number of distinct keys. */
  get size(): number {
    return this.#kernel.words[(this.address >> 2) + layout.COUNTER_SIZE];
  }

  /**
   * Makes room for this many more keys. Kernel functions that count only fill free buckets and do not enlarge the
   * table.
   */
  reserve(more: number): void {
    const kernel = this.#kernel;
    const { size } = this;
    if (this.#bucketCount * MAX_LOAD >= size + more) return;
    let bucketCount = Math.max(64, this.#bucketCount);
    while (bucketCount * MAX_LOAD < size + more) bucketCount *= 2;
    const bucketBytes = 4 * layout.COUNTED_WORDS * bucketCount;
    const buckets = kernel.heap.take(bucketBytes);
    kernel.bytes.fill(0, buckets, buckets + bucketBytes);
    const header = this.address >> 2;
    kernel.words[header + layout.COUNTER_BUCKETS] = buckets;
    kernel.words[header + layout.COUNTER_MASK] = bucketCount - 1;
    kernel.words[header + layout.COUNTER_FREE] = Math.floor(bucketCount * MAX_LOAD) - size;
    if (this.#buckets !== 0) {
      kernel.functions.moveCounted(this.#buckets, this.#bucketCount, this.address);
      kernel.heap.release(this.#buckets);
    }
    this.#buckets = buckets;
    this.#bucketCount = bucketCount;
  }

  /** Returns the keys on at least `least` pages, or with at least this many occurrences. */
  select(least: number, by: 'pages' | 'occurrences' = 'pages'): KeyCounts {
    const { functions, heap, memory } = this.#kernel;
    const word = by === 'pages' ? layout.COUNTED_PAGES : layout.COUNTED_OCCURRENCES;
    const count = functions.selectCounted(this.address, word, least, 0);
    const block = heap.take(24 * count);
    functions.selectCounted(this.address, word, least, block);
    // read the buffer again, since taking the block may have grown the memory
    new BigUint64Array(memory.buffer, block, count).sort();
    const columns = block + 8 * count;
    functions.readCounted(this.address, block, count, columns);
    const column = (index: number) => new Int32Array(memory.buffer, columns + 4 * count * index, count);
    const counts = {
      low: column(0).slice(),
      high: column(1).slice(),
      pages: Uint32Array.from(column(2)),
      occurrences: Uint32Array.from(column(3)),
    };
    heap.release(block);
    return counts;
  }

  /** Frees the counter's memory. */
  release(): void {
    this.#kernel.heap.release(this.address);
    this.#kernel.heap.release(this.#buckets);
  }
}

/** Finds the positions of keys in a fixed list of distinct keys. */
export class KeyIndex {
  /** Address of the index's header. */
  readonly address: number;
  readonly #kernel: Kernel;

  constructor(low: Int32Array, high: Int32Array, kernel = threadKernel()) {
    this.#kernel = kernel;
    const count = low.length;
    let bucketCount = 16;
    while (bucketCount < count * 2) bucketCount *= 2;
    let filterBits = 5;
    while (filterBits < MAX_FILTER_BITS && 2 ** filterBits < count * FILTER_BITS_PER_KEY) filterBits++;
    const bucketBytes = 4 * layout.INDEXED_WORDS * bucketCount;
    const filterBytes = 2 ** (filterBits - 3);
    const address = kernel.heap.take(4 * layout.INDEX_WORDS + bucketBytes + filterBytes);
    this.address = address;
    const buckets = address + 4 * layout.INDEX_WORDS;
    kernel.bytes.fill(0, buckets, buckets + bucketBytes + filterBytes);
    kernel.words.set([buckets, bucketCount - 1, buckets + bucketBytes, 32 - filterBits], address >> 2);

    const lanes = kernel.heap.take(8 * count);
    kernel.words.set(low, lanes >> 2);
    kernel.words.set(high, (lanes >> 2) + count);
    kernel.functions.fillIndex(address, lanes, lanes + 4 * count, count);
    kernel.heap.release(lanes);
  }

  /** Frees the index's memory. */
  release(): void {
    this.#kernel.heap.release(this.address);
  }
}

/**
 * Estimates which keys may be on at least a number of pages, by their low lanes. Most keys of a site are on
 * one page only; ruling them out first keeps the exact counter small enough for the processor's cache.
 */
export class KeySketch {
  /** Address of the sketch's header. */
  readonly address: number;
  readonly #kernel: Kernel;

  /** Makes a sketch for `expected` keys, repeats included. */
  constructor(expected: number, minPages: number, kernel = threadKernel()) {
    this.#kernel = kernel;
    // buckets that reach the threshold by chance are rare even if two keys share each, unless the threshold is
    // tiny
    const wanted = expected * (minPages < 8 ? 2 : 0.5);
    let bits = 8;
    while (bits < 28 && 2 ** bits < wanted) bits++;
    const bucketBytes = 4 * 2 ** bits;
    this.address = kernel.heap.take(4 * layout.SKETCH_WORDS + bucketBytes + 2 ** (bits - 3));
    const buckets = this.address + 4 * layout.SKETCH_WORDS;
    const enough = Math.min(minPages, layout.SKETCH_MAX_COUNT);
    kernel.words.set([buckets, 32 - bits, enough, buckets + bucketBytes], this.address >> 2);
    this.#sizeBytes = bucketBytes + 2 ** (bits - 3);
    this.clear();
  }

  readonly #sizeBytes: number;

  /** Sets all counts to 0. */
  clear(): void {
    const buckets = this.address + 4 * layout.SKETCH_WORDS;
    this.#kernel.bytes.fill(0, buckets, buckets + this.#sizeBytes);
  }

  /** Frees the sketch's memory. */
  release(): void {
    this.#kernel.heap.release(this.address);
  }
}
