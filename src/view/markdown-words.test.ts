import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readMarkdown, wordDifference } from '../../test/markdown-words.ts';
import { markedPage } from '../../test/marked-page.ts';
import { makeRange } from '../detect/ranges.ts';
import { Parser } from '../parse/parser.ts';
import { generateSite } from '../research/generated-sites/site-generator.ts';
import { openArchive } from '../run/library/open-archive.ts';
import { renderMarkdown } from './markdown.ts';

const URL = 'https://example.org/a/b.html';
const parser = new Parser();

function differenceOf(marked: string): string | undefined {
  const { tree, ranges } = markedPage(marked);
  return wordDifference(tree, ranges, URL);
}

const BLOCKS =
  'p div h2 h3 ul ol li dl dt dd blockquote table tr td th caption pre details summary figure figcaption';
const INLINES =
  'b i em strong a code kbd sup sub q span time del ruby rt rp label button small noscript select option';
const TEXTS = [
  ...[
    'a',
    'word',
    ' two words ',
    '1',
    '12',
    '2,3',
    '1. ',
    '- ',
    '+ ',
    '# ',
    '> ',
    '* ',
    '| a | b |',
    '---',
    '===',
  ],
  ...[
    '*',
    '**',
    '_',
    '__',
    'a_b',
    '`',
    '```',
    '~~',
    '[',
    ']',
    '](x)',
    '[a]: b',
    '![',
    '[x] ',
    '[^1]',
    '!',
    '(',
    ')',
  ],
  ...[
    '\\',
    '\\*',
    '\\(a^2\\)',
    '\\[x_1\\]',
    '$',
    '$$',
    '$5 and $6',
    '&amp;',
    '&amp;lt;',
    '&lt;b&gt;',
    '&lt;!--',
    ';',
  ],
  ...[
    ' http://example.org/a_b_ ',
    ' https://www.example.org/a&lt;b> ',
    ' www.example.org/&lt;i>&amp;lt; ',
    ' www.example.org ',
    ' a@example.org ',
    '&lt;a@b.c>',
    '漢字',
    'é',
    '©',
    '\n',
    ' ',
    ':',
  ],
  ...[
    '<br>',
    '<hr>',
    '<img src=x alt=y>',
    '<input type=checkbox>',
    '<math><mi>x</mi><mo>=</mo><mn>2</mn></math>',
  ],
];
const pieces = [
  ...[...BLOCKS.split(' '), ...INLINES.split(' ')].flatMap((name) => [`<${name}>`, `</${name}>`]),
  '<a href=u>',
  '<td colspan=2>',
  '<th rowspan=2>',
];

test('any soup has the same words in the same order in Markdown, read by a real parser, as in text', () => {
  const soup = fc.array(
    fc.oneof(
      { weight: 2, arbitrary: fc.constantFrom(...TEXTS) },
      { weight: 2, arbitrary: fc.constantFrom(...pieces) },
      { weight: 1, arbitrary: fc.constantFrom('{{', '}}', 'word', ' x ') },
    ),
    { maxLength: 24 },
  );
  fc.assert(
    fc.property(soup, (parts) => {
      expect(differenceOf(parts.join(''))).toBeUndefined();
    }),
    { numRuns: Number(process.env.SOUP_RUNS ?? 3000), seed: Number(process.env.SOUP_SEED ?? 7) },
  );
});

test('generated pages have the same words in Markdown and in text, all of the page and its content', () => {
  for (const soup of [false, true]) {
    for (const { source, truth, url } of generateSite({ seed: 5, host: 'news.example', pages: 12, soup })) {
      const tree = parser.parse(source);
      const ranges = truth.map(({ start, end, label }) =>
        makeRange(start, end, label === 'content' || label === 'slot' ? label : 'template', 1, '', ''),
      );
      expect(wordDifference(tree, [], url)).toBeUndefined();
      expect(wordDifference(tree, ranges, url)).toBeUndefined();
    }
  }
});

const data = process.env.CHAFF_DATA;

test.skipIf(data === undefined)(
  'real pages have the same words in Markdown and in text',
  { timeout: 3e6 },
  async () => {
    const folders = ['gold', 'sites'].map((name) => join(data as string, name));
    const wanted = new RegExp(process.env.PAGES ?? 'wce|portal|readability|openems|330k|codersclub');
    const files = folders.flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)));
    const differences: string[] = [];
    let count = 0;
    for (const file of files.filter((name) => name.endsWith('.warc.gz') && wanted.test(name))) {
      for await (const page of openArchive(file)) {
        const difference = wordDifference(parser.parse(page.source), [], page.url);
        count++;
        if (difference !== undefined) differences.push(`${page.url}: ${difference}`);
      }
    }
    process.stdout.write(`\n${count} pages, ${differences.length} differ`);
    expect(differences.slice(0, 40)).toEqual([]);
    expect(count).toBeGreaterThan(500);
  },
);

test('the reader of these tests sees markup', () => {
  const { tree, ranges } = markedPage(
    '<p>a <b>b</b> <a href=x>c</a><ul><li>d</ul><table><tr><th>e<th>f<tr><td>g<td>h</table>',
  );
  const { words, kinds } = readMarkdown(renderMarkdown(tree, ranges, { url: URL }));
  expect(words.join('')).toBe('abcdefgh');
  for (const kind of ['strong', 'link', 'listItem', 'table']) expect(kinds.get(kind)).toBe(1);
});
