import { expect, test } from 'vitest';
import { IMPORTANT, PROPERTY } from './css-declarations.ts';
import { AUTO, percentLength, toLength } from './css-lengths.ts';
import { readCss } from './css-reader.ts';
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
  ['ancestors', '.a .b'],
  ['parents', '.a > .b'],
  ['negations', 'li:not(.x)'],
  ['nothing', ''],
])('%s are not selected by', (_, selector) => {
  expect(read(`${selector}{width:1px}`).selectorCount).toBe(0);
});

test('rules without a property that affects the layout are dropped', () => {
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

test('the later of two declarations in a block wins, and a block has at most one declaration per property', () => {
  expect(declared('width:1px;width:2px').get(PROPERTY.width)).toBe(2);
  expect(read(`a{${'margin:1px;'.repeat(1000)}}`).declarations.count).toBe(4);
});

test('lengths keep their unit until the element is known', () => {
  const found = declared('width:calc(100% - 20px);font-size:1.5em;margin-left:-2rem;margin-right:auto');
  expect(found.get(PROPERTY.width)).toBe(percentLength(100));
  expect(toLength(found.get(PROPERTY.fontSize)!, 20, 10)).toBe(30);
  expect(toLength(found.get(PROPERTY.marginLeft)!, 20, 10)).toBe(-20);
  expect(found.get(PROPERTY.marginRight)).toBe(AUTO);
});

test.each([
  ['12pt', 16],
  ['50vw', 640],
  ['-.5px', -0.5],
  ['1e9px', Number.NaN],
  ['var(--x)', Number.NaN],
  ['99999999px', 40_000],
])('a width of %s is %d px', (value, px) => {
  expect(declared(`width:${value}`).get(PROPERTY.width) ?? Number.NaN).toBe(px);
});

test('shorthands are split into their properties', () => {
  const margins = [PROPERTY.marginTop, PROPERTY.marginRight, PROPERTY.marginBottom, PROPERTY.marginLeft];
  const sides = (css: string) => margins.map((p) => declared(css).get(p));
  expect(sides('margin:1px 2px 3px')).toEqual([1, 2, 3, 2]);
  expect(sides('margin:1px 2px 3px 4px')).toEqual([1, 2, 3, 4]);
  expect(sides('margin-inline:5px')).toEqual([undefined, 5, undefined, 5]);
  expect(declared('font:bold 700 20px/1.5 Verdana, sans-serif').get(PROPERTY.fontSize)).toBe(20);
  expect(declared('font-size:small').get(PROPERTY.fontSize)).toBe(13);
});

test('a semicolon in quotes, brackets or a comment does not end a value', () => {
  const found = declared('content:"a;width:1px";background:url(b;width:2px);/*;width:3px;*/float:left');
  expect([...found]).toEqual([[PROPERTY.float, 1]]);
});

test('invalid values are dropped, and an earlier declaration of the property stays valid', () => {
  expect(declared('width:5px;width:wide;display:ruby').get(PROPERTY.width)).toBe(5);
});

test('important declarations are marked', () => {
  expect(declared('display:none ! important').get(PROPERTY.display | IMPORTANT)).toBe(NONE);
  expect(declared('display:flex').get(PROPERTY.display)).toBe(FLEX);
});

test.each([
  ['braces that never close', 'a{'.repeat(50_000)],
  ['comments that never close', 'a/*'.repeat(50_000)],
  ['brackets that never close', 'a(,'.repeat(50_000)],
  ['quotes that never close', 'a{content:"'.repeat(20_000)],
  ['media that never ends', `@media ${'('.repeat(100_000)}`],
  ['values that never end', `a{width:${'calc('.repeat(30_000)}`],
])('%s are read to the end', (_, css) => {
  expect(read(css).selectorCount).toBeLessThan(100_000);
});
