/** One page's output against its gold row: every figure the row allows. */
import { type BlockCounts, countBlocks, type TextPiece } from './blocks.ts';
import type { GoldRow } from './gold.ts';
import { type Score, scoreOverlap } from './overlap.ts';
import { countSnippets, type Tally } from './snippets.ts';
import { segmentWords } from './words.ts';

/** What a detector made of a page. */
export interface PageOutput {
  url: string;
  site: string;
  /** Distinct URLs of the page's site in the archives. */
  sitePages: number;
  /** The clean text. */
  text: string;
  /** The whole visible text with what was kept; needed for gold blocks only. */
  pieces?: readonly TextPiece[];
  /** Whether a floor applied and the page kept its text as `unsure`. */
  fellBack: boolean;
}

export interface PageScore {
  url: string;
  site: string;
  sitePages: number;
  set: string;
  type: string;
  lang: string;
  fellBack: boolean;
  outputWords: number;
  goldWords: number;
  /** Against the gold text: bags of words, and of grams of four. */
  words?: Score;
  grams?: Score;
  /** Snippets that survived, of those that must. */
  kept: Tally;
  /** Snippets that went, of those that must. */
  dropped: Tally;
  blocks?: BlockCounts;
}

const GRAM_WORDS = 4;

export function scorePage(output: PageOutput, gold: GoldRow): PageScore {
  const score: PageScore = {
    url: gold.url,
    site: output.site,
    sitePages: output.sitePages,
    set: gold.set,
    type: gold.type ?? '',
    lang: gold.lang ?? '',
    fellBack: output.fellBack,
    outputWords: 0,
    goldWords: 0,
    kept: countSnippets(output.text, gold.keep),
    dropped: { hits: 0, total: gold.drop.length },
  };
  score.dropped.hits = gold.drop.length - countSnippets(output.text, gold.drop).hits;
  const outputWords = segmentWords(output.text);
  score.outputWords = outputWords.length;
  if (gold.text !== undefined) {
    const goldWords = segmentWords(gold.text);
    const neutral = segmentWords(commentsOf(gold));
    score.goldWords = goldWords.length;
    score.words = scoreOverlap(outputWords, goldWords, { neutral });
    score.grams = scoreOverlap(outputWords, goldWords, { neutral, gramWords: GRAM_WORDS });
  }
  if (gold.blocks && output.pieces) score.blocks = countBlocks(gold.blocks, output.pieces);
  return score;
}

function commentsOf({ comments, blocks = [] }: GoldRow): string {
  return (
    comments ??
    blocks
      .filter(({ label }) => label === 5)
      .map(({ text }) => text)
      .join('\n')
  );
}
