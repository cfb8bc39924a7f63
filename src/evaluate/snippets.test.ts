import { expect, test } from 'vitest';
import { countSnippets } from './score-page.ts';

test('white space, punctuation and case do not count', () => {
  const text = 'price:\n $11,995\u00a0\tNow (or never)';
  const snippets = ['$11,995 now', 'Price $11,995', 'now, or never!'];
  expect(countSnippets(text, snippets)).toEqual({ hits: 3, total: 3 });
});

test('words must be whole, all there, and in a row', () => {
  const snippets = ['Advertisements', 'vertise', 'an advertisement here'];
  expect(countSnippets('An advertisement stands here', snippets)).toEqual({ hits: 0, total: 3 });
});

test('in scripts without spaces each letter is a word', () => {
  expect(countSnippets('新闻网站的首页', ['网站', '站网'])).toEqual({ hits: 1, total: 2 });
});

test('a snippet without words is looked for as it is', () => {
  expect(countSnippets('* * *\n★★★☆☆', ['★★★☆☆', '★★★★★'])).toEqual({ hits: 1, total: 2 });
});

test('no snippets, no tally', () => {
  expect(countSnippets('text', [])).toEqual({ hits: 0, total: 0 });
});
