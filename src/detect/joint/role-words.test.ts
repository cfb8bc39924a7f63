import { expect, test } from 'vitest';
import * as words from './role-words.ts';

test('words of a name set its bits, in any case and compound', () => {
  expect(words.nameBits('entry-title')).toBe(words.TITLE);
  expect(words.nameBits('pageTitle NAVBAR')).toBe(words.TITLE | words.NAVIGATION);
  expect(words.nameBits('row')).toBe(0);
});

test('a word clears bits of its own name, not those of another name', () => {
  expect(words.nameBits('site-title')).toBe(0);
  expect(words.nameBits('site title')).toBe(words.TITLE);
  expect(words.nameBits('comments-open')).toBe(0);
  expect(words.nameBits('comments-open comments')).toBe(words.COMMENTS);
});
