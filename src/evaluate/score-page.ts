/** Scores the output of one page against its gold row, with all figures that the row allows. */
import { segmentWords } from '../analysis/word-scanner.ts';
import { type BlockCounts, countBlocks, type TextPiece } from './blocks.ts';
import type { GoldRow } from './gold.ts';
import { countUnits, type UnitCounts, unitsOf } from './labelled-page.ts';
import {
  type ClassCounts,
  countClasses,
  countOverlap,
  type Score,
  toScore,
  type WantedGrams,
  wantedGrams,
} from './overlap.ts';
import { judgeLeaves, type PageLeaves } from './page-leaves.ts';
import { compareSegments, goldSegments } from './page-segments.ts';
import { countTemplates, type TemplateCounts } from './template-counts.ts';

/** Output of a detector for one page. */
export interface PageOutput {
  url: string;
  /** Of the capture, where it is known. */
  time?: string;
  /** Captures that the page was compared with, such as `11010`, for `cross`; else ''. */
  cross?: string;
  site: string;
  /** Number of distinct URLs of the page's site in the archives. */
  sitePages: number;
  /** The clean text. */
  text: string;
  /** Whole visible text with its kept pieces; only needed for gold blocks. */
  pieces?: readonly TextPiece[];
  /** Whether a floor applied, so that the verdict is that of `page` and not of the detector. */
  fellBack: boolean;
  /** By leaf, if requested: which words are template, and the section. */
  templateWords?: Uint8Array;
  sections?: Int32Array;
}

/** Leaves of a page and their gold labels. */
export interface LeafTruth {
  leaves: PageLeaves;
  kinds: Uint8Array;
  segments: Int32Array;
}

/** All figures of one page and contender. */
export interface PageScore {
  url: string;
  /** Of the capture, where it is known. */
  time?: string;
  /** Captures of the cross that were used, such as `11010`, for `cross` and its variants. */
  cross?: string;
  site: string;
  sitePages: number;
  set: string;
  type: string;
  lang: string;
  fellBack: boolean;
  outputWords: number;
  /** Characters without white space of the output, and of the whole visible page. */
  outputChars: number;
  pageChars?: number;
  goldWords: number;
  /** Counted words of the output, and how many of them gold has. */
  keptWords: number;
  rightWords: number;
  /** Words by class; set when the whole page is known. */
  classes?: ClassCounts;
  /** Overlap with the gold text: bags of words, and of 4-grams. */
  words?: Score;
  grams?: Score;
  /** Snippets to keep, and how many of them the output has. */
  kept: Tally;
  /** Snippets to drop, and how many of them the output lacks. */
  dropped: Tally;
  blocks?: BlockCounts;
  /** Rows, items and label–value pairs that are kept whole; set when the row has labels. */
  units?: UnitCounts;
  /** Counts of template words, words of links, and links. */
  templates?: TemplateCounts;
  /** Adjusted Rand index of sections against gold segments. */
  randIndex?: number;
}

const GRAM_WORDS = 4;

/** Precision counts all words that are open to choice as right; recall asks for none of them. */
function toOpenScore(both: number, open: number, output: number, wanted: number): Score {
  const precision = output === 0 ? 0 : (both + open) / output;
  const recall = both / wanted;
  return {
    precision,
    recall,
    f1: precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall),
  };
}

/** Scores an output; `truth` is the result of `judgePage`, made once for all detectors. */
export function scorePage(output: PageOutput, gold: GoldRow, truth?: LeafTruth): PageScore {
  const outputWords = segmentWords(output.text);
  const score: PageScore = {
    url: gold.url,
    ...(output.time && { time: output.time }),
    ...(output.cross && { cross: output.cross }),
    site: output.site,
    sitePages: output.sitePages,
    set: gold.set,
    type: gold.type ?? '',
    lang: gold.lang ?? '',
    fellBack: output.fellBack,
    outputWords: outputWords.length,
    outputChars: countChars(output.text),
    goldWords: 0,
    keptWords: 0,
    rightWords: 0,
    kept: countSnippets(output.text, gold.keep, outputWords),
    dropped: { hits: 0, total: gold.drop.length },
  };
  score.dropped.hits = gold.drop.length - countSnippets(output.text, gold.drop, outputWords).hits;
  const counts = goldCounts(gold);
  if (counts) {
    const { both, found, neutral, wanted } = countOverlap(outputWords, counts.words);
    score.goldWords = wanted;
    score.keptWords = found;
    score.rightWords = both;
    // a page labelled by reading: neutral words in the output are right, as are those of the gold
    score.words = gold.labels
      ? toOpenScore(both, neutral, outputWords.length, wanted)
      : toScore(both, found, wanted);
    const grams = countOverlap(outputWords, counts.grams);
    score.grams = toScore(grams.both, grams.found, grams.wanted);
  }
  const units = unitsOf(gold);
  if (units) score.units = countUnits(units, outputWords);
  if (gold.blocks && output.pieces) score.blocks = countBlocks(gold.blocks, output.pieces);
  if (truth && output.templateWords && output.sections) {
    score.templates = countTemplates(truth.leaves, truth.kinds, output.templateWords);
    const randIndex = compareSegments(truth.kinds, truth.segments, output.sections);
    if (randIndex !== undefined) score.randIndex = randIndex;
  }
  return score;
}

/** Returns the gold labels of a page's leaves; undefined when the row has neither text nor blocks. */
export function labelLeaves(leaves: PageLeaves, gold: GoldRow): LeafTruth | undefined {
  const kinds = judgeLeaves(leaves, gold);
  return kinds && { leaves, kinds, segments: goldSegments(leaves, kinds) };
}

/** Sets the figures that need the whole page, for all contenders on one page; the last contender keeps everything. */
export function setWholePage(scores: readonly PageScore[]): void {
  const whole = scores.at(-1);
  if (!whole) return;
  for (const score of scores) {
    score.pageChars = whole.outputChars;
    if (whole.words) score.classes = countClasses({ ...score, wholeWords: whole.keptWords });
  }
}

interface GoldCounts {
  words: WantedGrams;
  grams: WantedGrams;
}

/** Gold counts, which are shared by all contenders. */
const countsOfRows = new WeakMap<GoldRow, GoldCounts>();

function goldCounts(gold: GoldRow): GoldCounts | undefined {
  if (gold.text === undefined) return undefined;
  let counts = countsOfRows.get(gold);
  if (!counts) {
    const words = segmentWords(gold.text);
    const neutral = segmentWords(commentsOf(gold));
    counts = {
      words: wantedGrams(words, { neutral }),
      grams: wantedGrams(words, { neutral, gramWords: GRAM_WORDS }),
    };
    countsOfRows.set(gold, counts);
  }
  return counts;
}

function countChars(text: string): number {
  return text.replace(/\s+/g, '').length;
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

/** Number of correct snippets out of all. */
export interface Tally {
  hits: number;
  total: number;
}

/**
 * Counts the snippets in a text by their consecutive words. Case, punctuation and white space are ignored, because
 * extractors differ in them when they agree on the content; parts of words do not match. Snippets without words are
 * searched literally.
 */
export function countSnippets(
  text: string,
  snippets: readonly string[],
  words: readonly string[] = segmentWords(text),
): Tally {
  if (snippets.length === 0) return { hits: 0, total: 0 };
  const haystack = inRow(words);
  const hits = snippets.filter((snippet) => {
    const wanted = segmentWords(snippet);
    return wanted.length > 0 ? haystack.includes(inRow(wanted)) : text.includes(snippet.trim());
  }).length;
  return { hits, total: snippets.length };
}

function inRow(words: readonly string[]): string {
  return ` ${words.join(' ')} `;
}
