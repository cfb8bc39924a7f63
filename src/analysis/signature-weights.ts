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
import { Buckets } from './lsh.ts';
import type { SignedPages } from './signed-pages.ts';

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

export interface TellingValues {
  /** The value at each place that nearly all pages hold; 0 where there is none. */
  common: Uint32Array;
  /** 1 where a page shows a rare value; laid out as the signatures. */
  rare: Uint8Array;
}

/** Sorts the values of every place once: pages · places · log. */
export function findTellingValues({ permutations, signatures, urls }: SignedPages): TellingValues {
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
export function tellingSimilarity(
  signatures: Uint32Array,
  a: number,
  b: number,
  { common, rare }: TellingValues,
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
