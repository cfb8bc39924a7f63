import fc from 'fast-check';
import { expect, test } from 'vitest';
import { markedPage } from '../../test/marked-page.ts';
import type { TextRenderOptions } from './visible-text.ts';
import { renderJsonText, renderText } from './visible-text.ts';

function textOf(marked: string, options?: TextRenderOptions): string {
  const { tree, ranges } = markedPage(marked);
  return renderText(tree, ranges, options);
}

function trimLines(text: string): string {
  return text.replace(/[ \t]+$/gm, '');
}

test('every block is a line, white space is collapsed', () => {
  expect(textOf('<h1> A\n title </h1><p>One <b>two</b>\n\tthree.</p>\n<p>Four<br>five</p>')).toBe(
    'A title\nOne two three.\nFour\nfive',
  );
});

test('every list item is a line, also in nested lists', () => {
  expect(textOf('<ul><li>a<ol><li>b</ol><li>c</ul>')).toBe('a\nb\nc');
});

test('a tab separates the cells of a row, a line end separates rows', () => {
  expect(textOf('<table><tr><td>a<td>b<tr><th>c</th> <td>d</td></table>')).toBe('a\tb\nc\td');
});

test('inline elements separate words only with white space between them', () => {
  expect(textOf('<p><b>a</b> <i>b</i><i>c</i>\n<u>d</u></p>')).toBe('a bc d');
});

test('superscripts and subscripts do not change numbers', () => {
  const texts = {
    '4 GB (2<sup>32</sup> bytes)': '4 GB (2³² bytes)',
    'H<sub>2</sub>O': 'H₂O',
    '10<sup>−3</sup> and 10<sup>&minus;3</sup>': '10⁻³ and 10⁻³',
    'Footnote<sup><a href="#1">1</a></sup>.': 'Footnote¹.',
    'x<sup>n+1</sup> &ne; x<sub>i</sub>': 'xⁿ⁺¹ ≠ xᵢ',
    'x<sup>2<sup>n</sup></sup>': 'x^(2ⁿ)',
    'as shown<sup>2,3</sup> by A<sub>2,j</sub>': 'as shown^(2,3) by A_(2,j)',
    'of <sup>2,3</sup>': 'of 2,3',
    'the 5<sup>th</sup>, le 1<sup>er</sup>, x<sub>max</sub>, la 2<sup>ème</sup>':
      'the 5th, le 1er, xmax, la 2ème',
    'Acme<sup>®</sup> text<sup>[1]</sup> more<sup>*</sup>': 'Acme® text[1] more*',
    '<code>2<sup>32</sup></code>': '2³²',
  };
  for (const [source, text] of Object.entries(texts)) expect(textOf(`<p>${source}</p>`)).toBe(text);
  expect(textOf('<pre>2<sup>32</sup>\n  2<sup>a+b</sup></pre>')).toBe('2³²\n  2^(a+b)');
});

test('a superscript that swallows paragraphs leaves them as they are', () => {
  expect(textOf('<p>x<sup>2</p><p>1 2 3</p>')).toBe('x²\n1 2 3');
  expect(textOf(`<p>x<sup>${'12 '.repeat(40)}</sup>`)).toBe(`x${'12 '.repeat(40)}`.trimEnd());
});

test('templates are dropped, content and unsure are kept', () => {
  expect(textOf('{{<nav>Home</nav>}}<p>Text</p>{?<p>Maybe</p>?}{{<footer>Foot</footer>}}')).toBe(
    'Text\nMaybe',
  );
});

test('keep chooses the labels', () => {
  const page = '{{<nav>Home</nav>}}<p>Text</p>{?<p>Maybe</p>?}';
  expect(textOf(page, { keep: ['template'] })).toBe('Home');
  expect(textOf(page, { keep: ['content'] })).toBe('Text');
});

test('a range may begin and end inside a text', () => {
  expect(textOf('<p>Copyright {{all rights}} reserved</p>')).toBe('Copyright reserved');
});

test('a cut inside a character reference or a UTF-8 sequence loses and doubles nothing', () => {
  const { tree, source } = markedPage('<p>x &eacute;é y</p>');
  for (let cut = 0; cut <= source.length; cut++) {
    const cutRanges = [
      { start: 0, end: cut, label: 'content' as const, score: 1, template: '', reason: '' },
      { start: cut, end: source.length, label: 'unsure' as const, score: 1, template: '', reason: '' },
    ];
    expect(renderText(tree, cutRanges)).toBe('x éé y');
    const kept =
      renderText(tree, cutRanges, { keep: ['content'] }) + renderText(tree, cutRanges, { keep: ['unsure'] });
    expect(kept.replaceAll(' ', '')).toBe('xééy');
  }
});

test('a page that is dropped completely gives an empty text', () => {
  expect(textOf('{{<p>a</p><pre> </pre>}}')).toBe('');
  expect(textOf('')).toBe('');
});

test('scripts, styles, templates and the head are not text', () => {
  expect(
    textOf(
      '<head><title>T</title><style>s{}</style></head><body><script>1</script><template><p>t</p></template>' +
        '<img alt="alt">text<!-- c --></body>',
    ),
  ).toBe('text');
});

test('what a page says without scripts is text: forums archive their posts there', () => {
  const post = 'The boats come in with the tide. '.repeat(4).trim();
  expect(textOf(`<div>a</div><noscript><p>${post}</p></noscript>b`)).toBe(`a\n${post}\nb`);
});

test('references are decoded, but a reference spelt over two texts is not one', () => {
  expect(textOf('<p>&lt;b&gt; &amp;amp; &#8364; a&nbsp;&nbsp;b</p>')).toBe('<b> &amp; € a b');
  expect(textOf('<p>&am<b>p;</b></p>')).toBe('&amp;');
});

test('pre keeps its lines, without the first and last empty ones', () => {
  expect(textOf('<p>a<pre>\n  x  y\n\n\tz <b>b</b>\n<i>i</i>\n\n</pre>b')).toBe('a\n  x  y\n\n\tz b\ni\nb');
});

test('control characters are left out, bidirectional ones are text', () => {
  expect(textOf('<p>a\u0000b\u001b[31m\u007fc\u0085d\u009be&#1;f \u202eg</p>')).not.toMatch(
    /[\x00-\x08\x0b-\x1f\x7f-\x9f]/,
  );
  expect(textOf('<p>\u202eabc\u202c</p>')).toBe('\u202eabc\u202c');
});

test('mark keeps everything and brackets, line by line, what is not content', () => {
  expect(textOf('{{<nav><p>Home</p><p>About</p></nav>}}<p>Text {?maybe?} ⟦x⟧</p>', { mark: true })).toBe(
    '⟦template: Home⟧\n⟦template: About⟧\nText ⟦unsure: maybe⟧ [x]',
  );
});

test('text for JSON is the inside of its string', () => {
  const soup = fc.array(
    fc.constantFrom(
      '<p>',
      '</p>',
      '<pre>',
      '</pre>',
      '<td>',
      '<br>',
      '{{',
      '}}',
      ' a',
      '"',
      '\\',
      '\t',
      '\n',
      '\u0001',
    ),
  );
  const more = fc.array(
    fc.constantFrom('&quot;', '&bsol;', '&Tab;', '&NewLine;', '&#1;', '&amp;', 'é', '漢', '😀'),
  );
  fc.assert(
    fc.property(soup, more, (pieces, others) => {
      const { tree, ranges } = markedPage(pieces.flatMap((piece, k) => [piece, others[k] ?? '']).join(''));
      const text = renderText(tree, ranges);
      expect(`"${Buffer.from(renderJsonText(tree, ranges))}"`).toBe(JSON.stringify(text));
    }),
  );
});

test('any soup gives text without markup of ours, in every mode, and depth costs no stack', () => {
  const soup = fc.array(
    fc.constantFrom('<p>', '</p>', '<pre>', '<td>', '<b>', ' a ', '&amp;', '<br>', '{{', '}}', '\n'),
  );
  fc.assert(
    fc.property(soup, (pieces) => {
      const page = pieces.join('');
      expect(textOf(page)).not.toContain('<');
      const marked = textOf(page, { mark: true });
      const all = textOf(page, { keep: ['content', 'template', 'unsure'] });
      expect(trimLines(marked.replace(/⟦\w+: |⟧/g, ''))).toBe(trimLines(all));
    }),
  );
  expect(textOf(`${'<div>'.repeat(20_000)}deep`)).toBe('deep');
});
