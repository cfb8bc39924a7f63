import fc from 'fast-check';
import { expect, test } from 'vitest';
import { columnsOf, parseHeld } from '../../test/held-tree.ts';
import type { Tree } from './tree.ts';

const parse = (html: string): Tree => parseHeld(html);
/** A number that no earlier page had, so that tags with it are not cached. */
let unique = 0;

/** Content and shape hashes of all elements, which depend on what was found in their tags. */
const hashes = ({ nodeCount, contentLow, contentHigh, shapeLow, shapeHigh }: Tree) =>
  Array.from({ length: nodeCount }, (_, node) => [
    contentLow[node],
    contentHigh[node],
    shapeLow[node],
    shapeHigh[node],
  ]);

test('a cached tag gives the same tree as on its first occurrence', () => {
  const part = fc.constantFrom(
    ...['<p>', '<P>', '<p >', '<p/>', '</p>', '</p >', '</P x>', 'text', ' ', '<br/>', '<a href=#>', '</a>'],
    ...[
      '<td class="KEY">',
      '<td class=KEY>',
      '<li id=\'KEY\' title="a > b">',
      '<a HREF="KEY" href="x">',
      '<a KEY=">">',
    ],
    ...[
      '<x-KEY a="b">',
      '</x-KEY>',
      '<svg KEY>',
      '<path d="KEY"/>',
      '</svg>',
      '<script src="KEY">',
      '</script>',
    ],
    ...[
      '<input type="hidden" name="KEY">',
      '<img alt="KEY',
      '<!-- KEY -->',
      '<KEY',
      `<p title="${'KEY'.repeat(60)}">`,
    ],
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 30 }), (parts) => {
      const html = parts.join('').replaceAll('KEY', `k${unique++}`);
      const first = parse(html);
      expect(columnsOf(parse(html))).toEqual(columnsOf(first));
      // other tags come between
      expect(hashes(parse(html))).toEqual(hashes(first));
    }),
    { seed: 1, numRuns: 1000 },
  );
});

test('tags that differ in one byte, or in their last byte, are distinguished at any length', () => {
  for (let size = 1; size < 230; size++) {
    const key = `${unique++}`.padEnd(size, 'k');
    const other = `${key.slice(0, -1)}o`;
    parse(`<i class=${key}></i>`);
    const known = hashes(parse(`<i class=${key}></i><b class=${other}></b><i class=${other}></i>`));
    expect(known[4]).not.toEqual(known[6]);
    expect(hashes(parse(`<i class=${key}></i>`))[4]).toEqual(known[4]);
    expect(hashes(parse(`<i class=${other}></i>`))[4]).toEqual(known[6]);
  }
});

test('a page that ends within a known tag has no such element', () => {
  const zeros = '\0'.repeat(32);
  const tag = `<b k${unique++} `;
  expect(parse(`${tag}${zeros}>`).nodeCount).toBe(5);
  expect(parse(`${tag}${zeros}>`).nodeCount).toBe(5);
  expect(parse(tag).nodeCount).toBe(4);
  expect(parse(`${tag}>`).nodeCount).toBe(5);
});

test('the href of a cached tag is at the position of the tag', () => {
  const link = `<a title="t" href="page-${unique++}">`;
  const sourceOf = (tree: Tree, at: number) =>
    new TextDecoder().decode(tree.source.subarray(tree.linkStart[at], tree.linkEnd[at]));
  parse(link);
  const tree = parse(`<p>one ${link}two</a> <a>no link</a> ${link}three</a>`);
  expect(tree.linkCount).toBe(2);
  expect(sourceOf(tree, 0)).toBe(sourceOf(tree, 1));
  expect(sourceOf(tree, 0)).toMatch(/^page-\d+$/);
});

test('unknown names are numbered from the start on every page', () => {
  parse('<x-one></x-one><x-two></x-two>');
  const tree = parse('<x-two></x-two><x-one></x-one>');
  expect(tree.foreignNames).toEqual(['x-two', 'x-one']);
  expect([...tree.name.subarray(4, 6)]).toEqual([256, 257]);
});
