import { expect, test } from 'vitest';
import { Parser } from './parser.ts';
import { readTitle } from './title.ts';
import type { Tree } from './tree.ts';

const parse = (html: string): Tree => new Parser().parse(new TextEncoder().encode(html));

test('the title is decoded and collapsed, and a title inside svg is ignored', () => {
  expect(readTitle(parse('<svg><title>tip</title></svg><title>\n A &amp;  B </title>'))).toBe('A & B');
  expect(readTitle(parse('<title></title><p>x'))).toBe('');
});
