import { expect, test } from 'vitest';
import { contentRange, tileRanges } from '../detect/ranges.ts';
import type { Range } from '../model/range.ts';
import { Parser } from '../parse/parser.ts';
import { measureShares } from './shares.ts';

const html = '<div><a href="/">Home</a> <a href="/n">Νέα</a></div><p>Some  <a href="/x">words</a> here</p>';
const source = new Uint8Array(Buffer.from(html));
const tree = new Parser().parse(source);

/** Labels the given spans of the source as template. */
function templates(...texts: string[]): Range[] {
  const ranges = texts.map((text): Range => {
    const start = Buffer.from(html).indexOf(text);
    return {
      ...contentRange(start, start + Buffer.byteLength(text)),
      label: 'template',
      template: '0'.repeat(16),
    };
  });
  return tileRanges(source.length, ranges);
}

test('a page without templates has none', () => {
  expect(measureShares(tree, templates())).toEqual({
    htmlBytes: source.length,
    templateHtmlBytes: 0,
    textBytes: tree.textLength,
    templateTextBytes: 0,
    links: 3,
    templateLinks: 0,
  });
});

test('the text and links inside a template element count as template', () => {
  const menu = '<div><a href="/">Home</a> <a href="/n">Νέα</a></div>';
  const shares = measureShares(tree, templates(menu));
  expect(shares).toMatchObject({ templateHtmlBytes: Buffer.byteLength(menu), templateLinks: 2 });
  expect(shares.templateTextBytes).toBeGreaterThanOrEqual(Buffer.byteLength('Home Νέα'));
  expect(shares.templateTextBytes).toBeLessThanOrEqual(Buffer.byteLength('Home Νέα') + 1);
});

test('a link counts as template when its text starts a template range', () => {
  expect(measureShares(tree, templates('words</a> here')).templateLinks).toBe(1);
  expect(measureShares(tree, templates('ords</a> here')).templateLinks).toBe(0);
});

test('by tag, a link counts as template when its start tag does, whatever it contains', () => {
  const byTag = (text: string) => measureShares(tree, templates(text), { linksBy: 'tag' }).templateLinks;
  expect(byTag('words</a> here')).toBe(0);
  expect(byTag('<a href="/x">')).toBe(1);
  expect(byTag('<a href="/n">Νέα</a>')).toBe(1);
});

test('a range that cuts a text counts the bytes it covers, with white space collapsed', () => {
  expect(measureShares(tree, templates('Ho')).templateTextBytes).toBe(2);
  expect(measureShares(tree, templates('έα')).templateTextBytes).toBe(4);
  expect(measureShares(tree, templates('me')).templateTextBytes).toBe(2);
  expect(measureShares(tree, templates('Some  ')).templateTextBytes).toBe(5);
});
