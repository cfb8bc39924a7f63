import { expect, test } from 'vitest';
import { Parser } from '../../parse/parser.ts';
import { FrequentTexts, TextCounter } from './shared-texts.ts';

const parser = new Parser();
const parse = (html: string) => parser.parse(new TextEncoder().encode(html));

test('texts on enough pages are frequent at any position, and digits are ignored', () => {
  const counter = new TextCounter();
  for (let k = 0; k < 20; k++)
    counter.add(parse(`<p>Price: ${k + 10} Euro</p><b class=c${k}>Buy</b><i>own ${'x'.repeat(k + 1)}</i>`));
  const frequent = counter.frequent();
  expect(frequent).toHaveLength(2);
  const texts = new FrequentTexts(frequent);
  const tree = parse('<div><p>Price: 77 Euro</p></div><div>Buy</div><div>own words</div>');
  texts.read(tree);
  const shares = [];
  for (let node = 0; node < tree.nodeCount; node++) {
    if (tree.source.subarray(tree.start[node], tree.openEnd[node]).length === 5)
      shares.push(texts.share(tree, node));
  }
  expect(shares).toEqual([1, 1, 0]);
});

test('a text that is twice on one page counts once', () => {
  const counter = new TextCounter();
  counter.add(parse('<p>twice</p><p>twice</p>'));
  counter.add(parse('<p>another</p>'));
  expect(counter.frequent()).toEqual([]);
});

test('the share of a node is a share of its bytes of text, 0 without text', () => {
  const counter = new TextCounter();
  for (let k = 0; k < 2; k++) counter.add(parse('<p>1234567890</p>'));
  const texts = new FrequentTexts(counter.frequent());
  const tree = parse('<div><p>0000000000</p><p>abcdefghi</p></div><hr>');
  texts.read(tree);
  expect(texts.share(tree, 0)).toBeCloseTo(10 / 20, 9);
  expect(texts.share(tree, tree.nodeCount - 1)).toBe(0);
});
