/**
 * The blocks of text of a page: runs of words with no break of a line between them, each with a 64-bit hash
 * of its text. White space and inline markup do not matter: a block that was only marked up anew is the
 * same. One walk over the tokens of page-tokens.ts and one over the text.
 */

import { breaksWords } from '../parse/tag-names.ts';
import { ELEMENT, type Tree } from '../parse/tree.ts';
import { hashBytes, type Lanes } from './byte-hash.ts';
import type { PlacedTokens } from './page-tokens.ts';

/** Columns, an entry for each block; holds until the next page is read. */
export interface PageBlocks {
  count: number;
  low: Int32Array;
  high: Int32Array;
  /** First and last token that is a word of the block; start tags lie between. */
  firstToken: Int32Array;
  lastToken: Int32Array;
  words: Int32Array;
}

export class PageBlockReader {
  #out: PageBlocks = emptyBlocks(1024);

  read(tree: Tree, placed: PlacedTokens): PageBlocks {
    const { tokenCount, tokenNode, textStart, textEnd } = placed;
    let count = 0;
    let last = -1;
    for (let token = 0; token < tokenCount; token++) {
      if (textStart[token] === textEnd[token]) continue; // a start tag
      if (last < 0 || !sameBlock(tree, tokenNode[last], tokenNode[token])) {
        if (count === this.#out.low.length) this.#out = largerBlocks(this.#out);
        this.#out.firstToken[count] = token;
        this.#out.words[count] = 0;
        count++;
      }
      last = token;
      this.#out.lastToken[count - 1] = token;
      this.#out.words[count - 1]++;
    }
    const { low, high, firstToken, lastToken } = this.#out;
    const lanes: Lanes = { low: 0, high: 0 };
    for (let block = 0; block < count; block++) {
      hashBytes(tree.text, textStart[firstToken[block]], textEnd[lastToken[block]], lanes);
      low[block] = lanes.low;
      high[block] = lanes.high;
    }
    this.#out.count = count;
    return this.#out;
  }
}

function emptyBlocks(capacity: number): PageBlocks {
  return {
    count: 0,
    low: new Int32Array(capacity),
    high: new Int32Array(capacity),
    firstToken: new Int32Array(capacity),
    lastToken: new Int32Array(capacity),
    words: new Int32Array(capacity),
  };
}

function largerBlocks(blocks: PageBlocks): PageBlocks {
  const larger = emptyBlocks(blocks.low.length * 2);
  for (const name of ['low', 'high', 'firstToken', 'lastToken', 'words'] as const) {
    larger[name].set(blocks[name]);
  }
  return larger;
}

/** Blocks of text: what stands between two breaks of a line, whatever inline elements it is made of. */

/** Whether no break of a line stands between two texts, of which `left` comes first. */
export function sameBlock({ kind, name, last, parent }: Tree, left: number, right: number): boolean {
  if (left === right) return true;
  for (let node = left + 1; node < right; node++) {
    if (kind[node] === ELEMENT && breaksWords(name[node])) return false;
  }
  // blocks that end between them
  for (let node = parent[left]; node > 0 && last[node] <= right; node = parent[node]) {
    if (breaksWords(name[node])) return false;
  }
  return true;
}
