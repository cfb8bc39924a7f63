import { expect, test } from 'vitest';
import { isSame } from './metadata-scores.ts';

test.each([
  ['title', 'A “quoted” word', 'A "quoted"  word', true],
  ['title', 'A word', 'A word | Site', false],
  ['author', 'Ada Lowell and Ben Marsh', 'Ben Marsh; Ada Lowell', true],
  ['author', 'Ada Lowell', 'Ada', false],
  ['published', '2019-10-31', '2019-10-31T23:00:00Z', true],
  ['published', '2019-10-31', '2019-11-01', false],
  ['published', '2019-10-31T23:00:00Z', '2019-11-01', true],
  ['published', '2019-10', '2019-10-04', true],
  ['published', '2019-10-31', '', false],
  ['language', 'en', 'en', true],
] as const)('%s: %s and %s', (field, gold, value, isRight) => {
  expect(isSame(field, gold, value)).toBe(isRight);
});
