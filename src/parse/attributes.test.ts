import { expect, test } from 'vitest';
import { readAttribute, scanAttributes } from './attributes.ts';
import { Parser } from './parser.ts';
import type { Tree } from './tree.ts';

const parse = (html: string): Tree => new Parser().parse(new TextEncoder().encode(html));

test('an attribute is read by its name in any case, with its value decoded', () => {
  const tree = parse(`<p CLASS='a "b"' data-x=1&amp;2 hidden title>x`);
  const p = [...tree.name.subarray(0, tree.nodeCount)].lastIndexOf(7);
  expect(readAttribute(tree, p, 'class')).toBe('a "b"');
  expect(readAttribute(tree, p, 'data-x')).toBe('1&2');
  expect(readAttribute(tree, p, 'hidden')).toBe('');
  expect(readAttribute(tree, p, 'id')).toBeUndefined();
  expect(readAttribute(tree, p + 1, 'class')).toBeUndefined();
});

test('attributes are scanned in the same way as by the parser', () => {
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
