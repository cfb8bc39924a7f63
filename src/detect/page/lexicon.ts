/**
 * What the names of elements (name-tokens.ts) tell, learnt from sites: for each word the log odds that an
 * element so named is template. A word counts once for each site, by the share of template among the elements
 * there that carry it, and only words of several sites are kept: how one site calls its things says nothing
 * about others.
 */
import { hashToken, MAX_TOKENS, scanNameTokens } from './name-tokens.ts';

/** Words and their weights, in the same order: plain data. Positive says template. */
export interface Lexicon {
  words: string[];
  weights: number[];
}

/** Looks names up: a table of hashes. */
export class NameWeights {
  readonly #hashes: Int32Array;
  readonly #weights: Float32Array;
  readonly #mask: number;
  readonly #tokens = new Int32Array(MAX_TOKENS);
  /** Of the names read last: the sum of the known ones' weights, the largest and the smallest; 0 for none. */
  sum = 0;
  most = 0;
  least = 0;

  constructor({ words, weights }: Lexicon = { words: [], weights: [] }) {
    let size = 16;
    while (size < words.length * 3) size *= 2;
    this.#mask = size - 1;
    this.#hashes = new Int32Array(size);
    this.#weights = new Float32Array(size);
    for (let i = 0; i < words.length; i++) {
      const hash = hashToken(words[i]);
      let slot = (hash ^ (hash >>> 15)) & this.#mask;
      while (this.#weights[slot] !== 0) slot = (slot + 1) & this.#mask;
      this.#hashes[slot] = hash;
      this.#weights[slot] = weights[i];
    }
  }

  /** Reads the names of the start tag at source[start, end). */
  read(source: Uint8Array, start: number, end: number): void {
    this.sum = this.most = this.least = 0;
    const tokens = this.#tokens;
    const count = scanNameTokens(source, start, end, tokens);
    for (let i = 0; i < count; i++) {
      const hash = tokens[i];
      let slot = (hash ^ (hash >>> 15)) & this.#mask;
      while (this.#weights[slot] !== 0 && this.#hashes[slot] !== hash) slot = (slot + 1) & this.#mask;
      const weight = this.#weights[slot];
      this.sum += weight;
      if (weight > this.most) this.most = weight;
      if (weight < this.least) this.least = weight;
    }
  }
}

export interface LexiconOptions {
  /** Sites a word must be found on. @default 4 */
  minSites?: number;
  /** Smallest weight that is kept. @default 0.25 */
  minWeight?: number;
}

/** Counts the names of labelled elements, site by site. */
export class LexiconBuilder {
  /** By word: sites, and the sum of the shares of template on each. */
  readonly #sites = new Map<string, { sites: number; template: number }>();
  /** By word, of the site at hand. */
  readonly #own = new Map<string, { elements: number; template: number }>();

  /** Counts an element's names; `template` is 0, 1 or a share between. */
  add(tokens: readonly string[], template: number): void {
    for (const token of new Set(tokens)) {
      const counts = this.#own.get(token) ?? { elements: 0, template: 0 };
      counts.elements++;
      counts.template += template;
      this.#own.set(token, counts);
    }
  }

  /** Ends a site; the next element is of another. */
  endSite(): void {
    for (const [token, { elements, template }] of this.#own) {
      const counts = this.#sites.get(token) ?? { sites: 0, template: 0 };
      counts.sites++;
      counts.template += template / elements;
      this.#sites.set(token, counts);
    }
    this.#own.clear();
  }

  /** The lexicon of all sites ended so far; words in alphabetical order. */
  build({ minSites = 4, minWeight = 0.25 }: LexiconOptions = {}): Lexicon {
    const words: string[] = [];
    const weights: number[] = [];
    for (const token of [...this.#sites.keys()].sort()) {
      const { sites, template } = this.#sites.get(token)!;
      if (sites < minSites) continue;
      const weight = Math.round(Math.log((template + 1) / (sites - template + 1)) * 100) / 100;
      if (Math.abs(weight) < minWeight) continue;
      words.push(token);
      weights.push(weight);
    }
    return { words, weights };
  }
}
