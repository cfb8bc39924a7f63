/**
 * Decides how tables are written. GFM cells hold one line of text and cannot span: a data table that needs more is
 * written as HTML. A table that lays out a page (it contains other tables or headings), or whose rows are too uneven,
 * is written as the blocks inside it.
 */
import { readAttribute } from '../parse/attributes.ts';
import { TAG, tagsOf } from '../parse/tag-names.ts';
import { ELEMENT, type Tree } from '../parse/tree.ts';

/** How a table is written: as a GFM table, as HTML, or as the blocks inside it. */
export type TableForm = 'gfm' | 'html' | 'blocks';

const LAYOUT = new Set(tagsOf('table h1 h2 h3 h4 h5 h6 hr article section form fieldset'));
const BLOCKS_IN_CELL = new Set(tagsOf('pre listing ul ol dl dir menu blockquote'));
const WIDEST_SPAN = 50;

interface OpenTable {
  node: number;
  rows: number;
  cells: number;
  widest: number;
  /** Columns and cells of the current row. */
  width: number;
  rowCells: number;
  isLayout: boolean;
  isData: boolean;
  hasBlocks: boolean;
  hasSpans: boolean;
}

/** Finds the form of a table and of those inside it, in one pass over its nodes. */
export function classifyTables(tree: Tree, outermost: number, forms: Map<number, TableForm>): void {
  const { kind, name, last } = tree;
  const open: OpenTable[] = [];
  const close = (): void => {
    const table = open.pop() as OpenTable;
    endRow(table);
    const padding = table.rows * table.widest - table.cells;
    // rows are too uneven if most of their cells would be empty
    const isTable = !table.isLayout && table.rows > 1 && table.widest > 1 && padding <= 2 * table.cells + 16;
    const needsHtml = table.hasBlocks || (table.hasSpans && table.isData);
    const form = !needsHtml ? 'gfm' : table.isData ? 'html' : 'blocks';
    forms.set(table.node, isTable ? form : 'blocks');
  };
  for (let node = outermost; node < last[outermost]; node++) {
    while (open.length > 0 && last[open[open.length - 1].node] <= node) close();
    if (kind[node] !== ELEMENT) continue;
    const tag = name[node];
    const table = open.at(-1);
    if (table !== undefined) {
      if (LAYOUT.has(tag)) table.isLayout = true;
      else if (BLOCKS_IN_CELL.has(tag)) table.hasBlocks = true;
      else if (tag === TAG.th || tag === TAG.caption || tag === TAG.thead) table.isData = true;
      if (tag === TAG.tr) {
        endRow(table);
        table.rows++;
      } else if (tag === TAG.td || tag === TAG.th) {
        table.cells++;
        table.rowCells++;
        table.width += spanOf(tree, node, 'colspan');
        if (spanOf(tree, node, 'rowspan') > 1) table.hasSpans = true;
      }
    }
    if (tag === TAG.table) open.push(newTable(node));
  }
  while (open.length > 0) close();
}

function newTable(node: number): OpenTable {
  const counts = { rows: 0, cells: 0, widest: 0, width: 0, rowCells: 0 };
  return { node, ...counts, isLayout: false, isData: false, hasBlocks: false, hasSpans: false };
}

function endRow(table: OpenTable): void {
  // a single cell over the whole width is a row of its own in GFM too
  if (table.width > table.rowCells && table.rowCells > 1) table.hasSpans = true;
  if (table.rowCells > 1 || table.width < 2) table.widest = Math.max(table.widest, table.width);
  table.width = 0;
  table.rowCells = 0;
}

/** Number of columns or rows that a cell spans. */
export function spanOf(tree: Tree, cell: number, name: 'colspan' | 'rowspan'): number {
  // `<td colspan=2>`
  if (tree.openEnd[cell] - tree.start[cell] < 14) return 1;
  const span = Number.parseInt(readAttribute(tree, cell, name) ?? '1', 10);
  return span > 1 ? Math.min(span, WIDEST_SPAN) : 1;
}

/** The rows of one table while they are read; a cell is text with lines. */
export interface MarkdownRows {
  rows: string[][];
  /** Whether the first row is a header. */
  header: boolean;
  /** Rows that a cell above still spans, by column. */
  spanned?: number[];
}

/** Adds a cell to the last row, and empty cells for the columns that it spans or that a cell above spans. */
export function addCell(table: MarkdownRows, text: string, colspan: number, rowspan: number): void {
  const row = table.rows.at(-1) as string[];
  const spanned = (table.spanned ??= []);
  while (spanned[row.length] > 0) {
    spanned[row.length]--;
    row.push('');
  }
  for (let column = 0; column < colspan; column++) {
    if (rowspan > 1) spanned[row.length] = rowspan - 1;
    row.push(column === 0 ? text : '');
  }
}

/** A table as lines of Markdown; undefined when its kept part is no longer a table. */
export function tableLines({ rows, header }: MarkdownRows): string[] | undefined {
  const hasHeader = header && rows.length > 0 && rows[0].some((cell) => cell !== '');
  const filled = rows.filter((row) => row.some((cell) => cell !== ''));
  const width = filled.reduce((widest, row) => Math.max(widest, row.length), 0);
  if (width < 2 || filled.length < 2) return undefined;
  const line = (cells: string[]): string =>
    `| ${Array.from({ length: width }, (_, column) => cellLine(cells[column] ?? '')).join(' | ')} |`;
  const rule = `|${' --- |'.repeat(width)}`;
  const [first, ...rest] = hasHeader ? filled : [[], ...filled];
  return [line(first), rule, ...rest.map(line)];
}

function cellLine(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', '<br>');
}
