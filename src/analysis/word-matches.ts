/**
 * Which words of a page occur in another, as lxml's `html_annotate` decides it and with it Leśniak 2017: pages are
 * sequences of words, tags are not compared, matching blocks are those of difflib, and a block of up to two words, or of
 * up to a quarter of a very short page, is dropped wherever it is. A box that moved does not match. The rules of
 * Chaff's own diff are in occurrences.ts.
 *
 * Images are tokens for lxml, by their address, and not here: they have no text to label, and only lengthen or part
 * blocks.
 */
import { findLongestBlocks } from './longest-blocks.ts';
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
