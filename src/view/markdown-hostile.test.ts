/** Markdown of generated hostile pages, as programs read it that let raw HTML through. */
import { expect, test } from 'vitest';
import { READERS, readHtml } from '../../test/markdown-readers.ts';
import { markedPage } from '../../test/marked-page.ts';
import { seededNumbers } from '../../test/seeded-random.ts';
import { escapeHtml } from './escape-html.ts';
import { renderMarkdown } from './markdown.ts';
import { renderText } from './visible-text.ts';

const PAGE = { url: 'https://example.org/a/b.html' };
const RUNS = Number(process.env.HOSTILE_RUNS ?? 300);
const SEED = Number(process.env.HOSTILE_SEED ?? 1);

/** Texts that would be markup somewhere. */
const TEXTS = [
  '<img src=x onerror=alert(1)>',
  '<script>alert(1)</script>',
  '<svg/onload=alert(1)>',
  '<a href="javascript:alert(1)">x</a>',
  '<!-- c -->',
  '<?php x ?>',
  '<![CDATA[ x ]]>',
  '<!DOCTYPE x>',
  '</p><h1>x</h1>',
  '</table><iframe src=javascript:alert(1)>',
  '<javascript:alert(1)>',
  '<https://evil.example/x>',
  '<a@evil.example>',
  '[go](javascript:alert(1))',
  '[go](JaVaScRiPt&#58;alert(1))',
  '[go](  <javascript:alert(1)> "title")',
  '![go](data:text/html,x)',
  '[go][ref]',
  '[ref]',
  '[ref]: javascript:alert(1)',
  '[ref]: <vbscript:x> "t"',
  '[^1]',
  '[^1]: note',
  '^[note]',
  '](javascript:alert(1))',
  '](',
  '[',
  ']',
  '![',
  '(javascript:x)',
  'http://evil.example/<b>x</b>',
  'http://evil.example/*a*_b_~c~`d`$e$[f](javascript:x)',
  'www.evil.example/\\',
  'javascript:alert(1)',
  'a@evil.example',
  '# h',
  '- i',
  '+ i',
  '1. i',
  '1) i',
  '> q',
  '    code',
  '\tcode',
  '---',
  '===',
  '***',
  '- - -',
  '| a | b |',
  '|---|---|',
  '--- | ---',
  ':-: | :-:',
  '|',
  '\\|',
  '[x] task',
  '[ ]',
  '```js onclick=x',
  '~~~',
  '`',
  '``',
  '$',
  '$1,500 and $7,500',
  '$x$',
  '\\$',
  '*a*',
  '**a**',
  '_a_',
  '__a__',
  '***',
  '~a~',
  '~~a~~',
  '*',
  '**',
  '_',
  '~',
  '\\',
  '\\\\',
  '\\*',
  '\\<b>',
  '&lt;b&gt;',
  '&#60;b>',
  '&amp;lt;',
  '&',
  ';',
  '&colon;',
  'lt;',
  'http:',
  '//evil.example/',
  'www',
  '!',
  ':',
  '(',
  ')',
  '<',
  '>',
  '<b',
  '"',
  "'",
  'word',
  'two words',
  '1',
  ' ',
  '\n',
  '漢',
  'é',
  '😀',
];
/** Texts that may be TeX, which is not written as it is. */
const MATH_TEXTS = [
  '$$',
  '$$x$$',
  '\\(',
  '\\)',
  '\\[',
  '\\]',
  '\\(<img src=x onerror=alert(1)>\\)',
  '\\[[go](javascript:alert(1))\\]',
  '$$\\text{<img src=x onerror=alert(1)>}$$',
];
/** Elements around texts; `%` is the text. */
const FRAMES = [
  '<p>%</p>',
  '<p>%</p>',
  '<p>%<br>%</p>',
  '<div>%</div>',
  '<h2>%</h2>',
  '<ul><li>%<li>%</ul>',
  '<ol start=7><li>%<li>%</ol>',
  '<ul><li><input type=checkbox> %</ul>',
  '<dl><dt>%<dd>%</dl>',
  '<blockquote>%</blockquote>',
  '<p>a <b>%</b> <i>%</i> %',
  '<p>%<b>%</b>%<i>%</i>%',
  '<p><s>%</s>%',
  '<p><a href="/x?y=$1">%</a>%',
  '<p>%<a href="javascript:alert(1)">%</a>',
  '<p>%<a href=" &#1;java&#10;script:alert(1)">%</a> <a href="vbscript:x">%</a> <a href="data:text/html,%">z</a>',
  '<p><a href="/p%">%</a>',
  '<p title="%">%<img src="/i.png" alt="i%" title="%">',
  '<p>%<img src="javascript:alert(1)" alt="i%"><img class=emoji src=e.png alt="😀">%',
  '<p><code>%</code> %',
  '<p>%<code>%</code><code>%</code>%',
  '<pre>%\n%</pre>',
  '<pre class="language-%"><code class="language-js onclick=x">%</code></pre>',
  '<p>%<sup>[1]</sup>%',
  '<table><tr><th>%<th>%<tr><td>%<td>%</table>',
  '<table><tr><td>%<td><code>%</code><tr><td><b>%</b><td><a href=/y>%</a></table>',
  '<table><caption>%</caption><tr><th rowspan=2>%<td>%<td>%<tr><td>%<td><a href="javascript:x">%</a></table>',
  '<table><tr><th>%<th>b<tr><td><ul><li>%</ul><td><pre>%\n\n%</pre></table>',
  '<table><tr><td>%</table>',
  '<table>%<tr><td>%<td>%</table>',
  '<details><summary>%</summary>%</details>',
];
/** The elements that Markdown may have, by the tags of the page that they come from. */
const MADE: Readonly<Record<string, RegExp>> = {
  a: /<a /,
  img: /<img /,
  em: /<i>/,
  strong: /<b>|<summary>/,
  del: /<s>/,
  s: /<s>/,
  code: /<code|<pre/,
  pre: /<pre/,
  h2: /<h2/,
  ul: /<ul|<dl/,
  ol: /<ol/,
  li: /<li|<dt|<dd/,
  input: /<input/,
  blockquote: /<blockquote/,
  caption: /<caption/,
};
const TABLE = new Set(['table', 'thead', 'tbody', 'tr', 'th', 'td']);

/** What is wrong with the elements that a reader makes of a page; undefined when each comes from the page's markup. */
function strangeElement(html: string, read: string): string | undefined {
  for (const { name, attributes, text } of readHtml(read).elements) {
    const isOwn =
      name === 'p' || name === 'br' || name === 'tex' || (TABLE.has(name) && html.includes('<table'));
    // GFM makes links of bare addresses; they lead where their text says
    const href = attributes.href ?? '';
    const isBare =
      name === 'a' && /^(?:https?:|mailto:|\/\/)/.test(href) && decodeURI(href).endsWith(decodeURI(text));
    if (!isOwn && !isBare && MADE[name]?.test(html) !== true) return `<${name}> ${text}`;
    for (const [attribute, value] of Object.entries(attributes)) {
      const isUrl = attribute === 'href' || attribute === 'src';
      if (isUrl ? !/^(?:https?:\/\/|mailto:)/.test(value) && !isBare : !ATTRIBUTES.test(attribute))
        return `<${name} ${attribute}="${value}">`;
      if (isUrl && !isBare && !value.startsWith('https://example.org/')) return `${attribute}="${value}"`;
    }
  }
  return undefined;
}
const ATTRIBUTES = /^(?:alt|align|start|class|type|disabled|checked|colspan|rowspan)$/;

function isOneWord(text: string): string {
  return text.replace(/\s+/g, '');
}

function hostilePage(number: (bound: number) => number, texts: readonly string[]): string {
  const text = (): string =>
    Array.from(
      { length: 1 + number(4) },
      () => texts[number(texts.length)] + (number(3) === 0 ? ' ' : ''),
    ).join('');
  return Array.from({ length: 1 + number(3) }, () =>
    FRAMES[number(FRAMES.length)].replace(/%/g, () => escapeHtml(text())),
  ).join('');
}

/** What is wrong with the Markdown of a page in any reader. */
function faultsOf(html: string, words: (text: string) => string): string[] {
  const { tree, ranges } = markedPage(html);
  const markdown = renderMarkdown(tree, ranges, PAGE);
  const expected = words(renderText(tree, ranges));
  const faults: string[] = [];
  for (const [name, read] of Object.entries(READERS)) {
    const output = read(markdown);
    const text = words(readHtml(output).text);
    // markdown-it has no task lists; marked does not see some links whose text has escapes, and shows their address
    const isOther =
      name === 'marked'
        ? html.includes('<a ')
        : name !== 'micromark' && name !== 'math' && html.includes('<input');
    const isShown = text === expected || isOther;
    const strange = strangeElement(html, output) ?? (isShown ? undefined : `"${text}" for "${expected}"`);
    if (strange !== undefined) faults.push(`${name}: ${strange}\n${html}\n${markdown}\n${output}`);
  }
  return faults;
}

test('no reader makes an element, a handler or a link of text, and each shows the text', () => {
  const number = seededNumbers(SEED);
  const pages = Array.from({ length: RUNS }, () => hostilePage(number, TEXTS));
  expect(
    pages
      .flatMap((html) => faultsOf(html, isOneWord))
      .slice(0, 5)
      .join('\n\n----\n'),
  ).toBe('');
});

test('nor of text that may be TeX', () => {
  const number = seededNumbers(SEED + 1);
  const texts = [...TEXTS, ...MATH_TEXTS, ...MATH_TEXTS, ...MATH_TEXTS];
  const pages = Array.from({ length: RUNS }, () => hostilePage(number, texts));
  const letters = (text: string): string =>
    text.replace(/\\(?:[lr]brack|lq|ast|[vV]ert)\b|[^\p{L}\p{N}]/gu, '');
  expect(
    pages
      .flatMap((html) => faultsOf(html, letters))
      .slice(0, 5)
      .join('\n\n----\n'),
  ).toBe('');
});

/** TeX, and what a reader with math gets, where it is not the same. */
const FORMULAS: readonly (readonly [tex: string, read?: string])[] = [
  ['\\frac{1}{2}'],
  ['\\sqrt[3]{x}'],
  ['a<b', 'a< b'],
  ['a &= b\\\\ c &\\lt; d', 'a & = b\\\\ c & \\lt; d'],
  ['\\text{<img src=x onerror=alert(1)>}', '\\text{< img src=x onerror=alert(1)>}'],
  ['[click](javascript:alert(2))', '[click] (javascript:alert(2))'],
  ['![x](data:text/html,x)', '![x] (data:text/html,x)'],
  ['[0,1)', '\\lbrack 0,1)'],
  [']0,1[', '\\rbrack 0,1\\lbrack'],
  ['a*b*c', 'a * b * c'],
  ['x^*', 'x^ \\ast'],
  ['x^{k*}', 'x^{k * }'],
  ['\\begin{align*}x\\end{align*}', ''],
  ['\\hat{a}_{i}\\hat{b}_{j}', '\\hat{a}_ {i}\\hat{b}_ {j}'],
  ['a~b~c', 'a\\ b\\ c'],
  ["`a'", "\\lq a'"],
  ['\\text{if $x$ is}', '\\text{if \\(x\\) is}'],
  ['a\\ ', 'a'],
  ['a\\\\', 'a'],
  ['a % note\n b', 'a b'],
  ['a\n\n b', 'a b'],
  ['|x| \\| y'],
  ['\\href{javascript:alert(1)}{x}', ''],
  ['\\text{http://evil.example/}', ''],
  ['5\\$', ''],
  ['x<', 'x< {}'],
  ['# h'],
  ['- i'],
  ['= y'],
];

const SOURCES: readonly ((tex: string) => string)[] = [
  (tex) => `<math alttext="${escapeHtml(tex)}"><mi>x</mi></math>`,
  (tex) =>
    `<math><semantics><mi>x</mi><annotation encoding="application/x-tex">${escapeHtml(tex)}</annotation></semantics></math>`,
  (tex) => `<script type="math/tex">${tex}</script>`,
  (tex) => `<img class=tex src=formula.png alt="${escapeHtml(tex)}">`,
];

test('TeX of every source reaches readers with math, and is text or code for the others', () => {
  for (const source of SOURCES)
    for (const [tex, read = tex] of FORMULAS)
      for (const frame of [
        '<p>so % is',
        '<p>a <b>%</b>',
        '<h2>%</h2>',
        '<ul><li>%<li>%</ul>',
        '<p><a href="/x">see %</a>',
      ]) {
        const html = frame.replace(/%/g, () => source(tex));
        const { tree, ranges } = markedPage(html);
        const markdown = renderMarkdown(tree, ranges, PAGE);
        for (const [name, reader] of Object.entries(READERS)) {
          const output = reader(markdown);
          expect(
            strangeElement(`${html}${read === '' ? '<code>' : ''}`, output),
            `${name}\n${markdown}`,
          ).toBeUndefined();
        }
        const found = readHtml(READERS.math(markdown)).elements.filter(({ name }) => name === 'tex');
        const wanted = read === '' ? [] : Array.from(frame.matchAll(/%/g), () => read);
        expect(
          found.map(({ text }) => text.trim()),
          markdown,
        ).toEqual(wanted);
      }
});

test('a formula in a cell has no bars, text beside formulas does not change them', () => {
  const cells = (formula: string): string => {
    const { tree, ranges } = markedPage(`<table><tr><td>${formula}<td>b<tr><td>c<td>d</table>`);
    return renderMarkdown(tree, ranges, PAGE).split('\n')[2];
  };
  expect(cells('<math alttext="\\left|x\\right| \\| y"></math>')).toBe(
    '| $\\left\\vert x\\right\\vert \\Vert y$ | b |',
  );
  expect(cells('<math alttext="\\begin{array}{c|c}x\\end{array}"></math>')).toBe(
    '| `\\begin{array}{c\\|c}x\\end{array}` | b |',
  );
  const x = '<math alttext="x"></math>';
  const { tree, ranges } = markedPage(`<p>${x}${x}2 $${x}$`);
  expect(renderMarkdown(tree, ranges, PAGE)).toBe('$x$ $x$&#50; \\$$x$\\$\n');
});

test('a display formula is a block of its own, code where it cannot be a formula', () => {
  const markdown = (html: string): string => {
    const { tree, ranges } = markedPage(html);
    return renderMarkdown(tree, ranges, PAGE);
  };
  expect(markdown('<p>so <math display=block alttext="- x"></math>, too')).toBe(
    'so\n\n$$\n{}- x\n$$\n\n, too\n',
  );
  expect(markdown('<ul><li>so \\[x\\]</ul>')).toBe('- so\n\n  $$\n  x\n  $$\n');
  expect(markdown('<p>so \\[ \\url{x} \\] and')).toBe('so `\\url{x}` and\n');
  expect(markdown('<pre>\\(x\\) <math alttext="x"></math></pre>')).toBe('```\n\\(x\\) $x$\n```\n');
});

test('formulas and scripts take linear time', () => {
  const growing: Record<string, (count: number) => string> = {
    'nested math': (count) => '<math>'.repeat(count),
    'nested math with text': (count) => '<math><mrow>x'.repeat(count / 2),
    'nested accents': (count) => '<math><mover><mi>x</mi>'.repeat(count / 3),
    'long class': (count) =>
      `<div class="${'a '.repeat(count)}">${'<math><mi>x</mi></math>'.repeat(count / 6)}</div>`,
    'open scripts': (count) => 'x<sup>'.repeat(count),
    'open scripts in code': (count) => `<code>${'x<sup>'.repeat(count)}`,
    'open marks': (count) => '\\( \\[ $$'.repeat(count),
    'crossed marks': (count) => '\\( \\] '.repeat(count),
    'addresses and escapes': (count) => 'http://a.b/*'.repeat(count),
    'brackets in TeX': (count) => `<math alttext="${'['.repeat(9000)}"></math>`.repeat(count / 4000),
  };
  for (const [name, html] of Object.entries(growing)) {
    const { tree, ranges } = markedPage(html(48_000));
    const begin = process.cpuUsage();
    renderMarkdown(tree, ranges, PAGE);
    // work that is done again at each level of nesting takes 0.8 to 14 s
    expect(process.cpuUsage(begin).user, name).toBeLessThan(500_000);
  }
});
