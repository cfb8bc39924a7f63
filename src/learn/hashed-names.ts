/**
 * A linear model of two classes over hashed names. Each row is a list of buckets, and the log-odds of class 1
 * are the sum of their weights. Training is gradient descent with one learning rate per bucket (Adagrad), in
 * a seeded order; weights are rounded to bytes.
 */
import { probabilityOf } from './boosted-trees.ts';
import { randomOf } from './tree-grower.ts';

/** A training row: the buckets of its names, its class and its weight. */
export interface NamedRow {
  buckets: Uint16Array;
  /** 0 or 1. */
  label: number;
  weight: number;
}

/** Options of `trainNames`. */
export interface NameOptions {
  /** Log-odds per unit of a rounded weight. */
  unit: number;
  buckets: number;
  /** @default 4 */
  passes?: number;
  /** @default 0.05 */
  rate?: number;
  /** @default 0.0001 */
  l2?: number;
  /** @default 5 */
  seed?: number;
}

/**
 * Trains the weights of all buckets. Rows come in groups, such as pages: groups are shuffled, rows keep their
 * order.
 */
export function trainNames(groups: readonly (readonly NamedRow[])[], options: NameOptions): Int8Array {
  const { unit, buckets, passes = 4, rate = 0.05, l2 = 1e-4, seed = 5 } = options;
  const weights = new Float64Array(buckets);
  const squares = new Float64Array(buckets).fill(0.01);
  let bias = 0;
  let biasSquares = 0.01;
  const random = randomOf(seed);
  const order = groups.map((_, k) => k);
  for (let pass = 0; pass < passes; pass++) {
    for (let k = order.length - 1; k > 0; k--) {
      const other = Math.floor(random() * (k + 1));
      [order[k], order[other]] = [order[other], order[k]];
    }
    for (const group of order) {
      for (const { buckets: own, label, weight } of groups[group]) {
        if (weight === 0) continue;
        let logOdds = bias;
        for (const bucket of own) logOdds += weights[bucket];
        const slope = weight * (probabilityOf(logOdds) - label);
        biasSquares += slope * slope;
        bias -= (rate * slope) / Math.sqrt(biasSquares);
        for (const bucket of own) {
          const step = slope + l2 * weights[bucket];
          squares[bucket] += step * step;
          weights[bucket] -= (rate * step) / Math.sqrt(squares[bucket]);
        }
      }
    }
  }
  return Int8Array.from(weights, (weight) => Math.max(-127, Math.min(127, Math.round(weight / unit))));
}
