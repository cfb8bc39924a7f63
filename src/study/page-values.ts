/**
 * What a capture says, in forms that captures of one URL are compared by: one value of the text inside its templates,
 * one of the rest, and the sets of its words (Gibson, Punera and Tomkins 2005, sections 6.2 and 6.3). Words are
 * compared, not bytes: white space and case are no change.
 */
import { foldHash, hashId, type Lanes, startSequence } from '../compare/byte-hash.ts';
import { scanTreeWords } from '../compare/word-scanner.ts';
import type { Label, Range } from '../model/range.ts';
import type { Tree } from '../parse/tree.ts';

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
  /** Words of one region, as they come. */
  #words = new Uint32Array(4096);
  #count = 0;
  readonly #take = (low: number, high: number): void => {
    foldHash(low, high, this.#lanes);
    if (this.#count === this.#words.length) this.#grow();
    this.#words[this.#count++] = low;
  };

  read(tree: Tree, ranges: readonly Range[]): PageValues {
    const inverse = ranges.map((range): Range => ({ ...range, label: OTHER[range.label] }));
    const template = this.#valueOf(tree, inverse);
    const rest = this.#valueOf(tree, ranges);
    return {
      template: template.value,
      rest: rest.value,
      words: union(template.words, rest.words).slice(0, MOST_WORDS),
      restWords: rest.words.slice(0, MOST_WORDS),
    };
  }

  /** What is not labelled template: its hash and its words, sorted and each once. */
  #valueOf(tree: Tree, ranges: readonly Range[]): { value: string; words: Uint32Array } {
    const lanes = startSequence(this.#lanes);
    this.#count = 0;
    scanTreeWords(tree, ranges, this.#take);
    const value = this.#count === 0 ? '' : hashId(lanes.low, lanes.high);
    return { value, words: distinct(this.#words.slice(0, this.#count).sort()) };
  }

  #grow(): void {
    const larger = new Uint32Array(this.#words.length * 2);
    larger.set(this.#words);
    this.#words = larger;
  }
}

/** Template for the rest, and the rest for template. */
const OTHER: Record<Label, Label> = { template: 'content', content: 'template', unsure: 'template' };

/** Each of some sorted numbers once, where they lie. */
function distinct(sorted: Uint32Array): Uint32Array {
  let kept = 0;
  for (let i = 0; i < sorted.length; i++) {
    if (kept === 0 || sorted[i] !== sorted[kept - 1]) sorted[kept++] = sorted[i];
  }
  return sorted.subarray(0, kept);
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
