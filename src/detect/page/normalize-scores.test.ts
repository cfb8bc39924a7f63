import { expect, test } from 'vitest';
import { FEATURE_COLUMN, FEATURES } from './feature-list.ts';
import { type ScoreLevel, ScoreNormalizer } from './normalize-scores.ts';

const LEVEL = { share: 0.1, margin: 1, least: 0.2, most: 0.9 };

interface Around {
  parents?: number[];
  /** Rows that are not shown, and rows marked as apart. */
  hidden?: number[];
  apart?: number[];
  pageLinks?: number;
}

/** Normalises rows with these scores and equally many words each. */
function level(
  scores: number[],
  words: number[],
  options: ScoreLevel = LEVEL,
  { parents = [], hidden = [], apart = [], pageLinks = 0 }: Around = {},
): number[] {
  const width = FEATURES.length;
  const values = new Float32Array(scores.length * width);
  for (const [row, count] of words.entries()) {
    values[row * width + FEATURE_COLUMN.ownWords] = Math.log2(1 + count);
    values[row * width + FEATURE_COLUMN.isShown] = hidden.includes(row) ? 0 : 1;
    values[row * width + FEATURE_COLUMN.pageAnchorShare] = pageLinks;
  }
  const parent = Int32Array.from(scores, (_, row) => parents[row] ?? (row === 0 ? -1 : 0));
  const table = { rowCount: scores.length, width, values, parent } as never;
  const marks = Uint8Array.from(scores, (_, row) => (apart.includes(row) ? 1 : 0));
  return [...new ScoreNormalizer().normalize(table, Float64Array.from(scores), options, marks)].slice(
    0,
    scores.length,
  );
}

test('a page with low scores uses the minimum level', () => {
  const [low, at, high] = level([0.01, 0.2, 0.6], [100, 5, 50]);
  expect(low).toBeLessThan(0.1);
  expect(at).toBeCloseTo(0.5);
  expect(high).toBeGreaterThan(0.5);
});

test('on a page with high scores the lowest ones are still content', () => {
  const [low, high] = level([0.6, 0.95], [30, 100]);
  expect(low).toBeLessThan(0.5);
  expect(high).toBeGreaterThan(0.5);
});

test('a few words alone do not set the level', () => {
  const [few, many] = level([0.3, 0.8], [2, 100]);
  expect(few).toBeLessThan(many);
  expect(many).toBeLessThan(0.5);
});

test('the order of scores is kept and the maximum level applies', () => {
  const scores = [0, 0.1, 0.4, 0.7, 0.99, 1];
  const levelled = level(scores, [0, 0, 0, 0, 0, 10]);
  expect([...levelled].sort((a, b) => a - b)).toEqual(levelled);
  expect(levelled[5]).toBeGreaterThan(0.5);
});

test('a page full of links has a lower level', () => {
  const options = { ...LEVEL, links: 2 };
  const [, plain] = level([0.4, 0.55], [100, 100], options);
  const [, linked] = level([0.4, 0.55], [100, 100], options, { pageLinks: 1 });
  expect(plain).toBeLessThan(0.5);
  expect(linked).toBeGreaterThan(0.5);
});

// the page, its story of two paragraphs and a line, and a column with a teaser
const STORY = { parents: [-1, 0, 1, 1, 1, 0, 5] };
const WORDS = [0, 0, 200, 100, 5, 0, 20];
const REGION = { ...LEVEL, region: { share: 0.7, inside: 1, outside: 1 } };

test('a line inside the region is kept, a similar line outside is not', () => {
  const scores = [0.05, 0.05, 0.05, 0.06, 0.3, 0.3, 0.3];
  const [, , , , line, , teaser] = level(scores, WORDS, REGION, STORY);
  expect(line).toBeLessThan(0.5);
  expect(teaser).toBeGreaterThan(0.5);
});

test('without a region, line and teaser have one score', () => {
  const scores = [0.05, 0.05, 0.05, 0.06, 0.3, 0.3, 0.3];
  const [, , , , line, , teaser] = level(scores, WORDS, LEVEL, STORY);
  expect(line).toBe(teaser);
});

test('hidden rows and rows marked as apart are template and do not affect the level', () => {
  const scores = [0.05, 0.4, 0.4, 0.45, 0.5, 0.001, 0.001];
  const seen = level(scores, WORDS, REGION, { ...STORY, hidden: [5, 6] });
  expect(seen[6]).toBeGreaterThan(0.5);
  expect(seen[2]).toBeLessThan(0.5);
  const apart = level(scores, WORDS, REGION, { ...STORY, apart: [5, 6] });
  expect(apart).toEqual(seen);
  expect(level(scores, WORDS, REGION, STORY)[6]).toBeLessThan(0.5);
});

test('a region of which half is above the level is ignored', () => {
  const scores = [0.05, 0.05, 0.05, 0.06, 0.9, 0.3, 0.3];
  const words = [0, 0, 60, 60, 130, 0, 20];
  expect(level(scores, words, REGION, STORY)).toEqual(level(scores, words, LEVEL, STORY));
});
