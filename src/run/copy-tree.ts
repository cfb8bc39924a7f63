/**
 * A tree that outlives its parser: its own copy of every column, cut to what is filled. A copy is an object of
 * the same class as what a parser gives, so that the loops that get both are compiled for one.
 */
import { Columns } from '../parse/columns.ts';
import type { Tree } from '../parse/tree.ts';

/** `source` is the bytes of the page, where those of the tree do not last. */
export function copyTree(tree: Tree, source = tree.source): Tree {
  const copy = Columns.copyOf(tree);
  copy.source = source;
  return copy;
}

/** Bytes that a copy takes, its source included. */
export function copiedBytes({ source, nodeCount, textLength, linkCount }: Tree): number {
  return source.length + textLength + (nodeCount + 1) * NODE_BYTES + linkCount * LINK_BYTES;
}

/** Of all columns: kind, name, ten of four bytes; and of a link's three. */
const NODE_BYTES = 1 + 2 + 10 * 4;
const LINK_BYTES = 3 * 4;
