import { expect, test } from 'vitest';
import { wordCountOf } from './sections.ts';

test('a count has the same bits whatever was computed before', () => {
  const logarithms = Array.from({ length: 5000 }, (_, k) => Math.fround(Math.log2(1 + k / 2)));
  for (const logarithm of [...logarithms, ...logarithms.toReversed(), 0, 0]) {
    expect(wordCountOf(logarithm)).toBe(2 ** logarithm - 1);
  }
});
