import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { expect, test } from 'vitest';
import { markedPage } from '../../test/marked-page.ts';
import { type MarkdownOptions, renderMarkdown } from './markdown.ts';
import { tableLines } from './markdown-tables.ts';

const PAGE = { url: 'https://example.org/a/b.html', time: '2009-04-01T12:00:00Z', site: 'example.org' };

function markdownOf(marked: string, options?: MarkdownOptions): string {
  const { tree, ranges } = markedPage(marked);
  return renderMarkdown(tree, ranges, PAGE, options);
}

test('a bare address is a link for GFM unless signs in it need a backslash; a pre in a pre begins a line', () => {
  expect(markdownOf('<p>http://a.example/x, <b>www.a.example</b> file:///a~')).toBe(
    'http://a.example/x, **www.a.example** file:///a\\~\n',
  );
  expect(markdownOf('<p>http://a.example/~x www.a.example/<code>b</code>')).toBe(
    'http\\://a.example/\\~x www\\.a.example/`b`\n',
  );
  expect(markdownOf('<pre>a<pre>b</pre></pre>')).toBe('```\na\nb\n```\n');
  expect(markdownOf('<p>a<i>😀 b</i>')).toBe('a😀 b\n');
});

test('markup after a bare address stays text, in the readers of GFM too', () => {
  for (const address of [
    'http://a.example/x',
    'https://a.example',
    'www.a.example/x',
    'WWW.a.example',
    'x@a.example',
    'see:http://a.example?',
  ])
    for (const tag of ['&lt;img src=x onerror=y>', '<i>&lt;/b></i>', '&lt;!-- c -->']) {
      const markdown = markdownOf(`<p>go ${address}${tag} on`);
      expect(
        micromark(markdown, { extensions: [gfm()], htmlExtensions: [gfmHtml()], allowDangerousHtml: true }),
        markdown,
      ).not.toMatch(/<(?!\/?(?:p|a|em)[ >])/);
    }
});

test('a backslash of the text before a bracket escapes nothing', () => {
  const markdown = markdownOf('<p>[a]: b\\](x)');
  expect(micromark(markdown, { extensions: [gfm()], htmlExtensions: [gfmHtml()] })).toBe(
    '<p>[a]: b\\](x)</p>\n',
  );
});

test('headings, paragraphs and breaks', () => {
  expect(markdownOf('<h1>One</h1><p>a<br>b</p><h3>Two <br>lines #</h3>text')).toBe(
    '# One\n\na\\\nb\n\n### Two lines \\#\n\ntext\n',
  );
});

test('lists nest, ordered ones count from their start', () => {
  expect(markdownOf('<ul><li>a<ol><li>b<li>c</ol><li>d<p>more</ul><ol start=7><li>x<li>y</ol>')).toBe(
    '- a\n  1. b\n  2. c\n- d\n\n  more\n\n7. x\n8. y\n',
  );
});

test('two lists side by side stay two', () => {
  expect(markdownOf('<ul><li>a</ul><ul><li>b</ul>')).toBe('- a\n\n* b\n');
});

test('superscripts and subscripts are characters of Unicode, words, or tags', () => {
  const texts = {
    '4 GB (2<sup>32</sup> bytes)': '4 GB (2³² bytes)',
    'H<sub>2</sub>O, <b>x<sup>n</sup></b>': 'H₂O, **xⁿ**',
    'Footnote<sup><a href="#1">1</a></sup>.': 'Footnote[¹](https://example.org/a/b.html#1).',
    'as shown<sup>2,3</sup>': 'as shown<sup>2,3</sup>',
    'as shown <sup>2,3</sup>': 'as shown 2,3',
    'x<sub>2*j</sub>': 'x<sub>2\\*j</sub>',
    'the 5<sup>th</sup> text<sup>[1]</sup>': 'the 5th text[1]',
    '<code>2<sup>32</sup> 2<sup>a+b</sup></code>': '`2³² 2^(a+b)`',
  };
  for (const [source, text] of Object.entries(texts))
    expect(markdownOf(`<p>${source}</p>`)).toBe(`${text}\n`);
});

test('quotes hold their blocks', () => {
  expect(markdownOf('<blockquote><p>a<p>b<ul><li>c</ul></blockquote><p>d')).toBe(
    '> a\n>\n> b\n>\n> - c\n\nd\n',
  );
});

test('a table of data is a table, its bars escaped', () => {
  expect(markdownOf('<table><tr><th>a<th>b|c<tr><td>1<td><code>x|y</code><tr><td>only</table>')).toBe(
    '| a | b\\|c |\n| --- | --- |\n| 1 | `x\\|y` |\n| only |  |\n',
  );
});

test('a table without headings gets an empty one', () => {
  expect(markdownOf('<table><tr><td>a<td>b<tr><td>c<td>d</table>')).toBe(
    '|  |  |\n| --- | --- |\n| a | b |\n| c | d |\n',
  );
});

test('a table that lays out the page is written as its blocks', () => {
  expect(
    markdownOf('<table><tr><td><h2>T</h2>a<td><table><tr><td>x<td>y<tr><td>z<td>w</table></table>'),
  ).toBe('## T\n\na\n\n|  |  |\n| --- | --- |\n| x | y |\n| z | w |\n');
});

test('links are absolute; links other than web and mail addresses become text', () => {
  expect(
    markdownOf(
      '<a href="c(1).html?x=1&amp;y">go</a> <a href="javascript:alert(1)">no</a> <a href=data:x>d</a>',
    ),
  ).toBe('[go](https://example.org/a/c%281%29.html?x=1&y) no d\n');
  expect(markdownOf('<base href="/base/"><a href=x>y</a> <a href="mailto:a@b.c">m</a>')).toBe(
    '[y](https://example.org/base/x) [m](mailto:a@b.c)\n',
  );
});

test('code beside code is one piece of it', () => {
  expect(markdownOf('<p><code>!</code><code>name</code> <code>b</code></p>')).toBe('`!name` `b`\n');
  expect(markdownOf('<p><code>a </code><code>b</code> and<code> c</code></p>')).toBe('`a` `b` and `c`\n');
});

test('images have absolute addresses, also in links; emoji are characters', () => {
  expect(markdownOf('<p>see<img src=c.png alt="the *cover*">and <img class=emoji src=p alt="😀">, too')).toBe(
    'see ![the \\*cover\\*](https://example.org/a/c.png) and 😀, too\n',
  );
  expect(markdownOf('<a href=/><img src=x alt="Logo"></a>')).toBe(
    '[![Logo](https://example.org/a/x)](https://example.org/)\n',
  );
});

test('the largest image of a set and the one that a script would load are taken, blanks are left out', () => {
  const images = {
    '<img src=s.jpg srcset="m.jpg 600w, l.jpg 1200w, s.jpg 300w">': 'l.jpg',
    '<img src="data:image/gif;base64,R0" data-src=real.jpg>': 'real.jpg',
    '<img src=/img/blank.gif data-original=real.jpg>': '/real.jpg',
    '<img src=a.jpg data-lazy-srcset="b.jpg 2x, c.jpg 3x">': 'c.jpg',
    '<img data-src=real.jpg class=lazy><noscript><img src=real.jpg></noscript>': 'real.jpg',
    '<img src="data:image/gif;base64,R0"><noscript><img src=real.jpg></noscript>': 'real.jpg',
    '<noscript><img src=real.jpg></noscript><img data-src=real.jpg class=lazy>': 'real.jpg',
  };
  for (const [html, name] of Object.entries(images)) {
    const url = new URL(name.replace('/real', 'real'), PAGE.url).href;
    expect(markdownOf(`<p>${html}`)).toBe(`![](${url})\n`);
  }
  expect(markdownOf('<p>a <img src=count.gif width=1 height=1> b <img src="javascript:x"> c')).toBe(
    'a b c\n',
  );
});

test('emphasis is written where Markdown reads it and left out elsewhere', () => {
  expect(markdownOf('<p>a <b>bold </b>b <i> it</i>, <del>gone</del> <b></b><b><b>twice</b></b>')).toBe(
    'a **bold** b *it*, ~~gone~~ **twice**\n',
  );
  expect(markdownOf('<p>a<b>"q"</b>b')).toBe('a"q"b\n');
  expect(markdownOf('<b><p>one<p>two</b>')).toBe('**one**\n\n**two**\n');
});

test('code keeps its back-ticks, blocks get a fence longer than any inside', () => {
  expect(markdownOf('<p>use <code>a `b`</code> and <kbd>x</kbd>')).toBe('use `` a `b` `` and `x`\n');
  expect(markdownOf('<pre><code class="hljs language-ts">\nlet a;\n```\n  b &lt; c\n</code></pre>')).toBe(
    '````ts\nlet a;\n```\n  b < c\n````\n',
  );
});

test('text of the page cannot become markup', () => {
  const lines = [
    ['# no heading', '\\# no heading'],
    ['- no item', '\\- no item'],
    ['+ no item', '\\+ no item'],
    ['12. no item', '12\\. no item'],
    ['> no quote', '\\> no quote'],
    ['--- ', '\\---'],
    ['===', '\\==='],
    ['| a | b |', '\\| a | b |'],
    ['*a* _b_ `c` ~~d~~ [e](f) ![g](h)', '\\*a\\* \\_b\\_ \\`c\\` \\~\\~d\\~\\~ [e\\](f) ![g\\](h)'],
    ['&lt;script&gt;x&lt;/script&gt; &amp;lt; a &lt; b', '\\<script>x\\</script> \\&lt; a < b'],
    ['snake_case_name', 'snake_case_name'],
    ['a\\b', 'a\\b'],
    ['a\\*b\\', 'a\\\\\\*b\\\\'],
    ['&lt;01$a@host> &lt;1', '\\<01\\$a@host> \\<1'],
  ];
  for (const [text, expected] of lines) expect(markdownOf(`<p>${text}</p>`)).toBe(`${expected}\n`);
  expect(markdownOf('<p>look!<a href=/>x</a>')).toBe('look\\![x](https://example.org/)\n');
  expect(markdownOf('<p>look! <a href=/>x!</a> <b>y!</b>')).toBe('look! [x!](https://example.org/) **y!**\n');
});

test('a dropped element leaves its separator: a new block, a space, a number, a cell', () => {
  expect(markdownOf('<p>a{{<div><h2>menu</h2><ul><li>x<li>y</ul></div>}}b')).toBe('a\n\nb\n');
  expect(markdownOf('<p>one{{<a href=x>edit</a>}}two {{<b>now</b>}} three')).toBe('one two three\n');
  expect(markdownOf('<p>one{{<a href=x><div>edit</div></a>}}two')).toBe('one\n\ntwo\n');
  expect(markdownOf('<ol><li>a{{<li>b<p>more}}<li>c</ol>')).toBe('1. a\n3. c\n');
  expect(markdownOf('<table><tr><td>1<td>2<tr>{{<td>3}}<td>4</table>')).toBe(
    '|  |  |\n| --- | --- |\n| 1 | 2 |\n|  | 4 |\n',
  );
  expect(markdownOf('<h2>a{{<div>b</div>}}c</h2><pre>d{{<div>e</div>}}f</pre>')).toBe(
    '## a c\n\n```\nd\nf\n```\n',
  );
});

test('a rule is written only between blocks', () => {
  expect(markdownOf('<hr><p>a<hr><hr><p>b<hr>')).toBe('a\n\n***\n\nb\n');
  expect(markdownOf('{{<p>menu}}<hr><p>a<hr>{{<p>foot}}')).toBe('a\n');
  expect(markdownOf('<p>a<hr><ul><li>b<hr>c<li>d<hr></ul><p>e')).toBe(
    'a\n\n***\n\n- b\n\n  ***\n\n  c\n- d\n\ne\n',
  );
  expect(markdownOf('<blockquote>a<hr><p>b<hr></blockquote><p>c')).toBe('> a\n>\n> ***\n>\n> b\n\nc\n');
});

test('templates are dropped with their markup', () => {
  expect(
    markdownOf('{{<ul><li><a href=/>Home</a></ul><hr>}}<p>Text {{<b>ad</b>}} more</p>{{<h2>Foot</h2>}}'),
  ).toBe('Text more\n');
  expect(markdownOf('{{<p>all</p>}}')).toBe('');
});

test('front matter is quoted so that no title can break out of it', () => {
  const front = markdownOf('<title>"x"\n---\nevil: 1 \u2028</title><p>a', { frontMatter: true });
  expect(
    front.startsWith(
      '---\nurl: "https://example.org/a/b.html"\ntime: "2009-04-01T12:00:00Z"\nsite: "example.org"\ntitle: ',
    ),
  ).toBe(true);
  expect(front.split('\n').filter((line) => line === '---')).toHaveLength(2);
  expect(front.endsWith('---\n\na\n')).toBe(true);
});

test('hostile nesting takes linear time and flat output', () => {
  const begin = performance.now();
  const deep = markdownOf(`${'<ul><li>'.repeat(64_000)}x`);
  expect(deep).toContain('x');
  expect(deep.length).toBeLessThan(10_000);
  expect(markdownOf(`${'<b><i>'.repeat(16_384)}x`)).toContain('x');
  expect(markdownOf(`${'<blockquote>'.repeat(5000)}${'<p>y'.repeat(5000)}`).length).toBeLessThan(2_000_000);
  expect(performance.now() - begin).toBeLessThan(20_000);
});

test('a paragraph of 30,000 links takes linear time', () => {
  const begin = performance.now();
  expect(markdownOf(`<p>${'<a href="/x">link</a> '.repeat(30_000)}`).split('](').length).toBe(30_001);
  expect(performance.now() - begin).toBeLessThan(10_000); // a quadratic loop takes over 20 s
});

test('empty elements between spaces take linear time', () => {
  const begin = performance.now();
  expect(markdownOf(`<p>x${' <b></b>'.repeat(150_000)} y</p>`)).toBe('x y\n');
  expect(markdownOf(`<p>x<br>${'<img src=a> '.repeat(20_000)}</p>`)).toContain('![](');
  expect(performance.now() - begin).toBeLessThan(10_000); // a quadratic loop takes over 20 s
});

test('any number of breaks may end emphasis', () => {
  expect(markdownOf(`<p>a<b>b${'<br>'.repeat(150_000)}</b>c`)).toBe('a**b**\n\nc\n');
});

test('a table may have any number of rows', () => {
  const rows = Array.from({ length: 150_000 }, () => ['a', 'b']);
  expect(tableLines({ rows, header: true })).toHaveLength(150_001);
});
