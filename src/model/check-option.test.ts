import { expect, test } from 'vitest';
import { checkChoice, checkNames, checkNumber, checkWhole } from './check-option.ts';

test('a number within its bounds is returned', () => {
  expect(checkNumber('share', 0.5, { min: 0, max: 1 })).toBe(0.5);
  expect(checkWhole('pages', 3, 1)).toBe(3);
});

test('the message names the option, the bounds and the value', () => {
  expect(() => checkNumber('share', 2, { min: 0, max: 1 })).toThrow(
    'share must be a number from 0 to 1, not 2',
  );
  expect(() => checkWhole('pages', 2.5, 1)).toThrow('pages must be a whole number from 1, not 2.5');
  for (const value of [Number.NaN, Number.POSITIVE_INFINITY, '3' as never]) {
    expect(() => checkNumber('cost', value, { min: 0 })).toThrow('cost must be a number from 0, not');
  }
});

test('a name must be one of the choices', () => {
  expect(checkChoice('by', 'text', ['text', 'tag'])).toBe('text');
  expect(() => checkChoice('by', 'x', ['text', 'tag'])).toThrow('by must be text or tag, not "x"');
  expect(() => checkChoice('by', 'x', ['a', 'b', 'c'])).toThrow('by must be one of a, b, c, not "x"');
});

test('an unknown option is refused', () => {
  checkNames({ pages: 1 }, ['pages']);
  expect(() => checkNames({ page: 1 }, ['pages'])).toThrow('unknown option "page"; known: pages');
});
