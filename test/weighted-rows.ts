/**
 * Generated rows with classes and weights, and the results of scikit-learn 1.9.1 for them
 * (`fixtures/scikit-learn-weighted.py` makes the same rows and the figures).
 */
import { readFileSync } from 'node:fs';
import type { WeightedSet } from '../src/learn/weighted-set.ts';

export const scikitLearn = JSON.parse(
  readFileSync(new URL('fixtures/scikit-learn-weighted.json', import.meta.url), 'utf8'),
);

const TRAINING_ROWS = 3000;
const ROWS = 6000;
const SCALES = [100, 1000, 20, 500, 9999, 50, 3, 1];

/** 3,000 rows to train on, 3,000 to score. */
export function makeWeightedRows(): { training: WeightedSet; held: WeightedSet } {
  let state = 29;
  const random = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  const width = SCALES.length;
  const rows = new Float32Array(ROWS * width);
  const classes = new Uint8Array(ROWS);
  const weights = new Float64Array(ROWS);
  for (let row = 0; row < ROWS; row++) {
    const values = SCALES.map((most) => Math.floor(random() * most));
    const [a, b, c, d, , f, g] = values.map((value, i) => value / SCALES[i]);
    const score =
      2 * a - 1 + (b > 0.7 && c < 0.4 ? 1.5 : -0.5) + 3 * (d - 0.5) * (f - 0.5) + (g > 0.5 ? 0.6 : 0);
    rows.set(values, row * width);
    classes[row] = score + 2 * (random() + random() + random() - 1.5) > 0 ? 1 : 0;
    weights[row] = Math.floor(random() * 9) / 4;
  }
  const part = (from: number, to: number): WeightedSet => ({
    rows: rows.slice(from * width, to * width),
    width,
    classes: classes.slice(from, to),
    weights: weights.slice(from, to),
  });
  return { training: part(0, TRAINING_ROWS), held: part(TRAINING_ROWS, ROWS) };
}

/** Mean weighted log loss of a set's rows. */
export function logLossOf(set: WeightedSet, score: (values: Float32Array, offset: number) => number): number {
  let loss = 0;
  let total = 0;
  for (let row = 0; row < set.classes.length; row++) {
    const probability = score(set.rows, row * set.width);
    loss -= set.weights[row] * Math.log(set.classes[row] === 1 ? probability : 1 - probability);
    total += set.weights[row];
  }
  return loss / total;
}
