import { expect, test } from 'vitest';
import { rowsOfASite, SHOWN_ROWS } from './read-site-lists.ts';

test('the more sites, the fewer rows of each are read, and never fewer than are shown', () => {
  expect(rowsOfASite(1)).toBe(100);
  expect(rowsOfASite(400)).toBe(50);
  expect(rowsOfASite(100_000)).toBe(SHOWN_ROWS);
});
