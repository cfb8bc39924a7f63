/**
 * Which features matter most to a model. Three measures, for they do not agree where features say the same:
 *
 * - a line's weights, each times the standard deviation of its feature: how far a usual change of the feature
 *   moves the log-odds;
 * - the gain of trees: by how much the splits on a feature lessened the training loss;
 * - permutation: by how much the log loss rises on a set when one feature's values are shuffled among its rows
 *   (Breiman 2001), for any model, best on rows that were not trained on.
 */
import type { BoostedTrees } from './boosted-trees.ts';
import { naturalLog } from './log-odds.ts';
import type { LinearModel } from './logistic-regression.ts';
import { checkWeightedSet, momentsOf, type WeightedSet } from './weighted-set.ts';

export interface RankedFeature {
  feature: number;
  name: string;
  importance: number;
}

/** Most important first; of equals the first feature. */
export function rankFeatures(names: readonly string[], importances: ArrayLike<number>): RankedFeature[] {
  if (names.length !== importances.length) {
    throw new RangeError(`${names.length} names for ${importances.length} features`);
  }
  return names
    .map((name, feature) => ({ feature, name, importance: importances[feature] }))
    .sort((a, b) => b.importance - a.importance || a.feature - b.feature);
}

/** Absolute standardised weights; the set tells how much features vary. */
export function weightImportance({ weights }: LinearModel, set: WeightedSet): Float64Array {
  const { deviation } = momentsOf(set);
  return weights.map((weight, feature) => Math.abs(weight) * deviation[feature]);
}

/** Shares of the whole gain. */
export function gainImportance({ gain }: BoostedTrees): Float64Array {
  const total = gain.reduce((sum, one) => sum + one, 0);
  return gain.map((one) => (total > 0 ? one / total : 0));
}

export interface PermutationOptions {
  /** Shuffles of each feature; the mean is taken. @default 3 */
  rounds?: number;
  /** @default 0 */
  seed?: number;
}

/** Rise of the mean log loss. Features are shuffled in place and put back; O(rounds · features · rows) scores. */
export function permutationImportance(
  score: (values: Float32Array, offset: number) => number,
  set: WeightedSet,
  { rounds = 3, seed = 0 }: PermutationOptions = {},
): Float64Array {
  if (!Number.isInteger(rounds) || rounds < 1)
    throw new RangeError(`rounds: 1 or more expected, not ${rounds}`);
  checkWeightedSet(set);
  const { width, classes, weights } = set;
  const count = classes.length;
  const rows = set.rows.slice();
  const column = new Float32Array(count);
  const importance = new Float64Array(width);
  const usual = meanLoss(score, { ...set, rows });
  let state = seed | 0;
  for (let feature = 0; feature < width; feature++) {
    for (let row = 0; row < count; row++) column[row] = set.rows[row * width + feature];
    for (let round = 0; round < rounds; round++) {
      for (let left = count; left > 1; left--) {
        state = (Math.imul(state, 1664525) + 1013904223) | 0;
        const drawn = Math.floor(((state >>> 0) / 2 ** 32) * left);
        const value = column[left - 1];
        column[left - 1] = column[drawn];
        column[drawn] = value;
      }
      for (let row = 0; row < count; row++) rows[row * width + feature] = column[row];
      importance[feature] += (meanLoss(score, { rows, width, classes, weights }) - usual) / rounds;
    }
    for (let row = 0; row < count; row++) rows[row * width + feature] = set.rows[row * width + feature];
  }
  return importance;
}

function meanLoss(
  score: (values: Float32Array, offset: number) => number,
  { rows, width, classes, weights }: WeightedSet,
): number {
  let loss = 0;
  let total = 0;
  for (let row = 0; row < classes.length; row++) {
    if (weights[row] === 0) continue;
    const probability = score(rows, row * width);
    // a score of 0 or 1 that is wrong shall not drown all others
    loss -= weights[row] * naturalLog(Math.max(1e-12, classes[row] === 1 ? probability : 1 - probability));
    total += weights[row];
  }
  return total > 0 ? loss / total : 0;
}
