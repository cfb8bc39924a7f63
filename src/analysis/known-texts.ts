/**
 * Finds the fragments of a text: windows that are frequent on a site. If some texts are known that hold all
 * frequent windows, each once, the kernel compares with these instead of rolling over every byte
 * (assembly/find-known-texts.ts): about 1 ns per byte instead of 5. A model file stores these texts: a window
 * costs about a byte there, where its hash costs nine.
 */

import { isUtf8 } from 'node:buffer';
import { Block } from '../kernel/heap.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { type KeyCounts, KeyIndex } from '../kernel/key-tables.ts';
import { PADDING_BYTES } from '../kernel/layout.ts';
import { threadKernel } from '../kernel/thread-kernel.ts';
import * as layout from '../kernel/window-layout.ts';
import { type FrequentWindows, MIN_WIDTH } from './frequent-windows.ts';
import { type TextSpan, textBytes, WindowRoll } from './text-windows.ts';

/** Maximum bytes of known texts; with more, every text is rolled over. */
const MAX_KNOWN_BYTES = 1 << 19;
/** Bits of the filter per window, and its largest size as a power of two. */
const GRAM_FILTER_BITS = 64;
const MAX_FILTER_BITS = 23;

/** Width and density of windows. */
export interface WindowSettings {
  /** Width W in characters. */
  windowCharacters: number;
  /** Density D: 0 selects every window, D > 0 one in D. */
  density: number;
}

/** Returns the texts that the first occurrences of all frequent windows cover. */
export function frequentTexts(
  { bytes, firstAt }: Pick<FrequentWindows, 'bytes' | 'firstAt'>,
  width: number,
): Uint8Array[] {
  const texts: Uint8Array[] = [];
  const starts = firstAt.slice().sort();
  let from = 0;
  let end = 0;
  let next = -1; // start of the window after the last one
  for (const start of starts) {
    if (start > end) {
      if (end > from) texts.push(bytes.slice(from, end));
      from = start;
    }
    end = start === next ? characterAfter(bytes, end) : windowEnd(bytes, start, width);
    next = characterAfter(bytes, start);
  }
  if (end > from) texts.push(bytes.slice(from, end));
  return texts;
}

function windowEnd(text: Uint8Array, start: number, width: number): number {
  let end = start;
  for (let i = 0; i < width; i++) end = characterAfter(text, end);
  return end;
}

/** Returns the end of the UTF-8 character at a position. */
function characterAfter(text: Uint8Array, at: number): number {
  const first = text[at];
  if (first < 0xc0) return at + 1;
  return at + (first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4);
}

/** Finds fragments with tables in the kernel's memory, which it owns until `release`. */
export class FragmentFinder {
  /** Whether all fragments occur in the given texts, so that other texts are compared with these. */
  readonly isKnown: boolean;
  readonly #kernel: Kernel = threadKernel();
  readonly #roll: WindowRoll;
  readonly #index: KeyIndex;
  readonly #pages: number;
  readonly #list = new Block(this.#kernel);
  /** Addresses of the header and the tables of known texts. */
  readonly #known: number;
  readonly #tables: number;
  readonly #knownBytes: number;

  constructor(
    { low, high, pages }: Pick<KeyCounts, 'low' | 'high' | 'pages'>,
    { windowCharacters: width, density }: WindowSettings,
    texts: readonly Uint8Array[] = [],
  ) {
    const kernel = this.#kernel;
    this.#roll = new WindowRoll(width, density);
    this.#index = new KeyIndex(low, high);
    this.#pages = kernel.heap.take(4 * pages.length);
    kernel.words.set(pages, this.#pages >> 2);
    this.#known = kernel.heap.take(4 * layout.KNOWN_WORDS);

    this.#knownBytes = texts.reduce((sum, text) => sum + text.length + 1, 0);
    const isSuitable = density <= 1 && width >= MIN_WIDTH && this.#knownBytes <= MAX_KNOWN_BYTES;
    this.#tables = isSuitable && texts.every((text) => isUtf8(text)) ? this.#layOut(low.length) : 0;
    this.isKnown = this.#tables !== 0 && this.#fillTables(texts, low);
  }

  /**
   * Yields runs of fragments of a text in order. The fragments of a run start at consecutive characters and
   * are on the same number of pages.
   */
  *find(text: TextSpan): Generator<Fragment> {
    const { address, length } = text;
    const { functions } = this.#kernel;
    const isKnown = this.isKnown && isUtf8(textBytes(text));
    const room = 4 * layout.FRAGMENT_WORDS * (layout.MAX_FRAGMENTS + (isKnown ? this.#knownBytes : 0));
    const list = this.#list.room(room);
    if (isKnown) functions.openSearch(this.#known, address);
    else this.#roll.open(text);
    while (true) {
      const count = isKnown
        ? functions.findFragments(this.#known, this.#roll.address, address, address + length, list)
        : functions.listFragments(
            this.#roll.address,
            address,
            this.#index.address,
            this.#pages,
            layout.MAX_FRAGMENTS,
            list,
          );
      if (count === 0) return;
      for (let i = 0, at = list >> 2; i < count; i++, at += layout.FRAGMENT_WORDS) {
        const { words } = this.#kernel;
        yield { start: words[at], end: words[at + 1], pages: words[at + 2] };
      }
    }
  }

  /** Allocates the tables of known texts and writes their addresses. */
  #layOut(windows: number): number {
    const kernel = this.#kernel;
    const bytes = this.#knownBytes;
    let filterBits = 5;
    while (filterBits < MAX_FILTER_BITS && 2 ** filterBits < windows * GRAM_FILTER_BITS) filterBits++;
    let bucketCount = 16;
    while (bucketCount < 2 * windows) bucketCount *= 2;
    const parts: [word: number, sizeBytes: number][] = [
      [layout.KNOWN_BYTES, bytes + PADDING_BYTES],
      [layout.KNOWN_RUNS, 4 * bytes],
      [layout.KNOWN_RUN_PAGES, 4 * bytes],
      [layout.KNOWN_RUN_ENDS, 4 * bytes],
      [layout.KNOWN_BUCKETS, 8 * bucketCount],
      [layout.KNOWN_GRAMS, 2 ** (filterBits - 3)],
      [layout.KNOWN_FIRST, 4 * windows],
    ];
    const sizeBytes = parts.reduce((sum, [, partBytes]) => sum + align(partBytes), 0);
    const tables = kernel.heap.take(sizeBytes);
    kernel.bytes.fill(0, tables, tables + sizeBytes);
    const header = this.#known >> 2;
    let at = tables;
    for (const [word, partBytes] of parts) {
      kernel.words[header + word] = at;
      at += align(partBytes);
    }
    kernel.words.fill(-1, (at - align(4 * windows)) >> 2, at >> 2);
    kernel.words[header + layout.KNOWN_BUCKET_MASK] = bucketCount - 1;
    kernel.words[header + layout.KNOWN_GRAM_SHIFT] = 32 - filterBits;
    kernel.words[header + layout.KNOWN_INDEX] = this.#index.address;
    kernel.words[header + layout.KNOWN_PAGES] = this.#pages;
    kernel.words[header + layout.KNOWN_WIDTH] = this.#roll.width;
    kernel.words[header + layout.KNOWN_RUN_COUNT] = 0;
    return tables;
  }

  /** Fills the tables; false if a window is in no text. */
  #fillTables(texts: readonly Uint8Array[], low: Int32Array): boolean {
    const { functions, bytes, heap } = this.#kernel;
    let at = 0;
    for (const text of texts) {
      const end = at + text.length;
      bytes.set(text, this.#tables + at);
      bytes[this.#tables + end] = layout.TEXT_END;
      functions.addKnownText(this.#known, this.#roll.address, at, end);
      at = end + 1;
    }
    const lows = heap.take(4 * low.length);
    this.#kernel.words.set(low, lows >> 2);
    const isKnown = functions.fillKnownBuckets(this.#known, lows, low.length) === 1;
    heap.release(lows);
    return isKnown;
  }

  /** Frees all tables. */
  release(): void {
    const { heap } = this.#kernel;
    this.#roll.release();
    this.#index.release();
    this.#list.release();
    heap.release(this.#pages);
    heap.release(this.#known);
    if (this.#tables !== 0) heap.release(this.#tables);
  }
}

/** A run of fragments. */
export interface Fragment {
  /** Byte offsets in the text: start of the first window and end of the last one. */
  start: number;
  end: number;
  /** Number of sampled pages with each fragment. */
  pages: number;
}

function align(sizeBytes: number): number {
  return 16 * Math.ceil(sizeBytes / 16);
}
