import { expect, test } from 'vitest';
import { makeRange } from '../detect/ranges.ts';
import { Parser } from '../parse/parser.ts';
import type { GoldRow } from './gold.ts';
import { CONTENT, findLeaves, findTemplateWords, judgeLeaves, NEUTRAL, TEMPLATE } from './page-leaves.ts';

test('leaves are the visible texts that have words, with the links around them', () => {
  const leaves = leavesOf(
    '<title>T</title><p>One <a href=/x>two <b>Three</b></a> &mdash;</p><script>no()</script>four',
  );
  expect(leaves.words).toEqual(['one', 'two', 'three', 'four']);
  expect(leaves.wordLeaf).toEqual([0, 1, 2, 3]);
  expect(leaves.wordLink).toEqual([-1, 0, 0, -1]);
  expect(leaves.nodes.map((node) => textAt(leaves.tree, node))).toEqual(['One ', 'two ', 'Three', 'four']);
});

test('words of a token start where the token does, references and all', () => {
  const html = '<p>R&amp;D caf&eacute;-bar</p>';
  const { words, wordStart } = leavesOf(html);
  expect(words).toEqual(['r', 'd', 'café', 'bar']);
  expect(wordStart.map((start) => html.slice(start, start + 3))).toEqual(['R&a', 'R&a', 'caf', 'caf']);
});

test('a leaf is content when the gold text has most of its words in their place', () => {
  const leaves = leavesOf('<div>News Sport</div><p>The news of the day</p><p>Read more news here now</p>');
  expect([...judgeLeaves(leaves, goldOf({ text: 'The news of this day' }))!]).toEqual([
    TEMPLATE,
    CONTENT,
    TEMPLATE,
  ]);
});

test('readers’ comments are neither', () => {
  const leaves = leavesOf('<p>the story</p><p>what a fine story</p><p>imprint</p>');
  const gold = goldOf({ text: 'The story', comments: 'what a fine story' });
  expect([...judgeLeaves(leaves, gold)!]).toEqual([CONTENT, NEUTRAL, TEMPLATE]);
});

test('blocks label their leaves, and others are neutral', () => {
  const leaves = leavesOf(
    '<p>home</p><h1>Title</h1><p>text of it</p><p>related one</p><p>well said</p><p>unknown</p>',
  );
  const blocks = [
    [0, 'home'],
    [1, 'Title'],
    [2, 'text of it'],
    [4, 'related one'],
    [5, 'well said'],
  ] as const;
  const gold = goldOf({ blocks: blocks.map(([label, text]) => ({ label, text })) });
  expect([...judgeLeaves(leaves, gold)!]).toEqual([TEMPLATE, CONTENT, CONTENT, TEMPLATE, NEUTRAL, NEUTRAL]);
});

test('gold without text and blocks gives no labels', () => {
  expect(judgeLeaves(leavesOf('<p>a'), goldOf({}))).toBeUndefined();
});

test('words are template where the range is, even in the middle of a leaf', () => {
  const html = '<p>one two three</p>four';
  const cut = html.indexOf('three');
  const ranges = [
    makeRange(0, cut, 'content', 0, '', ''),
    makeRange(cut, html.indexOf('</p>'), 'template', 1, '', ''),
    makeRange(html.indexOf('</p>'), html.length, 'unsure', 0.5, '', ''),
  ];
  expect([...findTemplateWords(leavesOf(html), ranges)]).toEqual([0, 0, 1, 0]);
});

function leavesOf(html: string) {
  return findLeaves(new Parser().parse(Buffer.from(html)));
}

function goldOf(fields: Partial<GoldRow>): GoldRow {
  return { url: '', site: '', set: '', keep: [], drop: [], ...fields };
}

function textAt({ source, start, end }: ReturnType<typeof leavesOf>['tree'], node: number): string {
  return Buffer.from(source).toString('utf8', start[node], end[node]);
}
