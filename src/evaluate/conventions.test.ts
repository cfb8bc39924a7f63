import { expect, test } from 'vitest';
import { CONVENTIONS, conventionOf, rolesToAdd, rolesToLeaveOut, withTitleOf } from './conventions.ts';

const titleIn = CONVENTIONS.daniel;
const titleOut = CONVENTIONS.wcxb;

test('a set is known by its name, whatever part of it a file holds', () => {
  expect(conventionOf('wcxb-dev')).toBe(CONVENTIONS.wcxb);
  expect(conventionOf('dragnet_data')).toBe(CONVENTIONS.dragnet);
  expect(conventionOf('a set of mine')).toBeUndefined();
});

test('roles that gold leaves out are removed; mixed and separate ones stay', () => {
  expect(rolesToLeaveOut(CONVENTIONS.scrapinghub)).toEqual(['title', 'byline', 'caption', 'comments']);
  expect(rolesToLeaveOut(CONVENTIONS.dragnet)).toEqual([]);
  expect(rolesToLeaveOut(undefined)).toEqual([]);
});

test('comments are put in where gold has them', () => {
  expect(rolesToAdd(CONVENTIONS.cleaneval)).toEqual(['comments']);
  for (const set of ['daniel', 'dragnet', 'wcxb', 'swde']) expect(rolesToAdd(CONVENTIONS[set])).toEqual([]);
  expect(rolesToAdd(undefined)).toEqual([]);
});

test('replies are content on forums alone', () => {
  expect(rolesToLeaveOut(CONVENTIONS.wcxb, 'article')).toContain('comments');
  expect(rolesToLeaveOut(CONVENTIONS.wcxb, 'forum')).not.toContain('comments');
});

test('a separate title is added once when gold has it', () => {
  expect(withTitleOf({ text: 'Body.', title: 'Head' }, titleIn)).toBe('Head\nBody.');
  expect(withTitleOf({ text: 'HEAD\nBody.', title: 'Head' }, titleIn)).toBe('HEAD\nBody.');
  expect(withTitleOf({ text: 'Body.' }, titleIn)).toBe('Body.');
});

test('a title on the first line is removed when gold leaves it out', () => {
  expect(withTitleOf({ text: '\n Head \nBody about Head', title: 'Head' }, titleOut).trim()).toBe(
    'Body about Head',
  );
  expect(withTitleOf({ text: 'Head of state', title: 'Head' }, titleOut)).toBe('Head of state');
  expect(withTitleOf({ text: 'Head', title: 'Head' }, titleOut)).toBe('');
});
