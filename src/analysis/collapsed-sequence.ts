/**
 * The tokens of a page with those subtrees that another page has too as one token each, so that what two pages share
 * costs a diff nothing.
 */
import type { HashSet } from './hash-tables.ts';
import type { PageTokens } from './page-tokens.ts';

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
