/**
 * The code of fragment-code.ts and its memory, which holds what is known of one site: pages come site by site, as a
 * rule, and it takes some microseconds to take in another.
 */
import { instantiate } from '../model/wasm-code.ts';
import { power } from './byte-hash.ts';
import * as code from './fragment-code.ts';
import { type KnownTexts, MAX_FILTER_BITS } from './known-texts.ts';
import { BASE_A, ENTER_A } from './text-windows.ts';

/** Bits of the filter for each fragment: so one in 64 or fewer of other windows is looked up. */
const FILTER_BITS = 64;

export class FragmentKernel {
  /** What was found last. */
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  readonly pages: Int32Array;
  readonly #bytes: Uint8Array;
  readonly #words: Int32Array;
  readonly #find: (...numbers: number[]) => number;
  #known: KnownTexts | undefined;
  #length = 0;
  #width = 0;
  #filterShift = 0;
  #gramShift = 0;
  #slotMask = 0;

  constructor() {
    const { memory, exports } = instantiate(code.fragmentFunctions(), code.MEMORY_BYTES);
    this.#find = exports.find;
    this.#bytes = new Uint8Array(memory);
    this.#words = new Int32Array(memory);
    this.starts = new Int32Array(memory, code.STARTS_AT, code.MOST_FOUND);
    this.ends = new Int32Array(memory, code.ENDS_AT, code.MOST_FOUND);
    this.pages = new Int32Array(memory, code.PAGES_AT, code.MOST_FOUND);
    this.#words.set(ENTER_A, code.VALUES_AT / 4);
  }

  /** Starts on text[0, length), which is UTF-8; `lows` are the low lanes of all fragments, `width` is W. */
  open(
    text: Uint8Array,
    length: number,
    { known, lows, width }: { known: KnownTexts; lows: Int32Array; width: number },
  ): void {
    if (this.#known !== known) this.#know(known, lows);
    this.#bytes.set(text.length === length ? text : text.subarray(0, length), code.TEXT_AT);
    this.#bytes.fill(0, code.TEXT_AT + length, code.TEXT_AT + length + code.PADDING);
    this.#words[code.SEARCHED_TO] = 0;
    this.#words[code.WALL] = 0;
    this.#length = length;
    this.#width = width;
  }

  /** Finds more; 0 when there are no more. */
  next(): number {
    return this.#find(
      this.#length,
      this.#width,
      power(BASE_A, this.#width),
      this.#filterShift,
      this.#gramShift,
      this.#slotMask,
    );
  }

  #know(known: KnownTexts, lows: Int32Array): void {
    const bytes = this.#bytes;
    const words = this.#words;
    bytes.set(known.bytes, code.KNOWN_AT);
    words.set(known.runs, code.RUNS_AT / 4);
    words.set(known.runPages, code.RUN_PAGES_AT / 4);
    words.set(known.runEnds, code.RUN_ENDS_AT / 4);
    words.set(known.grams.words, code.GRAMS_AT / 4);

    let filterBits = 5;
    while (filterBits < MAX_FILTER_BITS && 2 ** filterBits < lows.length * FILTER_BITS) filterBits++;
    let slotBits = 4;
    while (2 ** slotBits < 2 * lows.length) slotBits++;
    const filter = words.subarray(code.FILTER_AT / 4, code.FILTER_AT / 4 + 2 ** (filterBits - 5)).fill(0);
    const slots = words.subarray(code.SLOTS_AT / 4, code.SLOTS_AT / 4 + 2 * 2 ** slotBits).fill(0);
    const shift = 32 - filterBits;
    const mask = 2 ** slotBits - 1;
    for (let i = 0; i < lows.length; i++) {
      const bit = lows[i] >>> shift;
      filter[bit >>> 5] |= 1 << (bit & 31);
      let slot = lows[i] & mask;
      while (slots[2 * slot + 1] !== 0) slot = (slot + 1) & mask;
      slots[2 * slot] = lows[i];
      slots[2 * slot + 1] = known.firstAt[i] + 1;
    }
    this.#filterShift = shift;
    this.#gramShift = known.grams.shift;
    this.#slotMask = mask;
    this.#known = known;
  }
}
