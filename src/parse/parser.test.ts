import { expect, test } from 'vitest';
import { parseHeld } from '../../test/held-tree.ts';
import { compareWithParse5 } from '../../test/parse5-oracle.ts';
import { validate } from '../../test/sound-tree.ts';
import { Parser, TooManyNodesError } from './parser.ts';
import { TAG, tagName } from './tag-names.ts';
import { COMMENT, TEXT, type Tree } from './tree.ts';

const parser = new Parser();
const encoder = new TextEncoder();
const decoder = new TextDecoder();
const parse = (html: string, by = parser): Tree => by.parse(encoder.encode(html));
const textOfPage = (tree: Tree): string => decoder.decode(tree.text.subarray(0, tree.textLength));
const named = (tree: Tree, name: string): number[] =>
  Array.from({ length: tree.nodeCount }, (_, node) => node).filter((node) => tagName(tree, node) === name);
const hashOf = (tree: Tree, node: number): string =>
  [tree.contentLow[node], tree.contentHigh[node], tree.shapeLow[node], tree.shapeHigh[node]].join();
const contentOf = (tree: Tree, node: number): string => `${tree.contentLow[node]},${tree.contentHigh[node]}`;
const shapeOf = (tree: Tree, node: number): string => `${tree.shapeLow[node]},${tree.shapeHigh[node]}`;

const cases = [
  // implied tags
  '',
  'just text',
  '<p>one<p>two<div>three</div>four',
  '<ul><li>a<li>b<ul><li>c</ul><li>d</ul>',
  '<dl><dt>a<dd>b<dt>c<dd>d</dl>',
  '<h1>a<h2>b</h1>c',
  '<table><tr><td>1<td>2<tr><th>3</table>',
  '<table><caption>c<col><col><thead><tr><th>h<tbody><tr><td>x<tfoot><tr><td>y</table>',
  '<table><td>x<table><tr><td>y</table>z</table>',
  '<select><option>a<option>b<optgroup><option>c</select>',
  '<select><div>x<input>',
  '<ruby>a<rp>(<rt>b<rp>)</ruby>',
  '<button>a<p>b<button>c</button>',
  '</p></br>text</div>',
  '<p>a<table><tr><td>b</table>c',
  '<!doctype html><p>a<table><tr><td>b</table>c',
  '<!doctype html public "-//W3C//DTD HTML 3.2//EN"><p>a<table><tr><td>b</table>',
  '<form><div></form><p>a</div><form>b</form>',
  '<table><form><tr><td><input></form></table>',
  // head and body
  '<title>a<b></title><meta><link>text<title>b</title>',
  '<head><title>x</title></head><!-- c --><script>1</script><body class=a>b</body><!-- d --></html><!-- e -->',
  '<body>a</body>b<p>c</html><div>d',
  '<html a=1><body b=1><html c=1><body d=1>x',
  '<head><noscript><link><style>a</style></noscript><noscript><img></noscript><meta>',
  '<noscript><p>x</noscript>',
  '<head></head><template><td>x</td></template><p>y',
  '<template><tr><td>x</template>y',
  '<template><div>',
  '<frameset><frame><noframes><p>x</noframes></frameset></html>',
  '<script>1</script><frameset><frame></frameset>',
  // content after the end tags of body, html and frameset
  '<math></body>t',
  '<math></html>t',
  '<math></body><mi>',
  '<svg><g></body></g>',
  '<svg></body><!--c--></p>',
  '<svg></body><!--c--><p>',
  '</html><!--c--></html>',
  '<frameset></frameset></html><noframes>',
  '<frameset></frameset></html><!--c-->',
  '<frameset></frameset></html><!--c--><noframes></noframes><!--d-->',
  // white space before text that ends a column group
  '<table><col> t',
  // raw text
  '<script>a<b>"</p>"</script>x',
  '<script><!--<script>a</script>b--></script>c',
  '<script><!--a</script>b',
  '<style><p></style><textarea><p></textarea><xmp><p></xmp><iframe><p></iframe><noembed><p></noembed>',
  '<plaintext><p></plaintext>',
  '<title>a</titlex></title >b',
  // misnested formatting
  '<b>1<p>2</b>3</p>',
  '<b>1<i>2</b>3</i>4',
  '<p><b>1<p>2<p>3</b>4',
  '<a>1<div>2<div>3</a>4</div>5</div>',
  '<a>1<a>2</a>3</a>',
  '<a>1<table><tr><td><a>2</a></table>3</a>',
  '<b><em><i><u><p>1</b>2</p>3',
  '<b><b><b><b>1</b><p>2</b></b>3',
  '<font size=1><p><font size=2><div>x</font>y</font>z',
  '<i>a<div>b<ul><li>c</i>d</ul>e',
  '<p><nobr>a<nobr>b</p>c',
  '<b><table><tr><td>1</b>2</table>3',
  '<strong><object>a</strong>b</object>c',
  '<code>a<pre>b</code>c</pre>d',
  '<small><span><section><em>x</small>y</em>z',
  // foreign content
  '<svg><g><path/><a>b</a></g><p>c</svg>d',
  '<svg><foreignObject><p>a<div>b</foreignObject><circle/></svg>c',
  '<svg><title><b>x</title><style>a{}</style></svg><p>y',
  '<math><mi>x<b>y</b></mi><annotation-xml encoding="text/html"><p>z</math>w',
  '<svg><![CDATA[<p>]]></svg><![CDATA[x]]>',
  '<svg><font color=red>a</font></svg>',
  // comments and bad markup
  '<!--><p>a<!---><p>b<!--c--!><p>d<!-- e -- > f -->g',
  '<? php ?><! x></ y></>z<a<b>c</a>',
  '<p a="1>2" b=\'<\' c=d/e f = g =h>i</p x=">">j',
  'a < b <1 </ c> d <',
  'a\0b<p>c\0',
];

test.each(cases)('the tree of %j equals that of parse5', (html) => {
  const tree = parse(html);
  validate(tree);
  const comparison = compareWithParse5(tree);
  if (tree.fosteredCount === 0) expect(comparison.firstDifference).toBe('');
  expect(comparison.sameParent).toBe(comparison.located);
});

test('nodes that a browser moves out of a table stay in it and are counted', () => {
  const tree = parse('<table>a<tr><b>b</b><td>c</table>');
  expect(tree.fosteredCount).toBe(2);
  expect(tagName(tree, tree.parent[named(tree, 'b')[0]])).toBe('tr');
  expect(textOfPage(tree)).toBe('a b c');
});

test('white space makes no node, and becomes one space in the text', () => {
  const tree = parse('<div> \n <p> a \t b </p>\n<p>c</p></div>');
  expect(textOfPage(tree)).toBe('a b c');
  expect([...tree.kind.subarray(0, tree.nodeCount)].filter((kind) => kind === TEXT)).toHaveLength(2);
});

test('inline elements do not end a word; blocks, breaks and cells do', () => {
  expect(textOfPage(parse('a<b>b</b>c<br>d<table><tr><td>e<td>f</table>g<p>h'))).toBe('abc d e f g h');
});

test('scripts, styles, titles and templates are nodes without text', () => {
  const tree = parse(
    '<title>t</title><script>s</script><style>y</style><template>m</template><body><noscript>n</noscript>x',
  );
  expect(textOfPage(tree)).toBe('n x');
  expect([...tree.kind.subarray(0, tree.nodeCount)].filter((kind) => kind === TEXT)).toHaveLength(6);
});

test('content hashes ignore the order of attributes, the case of names, white space and comments', () => {
  const tree = parse('<p a=1 b=2>x  y</p><P B=2 A="1"> x y<!-- 0.3 s --></P><p a=2 b=1>x y</p>');
  const [first, second, third] = named(tree, 'p');
  expect(hashOf(tree, second)).toBe(hashOf(tree, first));
  expect(contentOf(tree, third)).not.toBe(contentOf(tree, first));
  expect(shapeOf(tree, third)).toBe(shapeOf(tree, first));
});

test('content hashes depend on texts, attributes, nesting and order; shape hashes only on the markup', () => {
  const variants = [
    '<b>x</b><i>y</i>',
    '<i>y</i><b>x</b>',
    '<b>x<i>y</i></b>',
    '<b>y</b><i>x</i>',
    '<b c>x</b><i>y</i>',
  ];
  const trees = variants.map((inner) => {
    const tree = parse(`<div>${inner}</div>`);
    const [div] = named(tree, 'div');
    return { content: contentOf(tree, div), shape: shapeOf(tree, div) };
  });
  expect(new Set(trees.map(({ content }) => content)).size).toBe(5);
  expect(new Set(trees.map(({ shape }) => shape)).size).toBe(4);
  expect(trees[3].shape).toBe(trees[0].shape);
});

test('scripts and styles count in the content hash of their parent', () => {
  const tree = parse('<div><script>1</script></div><div><script>2</script></div>');
  const [first, second] = named(tree, 'div');
  expect(contentOf(tree, first)).not.toBe(contentOf(tree, second));
  expect(shapeOf(tree, first)).toBe(shapeOf(tree, second));
});

test('unknown names of a page get ids of their own', () => {
  const tree = parse('<my-tag><other-tag></other-tag><MY-TAG></MY-TAG></my-tag>');
  expect(tree.foreignNames).toEqual(['my-tag', 'other-tag']);
  expect(named(tree, 'my-tag')).toHaveLength(2);
  expect(parse('<x-y>').foreignNames).toEqual(['x-y']);
});

test('a page may have more names than fit in the table', () => {
  const tree = parse(Array.from({ length: 70_000 }, (_, i) => `<x${i}></x${i}>`).join(''));
  validate(tree);
  expect(tree.nodeCount).toBe(70_004);
});

test('a link is an a or area with an href', () => {
  const source = '<a href="/x?a=1&amp;b=2">1</a><a name=y>2</a><map><area HREF=z></map><link href=w>';
  const tree = parse(source);
  const hrefs = Array.from({ length: tree.linkCount }, (_, i) =>
    source.slice(tree.linkStart[i], tree.linkEnd[i]),
  );
  expect(hrefs).toEqual(['/x?a=1&amp;b=2', 'z']);
  expect(tagName(tree, tree.linkNode[1])).toBe('area');
});

test('comments and declarations are nodes of their own', () => {
  const tree = parse('<!doctype html><?xml?><!-- a --><p>b<!-- c --></p>');
  expect([...tree.kind.subarray(0, tree.nodeCount)].filter((kind) => kind === COMMENT)).toHaveLength(2);
  validate(tree);
});

test('a body ends at its end tag unless content follows', () => {
  const ended = parse('<html><body>a</body><!-- b --></html>\n');
  expect(ended.end[named(ended, 'body')[0]]).toBe(20);
  expect(ended.end[named(ended, 'html')[0]]).toBe(37);
  const resumed = parse('<html><body>a</body><!-- b --></html>c');
  expect(resumed.end[named(resumed, 'body')[0]]).toBe(38);
  validate(resumed);
});

test('nesting is capped, and deeper elements become siblings', () => {
  const tree = parse('<div>'.repeat(20_000), new Parser({ limits: { depth: 100 } }));
  validate(tree);
  expect(tree.depthCapped).toBe(true);
  expect(tree.nodeCount).toBe(20_004);
  let deepest = 0;
  const depth = new Int32Array(tree.nodeCount);
  for (let node = 1; node < tree.nodeCount; node++) {
    depth[node] = depth[tree.parent[node]] + 1;
    deepest = Math.max(deepest, depth[node]);
  }
  expect(deepest).toBe(101);
});

test('too many nodes are refused, and the parser continues with the next page', () => {
  const small = new Parser({ limits: { nodes: 1000 } });
  expect(() => parse('<p>x'.repeat(2000), small)).toThrow(TooManyNodesError);
  expect(textOfPage(parse('<p>x<p>y', small))).toBe('x y');
  validate(parse('<p><b>x<p>y', small));
});

test('invalid limits are refused by name', () => {
  expect(() => new Parser({ limits: { depth: 1 } })).toThrow(/limits.depth/);
  expect(() => new Parser({ limits: { nodes: 0 } })).toThrow(/limits.nodes/);
});

test('without exact, misnested formatting leaves blocks where they are', () => {
  const tree = parse('<b>1<p>2</b>3</p>', new Parser({ exact: false }));
  validate(tree);
  expect(tree.exact).toBe(false);
  expect(tagName(tree, tree.parent[named(tree, 'p')[0]])).toBe('b');
});

test('hostile pages stay within the limits', () => {
  const distinct = Array.from({ length: 3000 }, (_, i) => `<font size=${i}>`).join('');
  const pages: [string, number][] = [
    ['<b><i>'.repeat(10_000), 20_004],
    ['<ul><li>'.repeat(20_000), 40_004],
    ['<table><tr><td>'.repeat(5000), 20_004],
    [`<a ${Array.from({ length: 100_000 }, (_, i) => `a${i}=1`).join(' ')}>`, 5],
    ['<'.repeat(100_000), 5],
    [`<!--${'x'.repeat(100_000)}`, 5],
    [`<a href="${'x'.repeat(100_000)}`, 4],
    [`<script>${'</scrip '.repeat(20_000)}`, 6],
  ];
  for (const [html, nodeCount] of pages) {
    const tree = parse(html);
    validate(tree);
    expect(tree.nodeCount).toBe(nodeCount);
  }
  // the bounds on clones and moves grow with the size of the page only
  for (const html of [
    `${distinct}${'<p>x'.repeat(20_000)}`,
    `${'<b><p>'.repeat(5000)}${'</b>x'.repeat(5000)}`,
  ]) {
    const tree = parse(html);
    validate(tree);
    expect(tree.nodeCount).toBeLessThan(10_000 + html.length);
  }
});

test('a parser gives the same tree after any other page', () => {
  const fresh = new Parser();
  const page = '<ul><li><b>a<li>b</ul><my-tag>c';
  const expected = parse(page, fresh);
  const first = { nodes: expected.nodeCount, hash: hashOf(expected, 0), text: textOfPage(expected) };
  for (const html of cases) {
    parse(html, fresh);
    const again = parse(page, fresh);
    expect({ nodes: again.nodeCount, hash: hashOf(again, 0), text: textOfPage(again) }).toEqual(first);
  }
  expect(TAG.html).toBe(2);
});

test('a parser that has parsed many pages gives the trees of a new one', () => {
  const parser = new Parser();
  for (let i = 0; i < 6; i++) {
    const source = new Uint8Array(
      Buffer.from(`<!DOCTYPE html><title>${i}</title><x-${i}><p>a${i}<table><tr><td>b`),
    );
    const [fresh, tree] = [parseHeld(source), parser.parse(source)];
    expect(tree.nodeCount).toBe(fresh.nodeCount);
    expect(tree.foreignNames).toEqual([`x-${i}`]);
    expect(tree.contentLow.slice(0, tree.nodeCount)).toEqual(fresh.contentLow.slice(0, fresh.nodeCount));
    expect(Buffer.from(tree.text.subarray(0, tree.textLength)).toString()).toBe(`a${i} b`);
  }
});
