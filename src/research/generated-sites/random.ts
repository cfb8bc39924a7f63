/**
 * A small seeded random source. Everything generated is a function of a key (seed, URL, time, purpose) and
 * never of what was generated before, so pages can be made in any order and number. Integer arithmetic makes
 * all engines agree.
 */

/** Mixes strings and integers into a 32-bit key; `keyOf('a', 1)` and `keyOf('a1')` differ. */
export function keyOf(...parts: (string | number)[]): number {
  let hash = 0x811c9dc5;
  for (const part of parts) {
    if (typeof part === 'number') {
      hash = Math.imul(hash ^ (part >>> 0), 0x85ebca6b);
      hash = Math.imul((hash ^ (hash >>> 15)) + Math.floor(part / 0x1_0000_0000), 0xc2b2ae35);
    } else {
      for (let at = 0; at < part.length; at++) hash = Math.imul(hash ^ part.charCodeAt(at), 0x01000193);
    }
    hash ^= hash >>> 13;
    hash = Math.imul(hash + 0x9e3779b9, 0x27d4eb2f);
    hash ^= hash >>> 16;
  }
  return hash >>> 0;
}

/** A stream of random numbers from a key (the 32-bit Weyl sequence with a strong finaliser, "splitmix32"). */
export class Random {
  #state: number;

  constructor(key: number) {
    this.#state = key | 0;
  }

  /** Returns an integer in [0, 2^32). */
  next(): number {
    this.#state = (this.#state + 0x9e3779b9) | 0;
    let mixed = this.#state ^ (this.#state >>> 16);
    mixed = Math.imul(mixed, 0x21f0aaad);
    mixed ^= mixed >>> 15;
    mixed = Math.imul(mixed, 0x735a2d97);
    return (mixed ^ (mixed >>> 15)) >>> 0;
  }

  /** Returns an integer in [0, bound). */
  below(bound: number): number {
    return Math.floor((this.next() / 0x1_0000_0000) * bound);
  }

  /** Returns an integer in [low, high], both ends included. */
  between(low: number, high: number): number {
    return low + this.below(high - low + 1);
  }

  chance(probability: number): boolean {
    return this.next() < probability * 0x1_0000_0000;
  }

  pick<T>(choices: readonly T[]): T {
    return choices[this.below(choices.length)];
  }

  /** Returns distinct choices in random order, `count` or all of them if there are fewer. */
  sample<T>(choices: readonly T[], count: number): T[] {
    const pool = [...choices];
    const taken = Math.min(count, pool.length);
    for (let at = 0; at < taken; at++) {
      const other = at + this.below(pool.length - at);
      [pool[at], pool[other]] = [pool[other], pool[at]];
    }
    return pool.slice(0, taken);
  }
}
