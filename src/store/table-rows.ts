/**
 * Gathers rows in growing columns, for Parquet or a table of the database. Numbers are in typed arrays. Repeated
 * texts (labels, reasons, template ids) are codes of a dictionary, which DuckDB takes as an ENUM and Parquet as its
 * own dictionary: 10 M rows/s, where single texts reach 1–2 M rows/s.
 */
import type { DuckDBConnection, DuckDBDataChunk } from '@duckdb/node-api';
import { Column, type NumberArray, type Value } from './column.ts';
import { type Database, duckDb, quote } from './database.ts';
import { ParquetFile } from './parquet/parquet-file.ts';
import type { RowOf, WrittenColumns } from './table.ts';

const CHUNK_ROWS = 2048;

function snakeCase(field: string): string {
  return field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Rows in memory; clear them after they are written. */
export class TableRows<C extends WrittenColumns> {
  readonly columns: { readonly [Name in keyof C]: Column };
  /** The same columns in the order of the table. */
  readonly list: readonly Column[];
  rowCount = 0;

  /** Names columns `url_key` for the field `urlKey`, or as the fields with `nameOf`. */
  constructor(columns: C, { nameOf = snakeCase }: { nameOf?: (field: string) => string } = {}) {
    this.list = Object.entries(columns).map(([field, { type }]) => new Column(field, type, nameOf(field)));
    this.columns = Object.fromEntries(
      this.list.map((column) => [column.field, column]),
    ) as typeof this.columns;
  }

  add(row: RowOf<C>): void {
    this.begin(row, this.list);
  }

  /** Adds a row, sets the given columns and returns its index; the caller sets the other columns. */
  begin(row: Partial<RowOf<C>>, columns: readonly Column[]): number {
    const number = this.rowCount++;
    const values = row as Record<string, Value>;
    for (const column of columns) column.set(number, values[column.field]);
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

/**
 * Writes the result of a query as a Parquet file. DuckDB holds the rows of one group in memory; its default is
 * 122,880 rows.
 */
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
    // numbers and codes are copied unchanged; a narrower ENUM takes the low bytes of its codes
    const { items } = vector as unknown as { items: NumberArray };
    items.set(column.numbers.subarray(from, to) as never);
  }
  vector.flush();
}

/** Writes a Parquet file row by row; memory holds one row group, whatever the number of rows. */
export class TableFile<C extends WrittenColumns> {
  /** Rows that are not yet written. */
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

  /** Writes the rows when they fill a row group; for callers that fill the columns of `rows` themselves. */
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
