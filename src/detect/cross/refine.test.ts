import { expect, test } from 'vitest';
import { readStretches, showLabels } from '../../../test/stretches.ts';
import { DOWN, NEXT, PREVIOUS, UP } from './bit-patterns.ts';
import { CROSS_DEFAULTS } from './cross-settings.ts';
import { refineStretches, type SubtreeCounts } from './refine.ts';

const NO_COUNTS: SubtreeCounts = { pageCount: 10, frequentOn: () => 0, isRare: () => false };
const FULL = UP | DOWN | PREVIOUS | NEXT;
const CAPTURES = PREVIOUS | NEXT;

/** Labels the words of a page by the bits that their first letters stand for. */
function refine(html: string, cross: number, letters: Record<string, number>, counts = NO_COUNTS): string[] {
  const page = readStretches(html, (word) => letters[word[0]] ?? 0);
  const { tree, placed } = page;
  refineStretches(page.stretches, { tree, placed, cross, training: CROSS_DEFAULTS, counts });
  return showLabels(page);
}

test('short stretches follow the words of their block, long ones keep their label', () => {
  const letters = { s: UP };
  expect(refine('<p>a b c d s e f g h</p>', UP, letters)).toEqual([
    'a b c d: content',
    's: content',
    'e f g h: content',
  ]);
  expect(refine('<p>a b c d e f g s s s s s s</p>', UP, letters)).toEqual([
    'a b c d e f g: content',
    's s s s s s: template',
  ]);
});

test('text on one of two similar pages is template, text that stays with the URL content', () => {
  expect(refine('<p>up</p><p>kept</p>', FULL, { u: UP, k: CAPTURES })).toEqual([
    'up: template',
    'kept: content',
  ]);
});

test('of texts in no other capture, short and linked ones are slots and long ones content', () => {
  const long = 'n '.repeat(12).trim();
  expect(refine('<p>n n</p>', FULL, {})).toEqual(['n n: template']);
  expect(refine(`<p>${long}</p>`, FULL, {})).toEqual([`${long}: content`]);
  expect(refine(`<p><a href=/>${long}</a></p>`, FULL, {})).toEqual([`${long}: template`]);
});

test('a block on many pages of the site is template even if no neighbour has it', () => {
  const counts = { ...NO_COUNTS, frequentOn: () => 7 };
  expect(refine('<p>four words or more</p>', UP, {}, counts)).toEqual(['four words or more: template']);
  expect(refine('<p>two words</p>', UP, {}, counts)).toEqual(['two words: content']);
});

test('a text on very few pages is on a neighbour by chance', () => {
  expect(refine('<p>up there</p>', UP, { u: UP, t: UP }, { ...NO_COUNTS, isRare: () => true })).toEqual([
    'up there: content',
  ]);
});

test('remaining unsure texts are classified like similar texts of the page, or kept', () => {
  const item = (letter: string) => `<li><a href=/>${letter}</a></li>`;
  const paragraph = (letter: string) => `<p>${`${letter} `.repeat(20)}</p>`;
  const letters = { t: FULL, c: CAPTURES, h: PREVIOUS };
  const html = `<ul>${item('t').repeat(6)}${item('h')}${item('t').repeat(6)}</ul>${paragraph('c').repeat(8)}`;
  expect(refine(html, FULL, letters)[6]).toBe('h: template');
  expect(refine('<p>h</p>', FULL, letters)).toEqual(['h: content']);
});
