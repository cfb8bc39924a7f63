/**
 * Finds 64-bit hashes in a fixed set, for models: built once, then only read. A probe costs about as much
 * as one cache miss; most misses end at the filter.
 */
import { HashFilter } from './hash-filter.ts';

const STRIDE = 3; // low, high, position + 1 (0 is a free slot)
/** Bits of the filter per hash: so one in 64 or fewer of the others gets past it. */
const FILTER_BITS = 64;
const MAX_FILTER_BITS = 23; // 1 MB

export class HashTable {
  readonly size: number;
  /** What may be in the table. */
  readonly filter: HashFilter;
  readonly #slots: Int32Array;
  readonly #mask: number;

  /** `low` and `high` are the lanes of distinct hashes; a hash's place in them is what `find` gives. */
  constructor(low: Int32Array, high: Int32Array) {
    this.size = low.length;
    let capacity = 16;
    while (capacity < low.length * 2) capacity *= 2;
    const mask = capacity - 1;
    const slots = new Int32Array(capacity * STRIDE);
    let bits = 5;
    while (bits < MAX_FILTER_BITS && 2 ** bits < low.length * FILTER_BITS) bits++;
    const filter = new HashFilter(bits);
    for (let position = 0; position < low.length; position++) {
      let index = high[position] & mask;
      while (slots[index * STRIDE + 2] !== 0) index = (index + 1) & mask;
      slots[index * STRIDE] = low[position];
      slots[index * STRIDE + 1] = high[position];
      slots[index * STRIDE + 2] = position + 1;
      filter.add(low[position]);
    }
    this.filter = filter;
    this.#slots = slots;
    this.#mask = mask;
  }

  /** Where the hash stands in the columns the table was built from; -1 when it does not. */
  find(low: number, high: number): number {
    if (!this.filter.mayHold(low)) return -1;
    const slots = this.#slots;
    const mask = this.#mask;
    for (let index = high & mask; ; index = (index + 1) & mask) {
      const slot = index * STRIDE;
      const position = slots[slot + 2];
      if (position === 0) return -1;
      if (slots[slot + 1] === high && slots[slot] === low) return position - 1;
    }
  }
}
