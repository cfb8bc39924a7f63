/**
 * What the names of elements tell, learnt from sites: for each word the log odds that an
 * element so named is template. A word counts once for each site, by the share of template among the elements
 * there that carry it, and only words of several sites are kept: how one site calls its things says nothing
 * about others.
 */
import { scanAttributes } from '../../parse/attributes.ts';
import type { Tree } from '../../parse/tree.ts';

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

/**
 * The words that authors name their elements by: those of class, id, role and itemprop, lower case, cut at
 * signs, digits and where a capital follows a small letter (`mainMenu-2` is main, menu). What a word means is
 * learnt (lexicon.ts); none is written here.
 */
const MIN_LENGTH = 2;
const MAX_LENGTH = 24;
/** Words of one element that are read. */
export const MAX_TOKENS = 24;
const NAMING = ['class', 'id', 'role', 'itemprop'];

/** The words of an element, as texts; for learning and for tests. */
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

/** The hash by which a word is looked up. */
export function hashToken(token: string): number {
  let hash = SEED;
  for (let i = 0; i < token.length; i++) hash = Math.imul(hash ^ token.charCodeAt(i), 0x01000193);
  return hash;
}

const SEED = 0x811c9dc5 | 0;

/**
 * The same as hashes, from the bytes, without allocating: the hot path. Writes them into `out` and returns how
 * many there are.
 */
export function scanNameTokens(source: Uint8Array, start: number, end: number, out: Int32Array): number {
  let count = 0;
  let p = start + 1;
  while (p < end && source[p] > 0x20 && source[p] !== 0x2f && source[p] !== 0x3e) p++;
  while (p < end) {
    while (p < end && (source[p] <= 0x20 || source[p] === 0x2f)) p++;
    if (p >= end || source[p] === 0x3e) break;

    // the name
    const nameStart = p++;
    while (p < end && source[p] > 0x20 && source[p] !== 0x2f && source[p] !== 0x3e && source[p] !== 0x3d) p++;
    const isNaming = isNamingAttribute(source, nameStart, p);
    let q = p;
    while (q < end && source[q] <= 0x20) q++;
    if (q >= end || source[q] !== 0x3d) continue;

    // the value
    for (q++; q < end && source[q] <= 0x20; ) q++;
    const quote = source[q];
    const isQuoted = quote === 0x22 || quote === 0x27;
    const valueStart = isQuoted ? q + 1 : q;
    p = valueStart;
    if (isQuoted) while (p < end && source[p] !== quote) p++;
    else while (p < end && source[p] > 0x20 && source[p] !== 0x3e) p++;
    if (isNaming) count = hashWords(source, valueStart, p, out, count);
    if (isQuoted) p++;
  }
  return count;
}

/** class, id, role, itemprop, in any case. */
function isNamingAttribute(source: Uint8Array, start: number, end: number): boolean {
  const length = end - start;
  if (length !== 2 && length !== 4 && length !== 5 && length !== 8) return false;
  const name = length === 2 ? 'id' : length === 4 ? 'role' : length === 5 ? 'class' : 'itemprop';
  for (let i = 0; i < length; i++) if ((source[start + i] | 0x20) !== name.charCodeAt(i)) return false;
  return true;
}

function hashWords(source: Uint8Array, start: number, end: number, out: Int32Array, from: number): number {
  let count = from;
  let hash = SEED;
  let length = 0;
  let wasSmall = false;
  for (let p = start; p <= end; p++) {
    const byte = p < end ? source[p] : 0;
    const lower = byte | 0x20;
    const isLetter = lower >= 0x61 && lower <= 0x7a && byte < 0x80;
    const isCapital = isLetter && byte < 0x61;
    if (!isLetter || (isCapital && wasSmall)) {
      if (length >= MIN_LENGTH && length <= MAX_LENGTH && count < MAX_TOKENS) out[count++] = hash;
      hash = SEED;
      length = 0;
    }
    if (isLetter) {
      hash = Math.imul(hash ^ lower, 0x01000193);
      length++;
    }
    wasSmall = isLetter && !isCapital;
  }
  return count;
}
