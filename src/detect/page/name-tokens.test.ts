import { expect, test } from 'vitest';
import { Parser } from '../../parse/parser.ts';
import { LexiconBuilder, NameWeights, readNameTokens } from './lexicon.ts';

function elementOf(tag: string) {
  const tree = new Parser().parse(Buffer.from(`<body>${tag}</body>`));
  let node = 0;
  while (tree.start[node] !== '<body>'.length) node++;
  return { tree, node };
}

function tokensOf(tag: string): string[] {
  const { tree, node } = elementOf(tag);
  return readNameTokens(tree, node);
}

test('names are split at punctuation, digits and capitals', () => {
  expect(tokensOf('<div class="mainMenu-2 nav_bar" id=Top1 role="banner">')).toEqual([
    'main',
    'menu',
    'nav',
    'bar',
    'top',
    'banner',
  ]);
});

test('names of other attributes are not read', () => {
  expect(tokensOf('<div data-class="a-thing" style="color:red" title="some title">')).toEqual([]);
});

test('the kernel weighs the same words', () => {
  const tags = [
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
  ];
  // one weight per word, also for words that must not be read, so that no two sets of words have the same sum
  const words = [...new Set([...tags.flatMap(tokensOf), 'a', 'x', 'x'.repeat(30), 'onclick', 'b', 't'])];
  const weights = words.map((_, k) => 2 ** (k % 20) + 1 / 2 ** (k + 1));
  const names = new NameWeights({ words, weights });
  for (const tag of tags) {
    const { tree, node } = elementOf(tag);
    const known = readNameTokens(tree, node).map((word) => Math.fround(weights[words.indexOf(word)]));
    expect([tag, names.read(tree, node)]).toEqual([
      tag,
      { sum: known.reduce((sum, weight) => sum + weight, 0), most: Math.max(0, ...known), least: 0 },
    ]);
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
  const { tree, node } = elementOf('<div class="Menu other" id="story-7">');
  expect(names.read(tree, node)).toEqual({ sum: 1, most: 2, least: -1 });
  expect(names.read(tree, 0)).toEqual({ sum: 0, most: 0, least: 0 });
});
