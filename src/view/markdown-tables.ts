/**
 * Which tables are tables: Markdown's cells hold one line of text each, so a table that lays out a page
 * (other tables, lists or headings in it), or that is ragged beyond reason, is written as its blocks.
 */

import { tagName } from '../parse/tag-names.ts';
import { ELEMENT, type Tree } from '../parse/tree.ts';

const BLOCKS_IN_CELL = new Set(
  'table pre listing ul ol dl dir menu blockquote h1 h2 h3 h4 h5 h6 hr article section form fieldset'.split(
    ' ',
  ),
);

/** The table elements to write as Markdown tables. One pass over the nodes. */
export function findSimpleTables(tree: Tree): Set<number> {
  const simple = new Set<number>();
  const open: {
    node: number;
    rows: number;
    cells: number;
    widest: number;
    width: number;
    simple: boolean;
  }[] = [];
  const close = (): void => {
    const table = open.pop();
    if (table === undefined) return;
    const widest = Math.max(table.widest, table.width);
    const padding = table.rows * widest - table.cells;
    if (table.simple && table.rows > 1 && widest > 1 && padding <= 2 * table.cells + 16)
      simple.add(table.node);
  };
  for (let node = 1; node < tree.nodeCount; node++) {
    while (open.length > 0 && tree.last[open[open.length - 1].node] <= node) close();
    if (tree.kind[node] !== ELEMENT) continue;
    const name = tagName(tree, node);
    const table = open.at(-1);
    if (table !== undefined) {
      if (BLOCKS_IN_CELL.has(name)) table.simple = false;
      if (name === 'tr') {
        table.rows++;
        table.widest = Math.max(table.widest, table.width);
        table.width = 0;
      } else if (name === 'td' || name === 'th') {
        table.cells++;
        table.width++;
      }
    }
    if (name === 'table') open.push({ node, rows: 0, cells: 0, widest: 0, width: 0, simple: true });
  }
  while (open.length > 0) close();
  return simple;
}

/** The rows of one simple table as they are read. */
export interface TableRows {
  rows: string[][];
  /** Whether the first row is a header. */
  header: boolean;
}

/** A table as lines of Markdown; undefined when what is left of it is no table any more. */
export function tableLines({ rows, header }: TableRows): string[] | undefined {
  const hasHeader = header && rows.length > 0 && rows[0].some((cell) => cell !== '');
  const inked = rows.filter((row) => row.some((cell) => cell !== ''));
  const width = inked.reduce((widest, row) => Math.max(widest, row.length), 0);
  if (width < 2 || inked.length < 2) return undefined;
  const line = (cells: string[]): string =>
    `| ${Array.from({ length: width }, (_, column) => cells[column] ?? '').join(' | ')} |`;
  const rule = `|${' --- |'.repeat(width)}`;
  const [first, ...rest] = hasHeader ? inked : [[], ...inked];
  return [line(first), rule, ...rest.map(line)];
}
