import { expect, test } from 'vitest';
import { parseHeld } from '../../test/held-tree.ts';
import { scanWords, WordList } from '../analysis/word-scanner.ts';
import type { Tree } from '../parse/tree.ts';
import { NumberList, WordCache } from './word-cache.ts';

function parse(html: string) {
  return parseHeld(html);
}

function wordsOf({ low, high, count }: WordList): number[][] {
  return [Array.from(low.subarray(0, count)), Array.from(high.subarray(0, count))];
}

function scanAll(known: WordCache, tree: Tree, cut: number): NumberList {
  const found = new NumberList();
  known.open(tree);
  known.scan(tree, 0, cut, found);
  known.scan(tree, cut, tree.textLength, found);
  return found;
}

const PARAGRAPHS = [
  'All that is said here is said again on every other page, word for word.',
  'short',
  'Überall &amp; nirgends: was hier steht, steht auch auf den anderen Seiten.',
  'every page has a line like this one<b>with a word that goes on</b>in bold letters',
  '日本語の文章も同じように扱われます。 もう一つの文章がここにあります。',
  'R&amp;D and caf&eacute;s in a line that is long enough to be met again by itself',
];

test('cached words of a repeated piece are the words of the text', () => {
  const known = new WordCache();
  for (let page = 0; page < 60; page++) {
    const own = `<p>Only page number ${page} says this, and says it in a text of some length.`;
    const picked = PARAGRAPHS.filter((_, k) => ((page * 7 + k * 3) >> 1) % 3 !== 0);
    const tree = parse(`<div>${picked.map((text) => `<p>${text}`).join('')}${own}</div>`);
    // spans have random ends, also in the middle of words
    const cut = (page * 31) % (tree.textLength + 1);
    const all = new WordList();
    scanWords(tree.text, 0, cut, all);
    scanWords(tree.text, cut, tree.textLength, all);
    const { numbers, count } = scanAll(known, tree, cut);
    const found = numbers.subarray(0, count);
    expect([Array.from(found, (n) => known.low[n]), Array.from(found, (n) => known.high[n])]).toEqual(
      wordsOf(all),
    );
  }
});

test('a word keeps its number wherever it occurs, until the cache is emptied', () => {
  const known = new WordCache();
  const tree = parse('<p>one two one two three in a line that is long enough to be kept</p><p>two');
  const { numbers, count } = scanAll(known, tree, 0);
  expect(Array.from(numbers.subarray(0, 5))).toEqual([0, 1, 0, 1, 2]);
  expect(numbers[count - 1]).toBe(1);
  const many = parse(Array.from({ length: 140_000 }, (_, k) => `w${k}`).join(' '));
  expect(known.open(many)).toBe(true);
  known.scan(many, 0, many.textLength, new NumberList());
  expect(known.open(tree)).toBe(false);
  expect(known.count).toBe(0);
});
