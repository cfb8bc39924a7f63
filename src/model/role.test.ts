import { expect, test } from 'vitest';
import { checkRoleChoice, parseRoles } from './role.ts';

test('roles are named in singular or plural, and each is returned once', () => {
  expect(parseRoles('title,captions, Comment,title')).toEqual(['title', 'caption', 'comments']);
});

test('an unknown role is refused with the nearest name and the list of all names', () => {
  expect(() => parseRoles('titel')).toThrow(
    '"titel" is not a role. Did you mean title? Roles are text, title,',
  );
  expect(() => parseRoles('sidebar')).toThrow(/^"sidebar" is not a role\. Roles are/);
  expect(() => checkRoleChoice({ without: ['nav' as never] })).toThrow('"nav" is not a role.');
});

test('contradicting choices are refused', () => {
  expect(() => checkRoleChoice({ with: ['comments'], without: ['comments'] })).toThrow(
    'comments cannot be kept',
  );
  expect(() => checkRoleChoice({ only: ['text'], without: ['title'] })).toThrow(
    'names everything that is kept',
  );
  expect(() => checkRoleChoice({ only: 'text' as never })).toThrow('only must be a list of roles');
  checkRoleChoice({ with: ['comments'], without: ['title'] });
});
