/**
 * Renders a figure of the report: a sentence on its result for this archive, its picture, its data as a CSV file,
 * and the query that gives the data. When an archive has no data for it, the figure gives the reason.
 */

import { countOf } from '../../model/count-of.ts';
import { escapeHtml } from '../../view/escape-html.ts';
import { csvCell } from '../../view/rows.ts';
import { formatChange, formatCount, formatPercent } from '../format-numbers.ts';
import { type Plot, renderPlot } from './plot.ts';

/** Texts, data and picture of one figure. */
export interface Figure {
  /** Id such as `figure-03`, numbered as in the paper; also the start of the file name. */
  id: string;
  /** Rest of the file name, such as `rank-frequency`. */
  slug: string;
  title: string;
  /** Result for this archive, one sentence. */
  sentence: string;
  /** Reason why there is no data; then plot and rows are absent. */
  absent?: string;
  columns: string[];
  rows: (string | number)[][];
  /** Total number of rows, when `rows` are the first of them. @default number of rows */
  allRows?: number;
  /** Query for `chaff sql` that gives the same data. */
  query?: string;
  /** Columns with shares (0 to 1), shown in per cent. */
  shares?: readonly string[];
  /** Columns with differences of shares, shown in percentage points, or relative to a share, shown in per cent. */
  changes?: Readonly<Record<string, 'points' | 'per cent'>>;
  /** Picture; without one the rows are shown as a table. */
  plot?: Plot;
  /** Whether to show the rows below the picture. @default no */
  withRows?: boolean;
  /** Whether the report shows the data elsewhere, and here only the sentence, the file and the query. @default no */
  shownElsewhere?: boolean;
}

/** Rounds a number: the last digits of floating-point sums depend on their order. */
export function rounded(value: number): number {
  return Number.isInteger(value) ? value : Math.round(value * 1e6) / 1e6;
}

/** Returns some columns and all rows of a query result for a figure; numbers are rounded, unknown ones ''. */
export function tableOf<Row extends object>(
  rows: readonly Row[],
  columns: readonly (keyof Row & string)[],
): Pick<Figure, 'columns' | 'rows'> {
  return { columns: [...columns], rows: rows.map((row) => columns.map((name) => cellOf(row[name]))) };
}

/** Returns a value for a cell: rounded numbers, '' for null. */
export function cellOf(value: unknown): string | number {
  if (value === null) return '';
  return typeof value === 'number' ? rounded(value) : String(value);
}

/** Maximum number of rows that a table shows; the file has all. */
const MAX_SHOWN_ROWS = 40;

/** Longest word that is not broken, which covers most site names. */
const LONGEST_WORD = 48;

/** Returns the path of the data file, below the output folder. */
export function figureFile({ id, slug }: Figure): string {
  return `figures/${id}-${slug}.csv`;
}

/** Returns the data as CSV (RFC 4180); cells that a spreadsheet would read as a formula are escaped. */
export function figureCsv({ columns, rows }: Pick<Figure, 'columns' | 'rows'>): string {
  return [columns, ...rows].map((row) => `${row.map(csvCell).join(',')}\n`).join('');
}

/** Compares figures: figures before tables, each by number. */
export function byNumber(a: Figure, b: Figure): number {
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0;
}

/** Returns the HTML of a figure. */
export function renderFigure(figure: Figure): string {
  const { id, title, sentence, absent, query } = figure;
  const classes = absent === undefined ? classOf(figure) : '';
  const saved = figure.plot === undefined || absent !== undefined ? '' : ` data-save="${id}-${figure.slug}"`;
  const head = `<figure id="${id}"${classes}${saved}><h4><span class="figure-number">${escapeHtml(numberOf(id))}</span> ${escapeHtml(title)}</h4>`;
  if (absent !== undefined) return `${head}<p class="absent">${escapeHtml(absent)}</p></figure>`;
  const drawn =
    figure.plot === undefined ? '' : renderPlot(figure.plot, { description: `${title}. ${sentence}` });
  const showsRows = figure.plot === undefined ? !figure.shownElsewhere : figure.withRows;
  const rows = showsRows ? renderRows(figure) : '';
  const file = figureFile(figure);
  const repeat =
    query === undefined
      ? ''
      : `<details class="query"><summary>The query</summary><pre>${escapeHtml(query)}</pre></details>`;
  const cut =
    figure.allRows === undefined || figure.allRows <= figure.rows.length
      ? ''
      : ` The file has the first ${formatCount(figure.rows.length)} of ${formatCount(figure.allRows)} rows; chaff sql with the query below gives all.`;
  return `${head}${drawn}${rows}<figcaption>${escapeHtml(sentence + cut)} <a href="${file}" download>CSV</a></figcaption>${repeat}</figure>`;
}

/** True for figures with the width of the page: pictures with rows or of several sites, and all tables. */
function classOf(figure: Figure): string {
  if (figure.plot) return figure.plot.facets || figure.withRows ? ' class="full"' : '';
  return figure.shownElsewhere ? '' : ' class="full"';
}

function numberOf(id: string): string {
  const [kind, number] = id.split('-');
  return `${kind[0].toUpperCase()}${kind.slice(1)} ${Number(number)}`;
}

type CellText = (value: number) => string;

function renderRows({ columns, rows, shares = [], changes = {} }: Figure): string {
  const shown = rows.slice(0, MAX_SHOWN_ROWS);
  const cells = columns.map((name, k): CellText => {
    if (shares.includes(name)) return (share) => formatPercent(share);
    if (changes[name] === 'points') return formatChange;
    if (changes[name] === 'per cent') return (change) => `${formatChange(change)}\u00a0%`;
    const digits = Math.max(0, ...shown.map((row) => decimalsOf(row[k])));
    return (value) =>
      value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
  });
  const head = columns.map((name, k) =>
    htmlCell(
      'th',
      `${name.replaceAll('_', ' ')}${changes[name] === 'points' ? ', points' : ''}`,
      isNumeric(rows, k),
      ' scope="col"',
    ),
  );
  const body = shown.map(
    (row) =>
      `<tr>${row.map((value, k) => htmlCell('td', typeof value === 'string' ? value : cells[k](value), isNumeric(rows, k))).join('')}</tr>`,
  );
  const more = rows.length - shown.length;
  return `<div class="scroll whole" tabindex="0" role="region" aria-label="Rows"><table class="plain"><thead><tr>${head.join('')}</tr></thead><tbody>${body.join('\n')}</tbody></table></div>${more > 0 ? `<p class="note">${countOf(more, 'more row is', 'more rows are')} in the file.</p>` : ''}`;
}

function htmlCell(tag: 'th' | 'td', text: string, numeric: boolean, attributes = ''): string {
  const name = numeric ? 'number' : tag === 'td' ? wordClass(text) : '';
  return `<${tag}${attributes}${name === '' ? '' : ` class="${name}"`}>${escapeHtml(text)}</${tag}>`;
}

/**
 * Returns the CSS class of a text cell: cells of short words, such as dates and site names, break only between
 * words; others break anywhere.
 */
function wordClass(text: string): string {
  if (text.split(' ').some(({ length }) => length > LONGEST_WORD)) return '';
  return text.includes(' ') ? 'words' : 'word';
}

/** Returns the decimals of a column: at most two, the most that one of its numbers needs. */
function decimalsOf(value: string | number): number {
  return typeof value === 'string'
    ? 0
    : (value
        .toFixed(2)
        .replace(/\.?0{1,2}$/, '')
        .split('.')[1]?.length ?? 0);
}

/** Returns a number cell, empty when unknown. */
function isNumeric(rows: Figure['rows'], column: number): boolean {
  return rows.some((row) => typeof row[column] === 'number');
}
