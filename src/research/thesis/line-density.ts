/**
 * Text density as printed by Kohlschütter, Fankhauser and Nejdl (2010, section 3.3): text is wrapped at 80
 * characters, and the density is the number of words in all lines except the last, divided by the number of
 * those lines. The last line is excluded because it is rarely full. The density of a single line is its
 * number of words.
 *
 * Densities of elements are computed from their words at the first request.
 */

import type { PlacedTokens } from '../../analysis/page-tokens.ts';
import { firstIndex } from '../../model/order.ts';
import type { Tree } from '../../parse/tree.ts';

/** Width at which text is wrapped, in characters. */
export const LINE_CHARACTERS = 80;

/** Text densities of one page. */
export class LineDensity {
  /** Number of characters of `tree.text` before each byte of it. */
  readonly #characters: Int32Array;
  /** Start and end of each word in `tree.text`, in bytes. */
  readonly #starts: Int32Array;
  readonly #ends: Int32Array;
  readonly #known = new Map<string, number>();

  constructor({ text, textLength }: Tree, { tokenCount, textStart, textEnd }: PlacedTokens) {
    this.#characters = new Int32Array(textLength + 1);
    let count = 0;
    for (let at = 0; at < textLength; at++) {
      this.#characters[at] = count;
      // continuation bytes of UTF-8 begin with the bits 10
      if ((text[at] & 0xc0) !== 0x80) count++;
    }
    this.#characters[textLength] = count;
    const isWord = (token: number) => textStart[token] < textEnd[token];
    const words = Array.from({ length: tokenCount }, (_, token) => token).filter(isWord);
    this.#starts = Int32Array.from(words, (token) => textStart[token]);
    this.#ends = Int32Array.from(words, (token) => textEnd[token]);
  }

  /** Returns the number of characters between two positions of `tree.text`. */
  characters(textStart: number, textEnd: number): number {
    return this.#characters[textEnd] - this.#characters[textStart];
  }

  /** Returns the density of the text between two positions of `tree.text`. */
  of(textStart: number, textEnd: number): number {
    const key = `${textStart} ${textEnd}`;
    let density = this.#known.get(key);
    if (density === undefined) this.#known.set(key, (density = this.#measure(textStart, textEnd)));
    return density;
  }

  #measure(textStart: number, textEnd: number): number {
    const starts = this.#starts;
    const first = firstIndex(0, starts.length, (word) => starts[word] >= textStart);
    let fullLines = 0;
    let lineStart = first;
    let word = first;
    for (; word < this.#starts.length && this.#starts[word] < textEnd; word++) {
      const length = this.characters(this.#starts[lineStart], this.#ends[word]);
      if (length <= LINE_CHARACTERS || word === lineStart) continue;
      fullLines++;
      lineStart = word;
    }
    return fullLines === 0 ? word - first : (lineStart - first) / fullLines;
  }
}
