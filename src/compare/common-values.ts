/**
 * What nearly all pages of a site hold says nothing about their kind, but makes them all look alike: a menu
 * and a footer are easily most of a page. Such elements can be told from signatures alone: at each place a
 * page shows its smallest value, so a page whose value is larger than x does not hold x, and of the pages
 * whose value is not smaller, the share that shows x estimates the share of all pages that hold it.
 *
 * Where both pages show the common value of a place, the place counts a tenth: similarity is then that of
 * the sets without what all pages share, but two pages that share nearly everything stay alike.
 */
import type { SignedPages } from './signed-pages.ts';

/** Share of the pages that makes an element common. */
const COMMON_SHARE = 0.8;
/** Share of the pages that must say whether they hold it. */
const LEAST_WITNESSES = 0.2;
/** Fewer pages say nothing about what is common. */
const LEAST_PAGES = 20;
/** What a place weighs where both pages show the common value. */
const COMMON_WEIGHT = 0.1;

/** The value at each place that nearly all pages hold; 0 where there is none. */
export function findCommonValues({ permutations, signatures, urls }: SignedPages): Uint32Array {
  const common = new Uint32Array(permutations);
  const count = urls.length;
  if (count < LEAST_PAGES) return common;
  const column = new Uint32Array(count);
  for (let place = 0; place < permutations; place++) {
    for (let page = 0; page < count; page++) column[page] = signatures[page * permutations + place];
    column.sort();
    // values from the smallest up: the pages from `first` on hold no smaller one
    for (let first = 0; count - first >= LEAST_WITNESSES * count; ) {
      let end = first + 1;
      while (end < count && column[end] === column[first]) end++;
      if (end - first >= COMMON_SHARE * (count - first)) {
        common[place] = column[first];
        break;
      }
      first = end;
    }
  }
  return common;
}

/** Estimated similarity of the signatures that start at `a` and `b`, common values discounted. */
export function discountedSimilarity(
  signatures: Uint32Array,
  a: number,
  b: number,
  common: Uint32Array,
): number {
  const permutations = common.length;
  let equal = 0;
  let shared = 0;
  for (let i = 0; i < permutations; i++) {
    const value = signatures[a + i];
    if (value !== signatures[b + i]) continue;
    equal++;
    if (value === common[i]) shared++;
  }
  const discount = (1 - COMMON_WEIGHT) * shared;
  return (equal - discount) / (permutations - discount);
}
