/**
 * Rows on their way to Parquet or to a table of the database, as growing columns. Numbers lie in typed arrays; texts
 * that repeat (labels, reasons, template ids) as codes of a dictionary, which DuckDB takes as an ENUM and Parquet as
 * its own dictionary: 10 M rows a second in, where texts one by one make 1–2 M.
 */
import type { DuckDBConnection, DuckDBDataChunk } from '@duckdb/node-api';
import { Column, type NumberArray, type Value } from './column.ts';
import { type Database, duckDb, quote } from './database.ts';
import { ParquetFile } from './parquet/parquet-file.ts';
import type { RowOf, WrittenColumns } from './table.ts';

const CHUNK_ROWS = 2048;

export class TableRows<C extends WrittenColumns> {
  readonly columns: { readonly [Name in keyof C]: Column };
  /** The same in order. */
  readonly list: readonly Column[];
  rowCount = 0;

  constructor(columns: C) {
    this.list = Object.entries(columns).map(([name, { type }]) => new Column(name, type));
    this.columns = Object.fromEntries(
      this.list.map((column) => [column.name, column]),
    ) as typeof this.columns;
  }

  add(row: RowOf<C>): void {
    this.begin(row, this.list);
  }

  /** Adds a row with these columns filled, and returns its number; the caller fills the others. */
  begin(row: Partial<RowOf<C>>, columns: readonly Column[]): number {
    const number = this.rowCount++;
    const values = row as Record<string, Value>;
    for (const column of columns) column.set(number, values[column.name]);
    return number;
  }

  clear(): void {
    this.rowCount = 0;
    for (const column of this.list) column.clear();
  }

  /** Puts the rows into a new table of the database. */
  async toTable(database: Database, table: string): Promise<void> {
    const declared = this.list.map(({ name, type, words }) => {
      if (type !== 'WORD') return `"${name}" ${type}`;
      const members = words.length > 0 ? words : [''];
      return `"${name}" ENUM (${members.map(quote).join(', ')})`;
    });
    await database.run(`CREATE TABLE ${table} (${declared.join(', ')})`);
    await this.appendTo(database.connection, table);
  }

  /** Appends the rows to a table with these columns. */
  async appendTo(connection: DuckDBConnection, table: string): Promise<void> {
    const { list: columns, rowCount } = this;
    if (rowCount === 0) return;
    const appender = await connection.createAppender(table);
    const types = columns.map((_, k) => appender.columnType(k));
    const chunk = duckDb().DuckDBDataChunk.create(types, Math.min(CHUNK_ROWS, rowCount));
    for (let from = 0; from < rowCount; from += CHUNK_ROWS) {
      const to = Math.min(rowCount, from + CHUNK_ROWS);
      if (to - from !== chunk.rowCount) chunk.rowCount = to - from;
      for (let k = 0; k < columns.length; k++) fillVector(chunk, k, columns[k], from, to);
      appender.appendDataChunk(chunk);
    }
    appender.closeSync();
  }

  /** Writes the rows as one Parquet file. */
  toParquet(path: string): void {
    const file = new ParquetFile(path, this.list);
    try {
      file.add(this.rowCount);
    } finally {
      file.close();
    }
  }
}

/** Rows are held until a group of them is written: DuckDB's own groups are of 122,880. */
export async function copyToParquet(
  database: Database,
  query: string,
  path: string,
  { groupRows }: { groupRows?: number } = {},
): Promise<void> {
  const size = groupRows === undefined ? '' : `, ROW_GROUP_SIZE ${groupRows}`;
  await database.run(`COPY (${query}) TO ${quote(path)} (FORMAT parquet, COMPRESSION zstd${size})`);
}

function fillVector(chunk: DuckDBDataChunk, index: number, column: Column, from: number, to: number): void {
  const vector = chunk.getColumnVector(index);
  if (column.type === 'VARCHAR' || column.type === 'BOOLEAN') {
    const { texts, numbers, type } = column;
    for (let row = from; row < to; row++) {
      vector.setItem(row - from, type === 'VARCHAR' ? texts[row] : numbers[row] === 1);
    }
  } else {
    // numbers and codes go in as they lie; a narrower ENUM takes the low bytes of its codes
    const { items } = vector as unknown as { items: NumberArray };
    items.set(column.numbers.subarray(from, to) as never);
  }
  vector.flush();
}

/** A Parquet file that is filled row by row; memory is that of a row group, however many rows there are. */
export class TableFile<C extends WrittenColumns> {
  /** Rows that wait to be written. */
  readonly rows: TableRows<C>;
  readonly #file: ParquetFile;
  readonly #groupRows: number;

  constructor(path: string, columns: C, { groupRows = 8192 } = {}) {
    this.rows = new TableRows(columns);
    this.#file = new ParquetFile(path, this.rows.list);
    this.#groupRows = groupRows;
  }

  add(row: RowOf<C>): void {
    this.rows.add(row);
    this.writeIfFull();
  }

  /** Writes the rows when they make a row group; for callers that fill the columns of `rows` themselves. */
  writeIfFull(): void {
    if (this.rows.rowCount >= this.#groupRows) this.#write();
  }

  close(): void {
    this.#write();
    this.#file.close();
  }

  #write(): void {
    this.#file.add(this.rows.rowCount);
    this.rows.clear();
  }
}
