import fc from 'fast-check';
import { expect, test } from 'vitest';
import { commonPrefixes, suffixArray } from './suffix-array.ts';

const textOf = (letters: string) => Uint32Array.from(letters, (letter) => letter.charCodeAt(0) - 96);

test('suffixes are sorted, a prefix before the longer suffix', () => {
  // sorted suffixes: a, ana, anana, banana, na, nana
  expect([...suffixArray(textOf('banana'), 27)]).toEqual([5, 3, 1, 0, 4, 2]);
  expect([...commonPrefixes(textOf('banana'), suffixArray(textOf('banana'), 27))]).toEqual([
    0, 1, 3, 0, 0, 2,
  ]);
});

test('common prefixes of suffixes end at a zero', () => {
  const text = Uint32Array.of(1, 2, 0, 1, 2, 0);
  expect([...suffixArray(text, 3)]).toEqual([5, 2, 3, 0, 4, 1]);
  expect([...commonPrefixes(text, suffixArray(text, 3))]).toEqual([0, 0, 0, 2, 0, 1]);
});

test.each([0, 1, 2])('a text of %i equal numbers', (length) => {
  const text = new Uint32Array(length).fill(3);
  expect([...suffixArray(text, 4)]).toEqual(Array.from({ length }, (_, k) => length - 1 - k));
});

test('agrees with sorting on random texts of few and of many numbers', () => {
  const texts = fc
    .integer({ min: 0, max: 8 })
    .chain((max) => fc.array(fc.integer({ min: 0, max }), { maxLength: 60 }));
  fc.assert(
    fc.property(texts, (numbers) => {
      const text = Uint32Array.from(numbers);
      const sorted = numbers.map((_, i) => i).sort((a, b) => compareSuffixes(text, a, b));
      expect([...suffixArray(text, 9)]).toEqual(sorted);
      const common = sorted.map((i, k) => (k === 0 ? 0 : commonOf(text, sorted[k - 1], i)));
      expect([...commonPrefixes(text, Uint32Array.from(sorted))]).toEqual(common);
    }),
    { seed: 17, numRuns: 2000 },
  );
});

function compareSuffixes(text: Uint32Array, a: number, b: number): number {
  for (let d = 0; ; d++) {
    if (a + d === text.length || b + d === text.length) return b - a;
    if (text[a + d] !== text[b + d]) return text[a + d] - text[b + d];
  }
}

function commonOf(text: Uint32Array, a: number, b: number): number {
  let d = 0;
  while (Math.max(a, b) + d < text.length && text[a + d] === text[b + d] && text[a + d] !== 0) d++;
  return d;
}
