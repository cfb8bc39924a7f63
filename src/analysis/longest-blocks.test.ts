import { expect, test } from 'vitest';
import { findLongestBlocks } from './longest-blocks.ts';

/** Blocks of two texts whose characters are the tokens, as [a, b, size]. */
function blocksOf(a: string, b: string): number[][] {
  const tokens = (text: string) => Int32Array.from(text, (character) => character.charCodeAt(0));
  return findLongestBlocks(tokens(a), tokens(b)).blocks.map((block) => [block.a, block.b, block.size]);
}

// expectations are those of Python's difflib.SequenceMatcher(None, a, b).get_matching_blocks(), without its empty last one
test('the longest block comes first, then what is left and right of it', () => {
  expect(blocksOf('abxcd', 'abcd')).toEqual([
    [0, 0, 2],
    [3, 2, 2],
  ]);
  expect(blocksOf('qabxcd', 'abycdf')).toEqual([
    [1, 0, 2],
    [4, 3, 2],
  ]);
});

test('a longest block wins over a longer common sequence', () => {
  // "abcd" as single letters is a common sequence of four; the block "xyz" comes first and leaves "d" alone
  expect(blocksOf('axyzbcd', 'abcxyzd')).toEqual([
    [0, 0, 1],
    [1, 3, 3],
    [6, 6, 1],
  ]);
});

test('a block that moved does not match', () => {
  expect(blocksOf('12345abc', 'abc12345')).toEqual([[0, 3, 5]]);
});

test('of equal blocks the first is taken', () => {
  expect(blocksOf('ab', 'abab')).toEqual([[0, 0, 2]]);
  expect(blocksOf('abab', 'ab')).toEqual([[0, 0, 2]]);
});

test('in 200 tokens or more popular ones start no block, but lengthen one', () => {
  const filler = (from: number, count: number) =>
    String.fromCharCode(...Array.from({ length: count }, (_, k) => 1000 + from + k));
  const b = `${filler(0, 196)}xxxx`; // x is 4 of 200: over one in a hundred
  expect(blocksOf('xx', b)).toEqual([]);
  expect(blocksOf(`${filler(195, 1)}xx`, b)).toEqual([[0, 195, 3]]);
  expect(blocksOf('xx', b.slice(1))).toEqual([[0, 195, 2]]);
});

test('empty sequences have no blocks, and steps are bounded', () => {
  expect(blocksOf('', 'a')).toEqual([]);
  expect(blocksOf('a', '')).toEqual([]);
  const many = new Int32Array(150).fill(7);
  const other = Int32Array.from(many, (_, k) => (k === 75 ? 8 : 7));
  const { blocks, givenUp } = findLongestBlocks(many, other, { maxSteps: 10 });
  expect(blocks.length).toBe(1);
  expect(givenUp).toBeGreaterThan(0);
});
