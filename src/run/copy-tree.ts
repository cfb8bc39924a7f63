/** A tree that outlives its parser: its own copy of every column, cut to what is filled. */
import type { Tree } from '../parse/tree.ts';

export function copyTree(tree: Tree): Tree {
  const copy: Record<string, unknown> = { ...tree, foreignNames: [...tree.foreignNames] };
  for (const [name, column] of Object.entries(tree)) {
    if (!ArrayBuffer.isView(column) || name === 'source') continue;
    copy[name] = (column as Uint8Array).slice(0, filled(tree, name));
  }
  return copy as unknown as Tree;
}

/** Bytes that a copy takes, its source included. */
export function copiedBytes(tree: Tree): number {
  let bytes = tree.source.length;
  for (const [name, column] of Object.entries(tree)) {
    if (!ArrayBuffer.isView(column) || name === 'source') continue;
    bytes += filled(tree, name) * (column as Uint8Array).BYTES_PER_ELEMENT;
  }
  return bytes;
}

function filled({ textLength, linkCount, nodeCount }: Tree, name: string): number {
  if (name === 'text') return textLength;
  if (name.startsWith('link')) return linkCount;
  return nodeCount + 1;
}
