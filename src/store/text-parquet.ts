/**
 * Writes text rows as a Parquet file, from the JSON lines of tasks. Columns have the names of the JSON fields, as
 * declared in tables.ts. Memory holds one row group.
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
import { METADATA, TEXT } from './tables.ts';

/** Maximum size of a row group, in bytes of JSON and in rows. */
const GROUP_BYTES = 32 << 20;
const GROUP_ROWS = 10_000;

/** Markdown is left out, fields of metadata are columns, and lists and objects are stored as JSON. */
const { markdown: _, metadata: _m, ...columns } = TEXT.columns;
const COLUMNS: WrittenColumns = Object.fromEntries(
  Object.entries({ ...columns, ...METADATA.columns } as Columns).map(([name, { type, about }]) => [
    name,
    type.endsWith('[]') ? text(about) : ({ type, about } as ColumnSpec<ColumnType>),
  ]),
);

/** A Parquet file of text rows. */
export class TextParquet {
  readonly #file: ParquetFile;
  readonly #rows = new TableRows(COLUMNS, { nameOf: (field) => field });
  readonly #groupBytes: number;
  #waitingBytes = 0;

  /** `groupBytes` is the most JSON in bytes that is held for a row group. */
  constructor(path: string, { groupBytes = GROUP_BYTES } = {}) {
    this.#groupBytes = Math.min(groupBytes, GROUP_BYTES);
    this.#file = new ParquetFile(path, this.#rows.list);
  }

  /** Bytes written to the file; rows in memory do not count. */
  get sizeBytes(): number {
    return this.#file.offset;
  }

  /** Adds rows from whole lines of JSON. */
  add(lines: Uint8Array): void {
    for (const line of Buffer.from(lines.buffer, lines.byteOffset, lines.length).toString().split('\n')) {
      if (line === '') continue;
      this.#rows.add(rowOf(JSON.parse(line)));
      this.#waitingBytes += line.length;
      if (this.#waitingBytes >= this.#groupBytes || this.#rows.rowCount >= GROUP_ROWS) this.#write();
    }
  }

  /** Writes the remaining rows and closes the file. */
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

/** Returns a row from its JSON; unknown texts are '' and unknown numbers 0, as in the other tables. */
function rowOf(json: Record<string, unknown>): RowOf<WrittenColumns> {
  const row: Record<string, string | number | boolean> = {};
  const metadata = (json.metadata ?? {}) as Record<string, unknown>;
  for (const [name, { type }] of Object.entries(COLUMNS)) {
    const value = Object.hasOwn(METADATA.columns, name) ? metadata[name] : json[name];
    if (type === 'VARCHAR' || type === 'WORD') {
      row[name] = typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value);
    } else if (type === 'BOOLEAN') row[name] = value === true;
    else row[name] = typeof value === 'number' ? value : 0;
  }
  return row;
}
