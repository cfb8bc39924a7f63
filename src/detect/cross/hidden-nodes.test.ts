import { expect, test } from 'vitest';
import { readStretches, textOf } from '../../../test/stretches.ts';
import { hiddenNodes } from './refine.ts';

/** Returns the hidden texts of a page. */
function hiddenTexts(html: string): string[] {
  const { tree, stretches } = readStretches(html);
  const hidden = hiddenNodes(tree);
  return stretches
    .filter(({ node }) => hidden[node] === 1)
    .map(({ textStart, textEnd }) => textOf(tree, textStart, textEnd));
}

test.each([
  ['hidden', '<p hidden>x</p>'],
  ['aria-hidden', '<p aria-hidden=TRUE>x</p>'],
  ['display: none', '<p style="color: red; DISPLAY : none">x</p>'],
  ['visibility: hidden', '<p style="visibility:hidden !important;">x</p>'],
])('%s hides an element', (_, html) => {
  expect(hiddenTexts(`${html}<p>y</p>`)).toEqual(['x']);
});

test('all text inside a hidden element is hidden, following text is not', () => {
  expect(hiddenTexts('<div hidden>a<p>b</p></div>c<p>d</p>')).toEqual(['a', 'b']);
});

test('similar attributes and styles hide nothing', () => {
  const html =
    '<p style="x-display:none">a</p><p class="hidden">b</p><p aria-hidden=false>c</p><p title=hidden>d</p>';
  expect(hiddenTexts(html)).toEqual([]);
});
