/**
 * Measures how much of the gold text is in the output and how much of the output is gold, as bags of words or of
 * n-grams of words. Bags ignore order; 4-grams count it, and exclude words that match only by chance ("the" in a
 * menu). Linear in the number of words.
 */
import { checkWhole } from '../model/check-option.ts';

/** Precision, recall and F1, each from 0 to 1. */
export interface Score {
  precision: number;
  recall: number;
  f1: number;
}

/** Size of grams, and neutral words. */
export interface OverlapOptions {
  /** Words per gram. @default 1 */
  gramWords?: number;
  /**
   * Neutral words, which neither have to be in the output nor count against it: readers' comments, which some sets
   * count as content and some do not.
   */
  neutral?: readonly string[];
}

/**
 * Grams of a gold text as a trie over numbered words, made once for all compared outputs. An output takes one walk
 * per word, which ends at the first word that continues no gram.
 */
export interface WantedGrams {
  gramWords: number;
  /** Number of each word of gold and neutral text, from 0. */
  wordIds: ReadonlyMap<string, number>;
  /** Edges of the trie: from `node * WORD_LIMIT + word` to the next node; the root is 0. */
  nextNodes: ReadonlyMap<number, number>;
  /** By node: occurrences of its gram in the gold text, and in the neutral text. */
  wanted: Int32Array;
  allowed: Int32Array;
  total: number;
}

/** Maximum number of distinct words; nodes times words stay exact integers. */
const WORD_LIMIT = 2 ** 24;

/** Returns the grams of a gold text. */
export function wantedGrams(
  gold: readonly string[],
  { gramWords = 1, neutral = [] }: OverlapOptions = {},
): WantedGrams {
  checkWhole('gramWords', gramWords, 1);
  const wordIds = new Map<string, number>();
  const nextNodes = new Map<number, number>();
  const enter = (words: readonly string[]): number[] => {
    for (const word of words) if (!wordIds.has(word)) wordIds.set(word, wordIds.size);
    const ids = words.map((word) => wordIds.get(word)!);
    const length = Math.min(gramWords, words.length);
    const ends: number[] = [];
    for (let start = 0; length > 0 && start + length <= ids.length; start++) {
      let node = 0;
      for (let at = start; at < start + length; at++) {
        const key = node * WORD_LIMIT + ids[at];
        node = nextNodes.get(key) ?? 0;
        if (node === 0) nextNodes.set(key, (node = nextNodes.size + 1));
      }
      ends.push(node);
    }
    return ends;
  };
  const goldEnds = enter(gold);
  const neutralEnds = enter(neutral);
  const wanted = new Int32Array(nextNodes.size + 1);
  const allowed = new Int32Array(nextNodes.size + 1);
  for (const node of goldEnds) wanted[node]++;
  for (const node of neutralEnds) allowed[node]++;
  return { gramWords, wordIds, nextNodes, wanted, allowed, total: goldEnds.length };
}

/**
 * Counts grams in both texts, counted and neutral grams of the output, and grams of the gold. A text shorter than a gram
 * is a single gram.
 */
export function countOverlap(
  output: readonly string[],
  { gramWords, wordIds, nextNodes, wanted, allowed, total }: WantedGrams,
): { both: number; found: number; neutral: number; wanted: number } {
  const ids = Int32Array.from(output, (word) => wordIds.get(word) ?? -1);
  const wantedLeft = wanted.slice();
  const allowedLeft = allowed.slice();
  const length = Math.min(gramWords, output.length);
  const grams = length === 0 ? 0 : output.length - length + 1;
  let both = 0;
  let neutral = 0;
  for (let start = 0; start < grams; start++) {
    let node = 0;
    let at = start;
    for (; at < start + length; at++) {
      if (ids[at] < 0) break;
      node = nextNodes.get(node * WORD_LIMIT + ids[at]) ?? 0;
      if (node === 0) break;
    }
    if (at < start + length) continue;
    if (wantedLeft[node] > 0) {
      wantedLeft[node]--;
      both++;
    } else if (allowedLeft[node] > 0) {
      allowedLeft[node]--;
      neutral++;
    }
  }
  return { both, found: grams - neutral, neutral, wanted: total };
}

/**
 * Returns precision, recall and F1 from counts. Nothing wanted and nothing found scores 1; only one of the two
 * scores 0.
 */
export function toScore(both: number, found: number, wanted: number): Score {
  const precision = found === 0 ? (wanted === 0 ? 1 : 0) : both / found;
  const recall = wanted === 0 ? 1 : both / wanted;
  const sum = precision + recall;
  return { precision, recall, f1: sum === 0 ? 0 : (2 * precision * recall) / sum };
}

/**
 * Words of a page in the four fields of two classes, content and boilerplate, as the thesis counts text elements
 * (Leśniak 2017, Table 4.2 and appendix D). The words of the gold text are content, all other words of the page are
 * boilerplate; the output of `none` gives the number of words of the page.
 */
export interface ClassCounts {
  /** Words of the gold text: kept, and lost. */
  contentKept: number;
  contentLost: number;
  /** All other words of the page: kept, and removed. */
  boilerplateKept: number;
  boilerplateGone: number;
}

/** Accuracy, and precision, recall and F1 of both classes. */
export interface ClassFigures {
  accuracy: number;
  content: Score;
  boilerplate: Score;
  counts: ClassCounts;
}

/** Counts the fields of one page; `keptWords` and `wholeWords` are without neutral words. */
export function countClasses(words: {
  /** Words of the gold text found in the output. */
  rightWords: number;
  keptWords: number;
  goldWords: number;
  wholeWords: number;
}): ClassCounts {
  const { rightWords, keptWords, goldWords, wholeWords } = words;
  const contentLost = goldWords - rightWords;
  const boilerplateKept = keptWords - rightWords;
  // words of gold that the page lacks are lost, but count to no page
  const boilerplateGone = Math.max(0, wholeWords - keptWords - contentLost);
  return { contentKept: rightWords, contentLost, boilerplateKept, boilerplateGone };
}

/** Returns the figures over all pages together, as in the thesis; undefined without pages. */
export function toClassFigures(pages: readonly ClassCounts[]): ClassFigures | undefined {
  if (pages.length === 0) return undefined;
  const counts: ClassCounts = { contentKept: 0, contentLost: 0, boilerplateKept: 0, boilerplateGone: 0 };
  for (const page of pages) {
    counts.contentKept += page.contentKept;
    counts.contentLost += page.contentLost;
    counts.boilerplateKept += page.boilerplateKept;
    counts.boilerplateGone += page.boilerplateGone;
  }
  const { contentKept, contentLost, boilerplateKept, boilerplateGone } = counts;
  const all = contentKept + contentLost + boilerplateKept + boilerplateGone;
  return {
    accuracy: all === 0 ? 1 : (contentKept + boilerplateGone) / all,
    content: toScore(contentKept, contentKept + boilerplateKept, contentKept + contentLost),
    boilerplate: toScore(boilerplateGone, boilerplateGone + contentLost, boilerplateGone + boilerplateKept),
    counts,
  };
}
