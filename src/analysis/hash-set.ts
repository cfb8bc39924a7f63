/** A set of 64-bit hashes that may be given many times over: a page's subtrees. Refilled from page to page. */

const STRIDE = 3; // low, high, generation of the fill that wrote the slot

export class HashSet {
  #slots = new Int32Array(64 * STRIDE);
  #mask = 63;
  #generation = 0;

  /** Holds the first `count` of these hashes, and nothing else. */
  fill(low: Int32Array, high: Int32Array, count: number): this {
    if (this.#mask + 1 < 2 * count) {
      let capacity = this.#mask + 1;
      while (capacity < 2 * count) capacity *= 2;
      this.#slots = new Int32Array(capacity * STRIDE);
      this.#mask = capacity - 1;
      this.#generation = 0;
    }
    const generation = ++this.#generation;
    const slots = this.#slots;
    const mask = this.#mask;
    for (let i = 0; i < count; i++) {
      for (let index = high[i] & mask; ; index = (index + 1) & mask) {
        const slot = index * STRIDE;
        if (slots[slot + 2] !== generation) {
          slots[slot] = low[i];
          slots[slot + 1] = high[i];
          slots[slot + 2] = generation;
          break;
        }
        if (slots[slot] === low[i] && slots[slot + 1] === high[i]) break;
      }
    }
    return this;
  }

  has(low: number, high: number): boolean {
    const slots = this.#slots;
    const mask = this.#mask;
    for (let index = high & mask; ; index = (index + 1) & mask) {
      const slot = index * STRIDE;
      if (slots[slot + 2] !== this.#generation) return false;
      if (slots[slot] === low && slots[slot + 1] === high) return true;
    }
  }
}
