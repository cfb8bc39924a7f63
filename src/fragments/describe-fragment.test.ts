import { expect, test } from 'vitest';
import { Parser } from '../parse/parser.ts';
import { tagName } from '../parse/tag-names.ts';
import type { Tree } from '../parse/tree.ts';
import { describeFragment } from './shared-page.ts';

const parse = (html: string) => new Parser().parse(Buffer.from(html));
const find = (tree: Tree, name: string) => {
  for (let node = 0; node < tree.nodeCount; node++) if (tagName(tree, node) === name) return node;
  throw new Error(`no ${name}`);
};
const describe = (html: string, name: string) => {
  const tree = parse(html);
  const node = find(tree, name);
  return describeFragment(tree, node, tree.last[node]);
};

test('a path names the elements with their id, or else their first class', () => {
  const html = '<body><div id=" page one"><ul class="menu  wide"><li>Home &amp; garden</li></ul></div>';
  expect(describe(html, 'li')).toEqual({
    place: 'html > body > div#page > ul.menu > li',
    text: 'Home & garden',
  });
});

test('several siblings are described by the path of the first and the text of all', () => {
  const tree = parse('<div><p>One</p><p>two</p>\n<p>three</p>');
  const node = find(tree, 'p');
  expect(describeFragment(tree, node, tree.last[tree.last[node]])).toEqual({
    place: 'html > body > div > p',
    text: 'One two',
  });
});

test('path and text are short however deep or long the page', () => {
  const deep = `${'<div class="x">'.repeat(400)}<p>${'long '.repeat(10_000)}`;
  const { place, text } = describe(deep, 'p');
  expect(place).toBe('html > body > … > div.x > div.x > div.x > div.x > p');
  expect(text).toHaveLength(160);
  expect(describe(`<div id="${'i'.repeat(5000)}">`, 'div').place.length).toBeLessThan(100);
});

test('a text is never cut within a character', () => {
  const { text } = describe(`<p>${'𝒳'.repeat(1000)}`, 'p');
  expect(Array.from(text)).toEqual(Array(160).fill('𝒳'));
});
