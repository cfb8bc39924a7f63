import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareWithParse5 } from '../../test/parse5-oracle.ts';
import { validate } from '../../test/sound-tree.ts';
import { Parser } from './parser.ts';
import { tagName } from './tag-names.ts';
import { TEXT, type Tree } from './tree.ts';

const parser = new Parser();
const encoder = new TextEncoder();
const parse = (html: string, by = parser): Tree => by.parse(encoder.encode(html));
const named = (tree: Tree, name: string): number[] =>
  Array.from({ length: tree.nodeCount }, (_, node) => node).filter((node) => tagName(tree, node) === name);
const hashOf = (tree: Tree, node: number): string =>
  [tree.contentLow[node], tree.contentHigh[node], tree.shapeLow[node], tree.shapeHigh[node]].join();

const tags = [
  'p',
  'b',
  'i',
  'a',
  'div',
  'ul',
  'li',
  'h1',
  'span',
  'font',
  'button',
  'pre',
  'br',
  'img',
  'svg',
  'g',
  'form',
];
const tableTags = [
  ...tags,
  'table',
  'tr',
  'td',
  'tbody',
  'caption',
  'col',
  'select',
  'option',
  'title',
  'script',
];
const rareTags = [
  ...tableTags,
  'template',
  'head',
  'body',
  'html',
  'style',
  'math',
  'mi',
  'object',
  'nobr',
  'noscript',
  'x-y',
];
/**
 * More tags that end documents, tables and foreign content. Their trees are only checked for consistency, not
 * compared with parse5.
 */
const oddTags = [
  ...rareTags,
  ...['body', 'html', 'math', 'svg', 'frameset', 'frameset', 'noframes', 'frame', 'colgroup', 'table'],
  ...['foreignobject', 'annotation-xml', 'textarea', 'optgroup', 'plaintext'],
];
const texts = ['x', ' ', 'y z', ' w', '\n', '&amp;', 'é', '<!--c-->', '<', '"', '</', '<!', '>'];
const soup = (names: string[], { odd = [] as string[] } = {}): fc.Arbitrary<string> => {
  const name = fc.constantFrom(...names);
  const token = fc.oneof(
    { weight: 5, arbitrary: name.map((tag) => `<${tag}>`) },
    { weight: 1, arbitrary: name.map((tag) => `<${tag} a=1 href='x' />`) },
    { weight: 4, arbitrary: name.map((tag) => `</${tag}>`) },
    { weight: 3, arbitrary: fc.constantFrom(...texts, ...odd) },
  );
  return fc.array(token, { maxLength: 40 }).map((tokens) => tokens.join(''));
};

test('random markup gives a consistent tree with every word in one text node', () => {
  fc.assert(
    fc.property(soup(oddTags, { odd: ['\0', ' \0', '<![CDATA[ ]]>', '<?'] }), (html) => {
      const tree = parse(html);
      validate(tree);
      const covered = new Uint8Array(tree.source.length);
      for (let node = 1; node < tree.nodeCount; node++) {
        if (tree.kind[node] === TEXT) for (let i = tree.start[node]; i < tree.end[node]; i++) covered[i]++;
      }
      expect(Math.max(0, ...covered)).toBeLessThan(2);
    }),
    { numRuns: 3000, seed: 7 },
  );
});

test('random bytes give a consistent tree', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => validate(parser.parse(bytes))),
    { numRuns: 500, seed: 7 },
  );
});

test.each([
  ['without tables', tags],
  ['with tables', tableTags],
  ['with rare tags', rareTags],
])('random markup %s gives the tree of parse5 unless content is fostered', (_, names) => {
  fc.assert(
    fc.property(soup(names), (html) => {
      const tree = parse(html);
      if (tree.fosteredCount > 0) return;
      expect(compareWithParse5(tree).firstDifference).toBe('');
    }),
    { numRuns: 1500, seed: 11 },
  );
});

test('a fragment has the same hashes at every position of a page', () => {
  fc.assert(
    fc.property(soup(['b', 'i', 'span', 'em']), soup(tags), (inner, around) => {
      const fragment = `<section id=f>${inner}</section>`;
      const alone = parse(`<body><div>${fragment}</div>`);
      const expected = hashOf(alone, named(alone, 'section')[0]);
      // formatting still open from an earlier position, so that the fragment would open it again
      const page = parse(
        `<body>${around.replace(/<\/?(a|b|i|font|svg|g|button)\b/g, '<$1-')}<div>${fragment}</div>`,
      );
      expect(hashOf(page, named(page, 'section')[0])).toBe(expected);
    }),
    { numRuns: 500, seed: 3 },
  );
});
