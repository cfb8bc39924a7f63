/**
 * Compares our classifiers with scikit-learn. `test/fixtures/scikit-learn.json` holds the results of version
 * 1.9.1 on the rows generated below (the same generator in Python): 300 rows to train on and 400 to classify,
 * eight features with different scales, a noisy class. It has the votes of the five nearest neighbours, one
 * digit per row, and the accuracy of forests of ten trees over 100 seeds.
 */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { nearestNeighbours } from '../research/thesis/thesis-variants.ts';
import { randomForest } from './random-forest.ts';
import type { TrainingSet } from './training-set.ts';

const reference = JSON.parse(
  readFileSync(new URL('../../test/fixtures/scikit-learn.json', import.meta.url), 'utf8'),
);
const TRAINING_ROWS = 300;
const ROWS = 700;
const SCALES = [100, 1000, 20, 500, 9999, 50, 300, 80];
const width = SCALES.length;
const { rows, classes } = makeRows();
const training: TrainingSet = {
  rows: rows.slice(0, TRAINING_ROWS * width),
  width,
  classes: classes.slice(0, TRAINING_ROWS),
};

test('the generated rows equal those given to scikit-learn', () => {
  expect([...rows.subarray(0, width)]).toEqual(reference.firstRow);
  expect([...rows.subarray(-width)]).toEqual(reference.lastRow);
  expect(training.classes.reduce((sum, one) => sum + one, 0)).toBe(reference.onesInTraining);
});

test('the votes of the five nearest neighbours agree with scikit-learn, row by row', () => {
  const { vote } = nearestNeighbours(training);
  let votes = '';
  for (let row = TRAINING_ROWS; row < ROWS; row++) votes += Math.round(5 * vote(rows, row));
  expect(votes).toBe(reference.neighbourVotes);
});

test('forests are as accurate as those of scikit-learn', () => {
  const accuracies = Array.from({ length: 20 }, (_, seed) =>
    accuracyOf(randomForest(training, { seed }).vote),
  );
  const { least, mean, most } = reference.forestAccuracy;
  expect(Math.min(...accuracies)).toBeGreaterThan(least - 0.02);
  expect(Math.max(...accuracies)).toBeLessThan(most + 0.02);
  const ourMean = accuracies.reduce((sum, one) => sum + one, 0) / accuracies.length;
  expect(Math.abs(ourMean - mean)).toBeLessThan(0.01);
});

function accuracyOf(vote: (queries: Float64Array, query: number) => number): number {
  let right = 0;
  for (let row = TRAINING_ROWS; row < ROWS; row++)
    if (Number(vote(rows, row) > 0.5) === classes[row]) right++;
  return right / (ROWS - TRAINING_ROWS);
}

function makeRows(): { rows: Float64Array; classes: Uint8Array } {
  let state = 17;
  const random = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  const made = new Float64Array(ROWS * width);
  const madeClasses = new Uint8Array(ROWS);
  for (let row = 0; row < ROWS; row++) {
    const values = SCALES.map((most) => Math.floor(random() * most));
    made.set(values, row * width);
    const score = values[0] / 100 + values[1] / 1000 - values[2] / 20 + 0.5 * random();
    madeClasses[row] = score > 0.75 ? 1 : 0;
  }
  return { rows: made, classes: madeClasses };
}
