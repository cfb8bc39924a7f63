/**
 * Where a cost of many straight pieces bends. What a row costs, by its value, is straight between the scores of
 * itself and of its leaves; only the places where it bends, and how, need be added up. They are read from the
 * top down. Memory: two numbers and a bit for each value.
 */
export class PiecewiseLinearCost {
  /** By place: how much higher, then how much steeper, the cost runs below it than above; zero where it is straight. */
  changes = new Float64Array(0);
  /** Places that have bends, as bits. */
  #bent = new Int32Array(0);

  /** Makes room for bends at the places 0 to `size`; there are none while it is made. */
  reserve(size: number): void {
    if (this.changes.length >= 2 * size + 2) return;
    this.changes = new Float64Array(2 * size + 2);
    this.#bent = new Int32Array((size >> 5) + 1);
  }

  /** Below `place` a cost runs `base` higher and `slope` steeper than above it. That of place 0 is never read. */
  add(place: number, base: number, slope: number): void {
    this.changes[2 * place] += base;
    this.changes[2 * place + 1] += slope;
    this.#bent[place >> 5] |= 1 << (place & 31);
  }

  /** The next place below this one that has a bend; 0 when none has. */
  below(place: number): number {
    const bent = this.#bent;
    let word = place >> 5;
    let bits = bent[word] & ((1 << (place & 31)) - 1);
    while (bits === 0 && word > 0) bits = bent[--word];
    return bits === 0 ? 0 : (word << 5) + 31 - Math.clz32(bits);
  }

  /** Straightens the cost from a place down. */
  drop(place: number): void {
    const { changes } = this;
    for (let at = place; at > 0; at = this.below(at)) changes[2 * at] = changes[2 * at + 1] = 0;
  }

  /** Forgets which of the places 0 to `size` have bends, once all of them are straight. */
  forget(size: number): void {
    const bent = this.#bent;
    for (let word = size >> 5; word >= 0; word--) bent[word] = 0;
  }
}
