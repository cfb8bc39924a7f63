import { expect, test } from 'vitest';
import { makeRange } from '../detect/ranges.ts';
import { Parser } from '../parse/parser.ts';
import { CONTENT, findLeaves, NEUTRAL, type PageLeaves, TEMPLATE } from './page-leaves.ts';
import { compareSegments, goldSegments, sectionsOfLeaves, stretchesOfLeaves } from './page-segments.ts';

const HTML = '<body><ul><li>a<li>b</ul><div><h1>c</h1><p>d<b>e</b></p><i>f</i></div><p>g</p></body>';
const GOLD = Uint8Array.of(TEMPLATE, TEMPLATE, CONTENT, CONTENT, CONTENT, TEMPLATE, TEMPLATE);

test('gold’s segments are the largest fragments of one kind', () => {
  const leaves = leavesOf(HTML);
  expect(tagsAt(leaves, goldSegments(leaves, GOLD))).toEqual(['ul', 'ul', 'h1', 'p>d', 'p>d', 'i', 'p>g']);
});

test('neutral leaves do not divide segments', () => {
  const leaves = leavesOf(HTML);
  const gold = Uint8Array.of(TEMPLATE, TEMPLATE, CONTENT, NEUTRAL, CONTENT, CONTENT, TEMPLATE);
  expect(tagsAt(leaves, goldSegments(leaves, gold))).toEqual(['ul', 'ul', 'div', 'div', 'div', 'div', 'p>g']);
});

test('a leaf belongs to the innermost section it begins in', () => {
  const at = (text: string) => HTML.indexOf(text);
  const sections = [
    { start: 0, end: HTML.length - 12 },
    { start: at('<ul>'), end: at('<div>') },
    { start: at('<li>b'), end: at('</ul>') },
    { start: at('<h1>'), end: at('<p>d') },
  ];
  expect([...sectionsOfLeaves(leavesOf(HTML), sections)]).toEqual([1, 2, 3, 0, 0, 0, -1]);
});

test('without sections a leaf belongs to its run of one label', () => {
  const html = HTML;
  const at = (text: string) => html.indexOf(text);
  const ranges = [
    makeRange(0, at('<li>b'), 'template', 1, 'x', ''),
    makeRange(at('<li>b'), at('<div>'), 'template', 1, 'y', ''),
    makeRange(at('<div>'), at('<i>'), 'content', 0, '', ''),
    makeRange(at('<i>'), html.length, 'template', 1, 'x', ''),
  ];
  expect([...stretchesOfLeaves(leavesOf(html), ranges)]).toEqual([0, 0, 1, 1, 1, 2, 2]);
});

test('only leaves with gold labels are compared', () => {
  const gold = Uint8Array.of(TEMPLATE, NEUTRAL, CONTENT, CONTENT);
  expect(compareSegments(gold, Int32Array.of(1, 1, 2, 2), Int32Array.of(5, 6, 7, 7))).toBe(1);
  expect(
    compareSegments(Uint8Array.of(CONTENT, NEUTRAL), Int32Array.of(1, 1), Int32Array.of(1, 2)),
  ).toBeUndefined();
});

function leavesOf(html: string): PageLeaves {
  return findLeaves(new Parser().parse(Buffer.from(html)));
}

/** The start tags of nodes; paragraphs with their first letter. */
function tagsAt({ tree }: PageLeaves, nodes: Int32Array): string[] {
  return [...nodes].map((node) => {
    const [, tag, letter] =
      /^<(\w+)>(.?)/.exec(Buffer.from(tree.source).toString('utf8', tree.start[node])) ?? [];
    return tag === 'p' ? `p>${letter}` : tag;
  });
}
