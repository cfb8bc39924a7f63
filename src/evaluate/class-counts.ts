/**
 * A page's words in the four fields of two classes, content and boilerplate, as the thesis counts its text
 * elements (Leśniak 2017, Table 4.2 and appendix D). The words of the gold text are content, all other
 * words of the page are boilerplate; `none`, which keeps everything, says how many words the page has.
 */
import { type Score, toScore } from './overlap.ts';

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
