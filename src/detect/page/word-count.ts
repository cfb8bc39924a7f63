/**
 * Words back from the logarithm that a table has of them. A power takes as long as fifty sums, and most rows have
 * few words: what was asked for lately is kept.
 */
const SLOTS = 1024;
const logarithms = new Float64Array(SLOTS);
const counts = new Float64Array(SLOTS);

/** 2^x - 1. */
export function wordCountOf(logarithm: number): number {
  const slot = (logarithm * 4096) & (SLOTS - 1);
  if (logarithms[slot] !== logarithm) {
    logarithms[slot] = logarithm;
    counts[slot] = 2 ** logarithm - 1;
  }
  return counts[slot];
}
