import { expect, test } from 'vitest';
import { parseHeld } from '../../test/held-tree.ts';
import { copyTokens, PageTokenReader } from './page-tokens.ts';
import { WordMatcher } from './word-matches.ts';

const decoder = new TextDecoder();

function tokensOf(html: string) {
  const tree = parseHeld(html);
  return { tree, placed: new PageTokenReader().read(tree) };
}

/** The words of `html` that occur in `other`, those that do not in brackets. */
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

test('on pages of under eight words blocks of up to a quarter of the other page are dropped', () => {
  // four words: a quarter is one word
  expect(compare('<p>a b</p><p>q</p>', '<p>a b</p><p>x</p><p>y</p>')).toBe('a b [q]');
  expect(compare('<p>a</p><p>q</p>', '<p>a</p><p>x</p><p>y</p><p>z</p>')).toBe('[a] [q]');
});

test('tags are not compared: a run goes on where the markup inside it differs', () => {
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
