/**
 * Which tokens of a page occur in another page. Equal subtrees are found first, by their content hashes, and
 * stand for one token each, so that what two pages share costs nothing; the rest is a token diff. An equal
 * subtree of several words that stands at another place in the order occurs as well: a box that moved is
 * still there.
 *
 * Where the diff would cost too much it is given up and the piece is compared by blocks: equal subtrees and
 * equal texts occur, single words do not.
 */
import { HashSet } from './hash-set.ts';
import type { PageTokens, PlacedTokens } from './page-tokens.ts';
import { type DiffOptions, TokenDiff } from './token-diff.ts';

/**
 * Tokens that a run must have to occur amid others: shorter ones are shared by chance ("of the"). The diff of
 * the thesis, lxml's, leaves them out as well.
 */
const RUN_TOKENS = 3;
/** Words that an equal subtree must have to occur out of order. */
const MOVED_WORDS = 4;
/** Tokens that a subtree must have to stand for one. */
const MIN_TOKENS = 2;

export interface Occurrences {
  /** Tokens of the page that were compared by blocks only. */
  blockTokens: number;
}

export class OccurrenceFinder {
  readonly #diff = new TokenDiff();
  readonly #subtrees = new HashSet();
  readonly #options: DiffOptions;
  // a sequence in which equal subtrees are one token, and where each begins and ends in the full one
  readonly #page = new ShortSequence();
  readonly #other = new ShortSequence();
  #matched = new Uint8Array(1024);

  constructor(options: DiffOptions = {}) {
    this.#options = options;
  }

  /** Sets `occurs`, which has an entry for every token of `page`, to 1 where it occurs in `other`. */
  find(page: PlacedTokens, other: PageTokens, occurs: Uint8Array): Occurrences {
    const { tokenCount, nodeCount } = page;
    occurs.fill(0, 0, tokenCount);
    const otherNodes = other.contentLow.length;
    this.#subtrees.fill(other.contentLow, other.contentHigh, otherNodes);
    const short = this.#page.fill(page, tokenCount, nodeCount, this.#subtrees);
    this.#subtrees.fill(page.contentLow, page.contentHigh, nodeCount);
    const otherShort = this.#other.fill(other, other.tokens.length, otherNodes, this.#subtrees);
    if (this.#matched.length < short.count) this.#matched = new Uint8Array(2 * short.count);
    const matched = this.#matched.subarray(0, short.count).fill(0);
    const { givenUp } = this.#diff.match(
      short.tokens.subarray(0, short.count),
      otherShort.tokens.subarray(0, otherShort.count),
      matched,
      this.#options,
    );
    dropShortRuns(short, matched);
    for (let i = 0; i < short.count; i++) {
      if (matched[i] === 1 || short.words[i] >= MOVED_WORDS) occurs.fill(1, short.from[i], short.to[i]);
    }
    let blockTokens = 0;
    for (const [from, to] of givenUp) {
      for (let i = from; i < to; i++) {
        blockTokens += short.to[i] - short.from[i];
        if (short.words[i] > 0) occurs.fill(1, short.from[i], short.to[i]);
      }
    }
    return { blockTokens };
  }
}

/** Takes back runs of few matched tokens amid others, unless an equal subtree is among them. */
function dropShortRuns(short: ShortSequence, matched: Uint8Array): void {
  for (let from = 0; from < short.count; ) {
    let to = from;
    let hasSubtree = false;
    for (; to < short.count && matched[to] === 1; to++) hasSubtree ||= short.words[to] > 0;
    const isAmid = from > 0 && to < short.count;
    if (isAmid && to - from < RUN_TOKENS && !hasSubtree) matched.fill(0, from, to);
    from = to + 1;
  }
}

class ShortSequence {
  count = 0;
  tokens = new Int32Array(1024);
  from = new Int32Array(1024);
  to = new Int32Array(1024);
  /** Words of an equal subtree; 0 for a plain token. */
  words = new Int32Array(1024);

  fill(page: PageTokens, tokenCount: number, nodeCount: number, shared: HashSet): this {
    this.#reserve(tokenCount);
    const { tokens, firstToken, endToken, contentLow, contentHigh, wordCount } = page;
    let count = 0;
    let token = 0;
    for (let node = 0; node < nodeCount; node++) {
      // inside a subtree that stands for one token already
      if (firstToken[node] < token) continue;
      if (endToken[node] - firstToken[node] < MIN_TOKENS) continue;
      if (!shared.has(contentLow[node], contentHigh[node])) continue;
      for (; token < firstToken[node]; token++) this.#add(count++, tokens[token], token, token + 1, 0);
      const hash = Math.imul(contentLow[node] ^ 0x3c6ef372, 0x9e3779b1) ^ contentHigh[node];
      this.#add(count++, hash, token, endToken[node], wordCount[node]);
      token = endToken[node];
    }
    for (; token < tokenCount; token++) this.#add(count++, tokens[token], token, token + 1, 0);
    this.count = count;
    return this;
  }

  #add(at: number, token: number, from: number, to: number, words: number): void {
    this.tokens[at] = token;
    this.from[at] = from;
    this.to[at] = to;
    this.words[at] = words;
  }

  #reserve(count: number): void {
    if (this.tokens.length >= count) return;
    this.tokens = new Int32Array(2 * count);
    this.from = new Int32Array(2 * count);
    this.to = new Int32Array(2 * count);
    this.words = new Int32Array(2 * count);
  }
}
