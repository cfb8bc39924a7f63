import { expect, test } from 'vitest';
import { Parser } from '../../parse/parser.ts';
import {
  hashToken,
  LexiconBuilder,
  MAX_TOKENS,
  NameWeights,
  readNameTokens,
  scanNameTokens,
} from './lexicon.ts';

function tokensOf(tag: string): { slow: string[]; fast: number[] } {
  const tree = new Parser().parse(Buffer.from(`<body>${tag}</body>`));
  let node = 0;
  while (tree.start[node] !== '<body>'.length) node++;
  const out = new Int32Array(MAX_TOKENS);
  const count = scanNameTokens(tree.source, tree.start[node], tree.openEnd[node], out);
  return { slow: readNameTokens(tree, node), fast: [...out.subarray(0, count)] };
}

test('names are cut at signs, digits and capitals', () => {
  expect(tokensOf('<div class="mainMenu-2 nav_bar" id=Top1 role="banner">').slow).toEqual([
    'main',
    'menu',
    'nav',
    'bar',
    'top',
    'banner',
  ]);
});

test('names of other attributes are not read', () => {
  expect(tokensOf('<div data-class="a-thing" style="color:red" title="some title">').slow).toEqual([]);
});

test('the fast scan finds the hashes of the same words', () => {
  for (const tag of [
    '<div>',
    '<div class>',
    '<div class=a>',
    '<div class=alpha id=beta>',
    '<div id=\'x-yy\' CLASS="Foo BarBaz fooBARBaz">',
    '<div class = "spaced  out" / role=main>',
    '<div itemprop="articleBody" class="été-menu">',
    `<div class="${'word '.repeat(40)}">`,
    `<div class="${'x'.repeat(30)} ok">`,
    '<div onclick="a > b" class="after">',
  ]) {
    const { slow, fast } = tokensOf(tag);
    expect([tag, ...fast]).toEqual([tag, ...slow.map(hashToken)]);
  }
});

test('a lexicon keeps words of several sites by how often they are template', () => {
  const builder = new LexiconBuilder();
  for (let site = 0; site < 6; site++) {
    builder.add(['menu', 'box'], 1);
    builder.add(['story', 'box'], 0);
    if (site === 0) builder.add(['only'], 1);
    builder.endSite();
  }
  const { words, weights } = builder.build();
  expect(words).toEqual(['menu', 'story']);
  expect(weights[0]).toBeGreaterThan(1);
  expect(weights[1]).toBeLessThan(-1);
});

test('names are looked up from the bytes of a start tag', () => {
  const names = new NameWeights({ words: ['menu', 'story'], weights: [2, -1] });
  const source = Buffer.from('<div class="Menu other" id="story-7">');
  names.read(source, 0, source.length);
  expect([names.sum, names.most, names.least]).toEqual([1, 2, -1]);
  names.read(source, 0, 5);
  expect([names.sum, names.most, names.least]).toEqual([0, 0, 0]);
});
