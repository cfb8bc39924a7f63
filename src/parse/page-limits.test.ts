/**
 * Pages with more names, attributes or depth than usual: the parser completes them, or refuses them without
 * effect on the next page.
 */
import { expect, test } from 'vitest';
import { columnsOf, parseHeld } from '../../test/held-tree.ts';
import { compareWithParse5 } from '../../test/parse5-oracle.ts';
import { validate } from '../../test/sound-tree.ts';
import { DEFAULT_LIMITS } from '../model/limits.ts';
import { Parser, TooManyNodesError } from './parser.ts';

const encoder = new TextEncoder();
const parser = new Parser();

test.each([
  ['nodes', '<i>a</i>', 40_000],
  ['links', '<a href=b>c</a>', 20_000],
  ['formatting elements', '<b><i><u><s><em><tt>', 64],
])('a page with many %s is parsed completely', (_, part, count) => {
  const html = `<!doctype html><body><p>${part.repeat(count)}<ul><li>z</li></ul>`;
  const tree = parser.parse(encoder.encode(html));
  validate(tree);
  expect(compareWithParse5(tree).firstDifference).toBe('');
});

test('elements may be nested as deep as the limit, any number of times', () => {
  const deep = new Parser({ limits: { depth: 3000 } });
  const html = `<!doctype html><body>${'<div>'.repeat(1200)}a${'</div>'.repeat(1200)}<p>b</p>`;
  const tree = deep.parse(encoder.encode(html));
  expect(tree.depthCapped).toBe(false);
  expect(compareWithParse5(tree).firstDifference).toBe('');
});

test('nested cells are closed in reverse order', () => {
  const open = '<table><tbody><tr><td>';
  const close = '</td></tr></tbody></table>';
  const html = `<!doctype html><body>${open.repeat(80)}<b>a</b>${close.repeat(80)}<p>b</p>`;
  expect(compareWithParse5(parser.parse(encoder.encode(html))).firstDifference).toBe('');
});

test('a refused page leaves no open elements for the next page of any parser', () => {
  const few = new Parser({ limits: { nodes: 50 } });
  const html = encoder.encode(
    '<!doctype html><body><ul><li><p>a</p></li></ul><table><tr><td>b</td></tr></table><x-y>',
  );
  const expected = columnsOf(parser.parse(html));
  const tooMany = encoder.encode(`<body><x-z><button><p><ul><li>${'<dl><dt>'.repeat(60)}`);
  expect(() => few.parse(tooMany)).toThrow(TooManyNodesError);
  expect(columnsOf(parser.parse(html))).toEqual(expected);
  expect(columnsOf(few.parse(html))).toEqual(expected);
});

test('a page may have as many nodes as the limit', () => {
  const html = (parts: number) => encoder.encode(`<body>${'<i>a</i>'.repeat(parts)}`);
  // document, html, head, body, and two nodes per part
  const limited = new Parser({ limits: { nodes: 24 } });
  expect(limited.parse(html(10)).nodeCount).toBe(24);
  expect(() => limited.parse(html(11))).toThrow(TooManyNodesError);
});

test('a page larger than all before it has room, and so has one with more nodes', () => {
  const size = DEFAULT_LIMITS.pageBytes + 1;
  const large = parser.parse(new Uint8Array(size).fill(0x61));
  expect(large.textLength).toBe(size);
  const count = DEFAULT_LIMITS.nodes + 1;
  const many = new Parser({ limits: { nodes: 2 * count } }).parse(encoder.encode('<br>'.repeat(count)));
  expect(many.nodeCount).toBe(count + 4);
  expect(() => parser.parse(encoder.encode('<br>'.repeat(count)))).toThrow(TooManyNodesError);
});

test('a source that is already in the workspace is not copied', () => {
  const html = '<p>one <b>two</b> <x-y>three';
  const expected = columnsOf(parseHeld(html));
  const bytes = encoder.encode(html);
  const { source } = parser.parse(bytes);
  const tree = parser.parse(source);
  expect(tree.source.byteOffset).toBe(source.byteOffset);
  expect(columnsOf(tree)).toEqual(expected);
});

test('a source in the workspace is kept when the workspace is made larger', () => {
  const html = `${'<br>'.repeat(300_000)}x`;
  const expected = columnsOf(parseHeld(html, { limits: { nodes: 3_000_000 } }));
  const bytes = encoder.encode(html);
  const { source } = parser.parse(bytes);
  const tree = new Parser({ limits: { nodes: 30_000_000 } }).parse(source);
  expect(columnsOf(tree)).toEqual(expected);
});
