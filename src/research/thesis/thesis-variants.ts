/**
 * The variants T001 to T006 of the cross detector, as Leśniak 2017 defines them (section 2.3). They are kept
 * to reproduce the tables of the thesis; `--variant` selects them. The default is T007
 * (detect/cross/refine.ts).
 */
import type { PlacedTokens } from '../../analysis/page-tokens.ts';
import type { TextStretch } from '../../detect/cross/cross-ranges.ts';
import type { CrossVariant } from '../../detect/cross/cross-settings.ts';
import { growForest, type TrainingOptions, voteForContent } from '../../detect/cross/reclassify.ts';
import type { Classifier, TrainingSet } from '../../learn/training-set.ts';
import type { Tree } from '../../parse/tree.ts';

/** Name of a variant that the thesis defines. */
export type ThesisVariant = Exclude<CrossVariant, 'T007'>;

/** Number of feature layers that each variant with a classifier reads. */
const LAYERS = { T003: 1, T004: 2, T005: 3, T006: 3 } as const;

/** Sets the final label of stretches that the bit patterns have labelled. */
export function classifyAsThesis(
  variant: ThesisVariant,
  stretches: TextStretch[],
  { tree, placed, training }: { tree: Tree; placed: PlacedTokens; training: TrainingOptions },
): void {
  if (variant === 'T001') return;
  if (variant === 'T002') {
    for (const stretch of stretches) {
      if (stretch.label !== 'unsure') continue;
      stretch.label = 'template';
      stretch.why = 'in no table, which T002 takes for template';
    }
    return;
  }
  const usesForest = variant === 'T006';
  const votes = voteForContent(tree, placed, stretches, {
    ...training,
    layers: LAYERS[variant],
    train: usesForest ? growForest : (set, { neighbours }) => nearestNeighbours(set, { neighbours }),
  });
  if (votes === undefined) return;
  const voters = usesForest ? 'by the random forest' : 'by its nearest neighbours';
  for (const [i, stretch] of stretches.entries()) {
    stretch.label = votes[i] > 0.5 ? 'content' : 'template';
    stretch.why = stretch.why === '' ? voters : `${stretch.why}, ${voters}`;
  }
}

/**
 * Returns a classifier by k nearest neighbours in Euclidean distance, like scikit-learn's
 * KNeighborsClassifier with its defaults: every neighbour has one vote and features are not scaled. Ties of
 * distance go to the earlier row. The search is exhaustive, because training sets are the texts of one page.
 */
export function nearestNeighbours(
  { rows, width, classes }: TrainingSet,
  { neighbours = 5 } = {},
): Classifier {
  const count = classes.length;
  const k = Math.min(neighbours, count);
  const distances = new Float64Array(k);
  const votes = new Uint8Array(k);
  return {
    vote(queries, query) {
      if (k === 0) return 0.5;
      const from = query * width;
      distances.fill(Number.POSITIVE_INFINITY);
      for (let row = 0; row < count; row++) {
        // stop measuring a row that is farther than the current k-th neighbour
        const worst = distances[k - 1];
        let distance = 0;
        for (let i = 0, at = row * width; i < width && distance < worst; i++, at++) {
          const difference = rows[at] - queries[from + i];
          distance += difference * difference;
        }
        if (distance >= worst) continue;
        let place = k - 1;
        for (; place > 0 && distances[place - 1] > distance; place--) {
          distances[place] = distances[place - 1];
          votes[place] = votes[place - 1];
        }
        distances[place] = distance;
        votes[place] = classes[row];
      }
      let ones = 0;
      for (const vote of votes) ones += vote;
      return ones / k;
    },
  };
}
