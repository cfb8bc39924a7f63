/**
 * Signatures of sets (MinHash), and their buckets (LSH, below). The share of components in which two
 * signatures agree estimates the Jaccard similarity of their sets. Each component holds the smallest hash of
 * the elements that fell to it. A round of hashing assigns every element to one component, and rounds
 * continue until no component is empty, so that small sets are estimated as well as large ones (Dahlgaard,
 * Knudsen, Thorup 2017, "Fast similarity sketching"; the first round alone is one-permutation hashing). Cost:
 * elements + components · log(components), where independent permutations cost elements · components; the
 * error is the same, at most sqrt(J (1 - J) / components).
 *
 * A value is the round (4 bits, 15 for all later ones) followed by bits of the hash, so a component holds the
 * smallest value that any element of the set has there.
 */
import { checkWhole } from '../model/check-option.ts';
import { mix32 } from './byte-hash.ts';

/** Default number of components: standard error 4 % at a similarity of 0.6; 512 bytes per page. */
export const DEFAULT_PERMUTATIONS = 128;
/** Minimum number of components of a signature. */
export const MIN_PERMUTATIONS = 16;
/** Largest number of components of a signature. */
export const MAX_PERMUTATIONS = 1024;

const HASH_BITS = 0x0fffffff;
const MAX_ROUND = 15;

/** Options of `MinHash`. */
export interface MinHashOptions {
  /** Number of components of a signature. @default 128 */
  permutations?: number;
  /** Seed of the hashes; signatures of different seeds cannot be compared. @default 0 */
  seed?: number;
}

/** Computes signatures of sets. */
export class MinHash {
  readonly permutations: number;
  readonly #seed: number;
  /** Round in which each component was filled, from 1. */
  readonly #filledIn: Uint16Array;

  constructor({ permutations = DEFAULT_PERMUTATIONS, seed = 0 }: MinHashOptions = {}) {
    this.permutations = checkPermutations(permutations);
    this.#seed = mix32(seed ^ 0x3c6ef372);
    this.#filledIn = new Uint16Array(permutations);
  }

  /**
   * Writes the signature of the first `count` elements (well-mixed hashes) to `out` from `start`. The
   * signature of the empty set is all zeros: empty sets are equal to each other and similar to no other set.
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
      const prefix = Math.min(round, MAX_ROUND) << 28;
      // after this many rounds each component that is still empty takes the smallest value of all elements in
      // turn
      const component = round - permutations - 1;
      for (let i = 0; i < count; i++) {
        const hash = mix32(elements[i] ^ salt);
        const at = component < 0 ? ((hash >>> 16) * permutations) >>> 16 : component;
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

/** Returns the number of components in which the signatures that start at `a` and `b` agree. */
export function countEqual(signatures: Uint32Array, a: number, b: number, permutations: number): number {
  let equal = 0;
  for (let i = 0; i < permutations; i++) if (signatures[a + i] === signatures[b + i]) equal++;
  return equal;
}

/** Returns the number of components, or throws a RangeError if it is out of range. */
export function checkPermutations(permutations: number): number {
  return checkWhole('permutations', permutations, MIN_PERMUTATIONS, MAX_PERMUTATIONS);
}

/**
 * Bands of a signature for locality-sensitive hashing: two signatures are candidates if they agree in all
 * rows of a band, which happens with probability 1 - (1 - s^rows)^bands for a similarity of s.
 */
export interface Bands {
  bands: number;
  /** Number of components that a band spans; bands · rows may be less than the size of the signature. */
  rows: number;
}

/** Options of `chooseBands`. */
export interface ChooseBandsOptions {
  /** Similarity from which a pair should be found, in (0, 1). */
  threshold: number;
  permutations: number;
  /** Weight of a false candidate relative to a missed pair, in [0, 1]. @default 0.5 */
  falsePositiveWeight?: number;
}

/** Number of steps of the integrals; the choice does not change with more. */
const STEPS = 100;

/**
 * Chooses bands and rows so that the probability of being a candidate rises at the threshold: the area under
 * its curve below the threshold (false candidates) plus the area over it above the threshold (missed pairs)
 * is smallest.
 */
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

/** Returns the share of pairs of a similarity that become candidates. */
export function candidateShare(similarity: number, { bands, rows }: Bands): number {
  return 1 - (1 - similarity ** rows) ** bands;
}

/** Returns the hash of one band of the signature that starts at `start`. */
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
 * Sorts items by their hash, and items with one hash by number: a bucket is a run of equal hashes. Hash and
 * number are sorted as one double, which is several times faster than a comparator. With more than a million
 * items hashes lose their lowest bits, which is harmless because items of a bucket are compared anyway.
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

  /**
   * Sorts the items by hash. Writes their numbers to `order` and returns the starts of the buckets, followed
   * by the number of items.
   */
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

/** Integrates by the midpoint rule. */
function integrate(from: number, to: number, of: (x: number) => number): number {
  const step = (to - from) / STEPS;
  let sum = 0;
  for (let i = 0; i < STEPS; i++) sum += of(from + (i + 0.5) * step);
  return sum * step;
}
