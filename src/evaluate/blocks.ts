/**
 * Compares gold blocks (every text of the page with its class, set by a person) with labels. Blocks have the words
 * of the page in the same order, so both are aligned word by word; a block counts as kept when most of its words
 * are in kept text. So "Home" in the menu and "home" in the story are not confused.
 *
 * Headline, full text and supplemental are content; boilerplate and related stories are boilerplate; comments are
 * not counted, because sites and gold sets disagree about them.
 */
import { segmentWords } from '../analysis/word-scanner.ts';
import { BLOCK_LABELS, type BlockLabel, type GoldBlock } from './gold.ts';

/** A part of the page's visible text; pieces are in document order. */
export interface TextPiece {
  text: string;
  /** Whether it is part of the output (content or unsure). */
  kept: boolean;
}

/** Counts of the gold blocks of one or more pages. */
export interface BlockCounts {
  contentKept: number;
  contentLost: number;
  boilerplateKept: number;
  boilerplateGone: number;
  /** Blocks without words, or whose words are not found at their place in the page. */
  unplaced: number;
  /** By class of BLOCK_LABELS: words found in the page, and how many of them were kept. */
  words: number[];
  wordsKept: number[];
}

const CONTENT_LABELS: ReadonlySet<BlockLabel> = new Set([1, 2, 3]);
const COMMENTS_LABEL: BlockLabel = 5;

/** Returns counts of 0. */
export function emptyBlockCounts(): BlockCounts {
  return {
    contentKept: 0,
    contentLost: 0,
    boilerplateKept: 0,
    boilerplateGone: 0,
    unplaced: 0,
    words: BLOCK_LABELS.map(() => 0),
    wordsKept: BLOCK_LABELS.map(() => 0),
  };
}

/** Counts the blocks of a page by class and by whether they were kept; `pieces` are the whole text of the page. */
export function countBlocks(blocks: readonly GoldBlock[], pieces: readonly TextPiece[]): BlockCounts {
  const counts = emptyBlockCounts();
  const pageWords: string[] = [];
  const wordKept: boolean[] = [];
  for (const { text, kept } of pieces) {
    for (const word of segmentWords(text)) {
      pageWords.push(word);
      wordKept.push(kept);
    }
  }
  const blockWords = blocks.map((block) => segmentWords(block.text));
  const partners = alignWords(blockWords.flat(), pageWords);

  let cursor = 0;
  for (const [index, { label }] of blocks.entries()) {
    const length = blockWords[index].length;
    let placed = 0;
    let kept = 0;
    for (const end = cursor + length; cursor < end; cursor++) {
      if (partners[cursor] === -1) continue;
      placed++;
      if (wordKept[partners[cursor]]) kept++;
    }
    counts.words[label] += placed;
    counts.wordsKept[label] += kept;
    if (placed * 2 <= length) counts.unplaced++;
    else if (label !== COMMENTS_LABEL) countBlock(counts, CONTENT_LABELS.has(label), kept * 2 > placed);
  }
  return counts;
}

function countBlock(counts: BlockCounts, isContent: boolean, isKept: boolean): void {
  if (isContent && isKept) counts.contentKept++;
  else if (isContent) counts.contentLost++;
  else if (isKept) counts.boilerplateKept++;
  else counts.boilerplateGone++;
}

/** Adds `more` to `sum`. */
export function addBlockCounts(sum: BlockCounts, more: BlockCounts): void {
  sum.contentKept += more.contentKept;
  sum.contentLost += more.contentLost;
  sum.boilerplateKept += more.boilerplateKept;
  sum.boilerplateGone += more.boilerplateGone;
  sum.unplaced += more.unplaced;
  for (let label = 0; label < BLOCK_LABELS.length; label++) {
    sum.words[label] += more.words[label];
    sum.wordsKept[label] += more.wordsKept[label];
  }
}

/**
 * Aligns two lists of words that should be nearly equal: the longest common subsequence by Myers' greedy algorithm
 * ("An O(ND) Difference Algorithm", 1986). Time and memory grow with the square of the number of differences, so
 * that number is limited: beyond the limit, only the part reached so far is aligned.
 */

/** Maximum words dropped from or added to either side before the alignment ends. */
const MAX_DIFFERENCES = 3000;

/** Returns for each word of `left` the index of its partner in `right`, or -1. Partners ascend. */
export function alignWords(
  left: readonly string[],
  right: readonly string[],
  { maxDifferences = MAX_DIFFERENCES }: { maxDifferences?: number } = {},
): Int32Array {
  const partners = new Int32Array(left.length).fill(-1);
  const limit = Math.min(maxDifferences, left.length + right.length);
  // furthest[k + middle]: how far `left` is used up on diagonal k (left minus right)
  const middle = limit + 1;
  const furthest = new Int32Array(2 * limit + 3);
  const steps: Int32Array[] = [];
  let best = { differences: 0, diagonal: 0, reached: -1 };

  for (let differences = 0; differences <= limit; differences++) {
    for (let diagonal = -differences; diagonal <= differences; diagonal += 2) {
      let x = isDown(furthest, middle, diagonal, differences)
        ? furthest[middle + diagonal + 1]
        : furthest[middle + diagonal - 1] + 1;
      let y = x - diagonal;
      while (x < left.length && y < right.length && left[x] === right[y]) {
        x++;
        y++;
      }
      furthest[middle + diagonal] = x;
      // moves past either end are kept only to keep the recurrence simple
      const inside = x <= left.length && y <= right.length;
      if (inside && x + y > best.reached) best = { differences, diagonal, reached: x + y };
    }
    steps.push(furthest.slice(middle - differences, middle + differences + 1));
    if (best.reached === left.length + right.length) break;
  }
  traceBack(steps, best, partners);
  return partners;
}

/** True when the best path to a diagonal adds a word of `right` rather than dropping one of `left`. */
function isDown(furthest: Int32Array, middle: number, diagonal: number, differences: number): boolean {
  if (diagonal === -differences) return true;
  return diagonal !== differences && furthest[middle + diagonal - 1] < furthest[middle + diagonal + 1];
}

function traceBack(
  steps: Int32Array[],
  { differences, diagonal }: { differences: number; diagonal: number },
  partners: Int32Array,
): void {
  let k = diagonal;
  for (let d = differences; d >= 0; d--) {
    let x = steps[d][k + d];
    let startX = 0;
    let previousK = 0;
    if (d > 0) {
      const previous = steps[d - 1];
      // entry i of steps[d - 1] is diagonal i - (d - 1)
      const down = isDown(previous, d - 1, k, d);
      previousK = down ? k + 1 : k - 1;
      startX = down ? previous[previousK + d - 1] : previous[previousK + d - 1] + 1;
    }
    while (x > startX) {
      x--;
      partners[x] = x - k;
    }
    k = previousK;
  }
}
