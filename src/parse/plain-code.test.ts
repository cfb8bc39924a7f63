import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseByRules } from '../../test/parse-by-rules.ts';
import { compareWithParse5 } from '../../test/parse5-oracle.ts';
import { validate } from '../../test/sound-tree.ts';
import { Columns, TooManyNodesError } from './columns.ts';
import { ENTRY_COUNT, FORMATTING_COUNT, LINK_CAPACITY, NODE_CAPACITY } from './kernel-layout.ts';
import { Parser } from './parser.ts';
import type { Tree } from './tree.ts';

const encoder = new TextEncoder();
const parser = new Parser();
const parse = (html: string, by = parser): Columns => Columns.copyOf(by.parse(encoder.encode(html)));

const split = (names: string) => names.split(' ');
const CONTENT = split(
  'div p ul li dl dt dd h1 h2 span a b i font br img td button pre form object noscript textarea nobr hr section ' +
    'select option input script picture source',
);
const BLOCKS = split('p p div ul li li dl dt dd form h1 hr pre address table td b a');
const TABLES = split(
  'table tr td th tbody thead tfoot caption colgroup b a p div br table tr td script form x-y',
);
const HEAD = split(
  'head title script style link meta base noscript template noframes html body p b frameset',
);
const FOREIGN = split(
  'svg g desc foreignobject title math mi p div b li template td path text table font script circle use br a',
);

const soup = (names: string[]) => {
  const name = fc.constantFrom(...names);
  const token = fc.oneof(
    { weight: 5, arbitrary: name.map((tag) => `<${tag}>`) },
    { weight: 1, arbitrary: name.map((tag) => `<${tag} href=x />`) },
    { weight: 4, arbitrary: name.map((tag) => `</${tag}>`) },
    {
      weight: 4,
      arbitrary: fc.constantFrom('x', ' ', ' y z', 'w\n', '\n', '<!--c-->', '<', '</', '\0', '  '),
    },
  );
  const before = names === HEAD ? '' : '<body>';
  return fc.array(token, { maxLength: 50 }).map((tokens) => `${before}${tokens.join('')}`);
};

test.each([
  ['content', CONTENT],
  ['blocks', BLOCKS],
  ['tables', TABLES],
  ['head', HEAD],
  ['foreign content', FOREIGN],
])('%s: tags built in WebAssembly give the tree of tags that the tree builder takes', (_, names) => {
  fc.assert(
    fc.property(soup(names), (html) => {
      expect(parse(html)).toEqual(parseByRules(encoder.encode(html)));
    }),
    { seed: 5, numRuns: 1000 },
  );
});

test.each([
  '<li><p><noscript><li><li>',
  '<dt><p><noscript><dd><dt>',
  '<dt><i><p><noscript><dt><dt>',
  '<dd><form><dd><x-y></form><dd><dd>',
])('an item inside an item ends alone: %s', (html) => {
  expect(parse(html)).toEqual(parseByRules(encoder.encode(html)));
});

test.each([
  ['nodes', '<p>', '<i>a</i>', NODE_CAPACITY / 2],
  ['links', '<p>', '<a href=b>c</a>', LINK_CAPACITY + 1],
  ['formatting elements', '<p>', '<b><i><u><s><em><tt>', FORMATTING_COUNT],
])('a page with more %s than there is room for is built to its end', (_, before, part, count) => {
  for (const repeated of [count - 2, count - 1, count, count + 1]) {
    const html = `<!doctype html><body>${before}${part.repeat(repeated)}<ul><li>z</li></ul>`;
    const tree = parse(html);
    validate(tree);
    if (repeated === count) expect(compareWithParse5(tree).firstDifference).toBe('');
  }
});

test('elements may be deeper than there is room for, and shallow again', () => {
  const deep = new Parser({ limits: { depth: 3 * ENTRY_COUNT } });
  const levels = ENTRY_COUNT + 100;
  const html = `<!doctype html><body>${'<div>'.repeat(levels)}a${'</div>'.repeat(levels)}<p>b</p>`;
  const tree = parse(html, deep);
  expect(tree.depthCapped).toBe(false);
  expect(compareWithParse5(tree).firstDifference).toBe('');
  expect(parseByRules(encoder.encode(html), 3 * ENTRY_COUNT)).toEqual(tree);
});

test('cells nested deeper than there is room for in the formatting list close as they opened', () => {
  const open = '<table><tbody><tr><td>';
  const close = '</td></tr></tbody></table>';
  const html = `<!doctype html><body>${open.repeat(80)}<b>a</b>${close.repeat(80)}<p>b</p>`;
  parse(html);
  expect(compareWithParse5(parse(html)).firstDifference).toBe('');
});

test('a page that is given up leaves nothing open for the next page, of whichever parser', () => {
  const few = new Parser({ limits: { nodes: 50 } });
  const html = '<!doctype html><body><ul><li><p>a</p></li></ul><table><tr><td>b</td></tr></table>';
  const expected = parse(html);
  expect(() => few.parse(encoder.encode(`<body><button><p><ul><li>${'<dl><dt>'.repeat(60)}`))).toThrow(
    TooManyNodesError,
  );
  expect(parse(html)).toEqual(expected);
  expect(parse(html, few)).toEqual(expected);
});

test('a tree holds while another parser parses, and as many nodes are allowed as the limit says', () => {
  const html = (parts: number) => encoder.encode(`<body>${'<i>a</i>'.repeat(parts)}`);
  // document, html, head, body and two of each part
  const limited = new Parser({ limits: { nodes: 24 } });
  const held: Tree = limited.parse(html(10));
  const copy = Columns.copyOf(held);
  parser.parse(html(500));
  expect(Columns.copyOf(held)).toEqual(copy);
  expect(held.nodeCount).toBe(24);
  expect(() => limited.parse(html(11))).toThrow(TooManyNodesError);
});
