/**
 * Pages of similar signatures as groups: the connected parts of a graph whose edges are candidates of the
 * LSH with an estimated similarity of at least the threshold. Within a bucket a page is compared with a few
 * representatives only (the first of its pages that were like none of those before), never with all: a
 * bucket of 50,000 pages costs 50,000 comparisons at most, and nothing where pages are already together.
 *
 * Cost: signature classes · bands · (log + representatives); independent of the order of the pages.
 */
import { Buckets, bandHash, chooseBands } from './lsh.ts';
import { countEqual } from './minhash.ts';
import { findTellingValues, tellingSimilarity } from './signature-weights.ts';
import { classifySignatures, type SignatureClasses, type SignedPages } from './signed-pages.ts';

/** That of Leśniak 2017, section 4.2, for three of its four sites; the fourth has 0.3. */
export const DEFAULT_THRESHOLD = 0.6;

/** Pages of a bucket that others are compared with: a bucket seldom holds more than one kind. */
const REPRESENTATIVES = 8;

export interface GroupOptions {
  /** Estimated similarity that joins two pages, in (0, 1). @default 0.6 */
  threshold?: number;
  /** Whether similarity goes by what tells the site's kinds of pages apart; see telling-values.ts. @default false */
  telling?: boolean;
  /** As made by `classifySignatures`, where the caller has it. */
  classes?: SignatureClasses;
}

/** The group of each page; groups are numbered by their first page in canonical order. */
export interface SignatureGroups {
  groupOf: Uint32Array;
  groupCount: number;
}

export function groupSignatures(
  pages: SignedPages,
  { threshold = DEFAULT_THRESHOLD, telling = false, classes = classifySignatures(pages) }: GroupOptions = {},
): SignatureGroups {
  const { permutations, signatures } = pages;
  const { classOf, members, starts, classCount, order } = classes;
  // pages alike in what tells may share but half as much of everything: LSH must not miss them
  const { bands, rows } = chooseBands({ threshold: telling ? threshold / 2 : threshold, permutations });
  const startOf = (c: number) => members[starts[c]] * permutations;
  const values = telling ? findTellingValues(pages) : undefined;
  const similarity = (a: number, b: number) =>
    values
      ? tellingSimilarity(signatures, startOf(a), startOf(b), values)
      : countEqual(signatures, startOf(a), startOf(b), permutations) / permutations;

  const sets = new DisjointSets(classCount);
  const inBucket = new Uint32Array(classCount);
  const buckets = new Buckets(classCount);
  const representatives = new Uint32Array(REPRESENTATIVES);
  for (let band = 0; band < bands; band++) {
    const bucketStarts = buckets.sort((c) => bandHash(signatures, startOf(c), band, rows), inBucket);
    for (let bucket = 0; bucket + 1 < bucketStarts.length; bucket++) {
      let count = 0;
      for (let i = bucketStarts[bucket]; i < bucketStarts[bucket + 1]; i++) {
        const c = inBucket[i];
        let alone = true;
        for (let k = 0; k < count; k++) {
          const other = representatives[k];
          if (sets.find(other) === sets.find(c)) alone = false;
          else if (similarity(other, c) >= threshold - 1e-9) {
            sets.join(other, c);
            alone = false;
          }
        }
        if (alone && count < REPRESENTATIVES) representatives[count++] = c;
      }
    }
  }

  const groupOf = new Uint32Array(order.length);
  const numberOf = new Int32Array(classCount).fill(-1);
  let groupCount = 0;
  for (const page of order) {
    const root = sets.find(classOf[page]);
    if (numberOf[root] < 0) numberOf[root] = groupCount++;
    groupOf[page] = numberOf[root];
  }
  return { groupOf, groupCount };
}

/** Union-find; the smaller number is the root, so that roots do not depend on the order of joining. */
class DisjointSets {
  readonly #parent: Uint32Array;

  constructor(count: number) {
    this.#parent = new Uint32Array(count);
    for (let i = 0; i < count; i++) this.#parent[i] = i;
  }

  find(item: number): number {
    const parent = this.#parent;
    let at = item;
    while (parent[at] !== at) {
      parent[at] = parent[parent[at]]; // halves the path
      at = parent[at];
    }
    return at;
  }

  join(a: number, b: number): void {
    const rootA = this.find(a);
    const rootB = this.find(b);
    if (rootA < rootB) this.#parent[rootB] = rootA;
    else this.#parent[rootA] = rootB;
  }
}
