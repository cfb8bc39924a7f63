/**
 * Reads the blocks of text of a page, and pairs the blocks of two captures (`BlockPairer`). A block is a run
 * of words without a line break, with a 64-bit hash of its text. White space and inline markup do not matter,
 * so a block with new markup is the same block. One walk over the tokens of page-tokens.ts and one over the
 * text.
 */
import { breaksWords } from '../parse/tag-names.ts';
import { ELEMENT, type Tree } from '../parse/tree.ts';
import { hashBytes, type Lanes } from './byte-hash.ts';
import { HashSet } from './hash-tables.ts';
import type { PlacedTokens } from './page-tokens.ts';
import { TokenDiff } from './token-diff.ts';

/** Blocks as columns; valid until the next page is read. */
export interface TextBlocks {
  count: number;
  /** Low lane of the hash of the text. */
  low: Int32Array;
  high: Int32Array;
  /** First and last word of the block, as token numbers; start tags may be between them. */
  firstToken: Int32Array;
  lastToken: Int32Array;
  /** Number of words. */
  words: Int32Array;
}

/** Reads the blocks of one page after another. */
export class PageBlockReader {
  #out: TextBlocks = emptyBlocks(1024);

  /** Reads the blocks of a page from its tokens; the result is valid until the next call. */
  read(tree: Tree, placed: PlacedTokens): TextBlocks {
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

function emptyBlocks(capacity: number): TextBlocks {
  return {
    count: 0,
    low: new Int32Array(capacity),
    high: new Int32Array(capacity),
    firstToken: new Int32Array(capacity),
    lastToken: new Int32Array(capacity),
    words: new Int32Array(capacity),
  };
}

function largerBlocks(blocks: TextBlocks): TextBlocks {
  const larger = emptyBlocks(blocks.low.length * 2);
  for (const name of ['low', 'high', 'firstToken', 'lastToken', 'words'] as const) {
    larger[name].set(blocks[name]);
  }
  return larger;
}

/** Whether no line break is between two texts, of which `left` comes first. */
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

/** Minimum words of an equal block that counts as moved; shorter ones are equal by chance. */
const MOVED_WORDS = 4;
/** Largest product of old and new blocks of a gap that is aligned. */
const MAX_CELLS = 4096;

/** A pair of blocks by number; -1 for none: an added block has no old one, a removed block no new one. */
export interface BlockPair {
  old: number;
  new: number;
  /** The new blocks before and after it that are in both captures. */
  before: number;
  behind: number;
}

type Pairing = [old: number, block: number];

/** Returns the likelihood that one block became another; 0 if it cannot have. */
export type BlockLikeness = (oldBlock: number, newBlock: number) => number;

/**
 * Pairs the blocks of an older capture with those of a newer one. Blocks of equal text anchor both captures
 * (a diff over their hashes); an equal block of several words at another position has moved and is not a
 * change. Between two anchors the remaining blocks are aligned in order by their likelihood. Cost: the diff,
 * and old times new blocks for gaps that are small.
 */
export class BlockPairer {
  readonly #diff = new TokenDiff();
  readonly #oldSet = new HashSet();
  readonly #newSet = new HashSet();

  /** Returns the pairs of blocks that are not in both captures, in the order of the page. */
  pair(older: TextBlocks, newer: TextBlocks, likeness: BlockLikeness): BlockPair[] {
    const oldKeys = older.low.subarray(0, older.count);
    const newKeys = newer.low.subarray(0, newer.count);
    const partner = new Int32Array(newer.count);
    this.#diff.match(newKeys, oldKeys, partner);
    this.#oldSet.fill(older.low, older.high, older.count);
    this.#newSet.fill(newer.low, newer.high, newer.count);

    const pairs: BlockPair[] = [];
    let oldGap: number[] = [];
    let newGap: number[] = [];
    let before = -1;
    const closeGap = (behind: number) => {
      for (const [old, block] of alignGap(oldGap, newGap, likeness)) {
        pairs.push({ old, new: block, before, behind });
      }
      oldGap = [];
      newGap = [];
    };
    let old = 0;
    const skipOld = (end: number) => {
      for (; old < end; old++) {
        const moved = older.words[old] >= MOVED_WORDS && this.#newSet.has(older.low[old], older.high[old]);
        if (!moved) oldGap.push(old);
      }
    };
    for (let block = 0; block < newer.count; block++) {
      if (partner[block] >= 0) {
        skipOld(partner[block]);
        closeGap(block);
        before = block;
        old = partner[block] + 1;
        continue;
      }
      const moved =
        newer.words[block] >= MOVED_WORDS && this.#oldSet.has(newer.low[block], newer.high[block]);
      if (!moved) newGap.push(block);
    }
    skipOld(older.count);
    closeGap(-1);
    return withoutMoves(pairs, oldKeys, newKeys);
  }
}

/** Removes pairs of equal blocks, short ones too, that left one position and appeared at another. */
function withoutMoves(pairs: BlockPair[], oldKeys: Int32Array, newKeys: Int32Array): BlockPair[] {
  const gone = new Map<number, number>();
  const come = new Map<number, number>();
  const addTo = (counts: Map<number, number>, key: number) => counts.set(key, (counts.get(key) ?? 0) + 1);
  for (const { old, new: block } of pairs) {
    if (block < 0) addTo(gone, oldKeys[old]);
    else if (old < 0) addTo(come, newKeys[block]);
  }
  const takeFrom = (counts: Map<number, number>, key: number) => {
    const left = counts.get(key) ?? 0;
    counts.set(key, left - 1);
    return left > 0;
  };
  return pairs.filter(({ old, new: block }) => {
    if (block < 0) return !takeFrom(come, oldKeys[old]);
    return old >= 0 || !takeFrom(gone, newKeys[block]);
  });
}

/** Aligns the blocks between two anchors so that the sum of likelihoods is largest. */
function alignGap(older: number[], newer: number[], likeness: BlockLikeness): Pairing[] {
  const rows = older.length;
  const columns = newer.length;
  if (rows === 0 || columns === 0 || rows * columns > MAX_CELLS) return leaveUnpaired(older, newer);
  const width = columns + 1;
  const likelihoods = new Float64Array(rows * columns);
  // best[i, j]: the largest sum for the blocks from old i and new j on
  const best = new Float64Array((rows + 1) * width);
  for (let i = rows - 1; i >= 0; i--) {
    for (let j = columns - 1; j >= 0; j--) {
      likelihoods[i * columns + j] = likeness(older[i], newer[j]);
      best[i * width + j] = Math.max(
        best[(i + 1) * width + j],
        best[i * width + j + 1],
        best[(i + 1) * width + j + 1] + likelihoods[i * columns + j],
      );
    }
  }
  const pairs: Pairing[] = [];
  let i = 0;
  let j = 0;
  while (i < rows && j < columns) {
    const value = likelihoods[i * columns + j];
    if (value > 0 && best[i * width + j] === best[(i + 1) * width + j + 1] + value) {
      pairs.push([older[i++], newer[j++]]);
    } else if (best[i * width + j] === best[(i + 1) * width + j]) pairs.push([older[i++], -1]);
    else pairs.push([-1, newer[j++]]);
  }
  for (; i < rows; i++) pairs.push([older[i], -1]);
  for (; j < columns; j++) pairs.push([-1, newer[j]]);
  return pairs;
}

/** Returns all blocks as removed or added: if there are many, their pairs are unknown. */
function leaveUnpaired(older: number[], newer: number[]): Pairing[] {
  return [...older.map((old): Pairing => [old, -1]), ...newer.map((block): Pairing => [-1, block])];
}
