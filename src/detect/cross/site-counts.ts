/** On how many of the pages that a model keeps each subtree stands: counted once per model, at first use. */
import { HashCounter } from '../../analysis/hash-counter.ts';
import type { CrossModel } from './cross-model.ts';

/** Share of the pages kept, and number of them, that make a subtree frequent. */
const FREQUENT_SHARE = 0.1;
const FREQUENT_PAGES = 4;

/** … and that make it rare: on a neighbour by chance. */
const RARE_SHARE = 0.05;
const RARE_PAGES = 3;
/** Pages a model must keep for rare to mean anything. */
const ENOUGH_PAGES = 20;

export interface SubtreeCounts {
  /** Pages counted. */
  pageCount: number;
  /** Pages that a frequent subtree stands on; 0 when it is not frequent. */
  frequentOn(low: number, high: number): number;
  isRare(low: number, high: number): boolean;
}

const known = new WeakMap<CrossModel, SubtreeCounts>();

export function subtreeCounts(model: CrossModel): SubtreeCounts {
  let found = known.get(model);
  if (!found) known.set(model, (found = countSubtrees(model)));
  return found;
}

function countSubtrees(model: CrossModel): SubtreeCounts {
  // captures of one page are one page, and are counted one after the other
  const pages = model.pages.toSorted((a, b) => a.number - b.number);
  const pageCount = new Set(pages.map(({ number }) => number)).size;
  const rare = pageCount < ENOUGH_PAGES ? 0 : Math.max(RARE_PAGES, RARE_SHARE * pageCount);
  const least = Math.max(FREQUENT_PAGES, Math.ceil(FREQUENT_SHARE * pageCount));
  const counter = new HashCounter();
  for (const { number, contentLow, contentHigh, wordCount } of pages) {
    for (let i = 0; i < contentLow.length; i++) {
      if (wordCount[i] > 0) counter.add(contentLow[i], contentHigh[i], number);
    }
  }
  return {
    pageCount,
    frequentOn: (low, high) => {
      const on = counter.pagesOf(low, high);
      return on >= least ? on : 0;
    },
    isRare: (low, high) => counter.pagesOf(low, high) < rare,
  };
}
