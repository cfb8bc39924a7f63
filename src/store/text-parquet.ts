/**
 * Rows of text as a Parquet file, from the lines of JSON that tasks have made. The columns are those that tables.ts
 * declares, so that they have the names of the JSON. Memory is that of a row group.
 */
import { ParquetFile } from './parquet/parquet-file.ts';
import {
  type ColumnSpec,
  type Columns,
  type ColumnType,
  type RowOf,
  text,
  type WrittenColumns,
} from './table.ts';
import { TableRows } from './table-rows.ts';
import { TEXT } from './tables.ts';

/** Bytes of JSON, and rows, that make a row group. */
const GROUP_BYTES = 32 << 20;
const GROUP_ROWS = 10_000;

/** Markdown is not part of rows of text; a list becomes its JSON. */
const { markdown: _, ...columns } = TEXT.columns;
const COLUMNS: WrittenColumns = Object.fromEntries(
  Object.entries(columns as Columns).map(([name, { type, about }]) => [
    name,
    type.endsWith('[]') ? text(about) : ({ type, about } as ColumnSpec<ColumnType>),
  ]),
);

export class TextParquet {
  readonly #file: ParquetFile;
  readonly #rows = new TableRows(COLUMNS);
  readonly #groupBytes: number;
  #waitingBytes = 0;

  /** `groupBytes` is the most JSON that waits for a row group to fill. */
  constructor(path: string, { groupBytes = GROUP_BYTES } = {}) {
    this.#groupBytes = Math.min(groupBytes, GROUP_BYTES);
    this.#file = new ParquetFile(path, this.#rows.list);
  }

  /** Bytes of the file, without rows that wait. */
  get sizeBytes(): number {
    return this.#file.offset;
  }

  /** Adds rows: whole lines of JSON. */
  add(lines: Uint8Array): void {
    for (const line of Buffer.from(lines.buffer, lines.byteOffset, lines.length).toString().split('\n')) {
      if (line === '') continue;
      this.#rows.add(rowOf(JSON.parse(line)));
      this.#waitingBytes += line.length;
      if (this.#waitingBytes >= this.#groupBytes || this.#rows.rowCount >= GROUP_ROWS) this.#write();
    }
  }

  /** Writes what waits, also when it is not a whole group. */
  close(): void {
    try {
      this.#write();
    } finally {
      this.#file.close();
    }
  }

  #write(): void {
    if (this.#rows.rowCount > 0) this.#file.add(this.#rows.rowCount);
    this.#rows.clear();
    this.#waitingBytes = 0;
  }
}

/** A text that is not known is empty and a number 0, as in the other tables. */
function rowOf(json: Record<string, unknown>): RowOf<WrittenColumns> {
  const row: Record<string, string | number | boolean> = {};
  for (const [name, { type }] of Object.entries(COLUMNS)) {
    const value = json[name];
    if (type === 'VARCHAR' || type === 'WORD') {
      row[name] = typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value);
    } else if (type === 'BOOLEAN') row[name] = value === true;
    else row[name] = typeof value === 'number' ? value : 0;
  }
  return row;
}
