/**
 * Which windows of a text are fragments: windows that are frequent on a site. Rolls over the text, and looks
 * up what the filter of fragments lets through. Where texts that hold all fragments are at hand (known-texts.ts), most
 * of a text need not be rolled over, and WebAssembly does it (fragment-code.ts): 1 ns a byte or so instead of 15.
 */
import { isUtf8 } from 'node:buffer';
import { MOST_FRAGMENTS, MOST_TEXT } from './fragment-code.ts';
import { FragmentKernel } from './fragment-kernel.ts';
import type { HashCounts } from './hash-counter.ts';
import { HashTable } from './hash-table.ts';
import type { KnownTexts } from './known-texts.ts';
import { TextWindows } from './text-windows.ts';

type Fragments = Pick<HashCounts, 'low' | 'high' | 'pages'>;

export interface FragmentSettings {
  windowCharacters: number;
  density: number;
}

let kernel: FragmentKernel | undefined;

/**
 * Fragments in batches: `open` a text, then call `next` until it gives 0, before another text is opened. Those that
 * begin at characters one after the other and are on as many pages may be given as one. The columns are refilled.
 */
export class FragmentFinder {
  readonly #kernel = (kernel ??= new FragmentKernel());
  /** Byte offsets in the text: where the first begins; one past the last byte of the last. */
  readonly starts = this.#kernel.starts;
  readonly ends = this.#kernel.ends;
  /** The pages each is on. */
  readonly pages = this.#kernel.pages;

  readonly #width: number;
  readonly #density: number;
  readonly #fragments: Fragments;
  readonly #known: KnownTexts | undefined;
  // made at first use: with known texts nothing is rolled over here
  #rolled: { windows: TextWindows; table: HashTable } | undefined;
  #isKnown = false;

  constructor(fragments: Fragments, { windowCharacters, density }: FragmentSettings, known?: KnownTexts) {
    this.#width = windowCharacters;
    this.#density = density;
    this.#fragments = fragments;
    this.#known = fragments.low.length <= MOST_FRAGMENTS ? known : undefined;
  }

  /** Starts on text[0, length), which must stay as it is until the last fragment is given. */
  open(text: Uint8Array, length: number): void {
    const known = this.#known;
    this.#isKnown = known !== undefined && length <= MOST_TEXT && isUtf8(text.subarray(0, length));
    if (known && this.#isKnown) {
      const { low: lows } = this.#fragments;
      this.#kernel.open(text, length, { known, lows, width: this.#width });
    } else {
      this.#roll().windows.open(text, length);
    }
  }

  next(): number {
    if (this.#isKnown) return this.#kernel.next();
    const { windows, table } = this.#roll();
    for (let count = windows.next(table.filter); count > 0; count = windows.next(table.filter)) {
      const found = this.#lookUp(windows, count, table);
      if (found > 0) return found;
    }
    return 0;
  }

  #roll(): { windows: TextWindows; table: HashTable } {
    this.#rolled ??= {
      windows: new TextWindows(this.#width, this.#density),
      table: new HashTable(this.#fragments.low, this.#fragments.high),
    };
    return this.#rolled;
  }

  #lookUp({ starts, ends, lows, highs }: TextWindows, count: number, table: HashTable): number {
    const { pages } = this.#fragments;
    let found = 0;
    for (let i = 0; i < count; i++) {
      const at = table.find(lows[i], highs[i]);
      if (at < 0) continue;
      this.starts[found] = starts[i];
      this.ends[found] = ends[i];
      this.pages[found++] = pages[at];
    }
    return found;
  }
}
