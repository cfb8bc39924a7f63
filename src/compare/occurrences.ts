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

/** Words that a run must have to occur amid others: shorter ones are shared by chance ("of the"). */
const RUN_WORDS = 3;
/** What a character of a script without spaces weighs: two of them make a word, more or less. */
const GLUED_WEIGHT = 0.5;
/** Words that an equal subtree must have to occur out of order. */
const MOVED_WORDS = 4;
/** Tokens that a subtree must have to stand for one. */
const MIN_TOKENS = 2;

/** Words of a text from which two of its words may be met on another page, in order, by chance. */
const LONG_TEXT_WORDS = 12;

export interface OccurrenceOptions extends DiffOptions {
  /**
   * Which runs of matched tokens are too short to mean anything. `words` is the rule of lxml's diff, which the thesis
   * uses: fewer than three words side by side on both pages; tags do not count. `texts` is ours: tags count, an
   * equal subtree is no chance, and words need stand side by side on the other page in long texts only: two
   * stories have some words in one order by chance, two short lines hardly. @default 'texts'
   */
  runs?: 'words' | 'texts';
}

export interface Occurrences {
  /** Tokens of the page that were compared by blocks only. */
  blockTokens: number;
}

export class OccurrenceFinder {
  readonly #diff = new TokenDiff();
  readonly #subtrees = new HashSet();
  readonly #options: OccurrenceOptions;
  // a sequence in which equal subtrees are one token, and where each begins and ends in the full one
  readonly #page = new ShortSequence();
  readonly #other = new ShortSequence();
  #partner = new Int32Array(1024);
  #longText = new Uint8Array(1024);

  constructor(options: OccurrenceOptions = {}) {
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
    if (this.#partner.length < short.count) this.#partner = new Int32Array(2 * short.count);
    const partner = this.#partner.subarray(0, short.count);
    const { givenUp } = this.#diff.match(
      short.tokens.subarray(0, short.count),
      otherShort.tokens.subarray(0, otherShort.count),
      partner,
      this.#options,
    );
    this.#dropShortRuns(page, short, partner);
    for (let i = 0; i < short.count; i++) {
      if (partner[i] >= 0 || short.words[i] >= MOVED_WORDS) occurs.fill(1, short.from[i], short.to[i]);
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

  /** Takes back short runs amid others. */
  #dropShortRuns(page: PlacedTokens, short: ShortSequence, partner: Int32Array): void {
    const { textStart, textEnd } = page;
    const { from: firstToken, words, count } = short;
    const byWords = this.#options.runs === 'words';
    const longText = this.#markLongTexts(page, byWords ? 0 : LONG_TEXT_WORDS);
    for (let from = 0; from < count; ) {
      if (partner[from] < 0) {
        from++;
        continue;
      }
      let to = from;
      let weight = 0;
      do {
        const token = firstToken[to];
        if (words[to] > 0) weight += byWords ? words[to] : RUN_WORDS;
        else if (textStart[token] === textEnd[token]) weight += byWords ? 0 : 1;
        else weight += isGlued(page, token) ? GLUED_WEIGHT : 1;
        to++;
      } while (
        to < count &&
        partner[to] >= 0 &&
        (partner[to] === partner[to - 1] + 1 ||
          (longText[firstToken[to]] | longText[firstToken[to - 1]]) === 0)
      );
      if (from > 0 && to < count && weight < RUN_WORDS) partner.fill(-1, from, to);
      from = to;
    }
  }

  /** 1 for the tokens of texts of more words than that; for all when it is 0. */
  #markLongTexts({ tokenCount, tokenNode }: PlacedTokens, mostWords: number): Uint8Array {
    if (this.#longText.length < tokenCount) this.#longText = new Uint8Array(2 * tokenCount);
    const marks = this.#longText.fill(0, 0, tokenCount);
    for (let from = 0; from < tokenCount; ) {
      let to = from + 1;
      while (to < tokenCount && tokenNode[to] === tokenNode[from]) to++;
      if (to - from > mostWords) marks.fill(1, from, to);
      from = to;
    }
    return marks;
  }
}

/** Whether a word has another right before or behind it, without a space. */
function isGlued({ textStart, textEnd, tokenCount }: PlacedTokens, token: number): boolean {
  const before =
    token > 0 && textStart[token - 1] < textEnd[token - 1] && textEnd[token - 1] === textStart[token];
  if (before) return true;
  const behind = token + 1;
  return behind < tokenCount && textStart[behind] < textEnd[behind] && textEnd[token] === textStart[behind];
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
