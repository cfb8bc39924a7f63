import { expect, test } from 'vitest';
import { makeWeightedRows, scikitLearn } from '../../test/weighted-rows.ts';
import { type Calibration, calibrate, trainCalibration } from './calibration.ts';

const { training } = makeWeightedRows();
const firstFeature = Array.from(training.classes, (_, row) => training.rows[row * training.width] / 100);

test('isotonic steps agree with scikit-learn', () => {
  const calibration = trainCalibration(firstFeature, training.classes, training.weights);
  const { queries, values } = scikitLearn.isotonic as { queries: number[]; values: number[] };
  for (const [i, query] of queries.entries()) {
    expect(calibrate(calibration, query)).toBeCloseTo(values[i], 5);
  }
});

test.each(['platt', 'isotonic'] as const)(
  'after %s, a score is the share of its rows that are of class 1',
  (method) => {
    // the log-odds are three times the true ones, so scores are too certain
    const skewed = makeScores(20_000, 1, (truth) => 1 / (1 + ((1 - truth) / truth) ** 3));
    const fresh = makeScores(20_000, 2, (truth) => 1 / (1 + ((1 - truth) / truth) ** 3));
    expect(worstBin(fresh, (score) => score)).toBeGreaterThan(0.15);
    const calibration = trainCalibration(skewed.scores, skewed.classes, skewed.weights, { method });
    expect(worstBin(fresh, (score) => calibrate(calibration, score))).toBeLessThan(0.04);
  },
);

test('Platt scaling finds the slope and bias that skewed the scores', () => {
  const { scores, classes, weights } = makeScores(50_000, 3, (truth) => {
    const odds = (truth / (1 - truth)) ** 2 * Math.exp(1);
    return odds / (1 + odds);
  });
  const calibration = trainCalibration(scores, classes, weights, { method: 'platt' });
  if (calibration.method !== 'platt') throw new Error('another method was trained');
  expect(calibration.slope).toBeCloseTo(0.5, 1);
  expect(calibration.bias).toBeCloseTo(-0.5, 1);
});

test.each(['platt', 'isotonic'] as const)('%s never reverses the order of scores', (method) => {
  const against = trainCalibration([0.1, 0.2, 0.8, 0.9], [1, 1, 0, 0], [1, 1, 1, 1], { method });
  const along = trainCalibration(firstFeature, training.classes, training.weights, { method });
  for (const calibration of [against, along]) {
    let before = 0;
    for (let score = 0; score <= 1; score += 0.001) {
      const now = calibrate(calibration, score);
      expect(now).toBeGreaterThanOrEqual(before);
      expect(now).toBeLessThanOrEqual(1);
      before = now;
    }
  }
  expect(calibrate(against, 0.5)).toBeCloseTo(0.5, 6);
});

test.each(['platt', 'isotonic'] as const)(
  '%s: a row of weight 2 counts twice, a row of weight 0 does not count',
  (method) => {
    const weighted = trainCalibration([0.2, 0.4, 0.6, 0.8, 0.1], [0, 1, 0, 1, 1], [1, 1, 2, 1, 0], {
      method,
    });
    const repeated = trainCalibration([0.2, 0.4, 0.6, 0.6, 0.8], [0, 1, 0, 0, 1], [1, 1, 1, 1, 1], {
      method,
    });
    for (const score of [0, 0.3, 0.5, 0.7, 1]) {
      expect(calibrate(weighted, score)).toBeCloseTo(calibrate(repeated, score), 5);
    }
  },
);

test('the order of rows does not matter', () => {
  const order = firstFeature.map((_, i) => (i * 7) % firstFeature.length); // 7 does not divide 3,000
  const shuffled = trainCalibration(
    order.map((i) => firstFeature[i]),
    order.map((i) => training.classes[i]),
    order.map((i) => training.weights[i]),
  );
  expect(shuffled).toEqual(trainCalibration(firstFeature, training.classes, training.weights));
});

test('Platt scaling of a single class does not give certainty', () => {
  const calibration = trainCalibration([0.3, 0.6], [1, 1], [1, 1], { method: 'platt' });
  expect(calibrate(calibration, 0.5)).toBeGreaterThan(0.5);
  expect(calibrate(calibration, 0.5)).toBeLessThan(0.9);
});

test('calibration without rows does not change scores', () => {
  expect(calibrate(trainCalibration([], [], []), 0.3)).toBe(0.3);
  expect(calibrate(trainCalibration([0.5], [1], [0]), 0.3)).toBe(0.3);
});

test('an invalid score is refused with its row', () => {
  expect(() => trainCalibration([0.5, Number.NaN], [0, 1], [1, 1])).toThrow('score of row 1');
  expect(() => trainCalibration([0.5, 0.6], [0, 1], [1, -1])).toThrow('weight of row 1');
  expect(() => trainCalibration([0.5], [0, 1], [1, 1])).toThrow('as many scores');
});

test('a calibration is plain data', () => {
  for (const method of ['platt', 'isotonic'] as const) {
    const calibration = trainCalibration(firstFeature, training.classes, training.weights, { method });
    const kept = JSON.parse(JSON.stringify(calibration)) as Calibration;
    expect(calibrate(kept, 0.37)).toBe(calibrate(calibration, 0.37));
  }
});

interface Scores {
  scores: number[];
  classes: number[];
  weights: number[];
}

/** Rows whose class is 1 with a known probability, and scores computed from that probability. */
function makeScores(count: number, seed: number, scoreOf: (truth: number) => number): Scores {
  let state = seed;
  const random = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  const made: Scores = { scores: [], classes: [], weights: [] };
  for (let row = 0; row < count; row++) {
    const truth = 0.05 + 0.9 * random();
    made.scores.push(scoreOf(truth));
    made.classes.push(random() < truth ? 1 : 0);
    made.weights.push(0.5 + random());
  }
  return made;
}

/**
 * Returns the largest difference between predicted and actual share of class 1, over ten bins of probability.
 */
function worstBin({ scores, classes, weights }: Scores, probabilityOf: (score: number) => number): number {
  const said = new Float64Array(10);
  const seen = new Float64Array(10);
  const total = new Float64Array(10);
  for (let row = 0; row < scores.length; row++) {
    const probability = probabilityOf(scores[row]);
    const bin = Math.min(9, Math.floor(10 * probability));
    said[bin] += weights[row] * probability;
    seen[bin] += weights[row] * classes[row];
    total[bin] += weights[row];
  }
  let worst = 0;
  for (let bin = 0; bin < 10; bin++) {
    if (total[bin] >= 200) worst = Math.max(worst, Math.abs(said[bin] - seen[bin]) / total[bin]);
  }
  return worst;
}
