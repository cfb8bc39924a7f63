/**
 * Signatures of sets (MinHash), and how they fall into buckets (LSH, below). The share of places at which two signatures agree estimates the Jaccard similarity of
 * their sets. Each place holds the smallest hash of those that fell to it; a round of hashing throws every
 * element at one place, and rounds go on until no place is empty, so that small sets are as well estimated
 * as large ones (Dahlgaard, Knudsen, Thorup 2017, "Fast similarity sketching"; the first round alone is
 * one-permutation hashing). Cost: elements + places · log(places), where independent permutations cost
 * elements · places; the error is theirs, at most sqrt(J (1 - J) / places).
 *
 * A value is the round (4 bits, 15 for all later ones) and then bits of the hash: what a place holds is the
 * smallest value that any element of the set has there.
 */
import { checkWhole } from '../model/check-option.ts';
import { mix32 } from './byte-hash.ts';

/** Standard error 4 % at a similarity of 0.6; 512 bytes a page. */
export const DEFAULT_PERMUTATIONS = 128;
export const LEAST_PERMUTATIONS = 16;
export const MOST_PERMUTATIONS = 1024;

const HASH_BITS = 0x0fffffff;
const MOST_ROUND = 15;

export interface MinHashOptions {
  /** Places of a signature. @default 128 */
  permutations?: number;
  /** Signatures of different seeds cannot be compared. @default 0 */
  seed?: number;
}

export class MinHash {
  readonly permutations: number;
  readonly #seed: number;
  /** Round in which each place was filled, from 1. */
  readonly #filledIn: Uint16Array;

  constructor({ permutations = DEFAULT_PERMUTATIONS, seed = 0 }: MinHashOptions = {}) {
    this.permutations = checkPermutations(permutations);
    this.#seed = mix32(seed ^ 0x3c6ef372);
    this.#filledIn = new Uint16Array(permutations);
  }

  /**
   * Writes the signature of the first `count` elements (well-mixed hashes) to `out` from `start`. The
   * signature of the empty set is all zeros: empty sets are the same as each other and like nothing else.
   */
  sign(elements: Uint32Array, count: number, out: Uint32Array, start = 0): void {
    const { permutations } = this;
    const filledIn = this.#filledIn;
    filledIn.fill(0);
    out.fill(0, start, start + permutations);
    if (count === 0) return;

    let empty = permutations;
    for (let round = 1; empty > 0; round++) {
      const salt = mix32(this.#seed + Math.imul(round, 0x9e3779b1));
      const prefix = Math.min(round, MOST_ROUND) << 28;
      // after so many rounds the places still empty take an element each, whatever falls to them
      const place = round - permutations - 1;
      for (let i = 0; i < count; i++) {
        const hash = mix32(elements[i] ^ salt);
        const at = place < 0 ? ((hash >>> 16) * permutations) >>> 16 : place;
        const value = (prefix | (hash & HASH_BITS)) >>> 0;
        const filled = filledIn[at];
        if (filled === 0) {
          filledIn[at] = round;
          out[start + at] = value;
          empty--;
        } else if (filled === round && value < out[start + at]) {
          out[start + at] = value;
        }
      }
    }
  }
}

/** Places at which the signatures that start at `a` and `b` agree. */
export function countEqual(signatures: Uint32Array, a: number, b: number, permutations: number): number {
  let equal = 0;
  for (let i = 0; i < permutations; i++) if (signatures[a + i] === signatures[b + i]) equal++;
  return equal;
}

/** Throws a RangeError unless a signature may have so many places. */
export function checkPermutations(permutations: number): number {
  return checkWhole('permutations', permutations, LEAST_PERMUTATIONS, MOST_PERMUTATIONS);
}

/**
 * Locality-sensitive hashing of signatures: cut into bands, two signatures are candidates when they agree on
 * all rows of a band, which happens with probability 1 - (1 - s^rows)^bands for a similarity of s. Bands and
 * rows are chosen so that this curve rises at the threshold: the area above it and below the threshold (pairs
 * found in vain) plus that below it and above the threshold (pairs missed) is the smallest possible.
 */

export interface Bands {
  bands: number;
  /** Places of a signature that a band spans; bands · rows may be less than the signature has. */
  rows: number;
}

export interface ChooseBandsOptions {
  /** Similarity from which a pair should be found, in (0, 1). */
  threshold: number;
  permutations: number;
  /** What a pair found in vain weighs beside a pair missed, in [0, 1]. @default 0.5 */
  falsePositiveWeight?: number;
}

/** Steps of the integrals; the choice does not change with finer ones. */
const STEPS = 100;

export function chooseBands({
  threshold,
  permutations,
  falsePositiveWeight = 0.5,
}: ChooseBandsOptions): Bands {
  if (!(threshold > 0 && threshold < 1)) {
    throw new RangeError(`threshold must be a number between 0 and 1, not ${threshold}`);
  }
  checkWhole('permutations', permutations, 1);
  let best: Bands = { bands: 1, rows: 1 };
  let leastError = Number.POSITIVE_INFINITY;
  for (let bands = 1; bands <= permutations; bands++) {
    for (let rows = 1; bands * rows <= permutations; rows++) {
      const error =
        falsePositiveWeight * integrate(0, threshold, (s) => candidateShare(s, { bands, rows })) +
        (1 - falsePositiveWeight) * integrate(threshold, 1, (s) => 1 - candidateShare(s, { bands, rows }));
      if (error < leastError) {
        leastError = error;
        best = { bands, rows };
      }
    }
  }
  return best;
}

/** The share of pairs of a similarity that become candidates. */
export function candidateShare(similarity: number, { bands, rows }: Bands): number {
  return 1 - (1 - similarity ** rows) ** bands;
}

/** Hash of one band of the signature that starts at `start`. */
export function bandHash(signatures: Uint32Array, start: number, band: number, rows: number): number {
  let hash = Math.imul(band + 1, 0x9e3779b1);
  const from = start + band * rows;
  for (let i = from; i < from + rows; i++) {
    hash = Math.imul(hash ^ signatures[i], 0x85ebca6b);
    hash = (hash << 13) | (hash >>> 19);
  }
  return mix32(hash) >>> 0;
}

/**
 * Items in the order of their hash, those of equal hash by number: a bucket is a run of equal hashes. Hash
 * and number are sorted as one double, which is several times faster than a comparator; hashes lose their
 * lowest bits beyond a million items, and what shares a bucket is looked at anyway.
 */
export class Buckets {
  readonly #keys: Float64Array;
  readonly #span: number;
  readonly #cut: number;

  constructor(count: number) {
    this.#keys = new Float64Array(count);
    let bits = 1;
    while (2 ** bits < count) bits++;
    this.#span = 2 ** bits;
    this.#cut = 2 ** Math.max(0, bits - 21);
  }

  /** Sorts the items by the hash of each; `order` receives their numbers, `starts` where buckets begin and, last, the count. */
  sort(hashOf: (item: number) => number, order: Uint32Array): number[] {
    const keys = this.#keys;
    const span = this.#span;
    for (let item = 0; item < keys.length; item++) {
      keys[item] = Math.floor(hashOf(item) / this.#cut) * span + item;
    }
    keys.sort();
    const starts: number[] = [];
    let before = -1;
    for (let i = 0; i < keys.length; i++) {
      const hash = Math.floor(keys[i] / span);
      order[i] = keys[i] - hash * span;
      if (hash !== before) starts.push(i);
      before = hash;
    }
    starts.push(keys.length);
    return starts;
  }
}

/** Midpoint rule. */
function integrate(from: number, to: number, of: (x: number) => number): number {
  const step = (to - from) / STEPS;
  let sum = 0;
  for (let i = 0; i < STEPS; i++) sum += of(from + (i + 0.5) * step);
  return sum * step;
}
