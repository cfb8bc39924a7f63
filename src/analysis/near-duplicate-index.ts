/**
 * Texts seen so far by their shingles: says of a new text whether it is nearly one of them. Texts are found
 * by the hashes they share, so that a new one is compared with its likes only. Holds the stored hashes of
 * each text that was not a near-duplicate.
 */
import { type MatchOptions, neededMatches, type Shingles } from './shingles.ts';

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
