import { expect, test } from 'vitest';
import { parseHeld } from '../../test/held-tree.ts';
import { PageTokenReader } from './page-tokens.ts';

const reader = new PageTokenReader();

/** Tokens of a text more than those of an empty paragraph. */
function tokensOf(text: string): number {
  const countOf = (html: string) => reader.read(parseHeld(new TextEncoder().encode(html))).tokenCount;
  return countOf(`<p>${text}</p>`) - countOf('<p></p>');
}

test('a word is a token, and so is each character of a script without spaces', () => {
  expect(tokensOf('one two three')).toBe(3);
  expect(tokensOf('одно слово')).toBe(2);
  expect(tokensOf('一二三')).toBe(3);
  expect(tokensOf('かな')).toBe(2);
  expect(tokensOf('\u{20000}\u{20001}\u{3134f}')).toBe(3); // extensions of CJK
  expect(tokensOf('😀😀')).toBe(1);
});
