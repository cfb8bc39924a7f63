import { expect, test } from 'vitest';
import { type LinkOptions, PageTargets } from './page-targets.ts';
import { Parser } from './parser.ts';
import type { Tree } from './tree.ts';

const parse = (html: string): Tree => new Parser().parse(new TextEncoder().encode(html));
const url = 'http://www.example.org/a/page.html';
const targetsOf = (tree: Tree, options: LinkOptions = { url }) =>
  new PageTargets(tree, options).inside(0, tree.source.length);

test('links are absolute, and marked if they stay on the site', () => {
  const tree = parse(
    '<a href="b.html?x=1&amp;y=2">B</a><a href=//example.org/c>C</a><a href="http://other.net/">Other</a>',
  );
  expect(targetsOf(tree).map(({ href, sameSite }) => [href, sameSite])).toEqual([
    ['http://www.example.org/a/b.html?x=1&y=2', true],
    ['http://example.org/c', true],
    ['http://other.net/', false],
  ]);
});

test('links that do not lead to a page are left out', () => {
  const tree = parse(
    '<a href="javascript:x()">1</a><a href="mailto:a@b">2</a><a href="http://[">3</a><a href="#x">4</a>',
  );
  expect(targetsOf(tree).map(({ href }) => href)).toEqual([`${url}#x`]);
});

test('links are relative to the base of the page', () => {
  const tree = parse('<base target=x><base href="/z/"><a href=y>1</a>');
  expect(targetsOf(tree)[0].href).toBe('http://www.example.org/z/y');
});

test('the site of a link is made by the rule of the site', () => {
  const tree = parse('<a href="http://shop.example.org/">1</a><a href="/b/">2</a>');
  const sameSite = (options: LinkOptions): boolean[] => targetsOf(tree, options).map((link) => link.sameSite);
  expect(sameSite({ url, siteRule: 'domain' })).toEqual([true, true]);
  expect(sameSite({ url, siteRule: 'path:1' })).toEqual([false, false]);
});

test('links are found by their start', () => {
  const links = new PageTargets(parse('<a href=a>1</a><a href=b>2</a><a href=c>3</a>'), { url });
  const namesIn = (start: number, end: number) => links.inside(start, end).map(({ href }) => href.at(-1));
  expect(namesIn(0, 45)).toEqual(['a', 'b', 'c']);
  expect(namesIn(1, 30)).toEqual(['b']);
  expect(namesIn(15, 31)).toEqual(['b', 'c']);
  expect(namesIn(31, 45)).toEqual([]);
});
