/**
 * The tokens of a capture, taken over from the capture before it as far as the two agree. Captures of a page have most of
 * their subtrees in common, and a subtree is known by its content hash: what stands in it was read when the older capture
 * was, and is copied from there in one piece, tokens and subtrees. Only what is new is read.
 *
 * Beside the tokens there are the two sequences that a diff compares (analysis/collapsed-sequence.ts), in which what both
 * captures have is one entry. Cost: a table of the older capture's subtrees, a walk over what is new.
 */

import {
  IN_LONG_TEXT,
  IS_GLUED,
  IS_TAG,
  MIN_TOKENS,
  ShortSequence,
  subtreeToken,
} from '../analysis/collapsed-sequence.ts';
import { LONG_TEXT_WORDS } from '../analysis/page-diff.ts';
import { hashTag, mostTokens, type PageTokens, readWords } from '../analysis/page-tokens.ts';
import { doubled } from '../model/growing-array.ts';
import { isHidden, TAG } from '../parse/tag-names.ts';
import { ELEMENT, TEXT, type Tree } from '../parse/tree.ts';
import { KnownSubtrees } from './known-subtrees.ts';

const SPACE = 0x20;
/** Tokens from which on they are copied by the engine rather than one by one. */
const LONG_COPY = 32;

/** Reads capture after capture; what it tells of one holds until the next is read. */
export class CaptureReader {
  /** The entries of the capture and those of the one before it; none after `copy`, as nothing need be compared. */
  readonly entries = new ShortSequence();
  readonly olderEntries = new ShortSequence();
  /** By entry: the node of a subtree, the place in the text of a word. */
  places = new Int32Array(1024);
  /** By entry that is a subtree: its number among those of `tokens`. */
  subtrees = new Int32Array(1024);

  #out = emptyTokens(4096, 1024);
  #tokenCount = 0;
  #subtreeCount = 0;
  #wordCount = 0;
  readonly #known = new KnownSubtrees();
  /** Elements that are open: their subtrees, where they end, and the words before them. */
  #openSubtree = new Int32Array(64);
  #openLast = new Int32Array(64);
  #openWords = new Int32Array(64);
  /** Where the last token ends in the text, -1 when it is no word or was copied; the node that was copied last, or -1. */
  #lastWordEnd = -1;
  #lastCopied = -1;

  /** The tokens of a capture, without subtrees of a single one: what is equal to such a one is one itself. */
  read(tree: Tree, older: PageTokens = NO_TOKENS): PageTokens {
    const { kind, name, last, nodeCount, textStart, contentLow, contentHigh } = tree;
    this.#begin(mostTokens(tree), nodeCount);
    const known = this.#known.fill(older);
    let open = 0;
    for (let node = 1; node < nodeCount; ) {
      while (open > 0 && this.#openLast[open - 1] <= node) this.#close(--open);
      if (kind[node] === ELEMENT) {
        const tag = name[node];
        if (tag === TAG.head || isHidden(tag)) {
          node = last[node];
          continue;
        }
        if (tag !== TAG.html && tag !== TAG.body) {
          const subtree = known.find(contentLow[node], contentHigh[node]);
          if (subtree >= 0) {
            this.#copySubtree(tree, node, older, subtree);
            node = last[node];
            continue;
          }
          this.#open(tree, node, open++);
        }
      } else if (kind[node] === TEXT && textStart[node + 1] > textStart[node]) {
        const subtree = known.find(contentLow[node], contentHigh[node]);
        if (subtree >= 0) this.#copySubtree(tree, node, older, subtree);
        else this.#readText(tree, node);
      }
      node++;
    }
    while (open > 0) this.#close(--open);
    known.shorten(older, this.olderEntries);
    return this.#view();
  }

  /** The tokens of a capture that is the same as the older one. */
  copy(older: PageTokens): PageTokens {
    const { tokens, firstToken } = older;
    this.#begin(tokens.length, firstToken.length);
    this.#copyTokens(older, 0, tokens.length);
    this.#copyRows(older, 0, firstToken.length, 0);
    this.#tokenCount = tokens.length;
    this.olderEntries.count = 0;
    return this.#view();
  }

  #begin(tokens: number, subtrees: number): void {
    if (this.#out.tokens.length < tokens || this.#out.firstToken.length < subtrees) {
      this.#out = emptyTokens(2 * tokens, 2 * subtrees);
    }
    if (this.places.length < tokens) {
      this.places = new Int32Array(2 * tokens);
      this.subtrees = new Int32Array(2 * tokens);
    }
    this.entries.reserve(tokens);
    this.entries.count = 0;
    this.#tokenCount = 0;
    this.#subtreeCount = 0;
    this.#wordCount = 0;
    this.#lastWordEnd = -1;
    this.#lastCopied = -1;
  }

  #open(tree: Tree, node: number, depth: number): void {
    if (depth === this.#openLast.length) {
      this.#openSubtree = doubled(this.#openSubtree);
      this.#openLast = doubled(this.#openLast);
      this.#openWords = doubled(this.#openWords);
    }
    this.#openSubtree[depth] = this.#subtreeCount;
    this.#openLast[depth] = tree.last[node];
    this.#openWords[depth] = this.#wordCount;
    this.#addSubtree(tree, node);
    const token = hashTag(tree, node);
    this.#out.tokens[this.#tokenCount++] = token;
    this.#addEntry(token, 0, IS_TAG, node);
    this.#lastWordEnd = -1;
    this.#lastCopied = -1;
  }

  #close(depth: number): void {
    const { firstToken, endToken, wordCount } = this.#out;
    const subtree = this.#openSubtree[depth];
    endToken[subtree] = this.#tokenCount;
    wordCount[subtree] = this.#wordCount - this.#openWords[depth];
    // nothing within it has a token: it is the last one
    if (this.#tokenCount - firstToken[subtree] < MIN_TOKENS) this.#subtreeCount--;
  }

  #readText(tree: Tree, node: number): void {
    const out = this.#out;
    const { flags } = this.entries;
    const first = this.#tokenCount;
    const end = readWords(tree, node, out, first);
    if (end === first) return;
    if (end - first >= MIN_TOKENS) {
      out.endToken[this.#subtreeCount] = end;
      out.wordCount[this.#subtreeCount] = end - first;
      this.#addSubtree(tree, node);
    }
    const inText = end - first > LONG_TEXT_WORDS ? IN_LONG_TEXT : 0;
    let lastEnd = this.#endBefore(tree, out.textStart[first]);
    for (let token = first; token < end; token++) {
      let flag = inText;
      if (out.textStart[token] === lastEnd) {
        flag |= IS_GLUED;
        flags[this.entries.count - 1] |= IS_GLUED;
      }
      this.#addEntry(out.tokens[token], 0, flag, out.textStart[token]);
      lastEnd = out.textEnd[token];
    }
    this.#tokenCount = end;
    this.#wordCount += end - first;
    this.#lastWordEnd = lastEnd;
    this.#lastCopied = -1;
  }

  #copySubtree(tree: Tree, node: number, older: PageTokens, subtree: number): void {
    const { firstToken, endToken, wordCount } = older;
    const end = endToken[subtree];
    const words = wordCount[subtree];
    let flags = IS_TAG;
    if (tree.kind[node] === TEXT) {
      flags = words > LONG_TEXT_WORDS ? IN_LONG_TEXT : 0;
      if (this.#lastWordEnd === tree.textStart[node] && tree.text[this.#lastWordEnd] !== SPACE) {
        this.entries.flags[this.entries.count - 1] |= IS_GLUED;
      }
    }
    this.subtrees[this.entries.count] = this.#subtreeCount;
    const token = subtreeToken(older.contentLow[subtree], older.contentHigh[subtree]);
    this.#addEntry(token, words, flags, node);
    let next = subtree;
    while (next < firstToken.length && firstToken[next] < end) next++;
    this.#copyRows(older, subtree, next, this.#tokenCount - firstToken[subtree]);
    this.#known.meet(subtree, next);
    this.#copyTokens(older, firstToken[subtree], end);
    this.#tokenCount += end - firstToken[subtree];
    this.#wordCount += words;
    this.#lastWordEnd = -1;
    this.#lastCopied = node;
  }

  /** Adds subtrees of the older capture, whose tokens stand `shift` places further on here. */
  #copyRows(older: PageTokens, from: number, to: number, shift: number): void {
    const out = this.#out;
    let at = this.#subtreeCount;
    for (let subtree = from; subtree < to; subtree++, at++) {
      out.contentLow[at] = older.contentLow[subtree];
      out.contentHigh[at] = older.contentHigh[subtree];
      out.firstToken[at] = older.firstToken[subtree] + shift;
      out.endToken[at] = older.endToken[subtree] + shift;
      out.wordCount[at] = older.wordCount[subtree];
    }
    this.#subtreeCount = at;
  }

  #copyTokens({ tokens: source }: PageTokens, from: number, to: number): void {
    const { tokens } = this.#out;
    if (to - from >= LONG_COPY) tokens.set(source.subarray(from, to), this.#tokenCount);
    else for (let k = from, at = this.#tokenCount; k < to; k++) tokens[at++] = source[k];
  }

  #addSubtree({ contentLow, contentHigh }: Tree, node: number): void {
    const out = this.#out;
    const at = this.#subtreeCount++;
    out.contentLow[at] = contentLow[node];
    out.contentHigh[at] = contentHigh[node];
    out.firstToken[at] = this.#tokenCount;
  }

  #addEntry(token: number, words: number, flags: number, place: number): void {
    const { entries } = this;
    const at = entries.count++;
    entries.tokens[at] = token;
    entries.words[at] = words;
    entries.flags[at] = flags;
    this.places[at] = place;
  }

  /** Where the token before a word at `start` ends, when it is a word that may stand right before it; else -1. */
  #endBefore(tree: Tree, start: number): number {
    if (start === 0 || tree.text[start - 1] === SPACE) return -1;
    return this.#lastCopied < 0 ? this.#lastWordEnd : lastWordEndIn(tree, this.#lastCopied);
  }

  #view(): PageTokens {
    const out = this.#out;
    const count = this.#subtreeCount;
    return {
      tokens: out.tokens.subarray(0, this.#tokenCount),
      contentLow: out.contentLow.subarray(0, count),
      contentHigh: out.contentHigh.subarray(0, count),
      firstToken: out.firstToken.subarray(0, count),
      endToken: out.endToken.subarray(0, count),
      wordCount: out.wordCount.subarray(0, count),
    };
  }
}

/** Where the last token of a subtree ends in the text, when it is a word; else -1. */
function lastWordEndIn({ kind, name, last, text, textStart }: Tree, top: number): number {
  let end = -1;
  for (let node = top; node < last[top]; node++) {
    if (kind[node] === ELEMENT) {
      if (name[node] === TAG.head || isHidden(name[node])) node = last[node] - 1;
      else end = -1;
    } else if (kind[node] === TEXT) {
      let to = textStart[node + 1];
      while (to > textStart[node] && text[to - 1] === SPACE) to--;
      if (to > textStart[node]) end = to;
    }
  }
  return end;
}

const NO_TOKENS: PageTokens = emptyTokens(0, 0);

function emptyTokens(tokens: number, subtrees: number) {
  return {
    tokens: new Int32Array(tokens),
    /** Of words that were read: where they stand in the text. */
    textStart: new Int32Array(tokens),
    textEnd: new Int32Array(tokens),
    contentLow: new Int32Array(subtrees),
    contentHigh: new Int32Array(subtrees),
    firstToken: new Int32Array(subtrees),
    endToken: new Int32Array(subtrees),
    wordCount: new Int32Array(subtrees),
  };
}
