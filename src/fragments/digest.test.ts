import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type FragmentNode, formOf, readNodes, sizeOf } from '../../test/fragment-node.ts';
import { Parser } from '../parse/parser.ts';
import { FragmentDigest } from './digest.ts';
import type { Relation } from './shared-page.ts';

const parser = new Parser();

test('sizes count names, attribute names and values, and texts with collapsed white space', () => {
  const source = '<body><div class="menu top" HIDDEN id = x>  one\n two </div>';
  expect(sizesOf(source)).toEqual([
    ['html', 44, 28],
    ['head', 4, 4],
    ['body', 36, 20],
    ['div', 3 + 5 + 8 + 6 + 2 + 1 + 7, 3 + 5 + 6 + 2],
  ]);
});

test.each([
  ['<p a=1 b=\'2 3\' c="">x</p>'],
  ['<p =x ==y a = "1" b= c>'],
  ['<p a=/b/ c/d/e>'],
  ['<br/><img src=a.png/ alt="">'],
  ['<image src=x>'],
  ['<p a="<b>" b=\'>\'>text'],
  ['<p a=1 a=2 A=3>'],
  ['<x-card data-x>a</x-card><Überraschung ä=ö>'],
  ['<svg viewBox="0 0 1 1"><title> a  b </title><path d="M0 0"/></svg>'],
  ['<template><p> in  a\n template </template>'],
  ['<script>a  b</script><style> c </style><title> d  e </title><textarea> f  g </textarea>'],
  ['<table><td>1<td>2</table>'],
  ['<p>a\0b \0 c</p>'],
  ['<!-- c --><p>one<!-- two -->three</p>'],
  ['<ul><li>one<li>two</ul>'],
  ['no markup'],
  [''],
])('rows of %j are those of the plain twin', (source) => {
  expectTwin(source, 1);
});

test('rows agree with the plain twin on random pages', () => {
  const piece = fc.constantFrom(
    ...['<div>', '<div class=a>', '<p id="b c">', '<span>', '<ul><li>', '</div>', '</p>', '</span>', '</ul>'],
    ...['text', ' more  text ', '<br>', '<!-- x -->', '<script>1  2</script>', '<td>', '<table>', '</table>'],
  );
  const source = fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join(''));
  fc.assert(fc.property(source, fc.integer({ min: 1, max: 40 }), expectTwin), { seed: 7, numRuns: 500 });
});

test('100,000 elements under one parent have one row each', () => {
  const digest = new FragmentDigest({ minBytes: 4 });
  digest.read(parser.parse(Buffer.from(`<div>${'<p>one</p> '.repeat(100_000)}</div>`)));
  expect(digest.rowCount).toBe(100_004);
  expect(digest.completeBack[50_000]).toBe(1);
  expect(digest.up[50_000]).toBe(50_000 - 3);
});

test('a minimum size below 1 is refused', () => {
  expect(() => new FragmentDigest({ minBytes: 0 })).toThrow('minBytes must be a whole number from 1, not 0');
});

function sizesOf(source: string): [name: string, complete: number, structural: number][] {
  const tree = parser.parse(Buffer.from(source));
  const digest = new FragmentDigest({ minBytes: 1 });
  digest.read(tree);
  const names = new Map(readNodes(tree, 0).map(({ id, name }) => [id, name]));
  return Array.from({ length: digest.rowCount }, (_, row) => [
    names.get(digest.node[row])!,
    digest.completeBytes[row],
    digest.structuralBytes[row],
  ]);
}

/** Compares every column with the objects of the tree. */
function expectTwin(source: string, minBytes: number): void {
  const tree = parser.parse(Buffer.from(source));
  const digest = new FragmentDigest({ minBytes });
  digest.read(tree);
  const nodes = readNodes(tree, 0);
  const stored = nodes.filter((node) => sizeOf(node, 'complete') >= minBytes);
  const rowOf = new Map(stored.map((node, row) => [node, row]));
  const { rowCount, node, sibling, start, end, up, completeBytes, structuralBytes } = digest;
  expect(rowCount).toBe(stored.length);

  const gaps = new Map<string, string>();
  stored.forEach((expected, row) => {
    const isStructural = sizeOf(expected, 'structural') >= minBytes;
    const complete = previousOf(expected, 'complete', minBytes);
    const structural = isStructural ? previousOf(expected, 'structural', minBytes) : undefined;
    const back = (previous?: { node: FragmentNode }) => (previous ? row - rowOf.get(previous.node)! : 0);
    expect({
      node: node[row],
      sibling: sibling[row],
      start: start[row],
      end: end[row],
      up: up[row],
      completeBytes: completeBytes[row],
      structuralBytes: structuralBytes[row],
      nodes: digest.nodes[row],
      completeBack: digest.completeBack[row],
      structuralBack: digest.structuralBack[row],
    }).toEqual({
      node: expected.id,
      sibling: expected.last,
      start: expected.start,
      end: expected.end,
      up: expected.parent === undefined ? 0 : row - rowOf.get(expected.parent)!,
      completeBytes: sizeOf(expected, 'complete'),
      structuralBytes: sizeOf(expected, 'structural'),
      nodes: nodes.filter(({ id }) => id >= expected.id && id < expected.last).length,
      completeBack: back(complete),
      structuralBack: back(structural),
    });

    // gaps are equal if and only if their hashes are
    for (const [gap, lanes] of [
      [complete?.gap, digest.completeGap],
      [structural?.gap, digest.structuralGap],
    ] as const) {
      const hash = `${lanes[row * 2]} ${lanes[row * 2 + 1]}`;
      if (gap === undefined || gap === '') expect(hash).toBe('0 0');
      const key = `${lanes === digest.completeGap} ${gap ?? ''}`;
      expect(gaps.get(key) ?? hash).toBe(hash);
      gaps.set(key, hash);
    }
  });
  for (const relation of [true, false]) {
    const hashes = [...gaps].filter(([key]) => key.startsWith(`${relation} `)).map(([, hash]) => hash);
    expect(new Set(hashes).size).toBe(hashes.length);
  }
}

function previousOf(node: FragmentNode, relation: Relation, minBytes: number) {
  const siblings = node.parent?.children ?? [];
  let gap = '';
  for (const sibling of siblings.slice(0, Math.max(0, siblings.indexOf(node))).toReversed()) {
    if (sizeOf(sibling, relation) >= minBytes) return { node: sibling, gap };
    gap = formOf(sibling, relation) + gap;
  }
  return undefined;
}
