import { expect, test } from 'vitest';
import { countSnippets } from './score-page.ts';

test('white space of any kind and length is one space', () => {
  expect(countSnippets('price:\n $11,995\u00a0\tnow', ['$11,995 now', 'price: $11,995'])).toEqual({
    hits: 2,
    total: 2,
  });
});

test('case and words must be as given', () => {
  expect(countSnippets('Advertisement', ['advertisement', 'Advertisements'])).toEqual({ hits: 0, total: 2 });
});

test('no snippets, no tally', () => {
  expect(countSnippets('text', [])).toEqual({ hits: 0, total: 0 });
});
