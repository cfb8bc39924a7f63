import { expect, test } from 'vitest';
import type { Page } from '../../model/page.ts';
import { Parser } from '../../parse/parser.ts';
import { renderText } from '../../view/visible-text.ts';
import { jointDetector } from './joint-detector.ts';

const parser = new Parser();
const detector = jointDetector();

function judge(html: string) {
  const page = { url: 'https://shoes.example/runner', time: '', site: 'shoes.example' } as Omit<
    Page,
    'source'
  >;
  const parsed = () => ({ page, tree: parser.parse(new TextEncoder().encode(html)) });
  const model = detector.learn('shoes.example', [parsed()]);
  const ranges = detector.label(parsed(), model);
  return { ranges, text: renderText(parsed().tree, ranges) };
}

const settings = Array.from(
  { length: 12 },
  (_, k) =>
    `<h3>Purpose ${k}</h3><p>These cookies let ${k} partners count visits, so that we can measure how well the pages of the shop work, and improve them, as most visitors expect.</p>`,
).join('');
const product = `<h1>Wool runner</h1><p>A shoe of soft wool, knitted in one piece, with a sole of cane sugar that stays light when it rains, and for all of the day.</p>
  <p>The wool is washed in the mill of the village, where nobody has used a bleach since 1950, and is dried on the roof.</p>
  <p>Runs true to size. Between two sizes, order the larger one, as the wool shrinks a little in the first month.</p>`;

test.each([
  ['role', `<div role="dialog" class="sheet">${settings}</div>`],
  ['role of an alert', `<div class="sheet"><div role=alertdialog>${settings}</div></div>`],
  ['tag', `<dialog open>${settings}</dialog>`],
])('a dialog is not content, however long it is, by its %s', (_, dialog) => {
  const { text, ranges } = judge(`<title>Wool runner</title><main>${product}</main>${dialog}`);
  for (const part of ['Wool runner', 'sole of cane sugar', 'nobody has used', 'true to size'])
    expect(text).toContain(part);
  expect(text).not.toContain('partners count visits');
  expect(ranges.map(({ reason }) => reason).join('\n')).toContain('in a dialog; content score');
});

test('a page that has nothing but a dialog keeps its text', () => {
  const html = `<title>Wool runner</title><nav><a href=/>Home</a></nav><div role="dialog">${product}</div>`;
  expect(judge(html).text).toContain('sole of cane sugar');
});
