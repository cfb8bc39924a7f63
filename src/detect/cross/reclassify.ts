/**
 * Reclassification (Leśniak 2017, section 2.3): a small classifier is trained on the stretches that the bit
 * patterns classified, on this page alone, and then says what all of them are. Rows that agree but for
 * their class are dropped from training. With one class only in training, that class is the answer.
 */
import type { PlacedTokens } from '../../compare/page-tokens.ts';
import { nearestNeighbours } from '../../learn/nearest-neighbours.ts';
import { randomForest } from '../../learn/random-forest.ts';
import { balance, type Classifier, dropConflicts, limitRows } from '../../learn/training-set.ts';
import type { Tree } from '../../parse/tree.ts';
import { FEATURES_PER_LAYER, featureWriter } from './features.ts';
import { measureNodes } from './node-statistics.ts';
import type { TextStretch } from './text-stretches.ts';

/** Rows a page trains on at most: more make it slower, not better. */
const MAX_ROWS = 1000;
/** Classified stretches that conflicts are sought among, evenly from a page that has more. */
const MAX_KNOWN = 20_000;
/** Rows times stretches to classify: a page of a million texts trains on fewer rows. */
const MAX_COMPARISONS = 20_000_000;
const MIN_ROWS = 50;

export interface ReclassifyOptions {
  layers: 1 | 2 | 3;
  classifier: 'neighbours' | 'forest';
  seed: number;
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
  const { layers, classifier, seed, balanced = false, trains, unsureOnly = false } = options;
  const width = layers * FEATURES_PER_LAYER;
  const writeFeatures = featureWriter(tree, stretches, measureNodes(tree, placed), layers);
  let known: number[] = [];
  let asked = 0;
  for (let i = 0; i < stretches.length; i++) {
    if (!unsureOnly || stretches[i].label === 'unsure') asked++;
    if (stretches[i].label !== 'unsure' && (trains?.(stretches[i]) ?? true)) known.push(i);
  }
  const step = Math.ceil(known.length / MAX_KNOWN);
  if (step > 1) known = known.filter((_, i) => i % step === 0);
  const training = new Float64Array(known.length * width);
  for (let i = 0; i < known.length; i++) writeFeatures(known[i], training, i * width);
  const classes = Uint8Array.from(known, (i) => (stretches[i].label === 'content' ? 1 : 0));
  let set = dropConflicts({ rows: training, width, classes });
  if (set.classes.length === 0) return undefined;
  if (balanced) set = balance(set);
  set = limitRows(set, Math.min(MAX_ROWS, Math.max(MIN_ROWS, Math.floor(MAX_COMPARISONS / asked))));
  const model: Classifier = classifier === 'forest' ? randomForest(set, { seed }) : nearestNeighbours(set);
  const row = new Float64Array(width);
  return Float64Array.from(stretches, ({ label }, i) => {
    if (unsureOnly && label !== 'unsure') return label === 'content' ? 1 : 0;
    writeFeatures(i, row, 0);
    return model.vote(row, 0);
  });
}
