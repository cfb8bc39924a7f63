import { expect, test } from 'vitest';
import { DROPPED_SNIPPET, KEPT_SNIPPET, markSnippets } from './gold-snippets.ts';

const words = (...numbers: number[]) => Int32Array.from(numbers);
const BLOCKS = [words(1, 2, 3), words(4, 5, 6, 7), words(1, 2), words(8, 4, 5)];

test('blocks that hold a snippet are marked by its kind, others are not', () => {
  const marks = markSnippets(BLOCKS, [words(5, 6)], [words(2)]);
  expect([...marks]).toEqual([DROPPED_SNIPPET, KEPT_SNIPPET, DROPPED_SNIPPET, 0]);
});

test('a kept snippet that several blocks hold marks none of them', () => {
  expect([...markSnippets(BLOCKS, [words(4, 5)], [])]).toEqual([0, 0, 0, 0]);
});

test('a block with snippets of both kinds is not marked', () => {
  expect([...markSnippets(BLOCKS, [words(6)], [words(7)])]).toEqual([0, 0, 0, 0]);
});

test('a snippet matches consecutive words only, and an empty snippet never matches', () => {
  expect([...markSnippets(BLOCKS, [words(5, 7), words()], [words()])]).toEqual([0, 0, 0, 0]);
});
