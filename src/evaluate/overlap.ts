/**
 * How much of the gold text is in the output and how much of the output is gold, as bags of words or of
 * n-grams of words. Bags forgive a changed order; 4-grams punish it, and also words that are right only by
 * chance ("the" in a menu). Linear in the words.
 */

export interface Score {
  precision: number;
  recall: number;
  f1: number;
}

export interface OverlapOptions {
  /** Words to a gram. @default 1 */
  gramWords?: number;
  /**
   * Words that may be in the output or not: they are neither asked for nor held against it. Readers'
   * comments, which some sets count as content and some do not.
   */
  neutral?: readonly string[];
}

export function scoreOverlap(
  output: readonly string[],
  gold: readonly string[],
  options: OverlapOptions = {},
): Score {
  const { both, found, wanted } = countOverlap(output, wantedGrams(gold, options));
  return toScore(both, found, wanted);
}

/** The grams of a gold text, counted once for all outputs that are compared with it. */
export interface WantedGrams {
  gramWords: number;
  counts: ReadonlyMap<string, number>;
  total: number;
  /** Grams of neutral words. */
  allowed: ReadonlyMap<string, number>;
}

export function wantedGrams(
  gold: readonly string[],
  { gramWords = 1, neutral = [] }: OverlapOptions = {},
): WantedGrams {
  if (!Number.isInteger(gramWords) || gramWords < 1) {
    throw new RangeError(`gramWords must be a whole number from 1, not ${gramWords}`);
  }
  const counts = countGrams(gold, gramWords);
  let total = 0;
  for (const count of counts.values()) total += count;
  return { gramWords, counts, total, allowed: countGrams(neutral, gramWords) };
}

/** Grams in both, grams of the output that count, grams of the gold. */
export function countOverlap(
  output: readonly string[],
  { gramWords, counts, total, allowed }: WantedGrams,
): { both: number; found: number; wanted: number } {
  let found = 0;
  let both = 0;
  for (const [gram, count] of countGrams(output, gramWords)) {
    const matched = Math.min(count, counts.get(gram) ?? 0);
    both += matched;
    found += count - Math.min(count - matched, allowed.get(gram) ?? 0);
  }
  return { both, found, wanted: total };
}

/**
 * Precision, recall and F1 from counts. Nothing wanted and nothing found is right; nothing found where
 * something was wanted (or the reverse) is wrong.
 */
export function toScore(both: number, found: number, wanted: number): Score {
  const precision = found === 0 ? (wanted === 0 ? 1 : 0) : both / found;
  const recall = wanted === 0 ? 1 : both / wanted;
  const sum = precision + recall;
  return { precision, recall, f1: sum === 0 ? 0 : (2 * precision * recall) / sum };
}

/** Grams with their counts; a text shorter than a gram is one gram as a whole. */
function countGrams(words: readonly string[], gramWords: number): Map<string, number> {
  const counts = new Map<string, number>();
  if (words.length === 0) return counts;
  const length = Math.min(gramWords, words.length);
  for (let start = 0; start + length <= words.length; start++) {
    const gram = length === 1 ? words[start] : words.slice(start, start + length).join(' ');
    counts.set(gram, (counts.get(gram) ?? 0) + 1);
  }
  return counts;
}

/**
 * A page's words in the four fields of two classes, content and boilerplate, as the thesis counts its text
 * elements (Leśniak 2017, Table 4.2 and appendix D). The words of the gold text are content, all other
 * words of the page are boilerplate; `none`, which keeps everything, says how many words the page has.
 */
export interface ClassCounts {
  /** Words of the gold text that were kept, and lost. */
  contentKept: number;
  contentLost: number;
  /** All other words of the page: kept, and gone. */
  boilerplateKept: number;
  boilerplateGone: number;
}

export interface ClassFigures {
  accuracy: number;
  content: Score;
  boilerplate: Score;
  counts: ClassCounts;
}

/** The fields of one page; `keptWords` and `wholeWords` do not count words that may be there or not. */
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
  // gold may have words that the page has not: they are lost and stand on no page
  const boilerplateGone = Math.max(0, wholeWords - keptWords - contentLost);
  return { contentKept: rightWords, contentLost, boilerplateKept, boilerplateGone };
}

/** Of all pages together, as the thesis does. */
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
