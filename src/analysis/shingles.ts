/**
 * Shingles of a text (Broder 1997; Chakrabarti, Kumar and Punera 2007, section 6.2): windows of some words,
 * lower-cased, only letters and digits kept; each window has a hash, and of these the smallest few are
 * stored. Two texts are near-duplicates when enough of the stored hashes are the same.
 *
 * "The ones with the N smallest hash values are stored" is one hash function and its N smallest values, not
 * N functions and the smallest of each: a bottom-N sketch. It costs one hash a window, and the share of the
 * N smallest values of both texts together that both have estimates the overlap of their sets of windows.
 *
 * A hash is a whole number below 2^53, which doubles and JSON hold exactly. A window's hash rolls: word in,
 * word out. Linear in the text; about 60 MB of English text a second and 15 MB of Russian.
 */
import { checkWhole } from '../model/check-option.ts';
import type { Range } from '../model/range.ts';
import type { Tree } from '../parse/tree.ts';
import { mix32, power } from './byte-hash.ts';
import { addWordsOf, scanTreeWords, WordList } from './word-scanner.ts';

/** The paper's numbers. */
export const SHINGLE_DEFAULTS = { words: 6, hashes: 8, match: 4 } as const;
export const MOST_SHINGLE_WORDS = 100;
export const MOST_SHINGLE_HASHES = 1000;

export interface ShingleOptions {
  /** Words in a window, 1 to 100. @default 6 */
  words?: number;
  /** Smallest hashes that are stored, 1 to 1000. @default 8 */
  hashes?: number;
}

export interface MatchOptions {
  /** Stored hashes of a text. @default 8 */
  hashes?: number;
  /** Hashes that two texts must share, of those stored. @default 4 */
  match?: number;
}

/** What is stored of a text. */
export interface Shingles {
  /** The smallest hashes, distinct, ascending; fewer than were asked for when the text is short. */
  hashes: Float64Array;
  /** Words of the text; with fewer than a window has there are no hashes. */
  wordCount: number;
  /** One hash of all words in order: equal for the same words whatever stands between them. */
  digest: number;
}

const BASE_A = 0x2c1b3c6d;
const BASE_B = 0x5851f42d;

export class Shingler {
  readonly #most: number;
  readonly #width: number;
  readonly #powerA: number;
  readonly #powerB: number;
  // the words of the current window, in a ring
  readonly #wordsA: Int32Array;
  readonly #wordsB: Int32Array;
  #slot = 0;
  #a = 0;
  #b = 0;
  #wordCount = 0;
  // of all words so far
  #allA = 0;
  #allB = 0;
  // the smallest hashes so far, ascending
  readonly #smallest: Float64Array;
  #stored = 0;
  readonly #words = new WordList();

  constructor({ words = SHINGLE_DEFAULTS.words, hashes = SHINGLE_DEFAULTS.hashes }: ShingleOptions = {}) {
    this.#width = checkWhole('words', words, 1, MOST_SHINGLE_WORDS);
    this.#most = checkWhole('hashes', hashes, 1, MOST_SHINGLE_HASHES);
    this.#powerA = power(BASE_A, words);
    this.#powerB = power(BASE_B, words);
    this.#wordsA = new Int32Array(words);
    this.#wordsB = new Int32Array(words);
    this.#smallest = new Float64Array(hashes + 1);
  }

  /**
   * Shingles of a page's detagged text. With ranges, of what is not template: windows run on over what was
   * left out, as a story runs on over the box set into it.
   */
  ofTree(tree: Tree, ranges?: readonly Range[]): Shingles {
    this.#words.count = 0;
    scanTreeWords(tree, ranges, this.#words);
    return this.#shingles();
  }

  /** Shingles of a text without markup. */
  ofText(text: string): Shingles {
    this.#words.count = 0;
    addWordsOf(text, this.#words);
    return this.#shingles();
  }

  #clear(): void {
    this.#wordsA.fill(0);
    this.#wordsB.fill(0);
    this.#slot = 0;
    this.#a = 0;
    this.#b = 0;
    this.#wordCount = 0;
    this.#allA = 0;
    this.#allB = 0;
    this.#stored = 0;
  }

  #shingles(): Shingles {
    this.#clear();
    const { low, high, count } = this.#words;
    for (let k = 0; k < count; k++) this.#roll(low[k], high[k]);
    return {
      hashes: this.#smallest.slice(0, this.#stored),
      wordCount: this.#wordCount,
      digest: hashOf(this.#allA, this.#allB),
    };
  }

  #roll(low: number, high: number): void {
    const slot = this.#slot;
    // before the first window is full the words that leave are zeros
    const a = (Math.imul(this.#a, BASE_A) + low - Math.imul(this.#wordsA[slot], this.#powerA)) | 0;
    const b = (Math.imul(this.#b, BASE_B) + high - Math.imul(this.#wordsB[slot], this.#powerB)) | 0;
    this.#wordsA[slot] = low;
    this.#wordsB[slot] = high;
    this.#slot = slot + 1 === this.#width ? 0 : slot + 1;
    this.#a = a;
    this.#b = b;
    this.#allA = (Math.imul(this.#allA, BASE_A) + low) | 0;
    this.#allB = (Math.imul(this.#allB, BASE_B) + high) | 0;
    if (++this.#wordCount >= this.#width) this.#keep(a, b);
  }

  #keep(a: number, b: number): void {
    const smallest = this.#smallest;
    const stored = this.#stored;
    const hash = hashOf(a, b);
    if (stored === this.#most && hash >= smallest[stored - 1]) return;
    let at = stored;
    while (at > 0 && smallest[at - 1] > hash) at--;
    if (at > 0 && smallest[at - 1] === hash) return;
    smallest.copyWithin(at + 1, at, stored);
    smallest[at] = hash;
    if (stored < this.#most) this.#stored = stored + 1;
  }
}

/** Hashes that are stored of both texts. */
export function countMatching(a: Float64Array, b: Float64Array): number {
  let matching = 0;
  for (let i = 0, k = 0; i < a.length && k < b.length; ) {
    const difference = a[i] - b[k];
    if (difference === 0) matching++;
    if (difference <= 0) i++;
    if (difference >= 0) k++;
  }
  return matching;
}

/**
 * Hashes that two texts must share to be near-duplicates. Of a text too short for all its places the same
 * share is asked for, rounded up, and of the longer of the two: with 4 of 8, two texts of 2 windows each must
 * share one, and a text of 2 windows cannot be a near-duplicate of one with 8.
 */
export function neededMatches(
  a: number,
  b: number,
  { hashes = SHINGLE_DEFAULTS.hashes, match = SHINGLE_DEFAULTS.match }: MatchOptions = {},
): number {
  return Math.max(1, Math.ceil((match * Math.max(a, b)) / hashes));
}

/** Whether enough of the stored hashes are the same. Texts shorter than a window are duplicates of nothing. */
export function areNearDuplicates(a: Float64Array, b: Float64Array, options?: MatchOptions): boolean {
  return countMatching(a, b) >= neededMatches(a.length, b.length, options);
}

/** 53 well-mixed bits of two lanes. */
function hashOf(a: number, b: number): number {
  return (mix32(a ^ (b >>> 16)) >>> 0) * 0x200000 + (mix32(b + Math.imul(a, 0x9e3779b1)) >>> 11);
}

/**
 * Texts seen so far by their shingles: says of a new text whether it is nearly one of them. Texts are found
 * by the hashes they share, so that a new one is compared with its likes only. Holds the stored hashes of
 * each text that was not a near-duplicate.
 */
export class NearDuplicateIndex {
  readonly #options: MatchOptions;
  /** How many hashes each text has. */
  readonly #sizes: number[] = [];
  readonly #textsWith = new Map<number, number[]>();

  constructor(options: MatchOptions = {}) {
    this.#options = options;
  }

  /** Whether the text is new; remembers it then. One without shingles is always new. */
  add({ hashes }: Pick<Shingles, 'hashes'>): boolean {
    const shared = new Map<number, number>();
    for (const hash of hashes) {
      for (const text of this.#textsWith.get(hash) ?? []) {
        const count = (shared.get(text) ?? 0) + 1;
        if (count >= neededMatches(hashes.length, this.#sizes[text], this.#options)) return false;
        shared.set(text, count);
      }
    }
    const number = this.#sizes.push(hashes.length) - 1;
    for (const hash of hashes) {
      const texts = this.#textsWith.get(hash);
      if (texts) texts.push(number);
      else this.#textsWith.set(hash, [number]);
    }
    return true;
  }
}
