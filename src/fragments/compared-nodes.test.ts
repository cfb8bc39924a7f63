import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formOf, readNodes, sizeOf } from '../../test/fragment-node.ts';
import { Parser } from '../parse/parser.ts';
import { tagName } from '../parse/tag-names.ts';
import { ELEMENT } from '../parse/tree.ts';
import { ComparedNodes } from './compared-nodes.ts';

const parser = new Parser();
const compared = new ComparedNodes();

test.each([
  ['a reference and its character', '<p>a&amp;b', '<p>a&#38;b', '<p>a&#x26;b', '<p>a&b'],
  ['a letter', '<p>caf&eacute;', '<p>café', '<p>caf&#233;'],
  ['a space that does not break', '<p>a&nbsp;b', '<p>a\u00a0b'],
  ['white space by reference', '<p>a&#32; b&#10;', '<p>a b'],
  ['a value', '<p title="a&amp;b">', '<p title="a&b">', "<p title='a&#38;b'>"],
  ['a query that looks like a reference', '<a href="?a=1&copy=2">', '<a href="?a=1&amp;copy=2">'],
  ['no value and an empty one', '<p hidden>', '<p hidden="">', '<p hidden=>'],
  ['an attribute that comes again', '<p class=a CLASS=b id=c>', '<p id=c class=a>'],
  ['line ends', '<p title="a\r\nb">', '<p title="a\nb">', '<p title="a\rb">'],
  ['line ends of a script', '<script>a\r\nb</script>', '<script>a\nb</script>'],
  ['the first line end of pre', '<pre>\na', '<pre>a', '<pre>\r\na'],
  ['a title', '<title>a &amp; b</title>', '<title>a & b</title>'],
  ['a text area', '<textarea>&lt;b></textarea>', '<textarea><b></textarea>'],
  ['white space around a text', '<p> a <b>c</b>', '<p>a<b>c</b>'],
  ['a deep reference', '<div><ul><li>one<li>a&amp;b</ul></div>', '<div><ul><li>one<li>a&b</ul></div>'],
  ['a tag again', '<b class=x>1<p>a&amp;b</b>c', '<b class=x>1<p>a&b</b>c'],
])('%s: a DOM has no difference', (_, first, ...others) => {
  for (const other of others) {
    expect(hashesOf(other)).toEqual(hashesOf(first));
    expect(formsOf(other)).toEqual(formsOf(first));
  }
});

test.each([
  ['a reference that is another character', '<p>a&amp;b', '<p>a&lt;b'],
  ['a reference to a reference', '<p>&amp;amp;', '<p>&amp;'],
  ['an ampersand in a script', '<script>a&amp;b</script>', '<script>a&b</script>'],
  ['white space in pre', '<pre>a  b', '<pre>a b'],
  ['white space within pre', '<pre><b>a  b</b>', '<pre><b>a b</b>'],
  ['white space between elements of pre', '<pre><b>a</b>\n<b>b</b>', '<pre><b>a</b><b>b</b>'],
  ['white space at the end of pre', '<pre><b>a</b>\n</pre>', '<pre><b>a</b></pre>'],
  ['white space in a text area', '<textarea>a  b</textarea>', '<textarea>a b</textarea>'],
  ['a second line end of pre', '<pre>\n\na', '<pre>\na'],
  ['the first of two attributes', '<p class=a class=b>', '<p class=b class=a>'],
  ['a value and none', '<p hidden>', '<p hidden=hidden>'],
  ['a comment within a text: two texts', '<p>ab', '<p>a<!-- c -->b'],
])('%s: a DOM has a difference', (_, first, other) => {
  expect(hashesOf(other)).not.toEqual(hashesOf(first));
  expect(formsOf(other)).not.toEqual(formsOf(first));
});

test('nodes have equal hashes and sizes if and only if their forms are equal', () => {
  const piece = fc.constantFrom(
    ...['<div>', '<div class=a class=b>', '<p id="b&amp;c">', '<p id="b&c">', '<i hidden>', '<i hidden="">'],
    ...[
      '</div>',
      '</p>',
      '</i>',
      '<pre>',
      '</pre>',
      '<textarea>a\n\n b</textarea>',
      '<b class="x&#32;y">',
      '</b>',
    ],
    ...[
      'text',
      ' more  text ',
      'a&amp;b',
      'a&b',
      '&#32;',
      '\n\n',
      ' ',
      '<br>',
      '<!-- x -->',
      'c\r\nd',
      '<table>',
      '<td>',
    ],
    ...[
      '<script>1 \r\n2&amp;</script>',
      '<title>&lt; \n </title>',
      '<template>a&#97;  b</template>',
      '</table>',
    ],
  );
  const byForm = new Map<string, string>();
  const byHash = new Map<string, string>();
  const source = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(''));
  fc.assert(
    fc.property(source, (html) => {
      const tree = parser.parse(Buffer.from(html));
      compared.read(tree);
      for (const node of readNodes(tree, 0)) {
        if (node.kind === 'text' || isReopened(tree, node.id)) continue;
        expect(compared.sums[node.id * 4]).toBe(sizeOf(node, 'complete'));
        expect(compared.sums[node.id * 4 + 1]).toBe(sizeOf(node, 'structural'));
        const { contentLow, contentHigh, shapeLow, shapeHigh } = compared;
        for (const [form, hash] of [
          [formOf(node, 'complete'), `complete ${contentLow[node.id]} ${contentHigh[node.id]}`],
          [formOf(node, 'structural'), `structural ${shapeLow[node.id]} ${shapeHigh[node.id]}`],
        ]) {
          const key = `${hash.split(' ')[0]} ${form}`;
          expect(byForm.get(key) ?? hash).toBe(hash);
          expect(byHash.get(hash) ?? key).toBe(key);
          byForm.set(key, hash);
          byHash.set(hash, key);
        }
      }
    }),
    { seed: 5, numRuns: 1000 },
  );
  expect(byForm.size).toBeGreaterThan(1000);
});

/**
 * Returns whether a subtree has a formatting element without a start tag, whose attributes only the parser
 * knows.
 */
function isReopened(tree: ReturnType<typeof parser.parse>, node: number): boolean {
  for (let at = node; at < tree.last[node]; at++) {
    if (tree.kind[at] === ELEMENT && tree.openEnd[at] === tree.start[at] && /^[bi]$/.test(tagName(tree, at)))
      return true;
  }
  return false;
}

/** Returns the hashes and sizes of the whole page. */
function hashesOf(html: string): number[] {
  compared.read(parser.parse(Buffer.from(html)));
  const { contentLow, contentHigh, shapeLow, shapeHigh, sums } = compared;
  return [contentLow[1], contentHigh[1], shapeLow[1], shapeHigh[1], sums[4], sums[5], sums[6]];
}

function formsOf(html: string) {
  return readNodes(parser.parse(Buffer.from(html)), 0)[0].forms;
}
