import { expect, test } from 'vitest';
import { countLeaks } from './site-leaks.ts';

const MENU = 'Home | News | Contact';
const story = (page: number) => Array.from({ length: 12 }, (_, at) => `word${page}x${at}`).join(' ');
const whole = Array.from({ length: 6 }, (_, page) => `${MENU}\n${story(page)}\nShort line ${page}`);

test('keeping everything keeps all that is unique and repeats the menu', () => {
  const [none] = countLeaks([whole]);
  expect(none).toMatchObject({ pages: 6, uniqueParagraphs: 6, uniqueKept: 6 });
  expect(none.repeatedChars).toBe(6 * MENU.length);
});

test('the stories alone repeat nothing, an empty output keeps nothing', () => {
  const stories = whole.map((_, page) => story(page));
  const [clean, empty] = countLeaks([stories, whole.map(() => ''), whole]);
  expect(clean).toMatchObject({ repeatedChars: 0, uniqueKept: 6 });
  expect(empty).toMatchObject({ outputChars: 0, repeatedChars: 0, uniqueParagraphs: 6, uniqueKept: 0 });
});

test('a line of four pages does not repeat, whatever the size of the site', () => {
  const [four] = countLeaks([whole.map((_, page) => (page < 4 ? MENU : `Other ${page}`)), whole]);
  expect(four.repeatedChars).toBe(0);
});

test('on a large site a line repeats from one page in twenty', () => {
  const pages = Array.from({ length: 200 }, (_, page) => story(page));
  const withMenu = (count: number) => pages.map((text, page) => (page < count ? `${MENU}\n${text}` : text));
  expect(countLeaks([withMenu(9), pages])[0].repeatedChars).toBe(0);
  expect(countLeaks([withMenu(10), pages])[0].repeatedChars).toBe(10 * MENU.length);
});

test('lines are equal despite case and punctuation; half a paragraph is lost', () => {
  const loud = whole.map((_, page) => `> ${story(page).toUpperCase()}!`);
  const halves = whole.map((_, page) => story(page).split(' ').slice(6).join(' '));
  const [kept, lost] = countLeaks([loud, halves, whole]);
  expect([kept.uniqueKept, lost.uniqueKept]).toEqual([6, 0]);
});

test('a paragraph that two pages have is not unique', () => {
  const twice = whole.map((text, page) => (page < 2 ? `${text}\n${story(99)}` : text));
  expect(countLeaks([twice])[0].uniqueParagraphs).toBe(6);
});
