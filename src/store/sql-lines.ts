/** Formats the rows of a query as lines of JSON or CSV. */
import type { Json } from '@duckdb/node-api';
import { csvCell } from '../view/rows.ts';
import type { SqlResult } from './folder-sql.ts';

/** Yields a query result line by line; CSV starts with a line of column names. */
export async function* dataLines(
  { columns, rows }: SqlResult,
  format: 'jsonl' | 'csv',
): AsyncGenerator<string> {
  const names = columns.map(({ name }) => name);
  if (format === 'csv') yield names.map(csvCell).join(',');
  for await (const batch of rows) {
    for (const row of batch) {
      if (format === 'csv') yield row.map((value) => csvCell(cellText(value))).join(',');
      else
        yield JSON.stringify(Object.fromEntries(plainRow(columns, row).map((value, k) => [names[k], value])));
    }
  }
}

/** Returns a row with 64-bit integers as numbers where JSON can hold them exactly. */
export function plainRow(columns: SqlResult['columns'], row: Json[]): Json[] {
  return row.map((value, k) =>
    /^U?(BIG|HUGE)INT(\[\])*$/.test(columns[k].type) ? numberWhereExact(value) : value,
  );
}

/** Converts a text with an integer to a number, unless JSON readers would round it. */
function numberWhereExact(value: Json): Json {
  if (Array.isArray(value)) return value.map(numberWhereExact);
  return typeof value === 'string' && Number.isSafeInteger(Number(value)) ? Number(value) : value;
}

/** Returns a value for a table cell; lists and structures become JSON. */
export function cellText(value: unknown): string | number | boolean | null {
  return value !== null && typeof value === 'object'
    ? JSON.stringify(value)
    : (value as string | number | boolean | null);
}
