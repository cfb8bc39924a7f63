import { expect, test } from 'vitest';
import { logOddsOf, naturalLog, probabilityOf } from './boosted-trees.ts';

test('probabilities agree with Math.exp up to the last bits', () => {
  for (let x = -39.9; x < 39.9; x += 0.0137) {
    const expected = 1 / (1 + Math.exp(-x));
    expect(Math.abs(probabilityOf(x) - expected) / expected).toBeLessThan(1e-15);
  }
  expect(probabilityOf(0)).toBe(0.5);
});

test('a probability never reaches 0 or 1 from below, whatever the log-odds', () => {
  expect(probabilityOf(-1e300)).toBe(probabilityOf(-40));
  expect(probabilityOf(Number.NEGATIVE_INFINITY)).toBeGreaterThan(0);
  expect(probabilityOf(Number.POSITIVE_INFINITY)).toBe(probabilityOf(40));
});

test('log-odds are the inverse', () => {
  for (let probability = 0.001; probability < 1; probability += 0.001) {
    expect(probabilityOf(logOddsOf(probability))).toBeCloseTo(probability, 14);
  }
  expect(logOddsOf(0)).toBe(-40);
  expect(logOddsOf(1)).toBe(40);
});

test('logarithms agree with Math.log up to the last bits', () => {
  for (let x = 1e-12; x < 1e12; x *= 1.17) {
    expect(Math.abs(naturalLog(x) - Math.log(x))).toBeLessThan(1e-14);
  }
});
