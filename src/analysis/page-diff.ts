/**
 * Finds the tokens of a page that occur in another page. Equal subtrees are found first, by their content
 * hashes, and become one token each, so that the common part of two pages costs nothing; the rest is a token
 * diff. An equal subtree of several words at another position in the order occurs as well, because a box that
 * moved is still present.
 *
 * If the diff would cost too much it is given up, and the piece is compared by blocks: equal subtrees and
 * equal texts occur, single words do not.
 */
import { HashSet } from './hash-tables.ts';
import type { PageTokens, PlacedTokens } from './page-tokens.ts';
import { type DiffOptions, TokenDiff } from './token-diff.ts';

/** Minimum words of a run that occurs amid others; shorter ones are shared by chance ("of the"). */
const RUN_WORDS = 3;
/** Weight of a character of a script without spaces, of which about two make a word. */
const GLUED_WEIGHT = 0.5;
/** Minimum words of an equal subtree that occurs out of order. */
const MOVED_WORDS = 4;
/** Minimum words of a long text, in which two words may occur in order by chance. */
export const LONG_TEXT_WORDS = 12;

/** Options of `OccurrenceFinder`. */
export interface OccurrenceOptions extends DiffOptions {
  /**
   * Which runs of matched tokens are too short to count. Both rules are Chaff's own; that of lxml, which the
   * thesis uses, is in word-matches.ts. `words`, for T001 to T006, is near to it: runs of fewer than three
   * adjacent words do not count, nor do tags. Runs at the very start and end of a page are kept, however
   * short, because the first and last words of two pages of a site are rarely equal by chance. `texts`: tags
   * count, an equal subtree always counts, and only words of long texts must be adjacent on the other page:
   * two stories have some words in the same order by chance, two short lines hardly ever do. @default 'texts'
   */
  runs?: 'words' | 'texts';
}

/** Result of a comparison. */
export interface Occurrences {
  /** Number of tokens of the page that were compared by blocks only. */
  blockTokens: number;
}

/** Finds the tokens of pages that occur in other pages. */
export class OccurrenceFinder {
  readonly #diff = new TokenDiff();
  readonly #subtrees = new HashSet();
  readonly #options: OccurrenceOptions;
  readonly #page = new CollapsedSequence();
  readonly #other = new CollapsedSequence();
  #partner = new Int32Array(1024);
  #collapsedOccurs = new Uint8Array(1024);

  constructor(options: OccurrenceOptions = {}) {
    this.#options = options;
  }

  /** Sets `occurs`, which has an entry for every token of `page`, to 1 for tokens that occur in `other`. */
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
   * Returns 1 for each entry of a sequence that occurs in another, and the spans that were compared by blocks
   * only; valid until the next call. The first sequence must have its flags.
   */
  match(
    short: CollapsedSequence,
    other: CollapsedSequence,
  ): { occurs: Uint8Array; givenUp: [number, number][] } {
    const { count, words } = short;
    if (this.#partner.length < count) {
      this.#partner = new Int32Array(2 * count);
      this.#collapsedOccurs = new Uint8Array(2 * count);
    }
    const partner = this.#partner.subarray(0, count);
    const occurs = this.#collapsedOccurs;
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

  /** Removes short runs amid others from the matches. */
  #dropShortRuns({ words, flags, count }: CollapsedSequence, partner: Int32Array): void {
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

/** Sets the flags of a page's entries for the rule about short runs. */
function flagEntries(page: PlacedTokens, { count, from, flags }: CollapsedSequence): void {
  const { tokenCount, tokenNode, textStart, textEnd } = page;
  let textTo = 0; // end of the text in which the entry begins, as a token
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

/** Whether a word has another right before or after it, without a space between. */
export function isGlued({ textStart, textEnd, tokenCount }: PlacedTokens, token: number): boolean {
  const before =
    token > 0 && textStart[token - 1] < textEnd[token - 1] && textEnd[token - 1] === textStart[token];
  if (before) return true;
  const behind = token + 1;
  return behind < tokenCount && textStart[behind] < textEnd[behind] && textEnd[token] === textStart[behind];
}

/** Minimum number of tokens of a subtree that becomes one entry. */
export const MIN_TOKENS = 2;

/** Flag: the entry is a start tag. */
export const IS_TAG = 1;
/** Flag: the entry is a word with another right beside it, without a space between. */
export const IS_GLUED = 2;
/** Flag: the entry begins within a long text. */
export const IN_LONG_TEXT = 4;

/**
 * The tokens of a page in which every subtree that another page has, too, is one entry, so that the common
 * part of two pages costs a diff nothing.
 */
export class CollapsedSequence {
  count = 0;
  tokens = new Int32Array(1024);
  /** Number of words of an equal subtree; 0 for a plain token. */
  words = new Int32Array(1024);
  /** Tokens [from, to) of the full sequence. */
  from = new Int32Array(1024);
  to = new Int32Array(1024);
  /** IS_TAG, IS_GLUED, IN_LONG_TEXT; set only for the page whose occurrences are searched. */
  flags = new Uint8Array(1024);

  /** Takes all tokens of a page; `shared` has the subtrees of the other page. */
  fill(page: PageTokens, tokenCount: number, nodeCount: number, shared: HashSet): this {
    this.reserve(tokenCount);
    const { tokens, firstToken, endToken, contentLow, contentHigh, wordCount } = page;
    let count = 0;
    let token = 0;
    for (let node = 0; node < nodeCount; node++) {
      // inside a subtree that is already one entry
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

  /** Sets one entry: a token that spans tokens [from, to) of the page and has this many words. */
  set(at: number, token: number, from: number, to: number, words: number): void {
    this.tokens[at] = token;
    this.from[at] = from;
    this.to[at] = to;
    this.words[at] = words;
  }

  /** Makes room for this many entries; the content is lost. */
  reserve(count: number): void {
    if (this.tokens.length >= count) return;
    this.tokens = new Int32Array(2 * count);
    this.words = new Int32Array(2 * count);
    this.from = new Int32Array(2 * count);
    this.to = new Int32Array(2 * count);
    this.flags = new Uint8Array(2 * count);
  }
}

/** Returns the token of a subtree. */
function subtreeToken(contentLow: number, contentHigh: number): number {
  return Math.imul(contentLow ^ 0x3c6ef372, 0x9e3779b1) ^ contentHigh;
}
