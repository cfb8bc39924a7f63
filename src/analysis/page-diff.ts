/**
 * Which tokens of a page occur in another page. Equal subtrees are found first, by their content hashes, and
 * stand for one token each, so that what two pages share costs nothing; the rest is a token diff. An equal
 * subtree of several words that stands at another place in the order occurs as well: a box that moved is
 * still there.
 *
 * Where the diff would cost too much it is given up and the piece is compared by blocks: equal subtrees and
 * equal texts occur, single words do not.
 */
import { HashSet } from './hash-tables.ts';
import type { PageTokens, PlacedTokens } from './page-tokens.ts';
import { type DiffOptions, TokenDiff } from './token-diff.ts';

/** Words that a run must have to occur amid others: shorter ones are shared by chance ("of the"). */
const RUN_WORDS = 3;
/** What a character of a script without spaces weighs: two of them make a word, more or less. */
const GLUED_WEIGHT = 0.5;
/** Words that an equal subtree must have to occur out of order. */
const MOVED_WORDS = 4;
/** Words of a text from which two of its words may be met on another page, in order, by chance. */
export const LONG_TEXT_WORDS = 12;

export interface OccurrenceOptions extends DiffOptions {
  /**
   * Which runs of matched tokens are too short to mean anything. Both rules are ours; that of lxml, which the thesis
   * uses, is in word-matches.ts. `words`, for T001 to T006, is near to it: fewer than three words side by side on both
   * pages; tags do not count. Runs at the very start and end of a page are kept, however short: the first and last words
   * of pages of a site are seldom equal by chance. `texts`: tags count, an equal subtree is no chance, and words need
   * stand side by side on the other page in long texts only: two stories have some words in one order by chance, two
   * short lines hardly. @default 'texts'
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
  readonly #page = new ShortSequence();
  readonly #other = new ShortSequence();
  #partner = new Int32Array(1024);
  #shortOccurs = new Uint8Array(1024);

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
    flagEntries(page, short);
    const { occurs: found, givenUp } = this.match(short, otherShort);
    for (let i = 0; i < short.count; i++) if (found[i] === 1) occurs.fill(1, short.from[i], short.to[i]);
    let blockTokens = 0;
    for (const [from, to] of givenUp) {
      for (let i = from; i < to; i++) blockTokens += short.to[i] - short.from[i];
    }
    return { blockTokens };
  }

  /**
   * Which entries of a sequence occur in another, 1 for each that does, and which stretches were compared by blocks
   * only; holds until the next is asked for. The first sequence has its flags.
   */
  match(short: ShortSequence, other: ShortSequence): { occurs: Uint8Array; givenUp: [number, number][] } {
    const { count, words } = short;
    if (this.#partner.length < count) {
      this.#partner = new Int32Array(2 * count);
      this.#shortOccurs = new Uint8Array(2 * count);
    }
    const partner = this.#partner.subarray(0, count);
    const occurs = this.#shortOccurs;
    const { givenUp } = this.#diff.match(
      short.tokens.subarray(0, count),
      other.tokens.subarray(0, other.count),
      partner,
      this.#options,
    );
    this.#dropShortRuns(short, partner);
    for (let i = 0; i < count; i++) occurs[i] = partner[i] >= 0 || words[i] >= MOVED_WORDS ? 1 : 0;
    for (const [from, to] of givenUp) for (let i = from; i < to; i++) if (words[i] > 0) occurs[i] = 1;
    return { occurs, givenUp };
  }

  /** Takes back short runs amid others. */
  #dropShortRuns({ words, flags, count }: ShortSequence, partner: Int32Array): void {
    const byWords = this.#options.runs === 'words';
    for (let from = 0; from < count; ) {
      if (partner[from] < 0) {
        from++;
        continue;
      }
      let to = from;
      let weight = 0;
      do {
        if (words[to] > 0) weight += byWords ? words[to] : RUN_WORDS;
        else if ((flags[to] & IS_TAG) !== 0) weight += byWords ? 0 : 1;
        else weight += (flags[to] & IS_GLUED) !== 0 ? GLUED_WEIGHT : 1;
        to++;
      } while (
        to < count &&
        partner[to] >= 0 &&
        (partner[to] === partner[to - 1] + 1 ||
          (!byWords && ((flags[to] | flags[to - 1]) & IN_LONG_TEXT) === 0))
      );
      if (from > 0 && to < count && weight < RUN_WORDS) partner.fill(-1, from, to);
      from = to;
    }
  }
}

/** Tells of the entries of a page what the rule about runs wants to know. */
function flagEntries(page: PlacedTokens, { count, from, flags }: ShortSequence): void {
  const { tokenCount, tokenNode, textStart, textEnd } = page;
  let textTo = 0; // the token after those of the text that an entry begins in
  let isLong = false;
  for (let i = 0; i < count; i++) {
    const token = from[i];
    if (token >= textTo) {
      textTo = token + 1;
      while (textTo < tokenCount && tokenNode[textTo] === tokenNode[token]) textTo++;
      isLong = textTo - token > LONG_TEXT_WORDS;
    }
    const isTag = textStart[token] === textEnd[token];
    flags[i] = (isTag ? IS_TAG : isGlued(page, token) ? IS_GLUED : 0) | (isLong ? IN_LONG_TEXT : 0);
  }
}

/** Whether a word has another right before or behind it, without a space. */
export function isGlued({ textStart, textEnd, tokenCount }: PlacedTokens, token: number): boolean {
  const before =
    token > 0 && textStart[token - 1] < textEnd[token - 1] && textEnd[token - 1] === textStart[token];
  if (before) return true;
  const behind = token + 1;
  return behind < tokenCount && textStart[behind] < textEnd[behind] && textEnd[token] === textStart[behind];
}

/**
 * The tokens of a page with those subtrees that another page has too as one token each, so that what two pages share
 * costs a diff nothing.
 */

/** Tokens that a subtree must have to stand for one. */
export const MIN_TOKENS = 2;

/** What an entry is, when it is no subtree: a start tag, or a word that has another right beside it, without a space. */
export const IS_TAG = 1;
export const IS_GLUED = 2;
/** An entry that begins within a long text. */
export const IN_LONG_TEXT = 4;

export class ShortSequence {
  count = 0;
  tokens = new Int32Array(1024);
  /** Words of an equal subtree; 0 for a plain token. */
  words = new Int32Array(1024);
  /** Tokens [from, to) of the full sequence. */
  from = new Int32Array(1024);
  to = new Int32Array(1024);
  /** IS_TAG, IS_GLUED, IN_LONG_TEXT; of the page that is asked about only. */
  flags = new Uint8Array(1024);

  /** Takes all tokens of a page; `shared` says which of its subtrees the other page has. */
  fill(page: PageTokens, tokenCount: number, nodeCount: number, shared: HashSet): this {
    this.reserve(tokenCount);
    const { tokens, firstToken, endToken, contentLow, contentHigh, wordCount } = page;
    let count = 0;
    let token = 0;
    for (let node = 0; node < nodeCount; node++) {
      // inside a subtree that stands for one token already
      if (firstToken[node] < token) continue;
      if (endToken[node] - firstToken[node] < MIN_TOKENS) continue;
      if (!shared.has(contentLow[node], contentHigh[node])) continue;
      for (; token < firstToken[node]; token++) this.set(count++, tokens[token], token, token + 1, 0);
      const hash = subtreeToken(contentLow[node], contentHigh[node]);
      this.set(count++, hash, token, endToken[node], wordCount[node]);
      token = endToken[node];
    }
    for (; token < tokenCount; token++) this.set(count++, tokens[token], token, token + 1, 0);
    this.count = count;
    return this;
  }

  set(at: number, token: number, from: number, to: number, words: number): void {
    this.tokens[at] = token;
    this.from[at] = from;
    this.to[at] = to;
    this.words[at] = words;
  }

  /** Makes room for so many; what was in it is gone. */
  reserve(count: number): void {
    if (this.tokens.length >= count) return;
    this.tokens = new Int32Array(2 * count);
    this.words = new Int32Array(2 * count);
    this.from = new Int32Array(2 * count);
    this.to = new Int32Array(2 * count);
    this.flags = new Uint8Array(2 * count);
  }
}

/** The token that stands for a subtree. */
export function subtreeToken(contentLow: number, contentHigh: number): number {
  return Math.imul(contentLow ^ 0x3c6ef372, 0x9e3779b1) ^ contentHigh;
}
