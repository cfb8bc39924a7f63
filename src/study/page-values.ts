/**
 * What a capture says, in forms that captures of one URL are compared by: one value of the text inside its templates,
 * one of the rest, and the sets of its words (Gibson, Punera and Tomkins 2005, sections 6.2 and 6.3). Words are
 * compared, not bytes: white space and case are no change.
 */
import { foldHashes, hashId, type Lanes } from '../analysis/byte-hash.ts';
import { scanRegions } from '../analysis/word-scanner.ts';
import { withRoom } from '../model/growing-array.ts';
import type { Range } from '../model/range.ts';
import type { Tree } from '../parse/tree.ts';
import { NumberList, WordCache } from './word-cache.ts';

export interface PageValues {
  /** Hash of the words inside templates, in order; empty when there are none. */
  template: string;
  /** Hash of the other words. */
  rest: string;
  /** Distinct words of the page, as sorted hashes, and of what is not template. */
  words: Uint32Array;
  restWords: Uint32Array;
}

/** Distinct words of a page that are kept; beyond it the smallest hashes stand for all. */
const MOST_WORDS = 50_000;

/** Reads page after page; keeps its memory. */
export class PageValueReader {
  readonly #lanes: Lanes = { low: 0, high: 0 };
  readonly #known = new WordCache();
  readonly #template = new NumberList();
  readonly #rest = new NumberList();
  /** By number of a word: the page on which it was met last. */
  #lastPage = new Int32Array(1024);
  #page = 0;
  #distinct = new Int32Array(1024);

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
      words: union(onlyTemplateWords, restWords).slice(0, MOST_WORDS),
      restWords: restWords.slice(0, MOST_WORDS),
    };
  }

  /** The words of a list that were not met on this page, sorted; each hash once. */
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

/** What is in either of two sorted sets, sorted. */
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

/** 1 − 2·|A ∩ B| / (|A| + |B|) of two sorted sets: 0 when they are the same, 1 when they share nothing. */
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
