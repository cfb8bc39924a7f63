import { expect, test } from 'vitest';
import { parseHeld } from '../../test/held-tree.ts';
import { copyTokens, PageTokenReader } from './page-tokens.ts';
import { findLongestBlocks, WordMatcher } from './word-matches.ts';

const decoder = new TextDecoder();

function tokensOf(html: string) {
  const tree = parseHeld(html);
  return { tree, placed: new PageTokenReader().read(tree) };
}

/** The words of `html`, with those that do not occur in `other` in brackets. */
function compare(html: string, other: string): string {
  const { tree, placed } = tokensOf(html);
  const occurs = new Uint8Array(placed.tokenCount);
  new WordMatcher().find(placed, copyTokens(tokensOf(other).placed), occurs);
  const words: string[] = [];
  for (let i = 0; i < placed.tokenCount; i++) {
    if (placed.textStart[i] === placed.textEnd[i]) continue;
    const word = decoder.decode(tree.text.subarray(placed.textStart[i], placed.textEnd[i]));
    words.push(occurs[i] === 1 ? word : `[${word}]`);
  }
  return words.join(' ');
}

test('a matching block of two words is dropped, also at the edges of a page', () => {
  const page = '<p>Home page</p><p>a b c d e f</p><p>The End</p>';
  const other = '<p>Home page</p><p>u v w x y z</p><p>The End</p>';
  expect(compare(page, other)).toBe('[Home] [page] [a] [b] [c] [d] [e] [f] [The] [End]');
});

test('a matching block of three words is kept', () => {
  expect(compare('<p>Home of us</p><p>a b c d e</p>', '<p>Home of us</p><p>v w x y z</p>')).toBe(
    'Home of us [a] [b] [c] [d] [e]',
  );
});

test('on pages of under eight words, blocks of up to a quarter of the other page are dropped', () => {
  // four words, so a quarter is one word
  expect(compare('<p>a b</p><p>q</p>', '<p>a b</p><p>x</p><p>y</p>')).toBe('a b [q]');
  expect(compare('<p>a</p><p>q</p>', '<p>a</p><p>x</p><p>y</p><p>z</p>')).toBe('[a] [q]');
});

test('tags are not compared: a run continues where the markup inside it differs', () => {
  expect(
    compare(
      '<p>Please <b>note</b> that all is well</p>',
      '<div><p>Please note <i>that</i> all was good</p></div>',
    ),
  ).toBe('Please note that all [is] [well]');
});

test('a box that moved does not match', () => {
  const box = '<div>read these other stories</div>';
  const article = '<p>one two three four five six seven</p>';
  expect(compare(`${box}${article}`, `${article}${box}`)).toBe(
    '[read] [these] [other] [stories] one two three four five six seven',
  );
});

/** Blocks of two texts whose characters are the tokens, as [a, b, size]. */
function blocksOf(a: string, b: string): number[][] {
  const tokens = (text: string) => Int32Array.from(text, (character) => character.charCodeAt(0));
  return findLongestBlocks(tokens(a), tokens(b)).blocks.map((block) => [block.a, block.b, block.size]);
}

// expected blocks are those of Python's difflib.SequenceMatcher(None, a, b).get_matching_blocks() without its
// empty last one
test('the longest block comes first, then blocks to the left and right of it', () => {
  expect(blocksOf('abxcd', 'abcd')).toEqual([
    [0, 0, 2],
    [3, 2, 2],
  ]);
  expect(blocksOf('qabxcd', 'abycdf')).toEqual([
    [1, 0, 2],
    [4, 3, 2],
  ]);
});

test('a longest block takes precedence over a longer common sequence', () => {
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

test('in 200 tokens or more, popular tokens start no block but lengthen one', () => {
  const filler = (from: number, count: number) =>
    String.fromCharCode(...Array.from({ length: count }, (_, k) => 1000 + from + k));
  const b = `${filler(0, 196)}xxxx`; // x is 4 of 200 tokens, which is over one in a hundred
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
