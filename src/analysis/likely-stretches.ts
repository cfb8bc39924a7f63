/**
 * Which stretches of some texts can hold a window that stands on at least F of them, before any window is hashed.
 * A window on F texts has all its parts on F texts, so twelve bytes that are on fewer stand in no such window. Not
 * all twelve bytes are counted, only those whose first four hash to a certain value: one in four, the same ones in
 * every text. What is on one page only is ruled out by them, but for the rare window that holds none.
 *
 * Counts are kept in a sketch small enough for the cache, which may count too many texts, never too few. Two passes
 * over the bytes in WebAssembly (gram-code.ts), 1 to 2 ns a byte each. The sketch takes half a byte for each byte of
 * texts as a rule, four at worst and 64 MB at most; one of up to 4 MB is kept for the next texts.
 */
import { doubled } from '../model/growing-array.ts';
import { instantiate } from '../model/wasm-code.ts';
import * as code from './gram-code.ts';

/** In the order of the texts; windows that begin in one of them do not begin in another. */
export interface LikelyStretches {
  count: number;
  /** Where each lies in its text. */
  starts: Int32Array;
  ends: Int32Array;
  /** By text: the stretches up to its last one. */
  upTo: Int32Array;
}

/** The stretches, of `width` bytes and more. */
export function findLikelyStretches(
  texts: readonly Uint8Array[],
  minTexts: number,
  width: number,
): LikelyStretches {
  const found = new StretchList(texts.length, width);
  if (texts.length < minTexts) return found;
  const totalBytes = texts.reduce((sum, text) => sum + text.length, 0);
  // slots that reach F by chance are rare already when two grams share one, unless F is tiny
  const wanted = (totalBytes / 2 ** code.PICKED_BITS) * (minTexts < 8 ? 2 : 0.5);
  let bits = 8;
  while (bits < MOST_BITS && 2 ** bits < wanted) bits++;
  const kernel = GramKernel.open(bits, texts.length);
  for (let text = 0; text < texts.length; text++) kernel.count(texts[text], text + 1);
  const enough = Math.min(minTexts, code.MAX_COUNT);
  for (let text = 0; text < texts.length; text++) {
    kernel.cut(texts[text], enough, found);
    found.upTo[text] = found.count;
  }
  return found;
}

const MOST_BITS = 24;
/** Slots of at most this many bytes are kept for the next texts. */
const KEPT_SLOT_BYTES = 1 << 22;
let kept: GramKernel | undefined;

/** The sketch, and the code that counts in it. */
class GramKernel {
  readonly #bytes: Uint8Array;
  readonly #words: Int32Array;
  readonly #exports: ReturnType<typeof instantiate>['exports'];
  #isWide = false;
  #shift = 0;

  constructor(slotBytes: number) {
    const { memory, exports } = instantiate(code.gramFunctions(), code.SLOTS_AT + slotBytes);
    this.#bytes = new Uint8Array(memory);
    this.#words = new Int32Array(memory);
    this.#exports = exports;
  }

  /** One in which nothing is counted yet, for so many texts. */
  static open(bits: number, texts: number): GramKernel {
    const isWide = texts > code.MOST_SHORT;
    const slotBytes = 2 ** bits * (isWide ? 4 : 2);
    const kernel =
      slotBytes > KEPT_SLOT_BYTES ? new GramKernel(slotBytes) : (kept ??= new GramKernel(KEPT_SLOT_BYTES));
    kernel.#isWide = isWide;
    kernel.#shift = 32 - bits;
    kernel.#bytes.fill(0, code.SLOTS_AT, code.SLOTS_AT + slotBytes);
    return kernel;
  }

  /** Counts the grams of a text, whose number is from 1. */
  count(text: Uint8Array, number: number): void {
    const { countWide, countNarrow } = this.#exports;
    const count = this.#isWide ? countWide : countNarrow;
    for (let base = 0; base < text.length; base += STEP_BYTES) {
      count(this.#take(text, base), this.#shift, number);
    }
  }

  /** Cuts a text at the grams that are on fewer than so many texts. */
  cut(text: Uint8Array, enough: number, found: StretchList): void {
    const { cutWide, cutNarrow } = this.#exports;
    const cut = this.#isWide ? cutWide : cutNarrow;
    const words = this.#words;
    words[code.STRETCH_START] = 0;
    for (let base = 0; base < text.length; base += STEP_BYTES) {
      cut(this.#take(text, base), this.#shift, base, found.width, enough);
      const end = code.STRETCHES_AT / 4 + 2 * words[code.STRETCH_COUNT];
      for (let at = code.STRETCHES_AT / 4; at < end; at += 2) found.add(text, words[at], words[at + 1]);
    }
    const start = words[code.STRETCH_START];
    if (text.length - start >= found.width) found.add(text, start, text.length);
  }

  /** Takes a part of a text, which is looked at with the first bytes of the next; gives how many bytes that is. */
  #take(text: Uint8Array, base: number): number {
    const end = Math.min(text.length, base + code.PART_BYTES);
    this.#bytes.set(text.subarray(base, end), code.TEXT_AT);
    return end - base;
  }
}

/** Grams begin in one part of a text and may end in the next. */
const STEP_BYTES = code.PART_BYTES - (code.GRAM - 1);

class StretchList implements LikelyStretches {
  count = 0;
  starts: Int32Array = new Int32Array(1024);
  ends: Int32Array = new Int32Array(1024);
  readonly upTo: Int32Array;
  readonly width: number;

  constructor(texts: number, width: number) {
    this.upTo = new Int32Array(texts);
    this.width = width;
  }

  /** Takes what whole characters there are in a stretch. */
  add(text: Uint8Array, from: number, to: number): void {
    let start = from;
    let end = to;
    while (start < end && (text[start] & 0xc0) === 0x80) start++;
    if (end < text.length) while (end > start && (text[end] & 0xc0) === 0x80) end--;
    if (end - start < this.width) return;
    if (this.count === this.starts.length) {
      this.starts = doubled(this.starts);
      this.ends = doubled(this.ends);
    }
    this.starts[this.count] = start;
    this.ends[this.count++] = end;
  }
}
