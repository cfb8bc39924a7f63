import { expect, test } from 'vitest';
import { IMPORTANT } from './css-declarations.ts';
import { PROPERTY } from './css-properties.ts';
import { readCss } from './css-reader.ts';
import { fractionOf, toLength } from './css-values.ts';
import { AUTO, percent } from './lengths.ts';
import { StyleSheet } from './style-sheet.ts';
import { FLEX, NONE } from './tag-styles.ts';

const encoder = new TextEncoder();

function read(css: string): StyleSheet {
  const sheet = new StyleSheet();
  const bytes = encoder.encode(css);
  readCss(bytes, 0, bytes.length, sheet);
  return sheet;
}

/** The declarations of the one rule in a sheet, by property. */
function declared(declarations: string): Map<number, number> {
  const { count, property, value } = read(`a{${declarations}}`).declarations;
  return new Map(Array.from({ length: count }, (_, k) => [property[k], value[k]]));
}

test.each([
  ['a tag', 'div', 1],
  ['a class and an id', 'p.x#y', 1],
  ['steps down', '.a > .b .c', 1],
  ['a list', 'a, b ,i', 3],
  ['an escaped class', '.md\\:flex', 1],
  ['everything', '*', 1],
  ['a name of the page', 'my-menu', 1],
])('%s is selected by', (_, selector, count) => {
  expect(read(`${selector}{width:1px}`).selectorCount).toBe(count);
});

test.each([
  ['states', 'a:hover'],
  ['attributes', 'input[type=text]'],
  ['siblings', 'h1 + p'],
  ['negations', 'li:not(.x)'],
  ['nothing', ''],
])('%s are not selected by', (_, selector) => {
  expect(read(`${selector}{width:1px}`).selectorCount).toBe(0);
});

test('rules that say nothing of places are dropped', () => {
  expect(read('a{color:red;background:url(x;y)}').selectorCount).toBe(0);
});

test.each([
  ['@media print{a{width:1px}}', 0],
  ['@media screen and (min-width: 600px){a{width:1px}}', 1],
  ['@media (max-width: 40em){a{width:1px}}', 0],
  ['@media (width >= 48rem){a{width:1px}}', 1],
  ['@media print, screen{a{width:1px}}', 1],
  ['@supports (display: grid){a{width:1px}}', 1],
  ['@keyframes x{from{width:1px}to{width:2px}}b{width:1px}', 1],
  ['@import url(x);@charset "y";a{width:1px}', 1],
  ['<!-- /* { */ a{/* width:2px; */width:1px} -->', 1],
  ['a::before{content:"}";width:1px}b{width:2px}', 1],
])('%s has %i rules for this window', (css, count) => {
  expect(read(css).selectorCount).toBe(count);
});

test('of two declarations of a block the later counts, and a block never grows beyond the properties', () => {
  expect(declared('width:1px;width:2px').get(PROPERTY.width)).toBe(2);
  expect(read(`a{${'margin:1px;'.repeat(1000)}}`).declarations.count).toBe(4);
});

test('lengths keep their unit until the element is known', () => {
  const found = declared(
    'width:50%;height:1.5em;margin-left:-2rem;margin-right:auto;max-width:calc(100% - 20px)',
  );
  expect(found.get(PROPERTY.width)).toBe(percent(50));
  expect(toLength(found.get(PROPERTY.height)!, 20, 10)).toBe(30);
  expect(toLength(found.get(PROPERTY.marginLeft)!, 20, 10)).toBe(-20);
  expect(found.get(PROPERTY.marginRight)).toBe(AUTO);
  expect(found.get(PROPERTY.maxWidth)).toBe(percent(100));
});

test('a length times a number is reckoned, of a sum the first term counts', () => {
  const found = declared('width:calc(1200px * 1.5);height:calc(2 * 30px - 1px);max-width:calc(-10% / 2)');
  expect(found.get(PROPERTY.width)).toBe(1800);
  expect(found.get(PROPERTY.height)).toBe(60);
  expect(found.get(PROPERTY.maxWidth)).toBe(percent(-5));
});

test('shorthands are taken apart', () => {
  const found = declared('margin:1px 2px 3px;flex:2 1 100px;font:bold 20px/1.5 Verdana, sans-serif');
  expect(
    [PROPERTY.marginTop, PROPERTY.marginRight, PROPERTY.marginBottom, PROPERTY.marginLeft].map((p) =>
      found.get(p),
    ),
  ).toEqual([1, 2, 3, 2]);
  expect([found.get(PROPERTY.flexGrow), found.get(PROPERTY.flexBasis)]).toEqual([2, 100]);
  expect([found.get(PROPERTY.fontSize), found.get(PROPERTY.lineHeight)]).toEqual([20, percent(150)]);
});

test('important declarations are marked', () => {
  expect(declared('display:none ! important').get(PROPERTY.display | IMPORTANT)).toBe(NONE);
  expect(declared('display:flex').get(PROPERTY.display)).toBe(FLEX);
});

test('columns of a grid are counted', () => {
  const { tracks } = read('a{grid-template-columns:[x] 200px repeat(2, minmax(0, 1fr)) auto}').declarations;
  expect(tracks[0]).toBe(4);
  expect(tracks[1]).toBe(200);
  expect([tracks[2], tracks[3]].map(fractionOf)).toEqual([1, 1]);
  expect(tracks[4]).toBe(AUTO);
});

test.each([
  ['braces that never close', 'a{'.repeat(50_000)],
  ['comments that never close', 'a/*'.repeat(50_000)],
  ['brackets that never close', 'a(,'.repeat(50_000)],
  ['quotes that never close', 'a{content:"'.repeat(20_000)],
  ['media that never ends', `@media ${'('.repeat(100_000)}`],
  ['values that never end', `a{grid-template-columns:${'minmax('.repeat(30_000)}`],
])('%s are read to the end', (_, css) => {
  expect(read(css).selectorCount).toBeLessThan(100_000);
});
