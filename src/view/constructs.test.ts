import { expect, test } from 'vitest';
import { markedPage } from '../../test/marked-page.ts';
import { renderHtml } from './html.ts';
import { renderMarkdown } from './markdown.ts';
import { renderText } from './visible-text.ts';

const PAGE = { url: 'https://example.org/a/b.html' };

function viewsOf(marked: string, page = PAGE): { text: string; markdown: string; html: string } {
  const { tree, ranges } = markedPage(marked);
  return {
    text: renderText(tree, ranges),
    markdown: renderMarkdown(tree, ranges, page).trimEnd(),
    html: renderHtml(tree, ranges, page).replace(/^.*\n/, ''),
  };
}

test('times and links side by side are words of their own, parts of one word are not', () => {
  expect(viewsOf('<p><time>19 abril 2008</time><time>15 julio 2014</time>')).toMatchObject({
    text: '19 abril 2008 15 julio 2014',
    markdown: '19 abril 2008 15 julio 2014',
  });
  expect(viewsOf('<a href=x>Home</a><a href=y>About</a>').text).toBe('Home About');
  for (const word of ['Été', 'да', 'έως', 'מה', 'né']) {
    const { text, markdown } = viewsOf(`<a href=#>${word}</a><a href=#>${word}</a>`);
    expect(text).toBe(`${word} ${word}`);
    expect(markdown).toBe(`[${word}](${PAGE.url}#) [${word}](${PAGE.url}#)`);
  }
  expect(viewsOf('<p>W<b>or</b>d <i>a</i><i>b</i> <a>東京</a><a>大学</a>').text).toBe('Word ab 東京大学');
});

test('options of a select and elements that browsers never show are left out', () => {
  const { text, markdown, html } = viewsOf(
    '<p>Month<select><option>May<option>June</select>chosen<datalist>x</datalist>',
  );
  expect([text, markdown]).toEqual(['Month chosen', 'Month chosen']);
  expect(html).not.toContain('May');
});

test('invisible text is left out, except long texts that a click may show', () => {
  for (const hidden of [
    '<span hidden>secret</span>',
    '<SPAN HIDDEN="">secret</SPAN>',
    '<div style="color:red; DISPLAY : none">secret</div>',
    '<i style="visibility:hidden">secret</i>',
    '<span class="icon sr-only">secret</span>',
    '<p class="visually-hidden-focusable"><a href=x>secret</a></p>',
    '<span class=visuallyHidden>secret</span>',
    '<b class="screen-reader-text">secret</b>',
    '<h2 class=element-invisible>secret</h2>',
    '<noscript><p>secret</p></noscript>',
  ]) {
    const { text, markdown, html } = viewsOf(`<p>one</p>${hidden}<p>two</p>`);
    expect([text, markdown], hidden).toEqual(['one\ntwo', 'one\n\ntwo']);
    expect(html).not.toContain('secret');
  }
  for (const shown of [
    '<p class=hidden-box>',
    '<p class=not-sr-only>',
    '<p style="display:block">',
    '<p data-hidden>',
  ])
    expect(viewsOf(`${shown}shown`).text, shown).toBe('shown');
  const answer = 'You may return it within thirty days. '.repeat(3).trim();
  expect(viewsOf(`<h3>Returns</h3><div hidden><p>${answer}</p></div>`)).toMatchObject({
    text: `Returns\n${answer}`,
    markdown: `### Returns\n\n${answer}`,
    html: expect.stringContaining(answer),
  });
  expect(viewsOf('<p>a<noscript><img src=x.png alt=i></noscript>').markdown).toContain('x.png');
});

test('permalink signs of headings and soft hyphens are left out', () => {
  for (const sign of ['¶', '&para;', '&#182;', '🔗', ' # ', '§']) {
    const { text, markdown, html } = viewsOf(
      `<h2>Names <a class=headerlink href="#n" title=Link>${sign}</a></h2><p>one`,
    );
    expect([text, markdown], sign).toEqual(['Names\none', '## Names\n\none']);
    expect(html).not.toContain('headerlink');
  }
  expect(viewsOf('<p><a href=x>#</a> <a href=y>§</a> <a href=z>A</a>').text).toBe('# § A');
  expect(viewsOf('<p>hy\u00adphen&shy;ated <code>a&shy;b</code><pre>c\u00add</pre>')).toMatchObject({
    text: 'hyphenated ab\ncd',
    markdown: 'hyphenated `ab`\n\n```\ncd\n```',
  });
});

test('links of footnotes back to their marks are left out', () => {
  for (const sign of ['↩', '↩︎', '⤴️', ' ↑ ', '^', '&#8617;', '&#8617;&#65038;', '&#8593;']) {
    const { text, markdown, html } = viewsOf(`<ol><li>See there. <a href="#r1">${sign}</a></ol>`);
    expect([text, markdown], sign).toEqual(['See there.', '1. See there.']);
    expect(html).not.toContain('#r1');
  }
  expect(viewsOf('<p>2 ^ 3 ↑ <a href=x>↑ Top</a> <a href=y>&#8600;</a>').text).toBe('2 ^ 3 ↑ ↑ Top ↘');
});

test('emoji that are images are text; other images are not', () => {
  const emoji = '<img class=wp-smiley src=a.gif alt="😉">';
  expect(viewsOf(`<p>one ${emoji}, <img class="smilies" src=b.gif alt=":D"> two`)).toMatchObject({
    text: 'one 😉, :D two',
    markdown: 'one 😉, :D two',
  });
  expect(viewsOf(`<p><math><mi>x</mi></math> ${emoji}<pre>a ${emoji}</pre>`).text).toBe('$x$ 😉\na 😉');
  expect(viewsOf('<p>a <img class=emoji src=/l.png alt=Like> <img src=/b.png alt="© BBC">')).toMatchObject({
    text: 'a',
    markdown: 'a ![Like](https://example.org/l.png)![© BBC](https://example.org/b.png)',
  });
});

test('names and sets of images take linear time', () => {
  const set = (spaces: number) => `<p>a <img srcset="b.jpg 1x,${' '.repeat(spaces)}c.jpg 2x">`;
  const started = process.cpuUsage();
  expect(viewsOf(`<p>a <img src="/blank${'1'.repeat(28)}">`).markdown).toMatch(/blank1+\)$/);
  expect(viewsOf(`<p>a <img src="/pixel${'1'.repeat(28)}.gif">`).markdown).toBe('a');
  expect(viewsOf(`<p>a <img src="/x${'_pixel'.repeat(20_000)}">`).markdown).toMatch(/_pixel\)$/);
  expect(viewsOf(set(40_000)).markdown).toBe('a ![](https://example.org/a/c.jpg)');
  // 20 ms on an idle machine; backtracking took 14 s
  expect(process.cpuUsage(started).user).toBeLessThan(500_000);
});

test('an image is left out for its name only if the name is that of a blank', () => {
  for (const name of ['blank.gif', 'img/spacer-1x1.png', 'lazy_load.svg', 'placeholder-image.jpg'])
    expect(viewsOf(`<p>a <img src=${name}>`).markdown, name).toBe('a');
  for (const name of ['clear-lake.jpg', 'lazy-dog.jpg', 'pixel-art.png'])
    expect(viewsOf(`<p>a <img src=/${name}>`).markdown).toBe(`a ![](https://example.org/${name})`);
});

test('items of an ordered list keep their numbers', () => {
  expect(viewsOf('<ol start=3><li>a<li>b</ol><p>and<ol><li value=7>c<li>d</ol>').markdown).toBe(
    '3. a\n4. b\n\nand\n\n7. c\n8. d',
  );
});

test('ruby has its reading in parentheses, with or without rp; quotes have marks', () => {
  expect(viewsOf('<ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp>字<rt>ji</rt></ruby>')).toMatchObject({
    text: '漢(kan)字(ji)',
    markdown: '漢(kan)字(ji)',
  });
  expect(viewsOf('<p>He said <q> yes </q>.').text).toBe('He said "yes".');
});

test('two breaks end a paragraph, one breaks the line', () => {
  expect(viewsOf('<p>a<br>b<br><br>c').markdown).toBe('a\\\nb\n\nc');
});

test('a dl is a list of terms with their definitions in it, also nested', () => {
  expect(viewsOf('<dl><dt>A<dd>one<dd>two<dl><dt>B<dd>three</dl><dt>C<dd>four</dl><p>end').markdown).toBe(
    '- A\n  - one\n  - two\n    - B\n      - three\n- C\n  - four\n\nend',
  );
});

test('task lists keep their boxes; text that looks like one is text', () => {
  expect(
    viewsOf('<ul><li><input type=checkbox checked> done<li><input type=checkbox> open<li>[x] text</ul>')
      .markdown,
  ).toBe('- [x] done\n- [ ] open\n- \\[x] text');
});

test('summaries of details are bold', () => {
  expect(viewsOf('<details><summary>More</summary><p>Text</details>').markdown).toBe('**More**\n\nText');
});

test('figures keep image and caption', () => {
  expect(
    viewsOf('<figure><img src=x.png alt="A cat"><figcaption>The cat</figcaption></figure>').markdown,
  ).toBe('![A cat](https://example.org/a/x.png)\n\nThe cat');
});

test('a table with a caption, line breaks and rows of one cell is GFM', () => {
  expect(
    viewsOf(
      '<table><caption>T</caption><tr><th>a<th>b<tr><td colspan=2>all<tr><td>1<br>2<td><p>3<p>4</table>',
    ).markdown,
  ).toBe('T\n\n| a | b |\n| --- | --- |\n| all |  |\n| 1<br>2 | 3<br>4 |');
});

test('a table of data with spans or lists is HTML, a table of layout is not', () => {
  const rows = '<tr><th rowspan=2>a<th colspan=2>b<tr><td>c<td><ul><li>1 &lt; 2<li><a href=x>d</a></ul>';
  expect(viewsOf(`<table class=x>${rows}</table>`).markdown).toBe(
    '<table><tr><th rowspan="2">a</th><th colspan="2">b</th></tr>\n' +
      '<tr><td>c</td><td><ul><li>1 &lt; 2</li><li><a href="https://example.org/a/x">d</a></li></ul></td></tr>\n</table>',
  );
  expect(viewsOf('<table><tr><td rowspan=2>a<td>b<tr><td>c</table>').markdown).toBe(
    '|  |  |\n| --- | --- |\n| a | b |\n|  | c |',
  );
  expect(viewsOf('<table><tr><td><ul><li>a</ul><td>b<tr><td>c<td>d</table>').markdown).toBe(
    '- a\n\nb\n\nc\n\nd',
  );
});

test('a list right after a table in HTML is a list', () => {
  const table = '<table><tr><th rowspan=2>a<td>b<td>c<tr><td>d<td>e</table>';
  expect(viewsOf(`<ul><li>one ${table}<ul><li>two</ul></ul>`).markdown).toMatch(/<\/table>\n\n {2}- two$/);
});

test('links of a page that is a file are files; those with another scheme are not', () => {
  const links =
    '<a href="c.html">c</a> <a href="//host/x">h</a> <a href="file:///etc/passwd">p</a> <a href="javascript:x">j</a>';
  expect(viewsOf(links, { url: 'file:///d/a/b.html' }).markdown).toBe('[c](file:///d/a/c.html) h p j');
  expect(viewsOf(links).markdown).toBe('[c](https://example.org/a/c.html) [h](https://host/x) p j');
});

test('code names its language in many ways, and keeps links in it', () => {
  for (const html of [
    '<pre class="lang-py">x</pre>',
    '<pre><code class="hljs language-py">x</code></pre>',
    '<div class="highlight highlight-source-py"><pre>x</pre></div>',
    '<pre class="brush: py; toolbar: false">x</pre>',
    '<div class="highlight-py notranslate"><div class="highlight"><pre>x</pre></div></div>',
    '<pre data-lang=py>x</pre>',
    '<div class=sourceCode><pre class="sourceCode py"><code>x</code></pre></div>',
  ])
    expect(viewsOf(html).markdown).toBe('```py\nx\n```');
  expect(viewsOf('<div class="highlight-default"><pre>x</pre></div>').markdown).toBe('```\nx\n```');
  expect(viewsOf('<p><code>List&lt;<a href=s>String</a>&gt;</code>').markdown).toBe(
    '`List<`[`String`](https://example.org/a/s)`>`',
  );
});

test('formulas are TeX: annotations, alternative texts, scripts of MathJax, marks in the text, bare MathML', () => {
  const annotation = '<annotation encoding="application/x-tex">a^2</annotation>';
  const mathml = `<math><semantics><mrow><msup><mi>a</mi><mn>2</mn></msup></mrow>${annotation}</semantics></math>`;
  const formulas = [
    mathml,
    `<span class=katex><span class=katex-mathml>${mathml}</span><span class=katex-html aria-hidden=true>a2</span></span>`,
    `<span class=mwe-math-element><span style="display:none">${mathml}</span><img class=mwe-math-fallback-image-inline alt="a^2"></span>`,
    '<img class=tex alt="a^2" src="some/image/of/it.png">',
    '<span class=MathJax_Preview></span><span class=MathJax><nobr>a2</nobr></span><script type="math/tex">a^2</script>',
    '<math alttext="a^2"><mi>a</mi></math>',
    '<math><msup><mi>a</mi><mn>2</mn></msup></math>',
  ];
  for (const formula of formulas) {
    const { text, markdown, html } = viewsOf(`<p>so ${formula} is`);
    expect(text.replace('{2}', '2'), formula).toBe('so $a^2$ is');
    expect(markdown, formula).toBe(text);
    expect(html.replace('{2}', '2').replace(/<(?!br)[^>]*>/g, ''), formula).toBe(text.replace('{2}', '2'));
  }
  expect(viewsOf('<p>so \\(a^2 * b_1\\) and \\[ \\{x\\} \\] cost $5')).toMatchObject({
    text: 'so \\(a^2 * b_1\\) and \\[ \\{x\\} \\] cost $5',
    markdown: 'so $a^2 * b_1$ and\n\n$$\n\\{x\\}\n$$\n\ncost $5',
  });
  expect(
    viewsOf('<math><mfrac><mn>1</mn><msqrt><mi>x</mi></msqrt></mfrac><mo>≤</mo><mi>π</mi></math>').text,
  ).toBe('$\\frac{1}{\\sqrt{x}} \\le π$');
});

test('an empty script of MathJax, or one of another type, is not a formula', () => {
  for (const script of [
    '<script type="math/tex"></script>',
    '<script type="text/x-notes">a</script>',
    '<script>a</script>',
  ])
    expect(viewsOf(`<p>so ${script}it is`).markdown, script).toBe('so it is');
});

test('prices are not formulas', () => {
  expect(viewsOf('<p>$5 to $10, $$ to $$$').markdown).toBe('\\$5 to \\$10, \\$\\$ to \\$\\$\\$');
  expect(viewsOf('<p>$1,500 and $7,500').markdown).toBe('\\$1,500 and \\$7,500');
  // nothing could end a formula that begins there
  expect(viewsOf('<p>$5 <p>a <b>$10</b> <code>\\$1</code>').markdown).toBe('$5\n\na **\\$10** `\\$1`');
  expect(viewsOf('<p>$<p>$').markdown).toBe('\\$\n\n\\$');
  expect(viewsOf('<p><i>$</i><b>&#36;299</b>').markdown).toBe('*\\$*\\$299');
});

test('HTML has no empty bullets, boxes and rows, but cells, words apart and anchors', () => {
  expect(viewsOf('<ul><li>a<li>{{<a href=x>share</a>}}<li><b> </b></ul><div><p></p></div>').html).toBe(
    '<ul><li>a</li> </ul>',
  );
  expect(viewsOf('<table><tr><td>{{x}}<tr><td><td>b</table>').html).toBe(
    '<table><tr><td></td><td>b</td></tr></table>',
  );
  expect(viewsOf('<p>a<span> </span>b<a id=n></a>').html).toBe('<p>a b<a id="n"></a></p>');
});

test('HTML has absolute links and the images that a browser would show', () => {
  expect(
    viewsOf(
      '<a href="c.html">c</a><img src="data:x" data-src=i.png alt=i><noscript><img src=i.png></noscript>',
    ).html,
  ).toBe('<a href="https://example.org/a/c.html">c</a><img src="https://example.org/a/i.png" alt="i">');
});
