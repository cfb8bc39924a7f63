/**
 * Numbers the start tags of pages, byte for byte: pages of a site are made of the same few hundred, and what is to be
 * read in a tag needs reading once. A tag is known by a 64-bit hash of its bytes and its element's name, in an
 * open-addressing table. Cost: a step for every four bytes.
 */

const LOW = 0;
const HIGH = 1;
const NUMBER = 2; // from 1; 0 marks a free slot
const STRIDE = 3;

export class KnownTags {
  /** Tags that are known. */
  count = 0;
  #slots: Int32Array;
  #mask: number;

  constructor() {
    this.#slots = new Int32Array(1024 * STRIDE);
    this.#mask = 1023;
  }

  /** The number of the start tag at `[start, end)`: `count`, as it was before, when it is a new one. */
  numberOf(source: Uint8Array, start: number, end: number, name: number): number {
    let low = 0x2545f491 ^ name;
    let high = 0x51ed270b + (end - start);
    let p = start;
    for (const lastWord = end - 4; p <= lastWord; p += 4) {
      const word = source[p] | (source[p + 1] << 8) | (source[p + 2] << 16) | (source[p + 3] << 24);
      low = Math.imul(low ^ word, 0x85ebca6b);
      low = (low << 13) | (low >>> 19);
      high = Math.imul((high + word) | 0, 0xc2b2ae35);
      high = (high << 17) | (high >>> 15);
    }
    for (; p < end; p++) {
      low = Math.imul(low ^ source[p], 0x01000193);
      high = Math.imul((high + source[p]) | 0, 0x5bd1e995);
    }
    // the table takes the low bits, which must depend on all
    high ^= high >>> 15;
    high = Math.imul(high, 0x2c1b3c6d);
    return this.#place(low, high ^ (high >>> 13));
  }

  /** Forgets all tags and keeps the room. */
  clear(): void {
    this.#slots.fill(0);
    this.count = 0;
  }

  #place(low: number, high: number): number {
    const slots = this.#slots;
    const mask = this.#mask;
    let slot = (high & mask) * STRIDE;
    while (slots[slot + NUMBER] !== 0) {
      if (slots[slot + LOW] === low && slots[slot + HIGH] === high) return slots[slot + NUMBER] - 1;
      slot = slot === mask * STRIDE ? 0 : slot + STRIDE;
    }
    slots[slot + LOW] = low;
    slots[slot + HIGH] = high;
    slots[slot + NUMBER] = ++this.count;
    if (2 * this.count > mask) this.#grow();
    return this.count - 1;
  }

  #grow(): void {
    const old = this.#slots;
    const mask = 2 * this.#mask + 1;
    const slots = new Int32Array((mask + 1) * STRIDE);
    for (let from = 0; from < old.length; from += STRIDE) {
      if (old[from + NUMBER] === 0) continue;
      let index = old[from + HIGH] & mask;
      while (slots[index * STRIDE + NUMBER] !== 0) index = (index + 1) & mask;
      for (let word = 0; word < STRIDE; word++) slots[index * STRIDE + word] = old[from + word];
    }
    this.#slots = slots;
    this.#mask = mask;
  }
}
