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
  readonly #shift: number;
  readonly #enough: number;
  readonly #likely: HashFilter;

  /** `expected`: hashes that will be added, repeats included; `minPages`: F. */
  constructor(expected: number, minPages: number) {
    // slots that reach F by chance are rare already when two hashes share one, unless F is tiny
    const wanted = expected * (minPages < 8 ? 2 : 0.5);
    let bits = 8;
    while (bits < 28 && 2 ** bits < wanted) bits++;
    this.#slots = new Uint32Array(2 ** bits);
    this.#shift = 32 - bits;
    this.#enough = Math.min(minPages, MAX_COUNT);
    this.#likely = new HashFilter(bits);
  }

  /** Adds the hashes of a page by their low lanes, whose leading bits count; pages come one after the other. */
  add(lows: Int32Array, count: number, page: number): void {
    const slots = this.#slots;
    const shift = this.#shift;
    const enough = this.#enough;
    const { words } = this.#likely;
    for (let i = 0; i < count; i++) {
      const slot = lows[i] >>> shift;
      const seen = slots[slot];
      if (seen >>> PAGE_SHIFT === page + 1) continue;
      const pages = (seen & MAX_COUNT) < MAX_COUNT ? (seen & MAX_COUNT) + 1 : MAX_COUNT;
      slots[slot] = ((page + 1) << PAGE_SHIFT) | pages;
      if (pages >= enough) words[slot >>> 5] |= 1 << (slot & 31);
    }
  }

  /** The same where every occurrence counts, also several of one page. */
  addOccurrences(lows: Int32Array, count: number): void {
    const slots = this.#slots;
    const shift = this.#shift;
    const enough = this.#enough;
    const { words } = this.#likely;
    for (let i = 0; i < count; i++) {
      const slot = lows[i] >>> shift;
      if (slots[slot] < MAX_COUNT) slots[slot]++;
      if (slots[slot] >= enough) words[slot >>> 5] |= 1 << (slot & 31);
    }
  }

  /** The hashes that may be on F of the pages added. */
  likely(): HashFilter {
    return this.#likely;
  }

  clear(): void {
    this.#slots.fill(0);
    this.#likely.words.fill(0);
  }
}
