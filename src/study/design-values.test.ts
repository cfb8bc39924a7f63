import { expect, test } from 'vitest';
import { Parser } from '../parse/parser.ts';
import { DesignValueReader, MOST_VALUES } from './design-values.ts';

const reader = new DesignValueReader();
const valuesOf = (html: string) => [...reader.read(new Parser().parse(Buffer.from(html)))];

test('class names count one by one, in any order and however often', () => {
  expect(valuesOf('<p class="a b"><p class="b">')).toEqual(valuesOf('<div CLASS=" b\n a "></div>'));
  expect(valuesOf('<p class="a b"><p class="b">')).toHaveLength(2);
});

test('a class, an id and a file of one name are different values', () => {
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

test('where links lead, what pages say and frames they hold are no design', () => {
  expect(valuesOf('<a href="/news/">class="x"</a><iframe src="/ad/"></iframe><!-- id="c" -->')).toEqual([]);
});

test('data instead of a name is left out', () => {
  const data = 'a'.repeat(5000);
  expect(
    valuesOf(`<img src="data:image/png;base64,${data}"><p class="${data}" id=""><img src="///">`),
  ).toEqual([]);
});

test('a page leaves a bounded number of values, ascending, whatever it holds', () => {
  const name = (n: number) => Array.from(String(n), (digit) => 'abcdefghij'[Number(digit)]).join('');
  const names = Array.from({ length: 3 * MOST_VALUES }, (_, n) => name(n));
  const values = valuesOf(`<p class="${names.join(' ')}">`);
  expect(values).toHaveLength(MOST_VALUES);
  expect(values).toEqual([...new Set(values)].sort((a, b) => a - b));
  expect(valuesOf(`<p class="${names.reverse().join(' ')}">`)).toEqual(values);
});
