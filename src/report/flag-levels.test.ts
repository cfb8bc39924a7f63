import { expect, test } from 'vitest';
import { flagLevels } from './flag-levels.ts';

test('labels with room are on one line', () => {
  expect(flagLevels([10, 60, 110], 50)).toEqual([0, 0, 0]);
});

test('a label that would touch the one before is a line higher, and left out where that is taken, too', () => {
  expect(flagLevels([100, 120, 130, 150, 170], 50)).toEqual([0, 1, -1, 0, 1]);
});
