import { expect } from 'vitest';
import type { Tree } from '../src/parse/tree.ts';
import { findUnsound } from './find-unsound.ts';

/** Fails the test if the columns of a tree contradict each other; `findUnsound` has the rules. */
export function validate(tree: Tree): void {
  expect(findUnsound(tree)).toBe('');
}
