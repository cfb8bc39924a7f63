import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeReference, decodeReferences, referenceEnd } from './character-references.ts';
import { Parser } from './parser.ts';
import { sourceOffset, TextCursor, textOf } from './source-map.ts';
import type { Tree } from './tree.ts';

const parser = new Parser();
const encoder = new TextEncoder();
const decoder = new TextDecoder();
const parse = (html: string): Tree => parser.parse(encoder.encode(html));

/** The text of a slice of a source, parsed as a page of its own. */
function collapse(slice: Uint8Array): string {
  const tree = new Parser().parse(slice);
  return decoder.decode(tree.text.subarray(0, tree.textLength));
}

test('a range of the text maps to the bytes it comes from', () => {
  const source = '<p>one  <b>two</b>\n three</p><p>four</p>';
  const tree = parse(source);
  const text = decoder.decode(tree.text.subarray(0, tree.textLength));
  expect(text).toBe('one two three four');
  const slice = (start: number, end: number): string =>
    source.slice(sourceOffset(tree, start, 'start'), sourceOffset(tree, end, 'end'));
  expect(slice(0, 3)).toBe('one');
  expect(slice(4, 7)).toBe('two');
  expect(slice(0, 7)).toBe('one  <b>two');
  expect(slice(4, 13)).toBe('two</b>\n three');
  expect(slice(14, 18)).toBe('four');
  expect(slice(0, text.length)).toBe('one  <b>two</b>\n three</p><p>four');
});

test('a space between blocks is left out at both ends of a range', () => {
  const source = '<p>a</p><p>b</p>';
  const tree = parse(source);
  expect(source.slice(sourceOffset(tree, 0, 'start'), sourceOffset(tree, 2, 'end'))).toBe('a');
  expect(source.slice(sourceOffset(tree, 1, 'start'), sourceOffset(tree, 3, 'end'))).toBe('b');
});

test('a slice at mapped offsets collapses to the text of the range', () => {
  const piece = fc.constantFrom(
    'word',
    'é',
    '中文',
    ' ',
    '\n\t',
    '<p>',
    '</p>',
    '<b>',
    '</b>',
    '<br>',
    '<!--c-->',
    '&amp;',
    '<script>x</script>',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), fc.nat(), fc.nat(), (pieces, a, b) => {
      const tree = parse(`<body>${pieces.join('')}`);
      const size = tree.textLength;
      if (size === 0) return;
      const [from, to] = [a % size, b % (size + 1)].sort((x, y) => x - y);
      // stay on the borders of characters, as windows over text do
      if ((tree.text[from] & 0xc0) === 0x80 || (to < size && (tree.text[to] & 0xc0) === 0x80)) return;
      const text = decoder.decode(tree.text.subarray(from, to));
      const start = sourceOffset(tree, from, 'start');
      const end = sourceOffset(tree, to, 'end');
      if (text.trim() === '') return;
      expect(collapse(tree.source.subarray(start, end))).toBe(text.trim());
    }),
    { numRuns: 1000, seed: 5 },
  );
});

test('a cursor gives the first position at or after each offset', () => {
  const piece = fc.constantFrom(
    'ab',
    'é',
    ' ',
    '\n\t',
    '\0',
    '<p>',
    '</p>',
    '<b>',
    '<!--c-->',
    '<script>x</script>',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
      const tree = parse(`<body>${pieces.join('')}`);
      const cursor = new TextCursor(tree);
      let expected = 0;
      for (let offset = 0; offset <= tree.source.length; offset++) {
        while (expected < tree.textLength && sourceOffset(tree, expected, 'start') < offset) expected++;
        expect(cursor.positionOf(offset)).toBe(expected);
      }
    }),
    { numRuns: 1000, seed: 5 },
  );
});

test('positions outside the text are refused', () => {
  const tree = parse('abc');
  expect(() => sourceOffset(tree, 4, 'start')).toThrow(/0 to 3/);
  expect(() => sourceOffset(tree, -1, 'end')).toThrow(RangeError);
  expect(sourceOffset(tree, 3, 'end')).toBe(3);
});

test('a page without text maps its only position to its borders', () => {
  const tree = parse('<br>');
  expect([sourceOffset(tree, 0, 'start'), sourceOffset(tree, 0, 'end')]).toEqual([4, 0]);
});

test('the text of a subtree is that of its nodes', () => {
  const tree = parse('a<div>b <i>c</i></div>d');
  const div = [...tree.name.subarray(0, tree.nodeCount)].lastIndexOf(5);
  expect(textOf(tree, div)).toBe('b c');
  expect(textOf(tree, 0)).toBe('a b c d');
});

test('references are decoded, named and numeric, with and without a semicolon', () => {
  expect(decodeReferences('a &lt; b &amp; c &eacute;&#233;&#xE9;&copy 2009 &#150; &unknown; x')).toBe(
    'a < b & c ééé© 2009 – &unknown; x',
  );
});

test('a reference decoded alone gives the same text as within the whole text', () => {
  const piece = fc.constantFrom(
    '&',
    '#',
    'x',
    '41',
    '8217',
    ';',
    'amp',
    'not',
    'it',
    'copy',
    'nLt',
    ' ',
    'é',
    '=',
  );
  const text = fc.oneof(
    fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join('')),
    fc.constantFrom(
      '&#xD83D;&#xDE00;',
      '&CounterClockwiseContourIntegral;',
      `&#${'0'.repeat(50)}65;`,
      '&#150;',
    ),
  );
  fc.assert(
    fc.property(text, (written) => {
      const bytes = Buffer.from(written);
      const parts: Buffer[] = [];
      for (let at = 0; at < bytes.length; ) {
        const isReference = bytes[at] === 0x26;
        const end = isReference ? referenceEnd(bytes, at, bytes.length) : at + 1;
        parts.push(
          isReference ? decodeReference(bytes.toString('latin1', at, end)) : bytes.subarray(at, end),
        );
        at = end;
      }
      expect(Buffer.concat(parts).toString()).toBe(decodeReferences(written));
    }),
    { numRuns: 2000, seed: 5 },
  );
});
