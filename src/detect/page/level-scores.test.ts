import { expect, test } from 'vitest';
import { FEATURE_COLUMN, FEATURES } from './feature-list.ts';
import { ScoreLeveller } from './level-scores.ts';

const LEVEL = { share: 0.1, margin: 1, least: 0.2, most: 0.9 };

/** Rows of these scores with as many words each. */
function level(scores: number[], words: number[], options = LEVEL): number[] {
  const width = FEATURES.length;
  const values = new Float32Array(scores.length * width);
  for (const [row, count] of words.entries()) {
    values[row * width + FEATURE_COLUMN.ownWords] = Math.log2(1 + count);
  }
  const table = { rowCount: scores.length, width, values } as never;
  return [...new ScoreLeveller().level(table, Float64Array.from(scores), options)].slice(0, scores.length);
}

test('a page with low scores is measured by the least level', () => {
  const [low, at, high] = level([0.01, 0.2, 0.6], [100, 5, 50]);
  expect(low).toBeLessThan(0.1);
  expect(at).toBeCloseTo(0.5);
  expect(high).toBeGreaterThan(0.5);
});

test('where all scores are high the lowest are content still', () => {
  const [low, high] = level([0.6, 0.95], [30, 100]);
  expect(low).toBeLessThan(0.5);
  expect(high).toBeGreaterThan(0.5);
});

test('a few words alone do not set the level', () => {
  const [few, many] = level([0.3, 0.8], [2, 100]);
  expect(few).toBeLessThan(many);
  expect(many).toBeLessThan(0.5);
});

test('the order of scores is kept and the most holds', () => {
  const scores = [0, 0.1, 0.4, 0.7, 0.99, 1];
  const levelled = level(scores, [0, 0, 0, 0, 0, 10]);
  expect([...levelled].sort((a, b) => a - b)).toEqual(levelled);
  expect(levelled[5]).toBeGreaterThan(0.5);
});
