import { expect, test } from 'vitest';
import { twoDigits } from './row-ranges.ts';

test('scores have the digits of toFixed', () => {
  for (let k = 0; k <= 10_000; k++) expect(twoDigits(k / 10_000)).toBe((k / 10_000).toFixed(2));
  for (const score of [0.005, 0.015, 0.285, 0.995, 1 - 1e-12, -0.2, 1.2]) {
    expect(twoDigits(score)).toBe(score.toFixed(2));
  }
});
