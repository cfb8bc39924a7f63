import { expect, test } from 'vitest';
import { Parser } from '../parse/parser.ts';
import { measureTexts } from './intrinsic-widths.ts';

const parser = new Parser();
const measure = (text: string): { whole: number; longestWord: number } => {
  const tree = parser.parse(new TextEncoder().encode(`<p>${text}`));
  const [whole, longestWord] = measureTexts(tree).slice(2 * tree.nodeCount - 2);
  return { whole, longestWord };
};

test('wide letters are wider than narrow ones', () => {
  expect(measure('WWW').whole).toBeGreaterThan(2 * measure('iii').whole);
});

test('the longest word is the narrowest width of a text', () => {
  expect(measure('a house b').longestWord).toBeCloseTo(measure('house').whole, 5);
});

test('East Asian characters are one em wide and allow a break anywhere', () => {
  expect(measure('日本語').whole).toBeCloseTo(3, 5);
  expect(measure('日本語').longestWord).toBeCloseTo(1, 5);
});

test('a character reference is one character, and so is a single ampersand', () => {
  expect(measure('&nbsp;').whole).toBeLessThan(measure('mm').whole);
  expect(measure('a & b;').whole).toBeGreaterThan(measure('a b').whole);
});
