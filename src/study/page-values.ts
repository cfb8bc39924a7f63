/**
 * Reads the values by which captures of one URL are compared: a hash of the text inside templates, a hash of
 * the rest, and the sets of words (Gibson, Punera and Tomkins 2005, sections 6.2 and 6.3). Words are
 * compared, not bytes, so white space and case do not matter.
 */
import { foldHashes, hashId, type Lanes } from '../analysis/byte-hash.ts';
import { scanRegions } from '../analysis/word-scanner.ts';
import { withRoom } from '../model/growing-array.ts';
import type { Range } from '../model/range.ts';
import type { Tree } from '../parse/tree.ts';
import { NumberList, WordCache } from './word-cache.ts';

/** Hashes and word sets of one capture. */
export interface PageValues {
  /** Hash of the words inside templates, in order; empty when there are none. */
  template: string;
  /** Hash of all other words, in order; empty when there are none. */
  rest: string;
  /** Hashes of the distinct words, sorted: of the whole page, and of everything but template. */
  words: Uint32Array;
  restWords: Uint32Array;
}

/**
 * Maximum number of distinct words kept of a page; of a larger page the words with the smallest hashes are
 * kept.
 */
const MAX_WORDS = 50_000;

/** Reads pages one after another and reuses its memory. */
export class PageValueReader {
  readonly #lanes: Lanes = { low: 0, high: 0 };
  readonly #known = new WordCache();
  readonly #template = new NumberList();
  readonly #rest = new NumberList();
  /** By number of a word: the last page that contained it. */
  #lastPage = new Int32Array(1024);
  #page = 0;
  #distinct = new Int32Array(1024);

  /** Reads the values of a page with these ranges, which tile its source. */
  read(tree: Tree, ranges: readonly Range[]): PageValues {
    const template = this.#template;
    const rest = this.#rest;
    template.count = 0;
    rest.count = 0;
    if (!this.#known.open(tree)) this.#lastPage.fill(0);
    scanRegions(tree, ranges, { template, rest }, this.#known);
    this.#lastPage = withRoom(this.#lastPage, this.#known.count);
    this.#page++;
    const restWords = this.#sortNew(rest);
    const onlyTemplateWords = this.#sortNew(template);
    return {
      template: this.#valueOf(template),
      rest: this.#valueOf(rest),
      words: union(onlyTemplateWords, restWords).slice(0, MAX_WORDS),
      restWords: restWords.slice(0, MAX_WORDS),
    };
  }

  /** Returns the hashes of the words of a list that are new on this page, sorted and distinct. */
  #sortNew({ numbers, count }: NumberList): Uint32Array {
    if (this.#distinct.length < count) this.#distinct = new Int32Array(2 * count);
    const distinct = this.#distinct;
    const lastPage = this.#lastPage;
    const page = this.#page;
    const { low } = this.#known;
    let found = 0;
    for (let k = 0; k < count; k++) {
      const number = numbers[k];
      if (lastPage[number] === page) continue;
      lastPage[number] = page;
      distinct[found++] = low[number];
    }
    const sorted = new Uint32Array(distinct.subarray(0, found)).sort();
    return sorted.filter((word, k) => k === 0 || word !== sorted[k - 1]);
  }

  #valueOf({ numbers, count }: NumberList): string {
    if (count === 0) return '';
    const { low, high } = foldHashes(this.#known, numbers, count, this.#lanes);
    return hashId(low, high);
  }
}

/** Returns the union of two sorted sets, sorted. */
function union(a: Uint32Array, b: Uint32Array): Uint32Array {
  const all = new Uint32Array(a.length + b.length);
  let count = 0;
  let i = 0;
  let j = 0;
  while (i < a.length && j < b.length) {
    const word = Math.min(a[i], b[j]);
    if (a[i] === word) i++;
    if (b[j] === word) j++;
    all[count++] = word;
  }
  for (; i < a.length; i++) all[count++] = a[i];
  for (; j < b.length; j++) all[count++] = b[j];
  return all.subarray(0, count);
}

/** Returns 1 − 2·|A ∩ B| / (|A| + |B|) of two sorted sets: 0 for equal sets, 1 for disjoint sets. */
export function changeMagnitude(a: Uint32Array, b: Uint32Array): number {
  if (a.length + b.length === 0) return 0;
  let shared = 0;
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    if (a[i] === b[j]) {
      shared++;
      i++;
      j++;
    } else if (a[i] < b[j]) i++;
    else j++;
  }
  return 1 - (2 * shared) / (a.length + b.length);
}
