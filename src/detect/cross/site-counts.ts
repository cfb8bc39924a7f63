/** Which subtrees stand on many of the pages that a model keeps: counted once per model, at first use. */
import { HashCounter } from '../../compare/hash-counter.ts';
import type { CrossModel } from './cross-model.ts';

/** Share of the pages kept, and number of them, that make a subtree frequent. */
const FREQUENT_SHARE = 0.1;
const FREQUENT_PAGES = 4;

export interface FrequentSubtrees {
  has(low: number, high: number): boolean;
}

const known = new WeakMap<CrossModel, FrequentSubtrees>();

export function frequentSubtrees(model: CrossModel): FrequentSubtrees {
  let found = known.get(model);
  if (!found) known.set(model, (found = countSubtrees(model)));
  return found;
}

function countSubtrees({ pages }: CrossModel): FrequentSubtrees {
  const least = Math.max(FREQUENT_PAGES, Math.ceil(FREQUENT_SHARE * pages.length));
  const counter = new HashCounter();
  for (const [number, { contentLow, contentHigh, wordCount }] of pages.entries()) {
    for (let i = 0; i < contentLow.length; i++) {
      if (wordCount[i] > 0) counter.add(contentLow[i], contentHigh[i], number);
    }
  }
  return { has: (low, high) => counter.pagesOf(low, high) >= least };
}
