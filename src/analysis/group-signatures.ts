/**
 * Pages of similar signatures as groups: the connected parts of a graph whose edges are candidates of the
 * LSH with an estimated similarity of at least the threshold. Within a bucket a page is compared with a few
 * representatives only (the first of its pages that were like none of those before), never with all: a
 * bucket of 50,000 pages costs 50,000 comparisons at most, and nothing where pages are already together.
 *
 * Cost: signature classes · bands · (log + representatives); independent of the order of the pages.
 */
import { Buckets, bandHash, chooseBands, countEqual } from './minhash.ts';
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
  const values = telling ? weighSignatureValues(pages) : undefined;
  const similarity = (a: number, b: number) =>
    values
      ? weightedSimilarity(signatures, startOf(a), startOf(b), values)
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

/**
 * Which values of signatures tell the kinds of a site's pages apart. What nearly all pages hold (a menu, a
 * footer) makes them all look alike; what hardly another page holds (the shapes of its own content) makes
 * none like another. Both can be told from the signatures: a page shows its smallest value at each place, so
 * a page whose value is larger than x does not hold x, and of the pages whose value is not smaller, the share
 * that shows x estimates the share of all pages that hold it.
 *
 * Where two pages show the common value of a place, the place counts a tenth. Where they differ and the
 * smaller value is a rare one, that value hides what the other page shows: the place says nothing and is
 * left out. (Where the smaller one is not rare, the other page is known to lack it: a difference.)
 */

/** Share of the pages that makes a value common. */
const COMMON_SHARE = 0.8;
/** Share of the pages that must say whether they hold it. */
const LEAST_WITNESSES = 0.2;
/** What a place weighs where both pages show the common value. */
const COMMON_WEIGHT = 0.1;
/** A value is rare when fewer pages than this share, or only one, show it at its place. */
const RARE_SHARE = 0.02;
/** Fewer pages say nothing about what is common or rare. */
const LEAST_PAGES = 20;

export interface SignatureWeights {
  /** For each component of the signature, the value that nearly all pages have; 0 when no value is so common. */
  common: Uint32Array;
  /** 1 where a page shows a rare value; laid out as the signatures. */
  rare: Uint8Array;
}

/** Sorts the values of every place once: pages · places · log. */
export function weighSignatureValues({ permutations, signatures, urls }: SignedPages): SignatureWeights {
  const count = urls.length;
  const common = new Uint32Array(permutations);
  const rare = new Uint8Array(signatures.length);
  if (count < LEAST_PAGES) return { common, rare };
  const buckets = new Buckets(count);
  const order = new Uint32Array(count);
  const fewest = Math.max(2, RARE_SHARE * count);
  for (let place = 0; place < permutations; place++) {
    const starts = buckets.sort((page) => signatures[page * permutations + place], order);
    let found = false;
    for (let run = 0; run + 1 < starts.length; run++) {
      const first = starts[run];
      const shown = starts[run + 1] - first;
      if (shown < fewest) {
        for (let i = first; i < first + shown; i++) rare[order[i] * permutations + place] = 1;
      }
      // the pages from `first` on hold no smaller value
      const witnesses = count - first;
      if (found || shown < COMMON_SHARE * witnesses || witnesses < LEAST_WITNESSES * count) continue;
      found = true;
      common[place] = signatures[order[first] * permutations + place];
    }
  }
  return { common, rare };
}

/** Estimated similarity of the signatures that start at `a` and `b`, by what tells kinds apart. */
export function weightedSimilarity(
  signatures: Uint32Array,
  a: number,
  b: number,
  { common, rare }: SignatureWeights,
): number {
  const permutations = common.length;
  let equal = 0;
  let shared = 0;
  let hidden = 0;
  for (let i = 0; i < permutations; i++) {
    const valueA = signatures[a + i];
    const valueB = signatures[b + i];
    if (valueA === valueB) {
      equal++;
      if (valueA === common[i]) shared++;
    } else {
      hidden += valueA < valueB ? rare[a + i] : rare[b + i];
    }
  }
  const discount = (1 - COMMON_WEIGHT) * shared;
  const places = permutations - hidden - discount;
  // signatures that hide each other everywhere are not alike for that
  return places <= 0 ? 0 : (equal - discount) / places;
}
