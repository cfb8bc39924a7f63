import { expect, test } from 'vitest';
import { Parser } from '../parse/parser.ts';
import { DesignValueReader, FIRST_LINK_VALUE, FIRST_TAG_STYLE_VALUE, MAX_VALUES } from './design-values.ts';

const reader = new DesignValueReader();
const valuesOf = (html: string) => [...reader.read(new Parser().parse(Buffer.from(html)))];

test('each class name is a value, in any order and number', () => {
  expect(valuesOf('<p class="a b"><p class="b">')).toEqual(valuesOf('<div CLASS=" b\n a "></div>'));
  expect(valuesOf('<p class="a b"><p class="b">')).toHaveLength(2);
});

test('a class, an id and a file with one name are different values', () => {
  expect(valuesOf('<p class=x><p id=x><img src=x><link href=x>')).toHaveLength(4);
});

test.each([
  ['<p id="post-12">', '<p id="post-1345">'],
  ['<script src="/js/main.3f2a9c.js"></script>', '<script src="/js/main.77b01d4e.js"></script>'],
  ['<script src="/jquery-1.4.2.min.js"></script>', '<script src="/jquery-3.6.0.min.js"></script>'],
  [
    '<link rel=stylesheet href="../style.css?v=3#x">',
    '<link rel=stylesheet href="http://example.com/css/style.css">',
  ],
  ['<body bgcolor="#FFFFFF">', '<body bgcolor="#ffffff">'],
])('%s and %s are one value', (one, other) => {
  expect(valuesOf(one)).toHaveLength(1);
  expect(valuesOf(other)).toEqual(valuesOf(one));
});

test.each([
  ['<p class="site-head">', '<p class="site-foot">'],
  ['<font color="#112233">', '<font color="#445566">'],
  ['<img src="/logo.gif">', '<img src="/logo.svg">'],
])('%s and %s are two values', (one, other) => {
  expect(valuesOf(one + other)).toHaveLength(2);
});

test('colours and fonts of tags are kept apart from names and files', () => {
  const styles = valuesOf('<body bgcolor=#fff text=black><font face=Arial color=red>');
  expect(styles).toHaveLength(4);
  expect(styles.every((value) => value >= FIRST_TAG_STYLE_VALUE && value < FIRST_LINK_VALUE)).toBe(true);
  const names = valuesOf('<p class="a b" id=c><img src=d.png>');
  expect(names).toHaveLength(4);
  expect(names.every((value) => value < FIRST_TAG_STYLE_VALUE)).toBe(true);
});

test('where links lead, what pages say and frames they hold are not design', () => {
  expect(valuesOf('<a href="/news/">class="x"</a><iframe src="/ad/"></iframe><!-- id="c" -->')).toEqual([]);
});

test('data instead of a name is ignored', () => {
  const data = 'a'.repeat(5000);
  expect(
    valuesOf(`<img src="data:image/png;base64,${data}"><p class="${data}" id=""><img src="///">`),
  ).toEqual([]);
});

test('a page has a bounded number of values, ascending, whatever its contents', () => {
  const name = (n: number) => Array.from(String(n), (digit) => 'abcdefghij'[Number(digit)]).join('');
  const names = Array.from({ length: 3 * MAX_VALUES }, (_, n) => name(n));
  const values = valuesOf(`<p class="${names.join(' ')}">`);
  expect(values).toHaveLength(MAX_VALUES);
  expect(values).toEqual([...new Set(values)].sort((a, b) => a - b));
  expect(valuesOf(`<p class="${names.reverse().join(' ')}">`)).toEqual(values);
});

const linksOf = (html: string) => [...reader.readLinks(new Parser().parse(Buffer.from(html)))];

test.each([
  ['<a href="http://www.example.com/about.html">', '<a href="https://example.com/about/">'],
  ['<a href="../projects/index.html">', '<a href="/projects">'],
  ['<a href="/archive/2016/04/list-12">', '<a href="list-7?page=2#top">'],
])('%s and %s lead to one place', (one, other) => {
  expect(linksOf(one)).toHaveLength(1);
  expect(linksOf(other)).toEqual(linksOf(one));
  expect(linksOf(one)[0]).toBeGreaterThanOrEqual(FIRST_LINK_VALUE);
});

test('the page itself and its root do not count as links', () => {
  expect(
    linksOf('<a href="/"></a><a href=".."></a><a href="#top"></a><a href="index.html"></a><a href="">'),
  ).toEqual([]);
  expect(linksOf('<a href="/about"></a><a href="/contact">')).toHaveLength(2);
});
