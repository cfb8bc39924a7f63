/** Trees of tests that hold several pages at once. */
import { holdTree, PageArena } from '../src/parse/page-arena.ts';
import { Parser, type ParserOptions } from '../src/parse/parser.ts';
import type { Tree } from '../src/parse/tree.ts';

const arena = new PageArena();

/** The tree of a page; it holds until the test file ends. */
export function parseHeld(html: string | Uint8Array, options?: ParserOptions): Tree {
  const source = typeof html === 'string' ? new TextEncoder().encode(html) : html;
  return holdTree(new Parser(options).parse(source), arena);
}

/** All of a tree as plain arrays, without its address: for comparison. */
export function columnsOf(tree: Tree): Record<string, unknown> {
  const columns = Object.entries({ ...tree, foreignNames: tree.foreignNames, address: 0 });
  return Object.fromEntries(
    columns.map(([name, value]) => [name, ArrayBuffer.isView(value) ? [...(value as Uint8Array)] : value]),
  );
}
