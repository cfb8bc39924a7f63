/**
 * Separates languages of one script by their most frequent trigrams, with the lists of the package franc (300 per
 * language, from the Universal Declaration of Human Rights). A trigram adds to each language that lists it, more for a
 * higher rank; the sum is a log-likelihood if frequencies fall as 1/rank. franc itself compares ranks, which takes ten
 * times as long and is right less often (docs/research/evaluation.md).
 */
import { data } from 'franc/data.js';
import { languageCode } from './language-codes.ts';

/** Scores of the languages of one script for a text. */
export interface LanguageScores {
  /** Short codes. */
  languages: readonly string[];
  /** Log-likelihood of each language relative to no language. */
  scores: Float64Array;
  /** Number of trigrams that were looked up. */
  trigrams: number;
}

/** A trigram that a language does not list counts with the frequency of this rank. */
const UNLISTED_RANK = 600;
const RANK_OFFSET = 12;

/** Scores the languages of a script (`Latin`, `Cyrillic`, …); undefined for a script without lists. */
export function scoreLanguages(script: string, text: string): LanguageScores | undefined {
  const lists = (data as Record<string, Record<string, string> | undefined>)[script];
  if (!lists) return undefined;
  let table = tables.get(script);
  if (!table) tables.set(script, (table = new TrigramTable(lists)));
  return table.score(text);
}

const tables = new Map<string, TrigramTable>();

class TrigramTable {
  readonly #languages: string[] = [];
  /** Number of each UTF-16 unit in this script's alphabet, 1 for a space and for all others. */
  readonly #letters = new Uint8Array(65_536).fill(1);
  /** By bucket: a trigram as three numbers of letters (0 is empty), and the first of its entries. */
  readonly #keys: Int32Array;
  readonly #starts: Int32Array;
  readonly #mask: number;
  /** By entry: language and weight. The entries of a trigram follow each other. */
  readonly #entryLanguage: Uint8Array;
  readonly #entryWeight: Float32Array;

  constructor(lists: Record<string, string>) {
    const byKey = new Map<number, [language: number, weight: number][]>();
    let letters = 1;
    for (const [code, list] of Object.entries(lists)) {
      const language = languageCode(code);
      // other languages have too few pages and are close to larger ones
      if (language === '' || this.#languages.includes(language)) continue;
      const number = this.#languages.push(language) - 1;
      for (let at = 0; at < list.length; at++) {
        const unit = list.charCodeAt(at);
        if (unit !== SPACE && unit !== BAR && this.#letters[unit] === 1 && letters < 255)
          this.#letters[unit] = ++letters;
      }
      for (const [rank, trigram] of list.split('|').entries()) {
        const key = this.#titleKey(trigram);
        const weight = Math.log((UNLISTED_RANK + RANK_OFFSET) / (rank + RANK_OFFSET));
        const entries = byKey.get(key);
        if (entries) entries.push([number, weight]);
        else byKey.set(key, [[number, weight]]);
      }
    }
    let size = 1024;
    while (size < 3 * byKey.size) size *= 2;
    this.#mask = size - 1;
    this.#keys = new Int32Array(size);
    this.#starts = new Int32Array(2 * size);
    const all = [...byKey.values()].flat();
    this.#entryLanguage = Uint8Array.from(all, ([language]) => language);
    this.#entryWeight = Float32Array.from(all, ([, weight]) => weight);
    let start = 0;
    for (const [key, entries] of byKey) {
      const bucket = this.#bucket(key);
      this.#keys[bucket] = key;
      this.#starts[2 * bucket] = start;
      start += entries.length;
      this.#starts[2 * bucket + 1] = start;
    }
  }

  #titleKey(trigram: string): number {
    const letters = this.#letters;
    return (
      (letters[trigram.charCodeAt(0)] << 16) |
      (letters[trigram.charCodeAt(1)] << 8) |
      letters[trigram.charCodeAt(2)]
    );
  }

  #bucket(key: number): number {
    const keys = this.#keys;
    let bucket = (Math.imul(key, 0x9e3779b1) >>> 8) & this.#mask;
    while (keys[bucket] !== 0 && keys[bucket] !== key) bucket = (bucket + 1) & this.#mask;
    return bucket;
  }

  score(text: string): LanguageScores {
    const scores = new Float64Array(this.#languages.length);
    const letters = this.#letters;
    const starts = this.#starts;
    const entryLanguage = this.#entryLanguage;
    const entryWeight = this.#entryWeight;
    const lower = text.toLowerCase();
    let key = 1;
    let trigrams = 0;
    for (let at = 0; at <= lower.length; at++) {
      const letter = at < lower.length ? letters[lower.charCodeAt(at)] : 1;
      if (letter === 1 && (key & 0xff) === 1) continue; // one space is enough
      key = ((key << 8) | letter) & 0xffffff;
      if (key < 0x10000) continue;
      trigrams++;
      const bucket = this.#bucket(key);
      const end = starts[2 * bucket + 1];
      for (let entry = starts[2 * bucket]; entry < end; entry++)
        scores[entryLanguage[entry]] += entryWeight[entry];
    }
    return { languages: this.#languages, scores, trigrams };
  }
}

const SPACE = 0x20;
const BAR = 0x7c;
