/**
 * Which words of a page occur in another, as lxml's `html_annotate` decides it and with it Leśniak 2017: pages are
 * sequences of words, tags are not compared, matching blocks are those of difflib, and a block of up to two words, or of
 * up to a quarter of a very short page, is dropped wherever it is. A box that moved does not match. The rules of
 * Chaff's own diff are in occurrences.ts.
 *
 * Images are tokens for lxml, by their address, and not here: they have no text to label, and only lengthen or part
 * blocks.
 */
import type { Occurrences } from './page-diff.ts';
import type { PageTokens, PlacedTokens } from './page-tokens.ts';

/** Words up to which a matching block is dropped … */
const DROPPED_WORDS = 2;
/** … on pages that have at least this many times as many; on shorter ones it is the share. */
const DROPPED_SHARE = 4;

export class WordMatcher {
  #page = new Int32Array(1024);
  /** Token of each word of the page. */
  #tokens = new Int32Array(1024);
  #other = new Int32Array(1024);

  /** Sets `occurs`, which has an entry for every token of `page`, to 1 for the words that occur in `other`. */
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

  /** An element begins with its tag and so has more tokens than words; a text has words only. */
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

/**
 * Matching blocks of two sequences in the manner of Python's difflib (Ratcliff and Obershelp), which lxml's diff uses
 * and with it Leśniak 2017: the longest block that both have, then the same to the left and to the right of it. As
 * there, tokens that make up more than one hundredth of a second sequence of 200 or more start no block ("autojunk").
 * Of several longest blocks the first in `a`, then in `b`, is taken.
 *
 * The search for a block costs the pairs of equal tokens in the piece. The steps of all searches are bounded; pieces
 * that are left over then stay unmatched and are reported.
 */

/** A block: `size` tokens from `a` on that equal those from `b` on. */
export interface MatchingBlock {
  a: number;
  b: number;
  size: number;
}

export interface LongestBlocks {
  /** In order; adjacent blocks are joined. */
  blocks: MatchingBlock[];
  /** Tokens of `a` in the pieces that were given up. */
  givenUp: number;
}

/** Length of the second sequence from which popular tokens are left out of the search. */
const AUTOJUNK_TOKENS = 200;
/** Pairs of equal tokens looked at, about half a second. */
const MAX_STEPS = 64_000_000;
const NO_PLACES: readonly number[] = [];

export function findLongestBlocks(
  a: Int32Array,
  b: Int32Array,
  { maxSteps = MAX_STEPS }: { maxSteps?: number } = {},
): LongestBlocks {
  const places = indexTokens(b);
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
    let lastFound: readonly number[] = NO_PLACES;
    for (let i = aFrom; i < aTo && steps > 0; i++) {
      const found = places.get(a[i]) ?? NO_PLACES;
      for (const j of found) {
        if (j >= bTo) break;
        steps--;
        if (j < bFrom) continue;
        // length of the block that ends here; shifted by one, so that place 0 is before the first token
        const length = last[j] + 1;
        current[j + 1] = length;
        if (length > size) {
          bestA = i - length + 1;
          bestB = j - length + 1;
          size = length;
        }
      }
      // the lengths of the token before are of no use any more
      for (const j of lastFound) last[j + 1] = 0;
      lastFound = found;
      [current, last] = [last, current];
    }
    for (const j of lastFound) last[j + 1] = 0;
    // popular tokens start no block, but lengthen one
    while (bestA > aFrom && bestB > bFrom && a[bestA - 1] === b[bestB - 1]) {
      bestA--;
      bestB--;
      size++;
    }
    while (bestA + size < aTo && bestB + size < bTo && a[bestA + size] === b[bestB + size]) size++;
    return { a: bestA, b: bestB, size };
  }
}

/** The places of each token, in order, without popular ones. */
function indexTokens(b: Int32Array): Map<number, number[]> {
  const places = new Map<number, number[]>();
  for (let j = 0; j < b.length; j++) {
    const known = places.get(b[j]);
    if (known) known.push(j);
    else places.set(b[j], [j]);
  }
  if (b.length < AUTOJUNK_TOKENS) return places;
  const most = Math.floor(b.length / 100) + 1;
  for (const [token, found] of places) if (found.length > most) places.delete(token);
  return places;
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
