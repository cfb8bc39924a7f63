/** Seeded numbers in [0, 1). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Seeded whole numbers from 0, below the bound given for each. */
export function seededNumbers(seed: number): (bound: number) => number {
  const random = seededRandom(seed);
  return (bound) => Math.floor(random() * bound);
}
