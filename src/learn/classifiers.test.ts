import { expect, test } from 'vitest';
import { nearestNeighbours } from '../research/thesis/thesis-variants.ts';
import { randomForest } from './random-forest.ts';
import { balance, dropConflicts, limitRows, type TrainingSet } from './training-set.ts';

function setOf(...rows: [...numbers: number[]][]): TrainingSet {
  const width = rows[0].length - 1;
  return {
    width,
    rows: Float64Array.from(rows.flatMap((row) => row.slice(0, -1))),
    classes: Uint8Array.from(rows, (row) => row[width]),
  };
}

function randomSet(count: number, classOf: (x: number, y: number) => number): TrainingSet {
  let state = 7;
  const next = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 4294967296;
  };
  return setOf(
    ...Array.from({ length: count }, (): number[] => {
      const [x, y] = [next(), next()];
      return [x, y, classOf(x, y)];
    }),
  );
}

test('rows that differ only in class are all dropped', () => {
  const set = dropConflicts(setOf([1, 2, 0], [1, 2, 1], [3, 4, 1], [3, 4, 1], [1, 2, 0]));
  expect([...set.rows]).toEqual([3, 4, 3, 4]);
  expect([...set.classes]).toEqual([1, 1]);
});

test('balancing thins the larger class evenly and keeps the smaller', () => {
  const set = balance(setOf([1, 0], [2, 0], [3, 1], [4, 0], [5, 0], [6, 1]));
  expect([...set.rows]).toEqual([2, 3, 5, 6]);
  expect([...balance(setOf([1, 0], [2, 0])).rows]).toEqual([1, 2]);
});

test('a limit keeps the proportion of the classes', () => {
  const set = limitRows(
    randomSet(900, (x) => (x < 1 / 3 ? 1 : 0)),
    90,
  );
  expect(set.classes.length).toBeLessThanOrEqual(90);
  const ones = set.classes.reduce((sum, one) => sum + one, 0);
  expect(ones / set.classes.length).toBeCloseTo(1 / 3, 1);
});

test('the nearest neighbours vote, and the earlier row wins ties of distance', () => {
  const model = nearestNeighbours(setOf([0, 0], [1, 0], [2, 1], [10, 1], [11, 1], [12, 1]), {
    neighbours: 3,
  });
  expect(model.vote(Float64Array.from([0.5]), 0)).toBeCloseTo(1 / 3);
  expect(model.vote(Float64Array.from([11]), 0)).toBe(1);
  const tie = nearestNeighbours(setOf([1, 1], [-1, 0]), { neighbours: 1 });
  expect(tie.vote(Float64Array.from([0]), 0)).toBe(1);
});

test('fewer rows than neighbours, or no rows at all, still vote', () => {
  expect(nearestNeighbours(setOf([1, 1], [2, 0])).vote(Float64Array.from([1]), 0)).toBe(0.5);
  const none: TrainingSet = { rows: new Float64Array(0), width: 1, classes: new Uint8Array(0) };
  expect(nearestNeighbours(none).vote(Float64Array.from([1]), 0)).toBe(0.5);
  expect(randomForest(none).vote(Float64Array.from([1]), 0)).toBe(0.5);
});

test('a forest learns a class that a single split cannot separate', () => {
  const xor = (x: number, y: number) => (x < 0.5 === y < 0.5 ? 1 : 0);
  const forest = randomForest(randomSet(400, xor), { seed: 3 });
  let right = 0;
  for (let i = 0; i < 100; i++) {
    const query = Float64Array.from([((i % 10) + 0.5) / 10, (Math.floor(i / 10) + 0.5) / 10]);
    if (forest.vote(query, 0) > 0.5 === (xor(query[0], query[1]) === 1)) right++;
  }
  expect(right).toBeGreaterThanOrEqual(92);
});

test('the same seed grows the same forest, another seed a different one', () => {
  const set = randomSet(200, (x, y) => (x + y > 1 ? 1 : 0));
  const votes = (seed: number) => {
    const forest = randomForest(set, { seed, trees: 3 });
    return Array.from({ length: 200 }, (_, i) => forest.vote(set.rows, i));
  };
  expect(votes(5)).toEqual(votes(5));
  expect(votes(5)).not.toEqual(votes(6));
});

test('columns that never vary do not end a tree early', () => {
  const set = setOf([7, 7, 7, 7, 1, 0], [7, 7, 7, 7, 2, 1], [7, 7, 7, 7, 1, 0], [7, 7, 7, 7, 2, 1]);
  const forest = randomForest(set, { trees: 25 });
  expect(forest.vote(Float64Array.from([7, 7, 7, 7, 1]), 0)).toBeLessThan(0.5);
  expect(forest.vote(Float64Array.from([7, 7, 7, 7, 2]), 0)).toBeGreaterThan(0.5);
});
