/**
 * The subtrees of a capture by their content hashes, and which of them another capture was found to have. Refilled from
 * capture to capture; a slot is three numbers, and at most half of them are used.
 */

import { type ShortSequence, subtreeToken } from '../analysis/collapsed-sequence.ts';
import type { PageTokens } from '../analysis/page-tokens.ts';

const STRIDE = 3; // low, high, the subtree's number from the first of this fill

export class KnownSubtrees {
  #slots = new Int32Array(64 * STRIDE);
  #mask = 63;
  /** Numbers below this are of earlier fills. */
  #first = 1;
  #count = 0;
  /** By subtree: the first with its hash; and for that one whether it was met. */
  #same = new Int32Array(64);
  #met = new Uint8Array(64);

  /** Holds the subtrees of this capture and no others; none of them was met. */
  fill({ contentLow, contentHigh }: PageTokens): this {
    const count = contentLow.length;
    this.#begin(count);
    const slots = this.#slots;
    const mask = this.#mask;
    const first = this.#first;
    const same = this.#same;
    for (let subtree = 0; subtree < count; subtree++) {
      const low = contentLow[subtree];
      const high = contentHigh[subtree];
      for (let index = high & mask; ; index = (index + 1) & mask) {
        const slot = index * STRIDE;
        if (slots[slot + 2] < first) {
          slots[slot] = low;
          slots[slot + 1] = high;
          slots[slot + 2] = first + subtree;
          same[subtree] = subtree;
          break;
        }
        if (slots[slot] === low && slots[slot + 1] === high) {
          same[subtree] = slots[slot + 2] - first;
          break;
        }
      }
    }
    return this;
  }

  /** The first subtree with this hash; -1 when there is none. */
  find(low: number, high: number): number {
    const slots = this.#slots;
    const mask = this.#mask;
    for (let index = high & mask; ; index = (index + 1) & mask) {
      const slot = index * STRIDE;
      if (slots[slot + 2] < this.#first) return -1;
      if (slots[slot] === low && slots[slot + 1] === high) return slots[slot + 2] - this.#first;
    }
  }

  /** Says that the other capture has these subtrees. */
  meet(from: number, to: number): void {
    for (let subtree = from; subtree < to; subtree++) this.#met[this.#same[subtree]] = 1;
  }

  /** The tokens of the capture with those subtrees that were met as one each. */
  shorten(capture: PageTokens, out: ShortSequence): void {
    const { tokens, firstToken, endToken, contentLow, contentHigh, wordCount } = capture;
    out.reserve(tokens.length);
    let count = 0;
    let token = 0;
    for (let subtree = 0; subtree < this.#count; subtree++) {
      if (firstToken[subtree] < token || this.#met[this.#same[subtree]] === 0) continue;
      for (; token < firstToken[subtree]; token++) out.set(count++, tokens[token], token, token + 1, 0);
      const hash = subtreeToken(contentLow[subtree], contentHigh[subtree]);
      out.set(count++, hash, token, endToken[subtree], wordCount[subtree]);
      token = endToken[subtree];
    }
    for (; token < tokens.length; token++) out.set(count++, tokens[token], token, token + 1, 0);
    out.count = count;
  }

  #begin(count: number): void {
    this.#first += this.#count;
    this.#count = count;
    if (this.#mask + 1 < 2 * count || this.#first > 1 << 30) {
      let capacity = this.#mask + 1;
      while (capacity < 2 * count) capacity *= 2;
      this.#slots = new Int32Array(capacity * STRIDE);
      this.#mask = capacity - 1;
      this.#first = 1;
    }
    if (this.#same.length < count) {
      this.#same = new Int32Array(2 * count);
      this.#met = new Uint8Array(2 * count);
    } else this.#met.fill(0, 0, count);
  }
}
