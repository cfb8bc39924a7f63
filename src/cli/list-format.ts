/** Lists as lines: aligned columns for people, JSON and CSV for programs. */
import { wellFormedJson } from '../model/well-formed-json.ts';
import { csvCell } from '../view/rows.ts';
import { printable } from './summary.ts';

export const LIST_FORMATS = ['table', 'jsonl', 'csv'] as const;
export type ListFormat = (typeof LIST_FORMATS)[number];

/** Lines of aligned cells, the header among the rows; columns that `isFigure` are set flush right. */
export function table(rows: readonly string[][], isFigure: (column: number) => boolean): string[] {
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

/** Lines for programs, row after row; a CSV starts with the names of its columns. */
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

/** At most so many characters, the last of them an ellipsis when there are more. */
export function shorten(text: string, mostCharacters: number): string {
  const characters = Array.from(text);
  return characters.length <= mostCharacters ? text : `${characters.slice(0, mostCharacters - 1).join('')}…`;
}

export function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}
