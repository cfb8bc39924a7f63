import { expect, test } from 'vitest';
import { readStretches } from '../../../test/stretches.ts';
import { LineDensity } from './line-density.ts';

function densityOf(text: string): number {
  const { tree, placed } = readStretches(`<p>${text}</p>`);
  return new LineDensity(tree, placed).of(0, tree.textLength);
}

test('the density of one line is its number of words', () => {
  expect(densityOf('one two three')).toBe(3);
  // 16 words of four letters with 15 spaces: 79 characters
  expect(densityOf(Array(16).fill('word').join(' '))).toBe(16);
});

test('the last of several lines does not count', () => {
  // sixteen words fill a line, the 17th begins the next
  expect(densityOf(Array(17).fill('word').join(' '))).toBe(16);
  expect(densityOf(Array(40).fill('word').join(' '))).toBe(16);
  // lines of eight words of nine letters (79 characters) and of ten words of seven letters (79)
  const text = [...Array(8).fill('ninechars'), ...Array(10).fill('sevench'), 'last'].join(' ');
  expect(densityOf(text)).toBe((8 + 10) / 2);
});

test('lines are measured in characters, not bytes, and a longer word has its own line', () => {
  expect(densityOf(Array(16).fill('дата').join(' '))).toBe(16);
  expect(densityOf(`${'x'.repeat(100)} short words`)).toBe(1);
});

test('a part of a text has its own lines', () => {
  const { tree, placed } = readStretches(`<p>${Array(17).fill('word').join(' ')}</p><p>two words</p>`);
  const lines = new LineDensity(tree, placed);
  const second = tree.textLength - 'two words'.length;
  expect(lines.of(second, tree.textLength)).toBe(2);
  expect(lines.characters(second, tree.textLength)).toBe(9);
});
