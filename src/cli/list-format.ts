/** Formats lists as lines: aligned columns for people, JSON and CSV for programs. */
import { wellFormedJson } from '../model/well-formed-json.ts';
import { csvCell } from '../view/rows.ts';
import { printable } from './summary.ts';

/** Formats of lists. */
export const LIST_FORMATS = ['table', 'jsonl', 'csv'] as const;
/** One of `LIST_FORMATS`. */
export type ListFormat = (typeof LIST_FORMATS)[number];

/** Lines of aligned cells, with the header as the first row; columns for which `isFigure` holds are right-aligned. */
export function formatTable(rows: readonly string[][], isFigure: (column: number) => boolean): string[] {
  const widthOf = (text: string) => Array.from(text).length;
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => widthOf(row[column]))));
  return rows.map((row) =>
    row
      .map((cell, column) => {
        const space = ' '.repeat(widths[column] - widthOf(cell));
        return isFigure(column) ? space + cell : cell + space;
      })
      .join('  ')
      .trimEnd(),
  );
}

type Row = Record<string, string | number | boolean | null>;

/** Formats rows for programs one by one; CSV begins with the names of its columns. */
export class RowLines {
  readonly #format: Exclude<ListFormat, 'table'>;
  #isStarted = false;

  constructor(format: Exclude<ListFormat, 'table'>) {
    this.#format = format;
  }

  *of(row: object): Generator<string> {
    if (this.#format === 'jsonl') {
      yield wellFormedJson(row);
      return;
    }
    if (!this.#isStarted) yield Object.keys(row).join(',');
    this.#isStarted = true;
    yield Object.values(row as Row)
      .map((cell) => csvCell(typeof cell === 'string' ? printable(cell) : cell))
      .join(',');
  }
}

/** Cuts a text to at most this number of characters, the last of which is then an ellipsis. */
export function shorten(text: string, mostCharacters: number): string {
  const characters = Array.from(text);
  return characters.length <= mostCharacters ? text : `${characters.slice(0, mostCharacters - 1).join('')}…`;
}

/** Formats a share from 0 to 1 as a whole percentage. */
export function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}
