/**
 * Groups pages with similar signatures: the connected components of a graph whose edges are candidates of the
 * LSH with an estimated similarity of at least the threshold. Within a bucket a page is compared only with a
 * few representatives (the first of its pages that were similar to none before), never with all. A bucket of
 * 50,000 pages thus costs 50,000 comparisons at most, and nothing for pages that are already together.
 *
 * Cost: signature classes · bands · (log + representatives); independent of the order of the pages.
 */
import { Buckets, bandHash, chooseBands, countEqual } from './minhash.ts';
import { classifySignatures, type SignatureClasses, type SignedPages } from './signed-pages.ts';

/** Default similarity, that of Leśniak 2017, section 4.2, for three of its four sites; the fourth has 0.3. */
export const DEFAULT_THRESHOLD = 0.6;

/** Number of pages of a bucket that others are compared with: a bucket rarely holds more than one kind. */
const REPRESENTATIVES = 8;

/** Options of `groupSignatures`. */
export interface GroupOptions {
  /** Estimated similarity at which two pages are joined, in (0, 1). @default 0.6 */
  threshold?: number;
  /**
   * Whether values that distinguish the site's kinds of pages weigh more; see `weighSignatureValues`.
   * @default false
   */
  weighted?: boolean;
  /** Classes made by `classifySignatures`, if the caller has them. */
  classes?: SignatureClasses;
}

/** The group of each page; groups are numbered by their first page in canonical order. */
export interface SignatureGroups {
  /** Group of each page. */
  groupOf: Uint32Array;
  groupCount: number;
}

/** Groups the pages of a site by their signatures. */
export function groupSignatures(
  pages: SignedPages,
  { threshold = DEFAULT_THRESHOLD, weighted = false, classes = classifySignatures(pages) }: GroupOptions = {},
): SignatureGroups {
  const { permutations, signatures } = pages;
  const { classOf, members, starts, classCount, order } = classes;
  // pages with the same distinguishing values may share only half of all values, and LSH must still find them
  const { bands, rows } = chooseBands({ threshold: weighted ? threshold / 2 : threshold, permutations });
  const startOf = (c: number) => members[starts[c]] * permutations;
  const values = weighted ? weighSignatureValues(pages) : undefined;
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

/** Union-find. The smaller number becomes the root, so that roots do not depend on the order of joining. */
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
      parent[at] = parent[parent[at]]; // path halving
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

/** Share of the pages that makes a value common. */
const COMMON_SHARE = 0.8;
/** Minimum share of the pages that show whether they hold a value. */
const MIN_INFORMATIVE = 0.2;
/** Weight of a component in which both pages show the common value. */
const COMMON_WEIGHT = 0.1;
/** A value is rare if fewer pages than this share, or only one page, show it in its component. */
const RARE_SHARE = 0.02;
/** With fewer pages, no value is called common or rare. */
const MIN_PAGES = 20;

/** The values of signatures that weigh less, found by `weighSignatureValues`. */
interface SignatureWeights {
  /**
   * For each component of the signature, the value that nearly all pages have; 0 if no value is so common.
   */
  common: Uint32Array;
  /** 1 if a page shows a rare value; laid out as the signatures. */
  rare: Uint8Array;
}

/**
 * Finds the values of signatures that distinguish the kinds of a site's pages. Values of nearly all pages (a
 * menu, a footer) make all pages similar; values of single pages (the shapes of their own content) make none
 * similar. Both follow from the signatures. A page shows its smallest value in each component, so a page
 * whose value is larger than x does not hold x; of the pages whose value is not smaller, the share that shows
 * x estimates the share of all pages that hold it.
 *
 * If two pages show the common value of a component, it counts a tenth. If they differ and the smaller value
 * is rare, that value hides what the other page shows, and the component is left out. (If the smaller value
 * is not rare, the other page is known to lack it, which is a difference.)
 *
 * Cost: the values of every component are sorted once, pages · components · log.
 */
function weighSignatureValues({ permutations, signatures, urls }: SignedPages): SignatureWeights {
  const count = urls.length;
  const common = new Uint32Array(permutations);
  const rare = new Uint8Array(signatures.length);
  if (count < MIN_PAGES) return { common, rare };
  const buckets = new Buckets(count);
  const order = new Uint32Array(count);
  const fewest = Math.max(2, RARE_SHARE * count);
  for (let component = 0; component < permutations; component++) {
    const starts = buckets.sort((page) => signatures[page * permutations + component], order);
    let found = false;
    for (let run = 0; run + 1 < starts.length; run++) {
      const first = starts[run];
      const shown = starts[run + 1] - first;
      if (shown < fewest) {
        for (let i = first; i < first + shown; i++) rare[order[i] * permutations + component] = 1;
      }
      // the pages from `first` on hold no smaller value
      const informativePages = count - first;
      if (found || shown < COMMON_SHARE * informativePages || informativePages < MIN_INFORMATIVE * count)
        continue;
      found = true;
      common[component] = signatures[order[first] * permutations + component];
    }
  }
  return { common, rare };
}

/**
 * Returns the estimated similarity of the signatures that start at `a` and `b`, by the values that
 * distinguish kinds.
 */
function weightedSimilarity(
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
  const components = permutations - hidden - discount;
  // signatures that hide each other in all components have similarity 0
  return components <= 0 ? 0 : (equal - discount) / components;
}
