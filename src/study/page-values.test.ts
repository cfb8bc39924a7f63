import { expect, test } from 'vitest';
import { markedPage } from '../../test/marked-page.ts';
import { seededRandom } from '../../test/seeded-random.ts';
import { changeMagnitude, PageValueReader, type PageValues } from './page-values.ts';

const reader = new PageValueReader();

/** Values of a page whose templates are in double braces. */
function valuesOf(marked: string): PageValues {
  const { tree, ranges } = markedPage(marked);
  return reader.read(tree, ranges);
}

test('words inside templates make one value, all other words another', () => {
  const page = valuesOf('{{<ul><li>Home<li>News</ul>}}<p>One story</p>');
  const otherStory = valuesOf('{{<ul><li>Home<li>News</ul>}}<p>Another story</p>');
  const otherMenu = valuesOf('{{<ul><li>Home<li>Sport</ul>}}<p>One story</p>');
  expect(otherStory.template).toBe(page.template);
  expect(otherStory.rest).not.toBe(page.rest);
  expect(otherMenu.template).not.toBe(page.template);
  expect(otherMenu.rest).toBe(page.rest);
});

test('markup, white space and case do not change a value', () => {
  const before = valuesOf('{{<ul><li>Home<li>News</ul>}}<p>One story</p>');
  const after = valuesOf(
    '{{<nav class="new"><b>HOME</b>\n <i>news</i></nav>}}<div><em>one</em>   Story</div>',
  );
  expect(after).toEqual(before);
});

test('the order of words changes a value but not a set', () => {
  const before = valuesOf('<p>dog bites man</p>');
  const after = valuesOf('<p>man bites dog</p>');
  expect(after.rest).not.toBe(before.rest);
  expect(after.restWords).toEqual(before.restWords);
});

test('the position of a template does not change its value', () => {
  const above = valuesOf('{{<p>menu</p>}}<p>story</p>{{<p>foot</p>}}');
  const below = valuesOf('<p>story</p>{{<p>menu</p>}}{{<p>foot</p>}}');
  expect(below).toEqual(above);
});

test('text labelled unsure belongs to the rest', () => {
  const page = valuesOf('{{<p>menu</p>}}{?<p>perhaps</p>?}<p>story</p>');
  const sure = valuesOf('{{<p>menu</p>}}<p>perhaps</p><p>story</p>');
  expect(page).toEqual(sure);
});

test('a region without words has the empty value', () => {
  expect(valuesOf('<p>only a story</p>')).toMatchObject({ template: '' });
  expect(valuesOf('{{<p>only a menu</p>}}')).toMatchObject({ rest: '', restWords: new Uint32Array(0) });
  expect(valuesOf('{{<hr>}}<p>story</p><img src=x>')).toMatchObject({ template: '' });
  expect(valuesOf('')).toEqual({
    template: '',
    rest: '',
    words: new Uint32Array(0),
    restWords: new Uint32Array(0),
  });
});

test('sets hold each word once, sorted; those of the page hold those of the rest', () => {
  const { words, restWords } = valuesOf('{{<p>a b a c</p>}}<p>c d d e</p>');
  expect(words.length).toBe(5); // a b c d e
  expect(restWords.length).toBe(3); // c d e
  expect([...words]).toEqual([...words].sort((a, b) => a - b));
  expect([...restWords].every((word) => words.includes(word))).toBe(true);
});

test('a page of any size leaves a bounded set of words, the same one each time', () => {
  const many = Array.from({ length: 60_000 }, (_, k) => `w${k}`);
  const { words } = valuesOf(`<p>${many.join(' ')}</p>`);
  expect(words.length).toBe(50_000);
  const again = valuesOf(`<p>${many.reverse().join(' ')}</p>`).words;
  expect(again.every((word, k) => word === words[k])).toBe(true);
});

test('the magnitude of change is 1 − 2·|A ∩ B| / (|A| + |B|)', () => {
  const set = (...numbers: number[]): Uint32Array => Uint32Array.from(numbers);
  expect(changeMagnitude(set(1, 2, 3), set(1, 2, 3))).toBe(0);
  expect(changeMagnitude(set(1, 2, 3), set(4, 5))).toBe(1);
  expect(changeMagnitude(set(1, 2, 3), set(2, 3, 4))).toBeCloseTo(1 / 3, 15);
  expect(changeMagnitude(set(1), set(1, 2, 3))).toBe(0.5);
  expect(changeMagnitude(set(), set(1, 2))).toBe(1);
  expect(changeMagnitude(set(), set())).toBe(0);
  expect(changeMagnitude(set(0, 0xffffffff), set(0xffffffff))).toBeCloseTo(1 / 3, 15);
});

test('the magnitude of change agrees with plain sets and is symmetric', () => {
  const random = seededRandom(6);
  for (let round = 0; round < 300; round++) {
    const draw = (): Set<number> => {
      const size = Math.floor(random() * 12);
      return new Set(Array.from({ length: size }, () => Math.floor(random() * 16)));
    };
    const [a, b] = [draw(), draw()];
    const shared = [...a].filter((word) => b.has(word)).length;
    const expected = a.size + b.size === 0 ? 0 : 1 - (2 * shared) / (a.size + b.size);
    const [first, second] = [Uint32Array.from(a).sort(), Uint32Array.from(b).sort()];
    expect(changeMagnitude(first, second)).toBe(expected);
    expect(changeMagnitude(second, first)).toBe(expected);
  }
});
