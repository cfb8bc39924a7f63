import { expect, test } from 'vitest';
import { CONVENTIONS, conventionOf, rolesToLeaveOut, withTitleOf } from './conventions.ts';

const titleIn = CONVENTIONS.daniel;
const titleOut = CONVENTIONS.wcxb;

test('a set is known by its name, whatever part of it a file holds', () => {
  expect(conventionOf('wcxb-dev')).toBe(CONVENTIONS.wcxb);
  expect(conventionOf('dragnet_data')).toBe(CONVENTIONS.dragnet);
  expect(conventionOf('a set of mine')).toBeUndefined();
});

test('roles that gold leaves out go; what is mixed or apart stays', () => {
  expect(rolesToLeaveOut(CONVENTIONS.scrapinghub)).toEqual(['title', 'byline', 'caption', 'comments']);
  expect(rolesToLeaveOut(CONVENTIONS.dragnet)).toEqual([]);
  expect(rolesToLeaveOut(undefined)).toEqual([]);
});

test('replies are content on forums alone', () => {
  expect(rolesToLeaveOut(CONVENTIONS.wcxb, 'article')).toContain('comments');
  expect(rolesToLeaveOut(CONVENTIONS.wcxb, 'forum')).not.toContain('comments');
});

test('a title told apart is added where gold has it, once', () => {
  expect(withTitleOf({ text: 'Body.', title: 'Head' }, titleIn)).toBe('Head\nBody.');
  expect(withTitleOf({ text: 'HEAD\nBody.', title: 'Head' }, titleIn)).toBe('HEAD\nBody.');
  expect(withTitleOf({ text: 'Body.' }, titleIn)).toBe('Body.');
});

test('a title on the first line goes where gold leaves it out', () => {
  expect(withTitleOf({ text: '\n Head \nBody about Head', title: 'Head' }, titleOut).trim()).toBe(
    'Body about Head',
  );
  expect(withTitleOf({ text: 'Head of state', title: 'Head' }, titleOut)).toBe('Head of state');
  expect(withTitleOf({ text: 'Head', title: 'Head' }, titleOut)).toBe('');
});
