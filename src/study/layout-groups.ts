/**
 * Finds the layouts of a site: groups of pages with similar signatures, numbered by size. Each group has its
 * most typical page, the similarity of its pages and the common pattern of their URLs.
 *
 * All steps are linear. At each component of the signatures the pages of a group are sorted by value. The
 * pairs within runs of equal values give the mean similarity of all pairs, the longest run gives the typical
 * value, and the typical page is the one with the most typical values.
 */
import { type GroupOptions, groupSignatures } from '../analysis/group-signatures.ts';
import { classifySignatures, type SignatureClasses, type SignedPages } from '../analysis/signed-pages.ts';
import { urlPattern } from './url-pattern.ts';

/** A layout of a site: the pages of one group of similar signatures. */
interface LayoutGroup {
  /** From 1. More captures come first; ties go to the group whose first page has the smaller key hash. */
  number: number;
  /** Captures, and the distinct pages they show; URLs with equal keys are one page. */
  pages: number;
  urls: number;
  /** Share of the site's pages, in [0, 1]. */
  share: number;
  /** Index of the most typical page. */
  typical: number;
  /** Mean estimated similarity of two of its pages, in [0, 1]; 1 for a single page. */
  similarity: number;
  /** Common pattern of its URLs, such as `/shop/…/….html`. */
  pattern: string;
}

/** The layouts of a site, and the layout of each of its pages. */
export interface Layouts {
  /** Ordered by number. */
  groups: LayoutGroup[];
  /** Number of the group of each page. */
  numberOf: Uint32Array;
}

/** Groups the pages of a site and describes the groups. */
export function findLayouts(pages: SignedPages, options: GroupOptions = {}): Layouts {
  const classes = options.classes ?? classifySignatures(pages);
  const { numberOf, members } = numberLayouts(pages, { ...options, classes });
  const total = pages.urls.length;
  const groups = members.map((own, k): LayoutGroup => {
    const { typical, similarity } = describeSignatures(pages, own);
    const urls = urlsOfPages(pages, own);
    return {
      number: k + 1,
      pages: own.length,
      urls: urls.length,
      share: own.length / total,
      typical,
      similarity,
      pattern: urlPattern(urls),
    };
  });
  return { groups, numberOf };
}

/** Returns the number of the group of each page, and the pages of each group in canonical order. */
export function numberLayouts(
  pages: SignedPages,
  options: GroupOptions = {},
): { numberOf: Uint32Array; members: Uint32Array[] } {
  const classes: SignatureClasses = options.classes ?? classifySignatures(pages);
  const { groupOf, groupCount } = groupSignatures(pages, { ...options, classes });
  const sizes = new Uint32Array(groupCount);
  for (const group of groupOf) sizes[group]++;
  const bySize = Array.from({ length: groupCount }, (_, group) => group).sort(
    (a, b) => sizes[b] - sizes[a] || a - b,
  );
  const number = new Uint32Array(groupCount);
  const members = bySize.map((group, k) => {
    number[group] = k + 1;
    return new Uint32Array(sizes[group]);
  });
  const filled = new Uint32Array(groupCount);
  for (const page of classes.order) {
    const group = groupOf[page];
    members[number[group] - 1][filled[group]++] = page;
  }
  return { numberOf: groupOf.map((group) => number[group]), members };
}

/**
 * Returns the key of a layout as a site of its own. Hosts contain no `#`, so no other rule makes such a key.
 */
export function layoutSite(site: string, number: number): string {
  return `${site}#${number}`;
}

function describeSignatures(
  { permutations, signatures }: SignedPages,
  members: Uint32Array,
): { typical: number; similarity: number } {
  const count = members.length;
  const column = new Uint32Array(count);
  const typicalValues = new Uint32Array(permutations);
  let equalPairs = 0;
  for (let place = 0; place < permutations; place++) {
    for (let k = 0; k < count; k++) column[k] = signatures[members[k] * permutations + place];
    column.sort();
    let longest = 0;
    for (let first = 0, end = 0; first < count; first = end) {
      for (end = first + 1; end < count && column[end] === column[first]; ) end++;
      equalPairs += ((end - first) * (end - first - 1)) / 2;
      if (end - first <= longest) continue;
      longest = end - first;
      typicalValues[place] = column[first];
    }
  }

  let typical = members[0];
  let most = -1;
  for (const page of members) {
    let shown = 0;
    for (let place = 0; place < permutations; place++) {
      if (signatures[page * permutations + place] === typicalValues[place]) shown++;
    }
    if (shown > most) [typical, most] = [page, shown];
  }
  const pairs = (count * (count - 1)) / 2;
  return { typical, similarity: pairs === 0 ? 1 : equalPairs / (pairs * permutations) };
}

/** Returns one URL of each page. Captures of one page are adjacent in canonical order. */
function urlsOfPages({ keys, urls }: SignedPages, members: Uint32Array): string[] {
  return Array.from(members)
    .filter((page, k) => k === 0 || keys[page] !== keys[members[k - 1]])
    .map((page) => urls[page]);
}
