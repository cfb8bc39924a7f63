/**
 * Gold blocks (every text of the page with a person's class) against labels. Blocks say the same words as
 * the page in the same order, so both are lined up word by word; a block counts as kept when most of its
 * words lie in kept text. "Home" in the menu and "home" in the story thus stay apart.
 *
 * Headline, full text and supplemental are content; boilerplate and related stories are boilerplate;
 * comments are left out, as sites and sets differ about them.
 */

import { segmentWords } from '../analysis/words.ts';
import { alignWords } from './align-words.ts';
import { BLOCK_LABELS, type BlockLabel, type GoldBlock } from './gold.ts';

/** A stretch of the page's visible text, in document order. */
export interface TextPiece {
  text: string;
  /** Whether it is part of the output (content or unsure). */
  kept: boolean;
}

export interface BlockCounts {
  contentKept: number;
  contentLost: number;
  boilerplateKept: number;
  boilerplateGone: number;
  /** Blocks whose words are not found in the page in their place, or that have no words. */
  unplaced: number;
  /** Per class of BLOCK_LABELS: words found in the page, and those of them that were kept. */
  words: number[];
  wordsKept: number[];
}

const CONTENT_LABELS: ReadonlySet<BlockLabel> = new Set([1, 2, 3]);
const COMMENTS_LABEL: BlockLabel = 5;

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
