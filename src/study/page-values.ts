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

export class PageValueReader {
  readonly #lanes: Lanes = { low: 0, high: 0 };

  read(tree: Tree, ranges: readonly Range[]): PageValues {
    const inverse = ranges.map((range): Range => ({ ...range, label: OTHER[range.label] }));
    const template = this.#valueOf(tree, inverse);
    const rest = this.#valueOf(tree, ranges);
    const all = new Set(rest.words);
    for (const word of template.words) all.add(word);
    return {
      template: template.value,
      rest: rest.value,
      words: sorted(all),
      restWords: sorted(rest.words),
    };
  }

  /** The words of what is not labelled template. */
  #valueOf(tree: Tree, ranges: readonly Range[]): { value: string; words: Set<number> } {
    const lanes = startSequence(this.#lanes);
    const words = new Set<number>();
    scanTreeWords(tree, ranges, (low, high) => {
      foldHash(low, high, lanes);
      words.add(low >>> 0);
    });
    return { value: words.size === 0 ? '' : hashId(lanes.low, lanes.high), words };
  }
}

/** Template for the rest, and the rest for template. */
const OTHER: Record<Label, Label> = { template: 'content', content: 'template', unsure: 'template' };

function sorted(words: Set<number>): Uint32Array {
  return Uint32Array.from(words).sort().slice(0, MOST_WORDS);
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
