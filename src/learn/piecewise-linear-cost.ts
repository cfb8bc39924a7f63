/**
 * Bends of a piecewise linear cost. As a function of its value, the cost of a row is linear between the
 * scores of the row and of its leaves, so only the bends need to be added up. They are read from the highest
 * value index down. Memory: two numbers and one bit per value.
 */
export class PiecewiseLinearCost {
  /**
   * For each value index: how much higher, then how much steeper, the cost is below it than above; zero
   * without a bend.
   */
  changes = new Float64Array(0);
  /** Value indexes with bends, as bits. */
  #bent = new Int32Array(0);

  /** Makes room for bends at the indexes 0 to `size`. The cost must have no bends when this is called. */
  reserve(size: number): void {
    if (this.changes.length >= 2 * size + 2) return;
    this.changes = new Float64Array(2 * size + 2);
    this.#bent = new Int32Array((size >> 5) + 1);
  }

  /**
   * Adds a bend at index `place`: below it the cost is `base` higher and `slope` steeper. Index 0 is never
   * read.
   */
  add(place: number, base: number, slope: number): void {
    this.changes[2 * place] += base;
    this.changes[2 * place + 1] += slope;
    this.#bent[place >> 5] |= 1 << (place & 31);
  }

  /** Returns the next lower index with a bend, or 0. */
  below(place: number): number {
    const bent = this.#bent;
    let word = place >> 5;
    let bits = bent[word] & ((1 << (place & 31)) - 1);
    while (bits === 0 && word > 0) bits = bent[--word];
    return bits === 0 ? 0 : (word << 5) + 31 - Math.clz32(bits);
  }

  /** Removes the bends at `place` and below. */
  drop(place: number): void {
    const { changes } = this;
    for (let at = place; at > 0; at = this.below(at)) changes[2 * at] = changes[2 * at + 1] = 0;
  }

  /** Clears the bits of the indexes 0 to `size`, once all of them are straight. */
  forget(size: number): void {
    const bent = this.#bent;
    for (let word = size >> 5; word >= 0; word--) bent[word] = 0;
  }
}
