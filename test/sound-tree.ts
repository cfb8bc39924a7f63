import { expect } from 'vitest';
import type { Tree } from '../src/parse/tree.ts';
import { findUnsound } from './find-unsound.ts';

/** What must hold for the columns of any page. */
export function validate(tree: Tree): void {
  expect(findUnsound(tree)).toBe('');
}
