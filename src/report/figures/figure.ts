/**
 * A figure of the report: what it shows for this archive in one sentence, its picture, its data as a CSV file of its
 * own, and the query that gives the data. Where an archive cannot show something, the figure says why.
 */

import { countOf } from '../../model/count-of.ts';
import { escapeHtml } from '../../view/escape-html.ts';
import { csvCell } from '../../view/rows.ts';
import { formatChange, formatCount, formatPercent } from '../format-numbers.ts';
import { type Plot, renderPlot } from './plot.ts';

export interface Figure {
  /** `figure-03`, after the paper; also the start of the file's name. */
  id: string;
  /** The rest of the file's name: `rank-frequency`. */
  slug: string;
  title: string;
  /** What it shows for this archive. */
  sentence: string;
  /** Why there is nothing to draw; then plot and rows are left out. */
  absent?: string;
  columns: string[];
  rows: (string | number)[][];
  /** How many rows there are, when these are the first of them. @default all are there */
  allRows?: number;
  /** The same over the folder, for `chaff sql`. */
  query?: string;
  /** Columns that hold shares of 1, told in per cent. */
  shares?: readonly string[];
  /** Columns that hold differences of shares, told in points of per cent, or such ones relative to a share, in per cent. */
  changes?: Readonly<Record<string, 'points' | 'per cent'>>;
  /** A picture; without one the rows are shown as a table. */
  plot?: Plot;
  /** Whether the rows are shown below the picture. @default no */
  withRows?: boolean;
  /** Whether the report shows what it tells by other means, and here only the sentence, the file and the query. @default no */
  shownElsewhere?: boolean;
}

/** Sums of floating-point numbers depend on their order in the last digits: those are not told. */
export function rounded(value: number): number {
  return Number.isInteger(value) ? value : Math.round(value * 1e6) / 1e6;
}

/** Columns and rows of a figure from rows of a query: some of their columns, numbers rounded, unknown ones empty. */
export function tableOf<Row extends object>(
  rows: readonly Row[],
  columns: readonly (keyof Row & string)[],
): Pick<Figure, 'columns' | 'rows'> {
  return { columns: [...columns], rows: rows.map((row) => columns.map((name) => cellOf(row[name]))) };
}

export function cellOf(value: unknown): string | number {
  if (value === null) return '';
  return typeof value === 'number' ? rounded(value) : String(value);
}

/** Rows of a table that are shown; all are in the file. */
const MOST_SHOWN_ROWS = 40;

/** Letters of a word that is not broken: most names of sites. */
const LONGEST_WORD = 48;

/** Pixels of a table in one of two columns. */
const HALF_WIDTH = 500;

/** Name of the file with the data, below the output folder. */
export function figureFile({ id, slug }: Figure): string {
  return `figures/${id}-${slug}.csv`;
}

/** The data as CSV (RFC 4180); a cell that a spreadsheet would take for a formula is kept from being one. */
export function figureCsv({ columns, rows }: Figure): string {
  return [columns, ...rows].map((row) => `${row.map(csvCell).join(',')}\n`).join('');
}

/** Figures before tables, each kind by its number. */
export function byNumber(a: Figure, b: Figure): number {
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0;
}

export function renderFigure(figure: Figure): string {
  const { id, title, sentence, absent, query } = figure;
  const classes = absent === undefined ? classOf(figure) : '';
  const head = `<figure id="${id}"${classes}><h4><span class="figure-number">${escapeHtml(numberOf(id))}</span> ${escapeHtml(title)}</h4>`;
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
  return `${head}${drawn}${rows}<figcaption>${escapeHtml(sentence + cut)} <a href="${file}">${file.split('/')[1]}</a></figcaption>${repeat}</figure>`;
}

/** A picture with its rows has the width of the page, and so has a table that half of it is too narrow for. */
function classOf(figure: Figure): string {
  if (figure.plot) return figure.withRows ? ' class="full both"' : '';
  return leastWidth(figure) > HALF_WIDTH ? ' class="full"' : '';
}

/** About the pixels that a table needs when its words are not broken: 7 a letter, 20 around a cell. */
function leastWidth({ columns, rows }: Figure): number {
  const letters = (text: string): number =>
    Math.max(...text.split(' ').map(({ length }) => Math.min(length, LONGEST_WORD)));
  const widths = columns.map((name, k) => {
    const words = rows.slice(0, MOST_SHOWN_ROWS).map((row) => row[k]);
    // numbers are told short: a share has no six decimals
    const cells = words.map((cell) => (typeof cell === 'string' ? letters(cell) : 5));
    return 20 + 7 * Math.max(letters(name.replaceAll('_', ' ')), ...cells);
  });
  return widths.reduce((sum, width) => sum + width, 0);
}

function numberOf(id: string): string {
  const [kind, number] = id.split('-');
  return `${kind[0].toUpperCase()}${kind.slice(1)} ${Number(number)}`;
}

type Told = (value: number) => string;

function renderRows({ columns, rows, shares = [], changes = {} }: Figure): string {
  const shown = rows.slice(0, MOST_SHOWN_ROWS);
  const cells = columns.map((name, k): Told => {
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
  return `<div class="scroll whole"><table class="plain"><thead><tr>${head.join('')}</tr></thead><tbody>${body.join('\n')}</tbody></table></div>${more > 0 ? `<p class="note">${countOf(more, 'more row is', 'more rows are')} in the file.</p>` : ''}`;
}

function htmlCell(tag: 'th' | 'td', text: string, numeric: boolean, attributes = ''): string {
  const name = numeric ? 'number' : tag === 'td' ? wordClass(text) : '';
  return `<${tag}${attributes}${name === '' ? '' : ` class="${name}"`}>${escapeHtml(text)}</${tag}>`;
}

/** A date, a name of a site or another short word stays on its line, several are broken between them only; longer ones anywhere. */
function wordClass(text: string): string {
  if (text.split(' ').some(({ length }) => length > LONGEST_WORD)) return '';
  return text.includes(' ') ? 'words' : 'word';
}

/** Decimals that a number is told with, two at most; all of a column have those of the one that needs most. */
function decimalsOf(value: string | number): number {
  return typeof value === 'string'
    ? 0
    : (value
        .toFixed(2)
        .replace(/\.?0+$/, '')
        .split('.')[1]?.length ?? 0);
}

/** A number that is not known is an empty cell. */
function isNumeric(rows: Figure['rows'], column: number): boolean {
  return rows.some((row) => typeof row[column] === 'number');
}
