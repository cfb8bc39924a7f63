import { expect, test } from 'vitest';
import { readStretches } from '../../../test/stretches.ts';
import { DOWN, NEXT, PREVIOUS, UP } from './bit-patterns.ts';
import { toRanges } from './cross-ranges.ts';

/**
 * Ranges of a page. The first letter of a word gives the arms in which it occurs; words with `c` are content.
 */
function rangesOf(html: string, cross: number, letters: Record<string, number>, whys: string[] = []) {
  const page = readStretches(html, (word) => letters[word[0]] ?? 0);
  for (const [i, stretch] of page.stretches.entries()) {
    const first = String.fromCharCode(page.tree.text[stretch.textStart]);
    stretch.label = first === 'c' ? 'content' : 'template';
    stretch.why = whys[i] ?? '';
  }
  return toRanges(page.tree, page.stretches, cross).map(({ start, end, reason }) => [
    Buffer.from(page.tree.source.subarray(start, end)).toString(),
    reason,
  ]);
}

test('the reason of an element is true of all its words: different counts are given as an interval', () => {
  const letters = { a: UP | DOWN | NEXT, b: 0, u: UP };
  expect(rangesOf('<p>c</p><div><b>all all all</b><i>bare</i></div>', UP | DOWN | NEXT, letters)).toEqual([
    [
      '<div><b>all all all</b><i>bare</i></div>',
      'on 0 to 2 of 2 similar pages, in 0 to 1 of 1 other captures',
    ],
  ]);
  expect(rangesOf('<p>c</p><div>all all</div>', UP | DOWN | NEXT, letters)[0][1]).toBe(
    'on 2 of 2 similar pages, in 1 of 1 other captures',
  );
});

test('the reason of a part of a text is true of all its words', () => {
  const letters = { a: UP, c: PREVIOUS };
  expect(rangesOf('<p>all bare content</p>', UP | PREVIOUS, letters)).toEqual([
    ['all bare', 'on 0 to 1 of 1 similar pages, in 0 of 1 other captures'],
  ]);
});

test('a rule that decided some of the words is named as such', () => {
  const letters = { a: UP };
  const html = '<p>c</p><div><b>all</b><i>bare</i></div>';
  expect(rangesOf(html, UP, letters, ['', '', 'changes with every capture'])[0][1]).toBe(
    'on 0 to 1 of 1 similar pages, in part changes with every capture',
  );
  expect(rangesOf(html, UP, letters, ['', 'as its neighbours', 'as its neighbours'])[0][1]).toBe(
    'on 0 to 1 of 1 similar pages, as its neighbours',
  );
});

test('the reason of merged crosses names the deciding rule instead of counts', () => {
  expect(rangesOf('<p>c</p><div>all</div>', 0, {}, ['', 'by 3 crosses'])[0][1]).toBe('by 3 crosses');
});
