/**
 * A tree that outlives its parser: its own copy of every column, cut to what is filled. A copy is an object of
 * the same class as what a parser gives, so that the loops that get both are compiled for one.
 */
import { Columns, copiedBytes } from '../../parse/columns.ts';
import type { Tree } from '../../parse/tree.ts';

export { copiedBytes };

/** The copy, its source included, lies in `memory`, of which it takes `copiedBytes`. */
export function copyTree(tree: Tree, memory?: Uint8Array<ArrayBuffer>): Tree {
  return Columns.copyOf(tree, memory);
}
