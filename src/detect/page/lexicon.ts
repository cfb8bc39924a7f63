/**
 * The weights of words in element names, learnt from sites: for each word the log-odds that an element with
 * that name is template. A word counts once per site, by the share of template among the elements with it,
 * and only words of several sites are kept, because names used by a single site do not generalise.
 */
import { NAMES_WORDS } from '../../kernel/feature-layout.ts';
import { threadKernel } from '../../kernel/thread-kernel.ts';
import { scanAttributes } from '../../parse/attributes.ts';
import type { Tree } from '../../parse/tree.ts';

/** Words and their weights in the same order, as plain data. A positive weight speaks for template. */
export interface Lexicon {
  words: string[];
  weights: number[];
}

/** A lexicon in the kernel's memory, as a hash table. */
export class NameWeights {
  /** Address of the table's header in the kernel's memory. */
  readonly address: number;
  readonly #kernel = threadKernel();

  constructor({ words, weights }: Lexicon = { words: [], weights: [] }) {
    let size = 16;
    while (size < words.length * 3) size *= 2;
    const mask = size - 1;
    const { heap, memory } = this.#kernel;
    this.address = heap.take(4 * NAMES_WORDS + BUCKET_BYTES * size);
    const bucketsAt = this.address + 4 * NAMES_WORDS;
    new Int32Array(memory.buffer, this.address, NAMES_WORDS).set([bucketsAt, mask]);
    const hashes = new Int32Array(memory.buffer, bucketsAt, 2 * size).fill(0);
    const weightsAt = new Float32Array(memory.buffer, bucketsAt, 2 * size);
    for (let i = 0; i < words.length; i++) {
      const hash = hashToken(words[i]);
      let bucket = (hash ^ (hash >>> 15)) & mask;
      while (weightsAt[2 * bucket + 1] !== 0) bucket = (bucket + 1) & mask;
      hashes[2 * bucket] = hash;
      weightsAt[2 * bucket + 1] = weights[i];
    }
  }

  /**
   * Looks up the names of an element: the sum, maximum and minimum of the weights of known ones; 0 without
   * any.
   */
  read({ source, start, openEnd }: Tree, node: number): { sum: number; most: number; least: number } {
    const { functions, results } = this.#kernel;
    const at = source.byteOffset;
    functions.weighNames(this.address, at + start[node], at + openEnd[node]);
    const [sum, most, least] = new Float64Array(results.buffer, results.byteOffset, 3);
    return { sum, most, least };
  }
}

/** A hash and a weight. */
const BUCKET_BYTES = 8;

/** Counts the names of labelled elements, site by site. */
export class LexiconBuilder {
  /** By word: number of sites, and the sum over sites of the share of template. */
  readonly #sites = new Map<string, { sites: number; template: number }>();
  /** By word, for the current site. */
  readonly #own = new Map<string, { elements: number; template: number }>();

  /** Counts an element's names; `template` is 0, 1 or a share in between. */
  add(tokens: readonly string[], template: number): void {
    for (const token of new Set(tokens)) {
      const counts = this.#own.get(token) ?? { elements: 0, template: 0 };
      counts.elements++;
      counts.template += template;
      this.#own.set(token, counts);
    }
  }

  /** Ends a site; the next element belongs to another site. */
  endSite(): void {
    for (const [token, { elements, template }] of this.#own) {
      const counts = this.#sites.get(token) ?? { sites: 0, template: 0 };
      counts.sites++;
      counts.template += template / elements;
      this.#sites.set(token, counts);
    }
    this.#own.clear();
  }

  /**
   * Returns the lexicon of all finished sites, with words in alphabetical order. Words of fewer than `minSites` sites,
   * or with an absolute weight below `minWeight`, are left out.
   */
  build({ minSites = 4, minWeight = 0.25 } = {}): Lexicon {
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

/**
 * Words shorter than this are ignored. The words of an element are those of its class, id, role and itemprop,
 * in lower case, split at punctuation, digits and capitals after small letters (`mainMenu-2` is main, menu).
 * Their meaning is learnt. The kernel reads the same words from the bytes (kernel/assembly/element-names.ts).
 */
const MIN_LENGTH = 2;
const MAX_LENGTH = 24;
/** Maximum number of words read from one element. */
const MAX_TOKENS = 24;
const NAMING = ['class', 'id', 'role', 'itemprop'];

/** Returns the words of an element as texts; for training and tests. */
export function readNameTokens(tree: Tree, node: number): string[] {
  const tokens: string[] = [];
  const { source } = tree;
  for (const { nameStart, nameEnd, valueStart, valueEnd } of scanAttributes(
    source,
    tree.start[node],
    tree.openEnd[node],
  )) {
    const name = decoder.decode(source.subarray(nameStart, nameEnd)).toLowerCase();
    if (!NAMING.includes(name)) continue;
    const value = decoder.decode(source.subarray(valueStart, valueEnd));
    for (const word of value.replace(/([a-z])([A-Z])/g, '$1 $2').split(/[^A-Za-z]+/)) {
      if (word.length >= MIN_LENGTH && word.length <= MAX_LENGTH && tokens.length < MAX_TOKENS) {
        tokens.push(word.toLowerCase());
      }
    }
  }
  return tokens;
}

const decoder = new TextDecoder();

/** Returns the hash by which the kernel looks a word up (kernel/assembly/element-names.ts). */
function hashToken(token: string): number {
  let hash = SEED;
  for (let i = 0; i < token.length; i++) hash = Math.imul(hash ^ token.charCodeAt(i), 0x01000193);
  return hash;
}

const SEED = 0x811c9dc5 | 0;
