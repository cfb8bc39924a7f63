import { expect, test } from 'vitest';
import { combine, list } from './language.ts';
import { languageFor } from './languages.ts';
import { LANGUAGE_CODES } from './phrases.ts';
import { keyOf, Random } from './random.ts';

test('sentences contain no letter of a pattern', () => {
  for (const code of LANGUAGE_CODES.filter((code) => code !== 'en')) {
    const language = languageFor(code);
    const random = new Random(keyOf(code));
    for (let at = 0; at < 500; at++) {
      expect(`${language.sentence(random)} ${language.title(random)}`).not.toMatch(
        /(^|[^A-Za-zÀ-ž])[A-Z]([^A-Za-zÀ-ž]|$)/,
      );
    }
  }
});

test('every language has all phrases', () => {
  for (const code of LANGUAGE_CODES) {
    for (const [name, phrase] of Object.entries(languageFor(code).phrases))
      expect(phrase, `${code} ${name}`).not.toBe('');
  }
});

test('combined words are distinct, and as many as requested if there are enough', () => {
  const words = combine(20, list('a b c d e'), list('x y z u v'));
  expect(new Set(words).size).toBe(words.length);
  expect(words.length).toBeGreaterThan(10);
});

test('keys differ where concatenated parts would be equal', () => {
  expect(keyOf('a', 1)).not.toBe(keyOf('a1'));
  expect(keyOf('ab', 'c')).not.toBe(keyOf('a', 'bc'));
  expect(keyOf(2 ** 40)).not.toBe(keyOf(2 ** 41));
});

test('a bounded draw stays within its bounds and reaches both of them', () => {
  const random = new Random(1);
  const seen = new Set<number>();
  for (let at = 0; at < 1000; at++) seen.add(random.between(3, 6));
  expect([...seen].sort()).toEqual([3, 4, 5, 6]);
});
