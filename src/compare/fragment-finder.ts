/**
 * Which windows of a text are fragments: windows that are frequent on a site. Rolls over the text, and looks
 * up what the filter of fragments lets through. Where the texts the site was learnt from are at hand
 * (known-texts.ts), most of a text need not be rolled over: 1 to 2 ns a byte instead of 15.
 */
import { isUtf8 } from 'node:buffer';
import type { HashCounts } from './hash-counter.ts';
import { HashTable } from './hash-table.ts';
import { characterStart, GRAM, gramHash, type KnownTexts, windowEnd } from './known-texts.ts';
import { characterAfter, TextWindows } from './text-windows.ts';

const BATCH = 1024;

type Fragments = Pick<HashCounts, 'low' | 'high' | 'pages'>;

export interface FragmentSettings {
  windowCharacters: number;
  density: number;
}

/**
 * Fragments in batches: `open` a text, then call `next` until it gives 0. Those that begin at characters one after
 * the other and are on as many pages may be given as one. The columns are refilled.
 */
export class FragmentFinder {
  /** Byte offsets in the text: where the first begins; one past the last byte of the last. */
  readonly starts = new Int32Array(BATCH);
  readonly ends = new Int32Array(BATCH);
  /** The pages each is on. */
  readonly pages = new Int32Array(BATCH);

  readonly #width: number;
  readonly #windows: TextWindows;
  readonly #fragments: Fragments;
  #built: HashTable | undefined;
  readonly #known: KnownTexts | undefined;
  #isKnown = false;
  // one of the known texts: its stretch at hand, the one after its last, where the next window begins among all
  #isOneOfThem = false;
  #stretch = 0;
  #stretchEnd = 0;
  #text: Uint8Array = new Uint8Array(0);
  #view = new DataView(this.#text.buffer);
  #length = 0;
  // with known texts: where the next window to look at begins, and the first block from there that is in no fragment
  #at = 0;
  #barrier = 0;
  /** Whether the windows are open and stand at `#at`. */
  #isRolling = false;
  // while the text goes on as a known one: the next window, the last one, where it ends to be one, and what to add for
  // places there
  #followed = -1;
  #followedLast = 0;
  #unlike = 0;
  #shift = 0;

  constructor(fragments: Fragments, { windowCharacters, density }: FragmentSettings, known?: KnownTexts) {
    this.#width = windowCharacters;
    this.#windows = new TextWindows(windowCharacters, density);
    this.#fragments = fragments;
    this.#known = known;
  }

  /** Starts on text[0, length), which must stay as it is until the last fragment is given. */
  open(text: Uint8Array, length: number): void {
    this.#isOneOfThem = false;
    this.#isKnown = this.#known !== undefined && isUtf8(text.subarray(0, length));
    if (!this.#isKnown) {
      this.#windows.open(text, length);
      return;
    }
    this.#text = text;
    this.#view = new DataView(text.buffer, text.byteOffset, length);
    this.#length = length;
    this.#at = 0;
    this.#barrier = -1;
    this.#isRolling = false;
    this.#followed = -1;
  }

  /** Starts on one of the known texts. */
  openKnown(index: number): void {
    const known = this.#known!;
    this.#isOneOfThem = true;
    this.#stretch = index === 0 ? 0 : known.upTo[index - 1];
    this.#stretchEnd = known.upTo[index];
    this.#at = 0;
  }

  next(): number {
    if (this.#isOneOfThem) return this.#nextKnown(this.#known!);
    let count = 0;
    if (this.#isKnown) {
      while (count === 0 && this.#at < this.#length) count = this.#search();
      return count;
    }
    while (count === 0) {
      const windows = this.#windows.next(this.#table.filter);
      if (windows === 0) break;
      count = this.#lookUp(windows);
    }
    return count;
  }

  /** Made at first use: fragments of known texts are not looked up. */
  get #table(): HashTable {
    this.#built ??= new HashTable(this.#fragments.low, this.#fragments.high);
    return this.#built;
  }

  #nextKnown({ bytes, begins, starts, runs, runPages, runEnds }: KnownTexts): number {
    const width = this.#width;
    let count = 0;
    for (; this.#stretch < this.#stretchEnd; this.#stretch++) {
      const begin = begins[this.#stretch];
      const shift = starts[this.#stretch] - begin;
      const last = begins[this.#stretch + 1] - 1 - width;
      let at = Math.max(begin, this.#at);
      while (at <= last && count < BATCH) {
        const run = runs[at];
        const start = at;
        at = runEnds[run];
        if (runPages[run] === 0) continue;
        this.starts[count] = start + shift;
        this.ends[count] = windowEnd(bytes, characterStart(bytes, at - 1), width) + shift;
        this.pages[count++] = runPages[run];
      }
      if (at <= last) {
        this.#at = at;
        return count;
      }
    }
    return count;
  }

  #lookUp(windows: number): number {
    const { starts, ends, lows, highs } = this.#windows;
    const table = this.#table;
    const { pages } = this.#fragments;
    let count = 0;
    for (let i = 0; i < windows; i++) {
      const found = table.find(lows[i], highs[i]);
      if (found < 0) continue;
      this.starts[count] = starts[i];
      this.ends[count] = ends[i];
      this.pages[count++] = pages[found];
    }
    return count;
  }

  /** Goes on to the next fragments; 0 when there are none up to where it came to. */
  #search(): number {
    if (this.#followed >= 0) return this.#follow();
    if (!this.#isRolling && !this.#skip()) {
      this.#at = this.#length;
      return 0;
    }

    // roll up to the first fragment
    const windows = this.#windows;
    const table = this.#table;
    if (!this.#isRolling) windows.open(this.#text, this.#lastEnd(), this.#at);
    this.#isRolling = true;
    if (windows.nextOne(table.filter) === 0) {
      // windows from here on hold what is in no fragment, unless they begin behind its first byte
      this.#isRolling = false;
      this.#at = this.#barrier + 1;
      return 0;
    }
    const found = table.find(windows.lows[0], windows.highs[0]);
    if (found < 0) return 0;
    this.#isRolling = false;
    this.#startFollowing(windows.starts[0], windows.ends[0], found);
    return this.#follow();
  }

  /** Passes over blocks that are in no fragment, and finds the next such block after one that may be. */
  #skip(): boolean {
    const { words, shift } = this.#known!.grams;
    const text = this.#text;
    const view = this.#view;
    const last = this.#length - GRAM;
    let at = this.#at;
    if (at > this.#barrier) {
      let block = (at + GRAM - 1) & -GRAM;
      for (; block <= last; block += GRAM) {
        const bit = gramHash(view, block) >>> shift;
        if (((words[bit >>> 5] >>> (bit & 31)) & 1) === 1) break;
        at = block + 1;
      }
      if (block > last) return false;
      for (block += GRAM; block <= last; block += GRAM) {
        const bit = gramHash(view, block) >>> shift;
        if (((words[bit >>> 5] >>> (bit & 31)) & 1) === 0) break;
      }
      this.#barrier = block > last ? this.#length : block;
    }
    while ((text[at] & 0xc0) === 0x80) at++;
    this.#at = at;
    return true;
  }

  /** Where the last window ends that does not hold the block at the barrier. */
  #lastEnd(): number {
    const text = this.#text;
    let end = this.#barrier + GRAM - 1;
    if (end >= this.#length) return this.#length;
    while ((text[end] & 0xc0) === 0x80) end--;
    return end;
  }

  /** From a fragment on, the text is as a known one up to somewhere. */
  #startFollowing(start: number, end: number, found: number): void {
    const { bytes, firstAt } = this.#known!;
    const text = this.#text;
    const length = this.#length;
    const shift = firstAt[found] - start;
    let same = end;
    while (same < length && text[same] === bytes[same + shift]) same++;
    // no part of a character
    while (same < length && same > end && (text[same] & 0xc0) === 0x80) same--;
    // back to the last window that ends there
    let last = same;
    for (let i = this.#width; i > 0; i--) last = characterStart(text, last - 1);
    this.#followed = start;
    this.#followedLast = last;
    this.#unlike = same;
    this.#shift = shift;
  }

  /** The fragments where the text is as a known one. */
  #follow(): number {
    const { runs, runPages, runEnds } = this.#known!;
    const text = this.#text;
    const shift = this.#shift;
    const last = this.#followedLast;
    let at = this.#followed;
    let count = 0;
    while (at <= last && count < BATCH) {
      const run = runs[at + shift];
      const start = at;
      at = Math.min(runEnds[run] - shift, last + 1);
      if (runPages[run] === 0) continue;
      this.starts[count] = start;
      this.ends[count] = windowEnd(text, characterStart(text, at - 1), this.#width);
      this.pages[count++] = runPages[run];
    }
    if (at <= last) {
      this.#followed = at;
    } else {
      this.#followed = -1;
      this.#at = this.#passUnlike(characterAfter(text, last));
    }
    return count;
  }

  /**
   * All windows from `at` on hold what is unlike; those that hold the gram that ends there are no fragments when that
   * gram is in none. Where the next window to look at begins.
   */
  #passUnlike(at: number): number {
    const { words, shift } = this.#known!.grams;
    const gram = this.#unlike + 1 - GRAM;
    if (gram < at || this.#unlike >= this.#length) return at;
    const bit = gramHash(this.#view, gram) >>> shift;
    return ((words[bit >>> 5] >>> (bit & 31)) & 1) === 1 ? at : gram + 1;
  }
}
