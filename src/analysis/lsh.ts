/**
 * Locality-sensitive hashing of signatures: cut into bands, two signatures are candidates when they agree on
 * all rows of a band, which happens with probability 1 - (1 - s^rows)^bands for a similarity of s. Bands and
 * rows are chosen so that this curve rises at the threshold: the area above it and below the threshold (pairs
 * found in vain) plus that below it and above the threshold (pairs missed) is the smallest possible.
 */
import { mix32 } from './byte-hash.ts';

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
  if (!Number.isInteger(permutations) || permutations < 1) {
    throw new RangeError(`permutations must be a whole number from 1, not ${permutations}`);
  }
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
