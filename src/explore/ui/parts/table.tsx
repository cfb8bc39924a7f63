/**
 * A table that can be sorted by its columns. It draws some hundred rows, and more on request, so that twenty
 * thousand rows cost no more than the first screen.
 */
import type { ComponentChildren } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { formatCount } from '../format.ts';

/** A column of a table. */
export interface Column<Row> {
  key: string;
  title: string;
  /** Returns the sort key; without it the column cannot be sorted. */
  value?: (row: Row) => string | number;
  /** Returns the contents of a cell. @default the value */
  cell?: (row: Row) => ComponentChildren;
  /** Whether it has numbers: right-aligned, and first sorted in descending order. */
  numeric?: boolean;
  /** Meaning of the title, shown when the pointer is on it. */
  about?: string;
}

/** A sortable column of numbers. */
export function numberColumn<Row>(
  key: string,
  title: string,
  value: (row: Row) => number,
  format = formatCount,
): Column<Row> {
  return { key, title, numeric: true, value, cell: (row) => format(value(row)) };
}

interface TableProps<Row> {
  caption: string;
  columns: Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string | number;
  /** Sort key such as `pages` or `-pages`; without it rows keep their order. */
  sort?: string;
  onSort?: (sort: string) => void;
}

const ROWS_AT_FIRST = 200;

/** Shows a sortable table. */
export function Table<Row>({ caption, columns, rows, rowKey, sort = '', onSort }: TableProps<Row>) {
  const [shown, setShown] = useState(ROWS_AT_FIRST);
  const sorted = useMemo(() => sortRows(rows, columns, sort), [rows, columns, sort]);
  const [name, isDown] = parseSort(sort);
  return (
    <div class="table-frame">
      <table>
        <caption>{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ key, title, value, numeric, about }) => (
              <th
                key={key}
                scope="col"
                class={numeric ? 'number' : undefined}
                title={about}
                aria-sort={key === name ? (isDown ? 'descending' : 'ascending') : undefined}
              >
                {value && onSort ? (
                  <button
                    type="button"
                    onClick={() => onSort(key === name ? flip(sort) : numeric ? `-${key}` : key)}
                  >
                    {title}
                    <span aria-hidden="true">{key === name ? (isDown ? '\u00a0↓' : '\u00a0↑') : ''}</span>
                  </button>
                ) : (
                  title
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {sorted.slice(0, shown).map((row) => (
            <tr key={rowKey(row)}>
              {columns.map(({ key, value, cell, numeric }) => (
                <td key={key} class={numeric ? 'number' : undefined}>
                  {cell ? cell(row) : value?.(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {sorted.length > shown && (
        <p>
          <button type="button" class="plain" onClick={() => setShown(shown + 10 * ROWS_AT_FIRST)}>
            Show more: {formatCount(sorted.length - shown)} of {formatCount(sorted.length)} rows are left
          </button>
        </p>
      )}
    </div>
  );
}

function sortRows<Row>(rows: readonly Row[], columns: Column<Row>[], sort: string): readonly Row[] {
  const [name, isDown] = parseSort(sort);
  const value = columns.find(({ key }) => key === name)?.value;
  if (!value) return rows;
  const sign = isDown ? -1 : 1;
  return rows
    .map((row) => ({ row, by: value(row) }))
    .sort((a, b) => sign * compare(a.by, b.by))
    .map(({ row }) => row);
}

function compare(a: string | number, b: string | number): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function parseSort(sort: string): [name: string, isDown: boolean] {
  return sort.startsWith('-') ? [sort.slice(1), true] : [sort, false];
}

function flip(sort: string): string {
  return sort.startsWith('-') ? sort.slice(1) : `-${sort}`;
}
