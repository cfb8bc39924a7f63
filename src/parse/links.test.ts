import { expect, test } from 'vitest';
import { readAttribute, scanAttributes } from './attributes.ts';
import { readLinks } from './links.ts';
import { Parser } from './parser.ts';
import { readTitle } from './title.ts';
import type { Tree } from './tree.ts';

const parse = (html: string): Tree => new Parser().parse(new TextEncoder().encode(html));
const url = 'http://www.example.org/a/page.html';

test('links are absolute, with their words and whether they stay on the site', () => {
  const tree = parse(
    '<a href="b.html?x=1&amp;y=2">B &amp; <i>b</i></a><a href=//example.org/c>C</a><a href="http://other.net/"><img alt="Other  site"></a>',
  );
  expect(readLinks(tree, { url }).map(({ href, anchor, sameSite }) => [href, anchor, sameSite])).toEqual([
    ['http://www.example.org/a/b.html?x=1&y=2', 'B & b', true],
    ['http://example.org/c', 'C', true],
    ['http://other.net/', 'Other site', false],
  ]);
});

test('links that lead to no page are left out', () => {
  const tree = parse(
    '<a href="javascript:x()">1</a><a href="mailto:a@b">2</a><a href="http://[">3</a><a href="#x">4</a>',
  );
  expect(readLinks(tree, { url }).map(({ href }) => href)).toEqual([`${url}#x`]);
});

test('links are relative to the base of the page', () => {
  const tree = parse('<base target=x><base href="/z/"><a href=y>1</a>');
  expect(readLinks(tree, { url })[0].href).toBe('http://www.example.org/z/y');
});

test('the site of a link follows the rule of the site', () => {
  const tree = parse('<a href="http://shop.example.org/">1</a><a href="/b/">2</a>');
  const sameSite = (options: Parameters<typeof readLinks>[1]): boolean[] =>
    readLinks(tree, options).map((link) => link.sameSite);
  expect(sameSite({ url, siteRule: 'domain' })).toEqual([true, true]);
  expect(sameSite({ url, siteRule: 'path:1' })).toEqual([false, false]);
});

test('the title is decoded and collapsed, and not that of a drawing', () => {
  expect(readTitle(parse('<svg><title>tip</title></svg><title>\n A &amp;  B </title>'))).toBe('A & B');
  expect(readTitle(parse('<title></title><p>x'))).toBe('');
});

test('an attribute is read by name, in any case, its value decoded', () => {
  const tree = parse(`<p CLASS='a "b"' data-x=1&amp;2 hidden title>x`);
  const p = [...tree.name.subarray(0, tree.nodeCount)].lastIndexOf(7);
  expect(readAttribute(tree, p, 'class')).toBe('a "b"');
  expect(readAttribute(tree, p, 'data-x')).toBe('1&2');
  expect(readAttribute(tree, p, 'hidden')).toBe('');
  expect(readAttribute(tree, p, 'id')).toBeUndefined();
  expect(readAttribute(tree, p + 1, 'class')).toBeUndefined();
});

test('attributes are scanned as the parser does', () => {
  const tag = `<a =b c=d/e f = 'g>' h/i "j>`;
  const spans = [...scanAttributes(new TextEncoder().encode(tag), 0, tag.length)];
  expect(
    spans.map((span) => [tag.slice(span.nameStart, span.nameEnd), tag.slice(span.valueStart, span.valueEnd)]),
  ).toEqual([
    ['=b', ''],
    ['c', 'd/e'],
    ['f', 'g>'],
    ['h', ''],
    ['i', ''],
    ['"j', ''],
  ]);
});
