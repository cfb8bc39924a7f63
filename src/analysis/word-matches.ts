/**
 * Finds the words of a page that occur in another in the way of lxml's `html_annotate`, which Leśniak 2017
 * uses. Pages are sequences of words without tags, and matching blocks are those of difflib. A block of up to
 * two words, or of up to a quarter of a very short page, is dropped at any position. A box that moved does
 * not match. The rules of Chaff's own diff are in page-diff.ts.
 *
 * For lxml, images are tokens by their address. Here they are not, because they have no text to label and
 * would only lengthen or separate blocks.
 */
import type { Occurrences } from './page-diff.ts';
import type { PageTokens, PlacedTokens } from './page-tokens.ts';

/** A matching block of up to this many words is dropped. */
const DROPPED_WORDS = 2;
/** On a very short page, a block of up to one in this many words of the other page is dropped. */
const DROPPED_SHARE = 4;

/** Finds the words of pages that occur in other pages, by the rules of lxml. */
export class WordMatcher {
  #page = new Int32Array(1024);
  /** Token number of each word of the page. */
  #tokens = new Int32Array(1024);
  #other = new Int32Array(1024);

  /** Sets `occurs`, which has an entry for every token of `page`, to 1 for words that occur in `other`. */
  find(page: PlacedTokens, other: PageTokens, occurs: Uint8Array): Occurrences {
    occurs.fill(0, 0, page.tokenCount);
    const count = this.#readPage(page);
    const otherCount = this.#readOther(other);
    const { blocks, givenUp } = findLongestBlocks(
      this.#page.subarray(0, count),
      this.#other.subarray(0, otherCount),
    );
    const dropped = Math.min(DROPPED_WORDS, otherCount / DROPPED_SHARE);
    for (const { a, size } of blocks) {
      if (size <= dropped) continue;
      for (let i = a; i < a + size; i++) occurs[this.#tokens[i]] = 1;
    }
    return { blockTokens: givenUp };
  }

  #readPage({ tokens, tokenCount, textStart, textEnd }: PlacedTokens): number {
    if (this.#page.length < tokenCount) {
      this.#page = new Int32Array(2 * tokenCount);
      this.#tokens = new Int32Array(2 * tokenCount);
    }
    let count = 0;
    for (let token = 0; token < tokenCount; token++) {
      if (textStart[token] === textEnd[token]) continue;
      this.#page[count] = tokens[token];
      this.#tokens[count++] = token;
    }
    return count;
  }

  /**
   * Reads the words of the other page: an element begins with its tag and so has more tokens than words, a
   * text has only words.
   */
  #readOther({ tokens, firstToken, endToken, wordCount }: PageTokens): number {
    if (this.#other.length < tokens.length) this.#other = new Int32Array(2 * tokens.length);
    let count = 0;
    for (let node = 0; node < firstToken.length; node++) {
      if (endToken[node] - firstToken[node] !== wordCount[node]) continue;
      for (let token = firstToken[node]; token < endToken[node]; token++)
        this.#other[count++] = tokens[token];
    }
    return count;
  }
}

/** A block: `size` tokens from `a` on that equal those from `b` on. */
interface MatchingBlock {
  a: number;
  b: number;
  size: number;
}

/** Result of `findLongestBlocks`. */
export interface LongestBlocks {
  /** Blocks in order; adjacent ones are joined. */
  blocks: MatchingBlock[];
  /** Number of tokens of `a` in the pieces that were given up. */
  givenUp: number;
}

/** Length of the second sequence from which popular tokens are left out of the search. */
const AUTOJUNK_TOKENS = 200;
/** Maximum number of pairs of equal tokens to compare, about half a second. */
const MAX_STEPS = 64_000_000;
const NO_INDEXES: readonly number[] = [];

/**
 * Finds the matching blocks of two sequences in the way of Python's difflib (Ratcliff and Obershelp), which
 * lxml's diff and thus Leśniak 2017 use: the longest block that both have, then the same to the left and
 * right of it. As in difflib, tokens that make up more than one hundredth of a second sequence of 200 or more
 * start no block ("autojunk"). Of several longest blocks the first in `a`, then in `b`, is taken.
 *
 * The search for a block costs the pairs of equal tokens in the piece. The steps of all searches are bounded;
 * pieces left over stay unmatched and are reported.
 */
export function findLongestBlocks(
  a: Int32Array,
  b: Int32Array,
  { maxSteps = MAX_STEPS }: { maxSteps?: number } = {},
): LongestBlocks {
  const indexes = indexTokens(b);
  const lengths = new Int32Array(b.length + 1);
  const before = new Int32Array(b.length + 1);
  const blocks: MatchingBlock[] = [];
  let steps = maxSteps;
  let givenUp = 0;
  // pieces still to search: a from, a to, b from, b to
  const pieces = [0, a.length, 0, b.length];
  while (pieces.length > 0) {
    const bTo = pieces.pop()!;
    const bFrom = pieces.pop()!;
    const aTo = pieces.pop()!;
    const aFrom = pieces.pop()!;
    if (steps <= 0) {
      givenUp += aTo - aFrom;
      continue;
    }
    const block = longest(aFrom, aTo, bFrom, bTo);
    if (block.size === 0) continue;
    blocks.push(block);
    const { a: i, b: j, size } = block;
    if (aFrom < i && bFrom < j) pieces.push(aFrom, i, bFrom, j);
    if (i + size < aTo && j + size < bTo) pieces.push(i + size, aTo, j + size, bTo);
  }
  return { blocks: joinAdjacent(blocks), givenUp };

  function longest(aFrom: number, aTo: number, bFrom: number, bTo: number): MatchingBlock {
    let bestA = aFrom;
    let bestB = bFrom;
    let size = 0;
    let current = lengths;
    let last = before;
    let lastFound: readonly number[] = NO_INDEXES;
    for (let i = aFrom; i < aTo && steps > 0; i++) {
      const found = indexes.get(a[i]) ?? NO_INDEXES;
      for (const j of found) {
        if (j >= bTo) break;
        steps--;
        if (j < bFrom) continue;
        // length of the block that ends here; shifted by one, so that index 0 is before the first token
        const length = last[j] + 1;
        current[j + 1] = length;
        if (length > size) {
          bestA = i - length + 1;
          bestB = j - length + 1;
          size = length;
        }
      }
      // the lengths of the token before are no longer needed
      for (const j of lastFound) last[j + 1] = 0;
      lastFound = found;
      [current, last] = [last, current];
    }
    for (const j of lastFound) last[j + 1] = 0;
    // popular tokens start no block but lengthen one
    while (bestA > aFrom && bestB > bFrom && a[bestA - 1] === b[bestB - 1]) {
      bestA--;
      bestB--;
      size++;
    }
    while (bestA + size < aTo && bestB + size < bTo && a[bestA + size] === b[bestB + size]) size++;
    return { a: bestA, b: bestB, size };
  }
}

/** Returns the indexes of each token in order, without popular tokens. */
function indexTokens(b: Int32Array): Map<number, number[]> {
  const indexes = new Map<number, number[]>();
  for (let j = 0; j < b.length; j++) {
    const known = indexes.get(b[j]);
    if (known) known.push(j);
    else indexes.set(b[j], [j]);
  }
  if (b.length < AUTOJUNK_TOKENS) return indexes;
  const most = Math.floor(b.length / 100) + 1;
  for (const [token, found] of indexes) if (found.length > most) indexes.delete(token);
  return indexes;
}

function joinAdjacent(blocks: MatchingBlock[]): MatchingBlock[] {
  const joined: MatchingBlock[] = [];
  for (const block of blocks.sort((x, y) => x.a - y.a)) {
    const last = joined.at(-1);
    if (last && last.a + last.size === block.a && last.b + last.size === block.b) last.size += block.size;
    else joined.push(block);
  }
  return joined;
}
