/** One page's output against its gold row: every figure the row allows. */
import { segmentWords } from '../analysis/word-scanner.ts';
import { type BlockCounts, countBlocks, type TextPiece } from './blocks.ts';
import type { GoldRow } from './gold.ts';
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

/** What a detector made of a page. */
export interface PageOutput {
  url: string;
  /** Of the capture, where it is known. */
  time?: string;
  /** What the page was compared with, `11010`, where the detector tells it; else empty. */
  cross?: string;
  site: string;
  /** Distinct URLs of the page's site in the archives. */
  sitePages: number;
  /** The clean text. */
  text: string;
  /** The whole visible text with what was kept; needed for gold blocks only. */
  pieces?: readonly TextPiece[];
  /** Whether a floor applied: the verdict is not the detector's but that of `page`. */
  fellBack: boolean;
  /** Of the page's leaves: which words are template, and the section of each; where they were asked for. */
  templateWords?: Uint8Array;
  sections?: Int32Array;
}

/** The leaves of a page with what gold says of them. */
export interface LeafTruth {
  leaves: PageLeaves;
  kinds: Uint8Array;
  segments: Int32Array;
}

export interface PageScore {
  url: string;
  /** Of the capture, where it is known. */
  time?: string;
  /** Arms of the cross that it was labelled by, `11010`, for `cross` and its variants. */
  cross?: string;
  site: string;
  sitePages: number;
  set: string;
  type: string;
  lang: string;
  fellBack: boolean;
  outputWords: number;
  /** Characters of the output, white space not counted, and of the whole visible page. */
  outputChars: number;
  pageChars?: number;
  goldWords: number;
  /** Words of the output that count, and those of them that are gold's. */
  keptWords: number;
  rightWords: number;
  /** Words by class; set when the words of the whole page are known. */
  classes?: ClassCounts;
  /** Against the gold text: bags of words, and of grams of four. */
  words?: Score;
  grams?: Score;
  /** Snippets that survived, of those that must. */
  kept: Tally;
  /** Snippets that went, of those that must. */
  dropped: Tally;
  blocks?: BlockCounts;
  /** Template words, words of links and links that were found. */
  templates?: TemplateCounts;
  /** Adjusted Rand index of the sections and gold's segments. */
  randIndex?: number;
}

const GRAM_WORDS = 4;

/** `truth` is that of `judgePage`; it is made once for all detectors. */
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
    const { both, found, wanted } = countOverlap(outputWords, counts.words);
    score.goldWords = wanted;
    score.keptWords = found;
    score.rightWords = both;
    score.words = toScore(both, found, wanted);
    const grams = countOverlap(outputWords, counts.grams);
    score.grams = toScore(grams.both, grams.found, grams.wanted);
  }
  if (gold.blocks && output.pieces) score.blocks = countBlocks(gold.blocks, output.pieces);
  if (truth && output.templateWords && output.sections) {
    score.templates = countTemplates(truth.leaves, truth.kinds, output.templateWords);
    const randIndex = compareSegments(truth.kinds, truth.segments, output.sections);
    if (randIndex !== undefined) score.randIndex = randIndex;
  }
  return score;
}

/** What gold says of a page's leaves; undefined where it has neither text nor blocks. */
export function judgePage(leaves: PageLeaves, gold: GoldRow): LeafTruth | undefined {
  const kinds = judgeLeaves(leaves, gold);
  return kinds && { leaves, kinds, segments: goldSegments(leaves, kinds) };
}

/** Sets what needs the whole page, for all contenders on one page; the last one kept everything. */
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

/** Every contender is compared with the same counts. */
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

export interface Tally {
  hits: number;
  total: number;
}

/**
 * How many snippets are in a text: their words, in a row. Case, punctuation and white space do not count, since extractors
 * differ in them where they agree on the content; a part of a word is not found. Snippets without words are looked
 * for as they are.
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
