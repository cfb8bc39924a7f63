/**
 * Reclassification (Leśniak 2017, section 2.3): a small classifier is trained on the stretches that the bit
 * patterns classified, on this page alone, and then says what all of them are. Rows that agree but for
 * their class are dropped from training. With one class only in training, that class is the answer.
 */
import type { PlacedTokens } from '../../analysis/page-tokens.ts';
import { randomForest } from '../../learn/random-forest.ts';
import {
  balance,
  type Classifier,
  dropConflicts,
  limitRows,
  type TrainingSet,
} from '../../learn/training-set.ts';
import type { Tree } from '../../parse/tree.ts';
import { LineDensity } from '../../research/thesis/line-density.ts';
import type { LabelPhase } from '../detector.ts';
import type { TextStretch } from './cross-ranges.ts';
import type { CrossOptions } from './cross-settings.ts';
import { FEATURES_PER_LAYER, featureWriter, measureNodes } from './text-features.ts';

/** Classified stretches that conflicts are sought among, evenly from a page that has more. */
const MAX_KNOWN = 20_000;
/** Rows times stretches to classify, for each row that a page may train on: a page of a million texts trains on fewer. */
const COMPARISONS_PER_ROW = 20_000;
/** … and never more, some 20 seconds. */
const MAX_COMPARISONS = 400_000_000;
const MIN_ROWS = 50;

/** How texts are measured and classifiers trained, whatever the variant. */
export interface TrainingOptions
  extends Pick<Required<CrossOptions>, 'seed' | 'lengths' | 'trainingRows' | 'neighbours' | 'trees'> {
  /** Told when a classifier is trained, and when it has been asked. */
  onPhase?: (phase: LabelPhase) => void;
}

export interface ReclassifyOptions extends TrainingOptions {
  layers: 1 | 2 | 3;
  /** Trains the classifier. @default growForest */
  train?: (set: TrainingSet, options: TrainingOptions) => Classifier;
  /** Train on as many stretches of either class. @default false */
  balanced?: boolean;
  /** Which stretches to train on beside having a class. @default all */
  trains?: (stretch: TextStretch) => boolean;
  /** Whether to ask about those without a class only; the others get 0 or 1 by what they are. @default false */
  unsureOnly?: boolean;
}

/** The share of votes for content of each stretch, in [0, 1]; undefined when there is nothing to learn from. */
export function voteForContent(
  tree: Tree,
  placed: PlacedTokens,
  stretches: readonly TextStretch[],
  options: ReclassifyOptions,
): Float64Array | undefined {
  const { layers, train = growForest, balanced = false, trains, unsureOnly = false, onPhase } = options;
  const { lengths, trainingRows } = options;
  const width = layers * FEATURES_PER_LAYER;
  const lines = lengths === 'characters' ? new LineDensity(tree, placed) : undefined;
  const writeFeatures = featureWriter(tree, stretches, measureNodes(tree, placed), { layers, lines });
  let known: number[] = [];
  let asked = 0;
  for (let i = 0; i < stretches.length; i++) {
    if (!unsureOnly || stretches[i].label === 'unsure') asked++;
    if (stretches[i].label !== 'unsure' && (trains?.(stretches[i]) ?? true)) known.push(i);
  }
  const step = Math.ceil(known.length / Math.max(MAX_KNOWN, trainingRows));
  if (step > 1) known = known.filter((_, i) => i % step === 0);
  const training = new Float64Array(known.length * width);
  for (let i = 0; i < known.length; i++) writeFeatures(known[i], training, i * width);
  const classes = Uint8Array.from(known, (i) => (stretches[i].label === 'content' ? 1 : 0));
  let set = dropConflicts({ rows: training, width, classes });
  if (set.classes.length === 0) return undefined;
  if (balanced) set = balance(set);
  const comparisons = Math.min(MAX_COMPARISONS, COMPARISONS_PER_ROW * trainingRows);
  set = limitRows(set, Math.min(trainingRows, Math.max(MIN_ROWS, Math.floor(comparisons / asked))));
  const model = train(set, options);
  onPhase?.('train');
  const row = new Float64Array(width);
  const votes = Float64Array.from(stretches, ({ label }, i) => {
    if (unsureOnly && label !== 'unsure') return label === 'content' ? 1 : 0;
    writeFeatures(i, row, 0);
    return model.vote(row, 0);
  });
  onPhase?.('reclassify');
  return votes;
}

export function growForest(set: TrainingSet, { seed, trees }: TrainingOptions): Classifier {
  return randomForest(set, { seed, trees });
}
