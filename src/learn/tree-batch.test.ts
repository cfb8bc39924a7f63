import { expect, test } from 'vitest';
import { makeWeightedRows } from '../../test/weighted-rows.ts';
import { type BoostedTrees, scoreTrees } from './boosted-trees.ts';
import { trainBoostedTrees } from './train-boosted-trees.ts';
import { TreeBatch } from './tree-batch.ts';

const { training, held } = makeWeightedRows();

test.each([
  { trees: 1, depth: 1 },
  { trees: 9, depth: 8, leaves: 40 },
  { trees: 30, depth: 5 },
  { trees: 5, depth: 20, leaves: 60 },
])('rows scored together have the scores they have alone: $trees trees, depth $depth', (options) => {
  const model = trainBoostedTrees(training, options);
  for (const count of [0, 1, 31, 32, 33, 200]) {
    expect(scoreTogether(model, held.rows, held.width, count)).toEqual(
      scoreAlone(model, held.rows, held.width, count),
    );
  }
});

test('values equal to a threshold, beyond all thresholds or infinite take the same branches', () => {
  const model = trainBoostedTrees(training, { trees: 20, depth: 6 });
  const { width } = training;
  const odd = [Number.NEGATIVE_INFINITY, -1e30, -0, 0, 1e30, Number.POSITIVE_INFINITY];
  const picks = [...new Set([...model.threshold, ...odd])];
  const rows = new Float32Array(width * 300);
  for (let i = 0; i < rows.length; i++) rows[i] = picks[(i * 7919) % picks.length];
  expect(scoreTogether(model, rows, width, 300)).toEqual(scoreAlone(model, rows, width, 300));
});

test('a model without trees or splits scores its bias', () => {
  const { width } = training;
  const model = trainBoostedTrees({
    rows: new Float32Array(0),
    width,
    classes: new Uint8Array(0),
    weights: new Float64Array(0),
  });
  expect(scoreTogether(model, held.rows, width, 5)).toEqual([0.5, 0.5, 0.5, 0.5, 0.5]);
});

function scoreTogether(model: BoostedTrees, rows: Float32Array, width: number, count: number): number[] {
  const scores = new Float64Array(count);
  const offsets = Int32Array.from({ length: count }, (_, row) => row * width);
  new TreeBatch(model).score(rows, offsets, count, scores);
  return Array.from(scores);
}

function scoreAlone(model: BoostedTrees, rows: Float32Array, width: number, count: number): number[] {
  return Array.from({ length: count }, (_, row) => scoreTrees(model, rows, row * width));
}
