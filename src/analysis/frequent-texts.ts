/**
 * The texts that all frequent windows of a site stand in, each window once. A model takes them along, so that whoever
 * labels by it has known texts at hand (known-texts.ts) and need not roll over every page: a byte or so for a window,
 * where its hash takes nine. Made from known texts, and known texts from them, by one roll over what is template.
 */
import { isUtf8 } from 'node:buffer';
import { MOST_KNOWN } from './fragment-code.ts';
import type { HashCounts } from './hash-counter.ts';
import type { HashFilter } from './hash-filter.ts';
import { HashTable } from './hash-table.ts';
import { addGrams, END, gramFilter, type KnownTexts, LEAST_WIDTH, windowEnd } from './known-texts.ts';
import { characterAfter, TextWindows } from './text-windows.ts';
import type { ToldWindows } from './window-teller.ts';

/** What the first occurrences of all frequent windows of `width` characters cover. */
export function frequentTexts(
  { bytes, firstAt }: Pick<ToldWindows, 'bytes' | 'firstAt'>,
  width: number,
): Uint8Array[] {
  const texts: Uint8Array[] = [];
  const starts = firstAt.slice().sort();
  let from = 0;
  let end = 0;
  let beside = -1; // where the window after the last one begins
  for (let i = 0; i < starts.length; i++) {
    const start = starts[i];
    if (start > end) {
      if (end > from) texts.push(bytes.slice(from, end));
      from = start;
    }
    end = start === beside ? characterAfter(bytes, end) : windowEnd(bytes, start, width);
    beside = characterAfter(bytes, start);
  }
  if (end > from) texts.push(bytes.slice(from, end));
  return texts;
}

/** Known texts of these; nothing when a window is in none of them, or too narrow to be told so. */
export function knowTexts(
  texts: readonly Uint8Array[],
  fragments: HashCounts,
  { windowCharacters: width, density }: { windowCharacters: number; density: number },
): KnownTexts | undefined {
  if (density > 1 || width < LEAST_WIDTH || !texts.every(isUtf8)) return undefined;
  const sizeBytes = texts.reduce((sum, text) => sum + text.length + 1, 0);
  if (sizeBytes > MOST_KNOWN) return undefined;
  const known = new TextsToKnow(sizeBytes, fragments, width);
  for (const text of texts) known.add(text);
  return known.firstAt.includes(-1) ? undefined : known.finish();
}

class TextsToKnow {
  readonly firstAt: Int32Array;
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #grams: HashFilter;
  readonly #pages: Uint32Array;
  readonly #table: HashTable;
  readonly #windows: TextWindows;
  /** By byte: one more than the place of the window that begins there among all; then its run. */
  readonly #told: Int32Array;
  readonly #runPages: Int32Array;
  readonly #runEnds: Int32Array;
  #runs = 0;
  #end = 0;

  constructor(sizeBytes: number, { low, high, pages }: HashCounts, width: number) {
    this.#bytes = new Uint8Array(sizeBytes);
    this.#view = new DataView(this.#bytes.buffer);
    this.#told = new Int32Array(sizeBytes);
    this.#runPages = new Int32Array(sizeBytes);
    this.#runEnds = new Int32Array(sizeBytes);
    this.#grams = gramFilter(low.length);
    this.#pages = pages;
    this.#table = new HashTable(low, high);
    this.#windows = new TextWindows(width, 0);
    this.firstAt = new Int32Array(low.length).fill(-1);
  }

  add(text: Uint8Array): void {
    const begin = this.#end;
    const end = begin + text.length;
    this.#bytes.set(text, begin);
    this.#bytes[end] = END;
    this.#end = end + 1;
    this.#tellWindows(begin, end);
    this.#toRuns(begin, end - this.#windows.width);
  }

  finish(): KnownTexts {
    return {
      bytes: this.#bytes,
      runs: this.#told,
      runPages: this.#runPages.slice(0, this.#runs),
      runEnds: this.#runEnds.slice(0, this.#runs),
      firstAt: this.firstAt,
      grams: this.#grams,
    };
  }

  #tellWindows(begin: number, end: number): void {
    const { firstAt } = this;
    const windows = this.#windows;
    const { filter } = this.#table;
    windows.open(this.#bytes, end, begin);
    for (let count = windows.next(filter); count > 0; count = windows.next(filter)) {
      for (let i = 0; i < count; i++) {
        const place = this.#table.find(windows.lows[i], windows.highs[i]);
        if (place < 0) continue;
        const start = windows.starts[i];
        this.#told[start] = place + 1;
        if (firstAt[place] < 0) firstAt[place] = start;
      }
    }
  }

  /** Makes runs of the windows that begin from `begin` to `last`; so for all bytes of a character. */
  #toRuns(begin: number, last: number): void {
    const bytes = this.#bytes;
    const told = this.#told;
    let from = begin;
    let pages = -1; // a text begins with a run of its own
    for (let at = begin; at <= last; at++) {
      if ((bytes[at] & 0xc0) !== 0x80) {
        const here = told[at] === 0 ? 0 : this.#pages[told[at] - 1];
        if (here !== pages) {
          if (pages >= 0) this.#endRun(from, at, pages);
          pages = here;
          from = at;
        }
      }
      told[at] = this.#runs;
    }
    if (pages >= 0) this.#endRun(from, last + 1, pages);
  }

  #endRun(from: number, end: number, pages: number): void {
    this.#runPages[this.#runs] = pages;
    this.#runEnds[this.#runs++] = end;
    if (pages === 0) return;
    const bytes = this.#bytes;
    let last = end - 1;
    while ((bytes[last] & 0xc0) === 0x80) last--;
    addGrams(this.#grams, this.#view, from, windowEnd(bytes, last, this.#windows.width));
  }
}
