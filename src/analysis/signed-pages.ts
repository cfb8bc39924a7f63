/**
 * Signatures of pages with the identity of each page, and the two orders that all analyses of them use: pages
 * in canonical order (hash of the key, key, time, URL), so that no result depends on the order of input; and
 * pages of equal signature as one class, so that a template of 50,000 pages costs as much as one page.
 */
import { mix32, urlHashLanes } from './byte-hash.ts';

/** Columns over pages: page `p` has `signatures[p * permutations …]`, `keys[p]`, `urls[p]` and `times[p]`. */
export interface SignedPages {
  /** Number of components of a signature. */
  permutations: number;
  signatures: Uint32Array;
  /** Page keys: equal for all captures of one page. */
  keys: readonly string[];
  urls: readonly string[];
  /** ISO 8601 times; empty if unknown. */
  times: readonly string[];
}

/** The pages by signature. Classes are numbered by their first page in canonical order. */
export interface SignatureClasses {
  /** Pages in canonical order. */
  order: Uint32Array;
  /** Index of each page in that order. */
  rank: Uint32Array;
  /** Class of each page. */
  classOf: Uint32Array;
  /** Pages class by class, each in canonical order; class `c` is [starts[c], starts[c + 1]). */
  members: Uint32Array;
  starts: Uint32Array;
  classCount: number;
}

/** Groups pages of equal signature into classes. */
export function classifySignatures(pages: SignedPages): SignatureClasses {
  const order = canonicalOrder(pages);
  const { permutations, signatures } = pages;
  const count = order.length;
  const rank = new Uint32Array(count);
  for (let i = 0; i < count; i++) rank[order[i]] = i;

  // an open-addressing table of classes by the hash of their signature
  let capacity = 16;
  while (capacity < count * 2) capacity *= 2;
  const buckets = new Int32Array(capacity).fill(-1);
  const classOf = new Uint32Array(count);
  const first: number[] = [];
  const sizes: number[] = [];
  for (let i = 0; i < count; i++) {
    const start = order[i] * permutations;
    let bucket = signatureHash(signatures, start, permutations) & (capacity - 1);
    while (buckets[bucket] >= 0) {
      if (sameSignature(signatures, first[buckets[bucket]] * permutations, start, permutations)) break;
      bucket = (bucket + 1) & (capacity - 1);
    }
    if (buckets[bucket] < 0) {
      buckets[bucket] = first.length;
      first.push(order[i]);
      sizes.push(0);
    }
    classOf[order[i]] = buckets[bucket];
    sizes[buckets[bucket]]++;
  }

  const starts = new Uint32Array(first.length + 1);
  for (let c = 0; c < first.length; c++) starts[c + 1] = starts[c] + sizes[c];
  const next = starts.slice();
  const members = new Uint32Array(count);
  for (let i = 0; i < count; i++) members[next[classOf[order[i]]]++] = order[i];
  return { order, rank, classOf, members, starts, classCount: first.length };
}

/** Sorts pages by hash of the key, key, time, URL and, if all these are equal, signature. */
function canonicalOrder({ keys, urls, times, permutations, signatures }: SignedPages): Uint32Array {
  const count = urls.length;
  const low = new Uint32Array(count);
  const high = new Uint32Array(count);
  for (let page = 0; page < count; page++) {
    const lanes = urlHashLanes(keys[page]);
    low[page] = lanes.low;
    high[page] = lanes.high;
  }
  const order = new Uint32Array(count);
  for (let page = 0; page < count; page++) order[page] = page;
  return order.sort((a, b) => {
    if (high[a] !== high[b]) return high[a] < high[b] ? -1 : 1;
    if (low[a] !== low[b]) return low[a] < low[b] ? -1 : 1;
    if (keys[a] !== keys[b]) return keys[a] < keys[b] ? -1 : 1;
    if (times[a] !== times[b]) return times[a] < times[b] ? -1 : 1;
    if (urls[a] !== urls[b]) return urls[a] < urls[b] ? -1 : 1;
    for (let i = 0; i < permutations; i++) {
      const difference = signatures[a * permutations + i] - signatures[b * permutations + i];
      if (difference !== 0) return difference;
    }
    return 0;
  });
}

function signatureHash(signatures: Uint32Array, start: number, permutations: number): number {
  let hash = 0;
  for (let i = start; i < start + permutations; i++) hash = Math.imul(hash ^ signatures[i], 0x9e3779b1);
  return mix32(hash);
}

function sameSignature(signatures: Uint32Array, a: number, b: number, permutations: number): boolean {
  for (let i = 0; i < permutations; i++) if (signatures[a + i] !== signatures[b + i]) return false;
  return true;
}
