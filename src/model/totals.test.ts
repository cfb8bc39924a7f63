import { expect, test } from 'vitest';
import type { Problem } from './problem.ts';
import { Totals } from './totals.ts';

const problem = (code: Problem['code']): Problem => ({ code, message: '' });

test('counts of the reader and of pages lost later add up', () => {
  const totals = new Totals();
  totals.pages = 2;
  totals.addSkip('too-slow');
  totals.addProblem(problem('too-slow'));
  totals.addProblem(problem('depth-capped'));
  totals.addReading({
    captureCount: 5,
    skipped: { 'not-html': 1, 'too-slow': 1 },
    problems: { 'too-slow': 1 },
  });
  totals.check();
  expect(totals.skipped).toEqual({ 'too-slow': 2, 'not-html': 1 });
  expect(totals.problems).toEqual({ 'too-slow': 2, 'depth-capped': 1 });
});

test('a capture that is lost or counted twice is reported as a bug in Chaff', () => {
  const lost = Object.assign(new Totals(), { captures: 3, pages: 2 });
  expect(() => lost.check()).toThrow('3 captures were read but 2 accounted for');
  const twice = Object.assign(new Totals(), { captures: 1, pages: 2 });
  expect(() => twice.check('filtered')).toThrow('1 captures were read but 2 accounted for');
});

test('captures that are not counted are skipped under the given code', () => {
  const totals = Object.assign(new Totals(), { captures: 5, pages: 2 });
  totals.addSkip('filtered');
  totals.check('filtered');
  expect(totals.skipped).toEqual({ filtered: 3 });
});
