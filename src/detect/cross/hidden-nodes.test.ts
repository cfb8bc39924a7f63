import { expect, test } from 'vitest';
import { readStretches, textOf } from '../../../test/stretches.ts';
import { hiddenNodes } from './refine.ts';

/** The texts of a page that are hidden. */
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

test('all inside a hidden element is hidden, what follows is not', () => {
  expect(hiddenTexts('<div hidden>a<p>b</p></div>c<p>d</p>')).toEqual(['a', 'b']);
});

test('what only looks alike hides nothing', () => {
  const html =
    '<p style="x-display:none">a</p><p class="hidden">b</p><p aria-hidden=false>c</p><p title=hidden>d</p>';
  expect(hiddenTexts(html)).toEqual([]);
});
