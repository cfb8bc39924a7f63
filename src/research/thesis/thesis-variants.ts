/**
 * The variants T001 to T006 of the cross detector, as Leśniak 2017 defines them (section 2.3). They are kept to reproduce
 * the tables of the thesis; `--variant` selects them. The default is T007 (detect/cross/refine.ts).
 */
import type { PlacedTokens } from '../../analysis/page-tokens.ts';
import type { TextStretch } from '../../detect/cross/cross-ranges.ts';
import type { CrossVariant } from '../../detect/cross/cross-settings.ts';
import { growForest, type TrainingOptions, voteForContent } from '../../detect/cross/reclassify.ts';
import type { Tree } from '../../parse/tree.ts';
import { nearestNeighbours } from './nearest-neighbours.ts';

export type ThesisVariant = Exclude<CrossVariant, 'T007'>;

/** Layers of features that each variant with a classifier reads. */
const LAYERS = { T003: 1, T004: 2, T005: 3, T006: 3 } as const;

export interface ThesisContext {
  tree: Tree;
  placed: PlacedTokens;
  training: TrainingOptions;
}

/** Sets the final label of stretches that the bit patterns have labelled. */
export function classifyAsThesis(
  variant: ThesisVariant,
  stretches: TextStretch[],
  { tree, placed, training }: ThesisContext,
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
