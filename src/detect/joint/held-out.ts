/**
 * Measures the first trees of the joint model on unseen hosts: each fold of hosts is scored by trees grown on the other
 * folds. Word F1 covers pages whose whole text is known, and keeps the blocks with the largest expected F1; AUC covers
 * all examples. Neither includes the second trees or the rules of judge-blocks.ts.
 */
import { measureAuc } from '../../learn/calibration.ts';
import { keepBest } from './judge-blocks.ts';

/** A page with the labels of its blocks. */
export interface ScoredPage {
  set: string;
  /** Words of its gold text; 0 where the text is not known. */
  goldWords: number;
  /** By block: number of words, share that is gold, weight as an example (0: not an example). */
  words: Int32Array;
  labels: Float32Array;
  weights: Float32Array;
}

/** Word F1 and AUC by name: of all pages, then of each set. */
export function measureHeldOut<Page extends ScoredPage>(
  pages: readonly Page[],
  scores: ReadonlyMap<Page, Float32Array>,
): Record<string, number> {
  const figures: Record<string, number> = {};
  const sets = [...new Set(pages.map(({ set }) => set))].sort();
  const measure = (own: readonly Page[], of: string) => {
    const f1s = own.flatMap((page) => pageF1(page, scores.get(page)!) ?? []);
    if (f1s.length > 0) {
      figures[`word F1${of}`] = round(f1s.reduce((sum, f1) => sum + f1, 0) / f1s.length);
    }
    const auc = blockAuc(own, scores);
    if (auc !== undefined) figures[`AUC${of}`] = round(auc);
  };
  measure(pages, '');
  for (const set of sets.length > 1 ? sets : []) {
    measure(
      pages.filter((page) => page.set === set),
      ` of ${set}`,
    );
  }
  return figures;
}

/** Word F1 of a page; undefined if its text is not known or it is not an example. */
function pageF1(page: ScoredPage, scores: Float32Array): number | undefined {
  const { words, labels, goldWords } = page;
  if (goldWords === 0 || !page.weights.some((weight) => weight > 0)) return undefined;
  const kept = new Uint8Array(words.length);
  keepBest(words, scores, kept, 1);
  let right = 0;
  let all = 0;
  for (let block = 0; block < words.length; block++) {
    if (kept[block] === 0) continue;
    right += words[block] * labels[block];
    all += words[block];
  }
  return (2 * right) / (all + goldWords);
}

/** AUC of blocks by weight; undefined unless both classes occur. */
function blockAuc<Page extends ScoredPage>(
  pages: readonly Page[],
  scores: ReadonlyMap<Page, Float32Array>,
): number | undefined {
  const examples = pages.flatMap((page) => {
    const own = scores.get(page)!;
    return Array.from(page.words.keys())
      .filter((block) => page.weights[block] > 0)
      .map((block) => ({
        score: own[block],
        class: page.labels[block] > 0.5 ? 1 : 0,
        weight: page.weights[block],
      }));
  });
  const contents = examples.filter((example) => example.class === 1).length;
  if (contents === 0 || contents === examples.length) return undefined;
  return measureAuc({
    scores: Float32Array.from(examples, ({ score }) => score),
    classes: Uint8Array.from(examples, (example) => example.class),
    weights: Float32Array.from(examples, ({ weight }) => weight),
  });
}

function round(share: number): number {
  return Math.round(share * 10_000) / 10_000;
}
