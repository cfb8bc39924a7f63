/**
 * What a capture says, in forms that captures of one URL are compared by: one value of the text inside its templates,
 * one of the rest, and the sets of its words (Gibson, Punera and Tomkins 2005, sections 6.2 and 6.3). Words are
 * compared, not bytes: white space and case are no change.
 */
import { foldHashes, hashId, type Lanes } from '../compare/byte-hash.ts';
import { DistinctSorter } from '../compare/sort-distinct.ts';
import { scanRegions, WordList } from '../compare/word-scanner.ts';
import type { Range } from '../model/range.ts';
import type { Tree } from '../parse/tree.ts';
import { KnownWords } from './known-words.ts';

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
  readonly #known = new KnownWords();
  readonly #template = new WordList();
  readonly #rest = new WordList();
  readonly #templateSorter = new DistinctSorter();
  readonly #restSorter = new DistinctSorter();

  read(tree: Tree, ranges: readonly Range[]): PageValues {
    const template = this.#template;
    const rest = this.#rest;
    template.count = 0;
    rest.count = 0;
    this.#known.open(tree);
    scanRegions(tree, ranges, { template, rest }, this.#known);
    const restWords = this.#restSorter.sort(rest.low, rest.count);
    const templateWords = this.#templateSorter.sort(template.low, template.count);
    return {
      template: this.#valueOf(template),
      rest: this.#valueOf(rest),
      words: union(templateWords, restWords).slice(0, MOST_WORDS),
      restWords: restWords.slice(0, MOST_WORDS),
    };
  }

  #valueOf({ low, high, count }: WordList): string {
    if (count === 0) return '';
    const lanes = foldHashes(low, high, count, this.#lanes);
    return hashId(lanes.low, lanes.high);
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
