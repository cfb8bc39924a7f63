import { expect, test } from 'vitest';
import { Parser } from '../../parse/parser.ts';
import type { Tree } from '../../parse/tree.ts';
import { copiedBytes, copyTree } from './copy-tree.ts';

const encode = (text: string) => new TextEncoder().encode(text);
const PAGE =
  '<title>é</title><my-box a=1><p>One <a href="/x">two</a><svg><g/></svg> three</my-box><!-- four -->';

/** Every column of a tree, as far as it is filled. */
function filled(tree: Tree): Record<string, unknown> {
  const { nodeCount, textLength, linkCount } = tree;
  return Object.fromEntries(
    Object.entries(tree).map(([name, value]) => {
      if (!ArrayBuffer.isView(value) || name === 'source') return [name, value];
      const length =
        name === 'text'
          ? textLength
          : name.startsWith('link')
            ? linkCount
            : nodeCount + Number(name === 'textStart');
      return [name, [...(value as Uint8Array).subarray(0, length)]];
    }),
  );
}

test('a copy holds all of a tree after the parser has gone on', () => {
  const parser = new Parser();
  const expected = filled(new Parser().parse(encode(PAGE)));
  const copy = copyTree(parser.parse(encode(PAGE)));
  parser.parse(encode('<ul><li>another page<li>with more'));
  expect(filled(copy)).toEqual(expected);
});

test('a copy takes as many bytes as is said', () => {
  const copy = copyTree(new Parser().parse(encode(PAGE)));
  let bytes = 0;
  for (const column of Object.values(copy)) if (ArrayBuffer.isView(column)) bytes += column.byteLength;
  // the entry that only textStart has more of the nodes is counted for all of them
  expect(copiedBytes(copy)).toBeGreaterThanOrEqual(bytes);
  expect(copiedBytes(copy)).toBeLessThanOrEqual(bytes + 43);
});
