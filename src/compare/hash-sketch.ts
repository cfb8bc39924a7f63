/**
 * Says which hashes may be on at least F pages, and is never wrong about those it rules out: one small
 * counter per slot, shared by all hashes that fall there, so it counts too many pages or the right number.
 * Most hashes of a site are on one page only; ruling them out first keeps the exact table small enough for
 * the cache, which is worth more than the second pass costs. Four bytes a slot.
 */
import { HashFilter } from './hash-filter.ts';

/** A slot: the last page seen, from 1, above; the pages seen, at most 255, below. */
const PAGE_SHIFT = 8;
const MAX_COUNT = 255;

export class HashSketch {
  readonly #slots: Uint32Array;
  readonly #bits: number;
  readonly #enough: number;

  /** `expected`: hashes that will be added, repeats included; `minPages`: F. */
  constructor(expected: number, minPages: number) {
    // slots that reach F by chance are rare already when two hashes share one, unless F is tiny
    const wanted = expected * (minPages < 8 ? 2 : 0.5);
    let bits = 8;
    while (bits < 28 && 2 ** bits < wanted) bits++;
    this.#slots = new Uint32Array(2 ** bits);
    this.#bits = bits;
    this.#enough = Math.min(minPages, MAX_COUNT);
  }

  /** Adds the hashes of a page by their low lanes, whose leading bits count; pages come one after the other. */
  add(lows: Int32Array, count: number, page: number): void {
    const slots = this.#slots;
    const shift = 32 - this.#bits;
    for (let i = 0; i < count; i++) {
      const slot = lows[i] >>> shift;
      const seen = slots[slot];
      if (seen >>> PAGE_SHIFT === page + 1) continue;
      const pages = seen & MAX_COUNT;
      slots[slot] = ((page + 1) << PAGE_SHIFT) | (pages < MAX_COUNT ? pages + 1 : pages);
    }
  }

  /** The hashes that may be on F pages. */
  likely(): HashFilter {
    const slots = this.#slots;
    const enough = this.#enough;
    const filter = new HashFilter(this.#bits);
    for (let slot = 0; slot < slots.length; slot++) {
      if ((slots[slot] & MAX_COUNT) >= enough) filter.addBit(slot);
    }
    return filter;
  }

  clear(): void {
    this.#slots.fill(0);
  }
}
