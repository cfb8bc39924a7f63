/**
 * Rows on their way to Parquet, as growing columns. Numbers lie in typed arrays; texts that repeat (labels,
 * reasons, template ids) as codes of a dictionary, which DuckDB takes as an ENUM and Parquet as its own
 * dictionary: 10 M rows a second in, 25 M out, where texts one by one make 1–2 M.
 */
import type { DuckDBConnection, DuckDBDataChunk } from '@duckdb/node-api';
import type { Database } from './database.ts';
import { quote } from './database.ts';
import { duckDb } from './duckdb.ts';

export type ColumnType =
  | 'UTINYINT'
  | 'USMALLINT'
  | 'UINTEGER'
  | 'BIGINT'
  | 'FLOAT'
  | 'BOOLEAN'
  | 'VARCHAR'
  | 'UBIGINT'
  /** Text that repeats: written as a dictionary, read back as VARCHAR. */
  | 'WORD';

export type Schema = Readonly<Record<string, ColumnType>>;

const CHUNK_ROWS = 2048;

type NumberArray = Uint8Array | Uint16Array | Uint32Array | Float32Array | BigInt64Array | BigUint64Array;

/** One column: `push` for any type; the array and `grow` for loops that fill many at once. */
export class Column {
  readonly name: string;
  readonly type: ColumnType;
  /** Values of numeric columns, codes of WORD columns. */
  numbers: NumberArray;
  /** Values of VARCHAR columns. */
  texts: (string | null)[] = [];
  /** The dictionary of a WORD column, in order of first use. */
  words: string[] = [];
  #codes = new Map<string, number>();

  constructor(name: string, type: ColumnType) {
    this.name = name;
    this.type = type;
    this.numbers = emptyArray(type, 1024);
  }

  set(row: number, value: number | bigint | string | boolean | null): void {
    if (this.type === 'VARCHAR') {
      this.texts[row] = value as string | null;
      return;
    }
    if (row >= this.numbers.length) this.grow(row + 1);
    const { numbers } = this;
    if (this.type === 'WORD') numbers[row] = this.code(value as string);
    else if (numbers instanceof BigInt64Array || numbers instanceof BigUint64Array) {
      numbers[row] = BigInt(value as number | bigint);
    } else numbers[row] = Number(value);
  }

  /** The code of a text in this column's dictionary. */
  code(word: string): number {
    let code = this.#codes.get(word);
    if (code === undefined) {
      code = this.words.length;
      this.words.push(word);
      this.#codes.set(word, code);
    }
    return code;
  }

  grow(rows: number): void {
    const larger = emptyArray(this.type, Math.max(rows, this.numbers.length * 2));
    larger.set(this.numbers as never);
    this.numbers = larger;
  }

  clear(): void {
    this.texts = [];
    this.words = [];
    this.#codes = new Map();
  }
}

export class ColumnBuffer {
  readonly columns: Column[];
  rowCount = 0;

  constructor(schema: Schema) {
    this.columns = Object.entries(schema).map(([name, type]) => new Column(name, type));
  }

  /** Adds a row, values in the order of the schema. */
  add(...values: (number | bigint | string | boolean | null)[]): void {
    const row = this.rowCount++;
    for (let k = 0; k < values.length; k++) this.columns[k].set(row, values[k]);
  }

  clear(): void {
    this.rowCount = 0;
    for (const column of this.columns) column.clear();
  }

  /** Puts the rows into a new table of the database. */
  async toTable(database: Database, table: string): Promise<void> {
    const declared = this.columns.map(({ name, type, words }) => {
      if (type !== 'WORD') return `"${name}" ${type}`;
      const members = words.length > 0 ? words : [''];
      return `"${name}" ENUM (${members.map(quote).join(', ')})`;
    });
    await database.run(`CREATE TABLE ${table} (${declared.join(', ')})`);
    await this.appendTo(database.connection, table);
  }

  /** Appends the rows to a table with these columns. */
  async appendTo(connection: DuckDBConnection, table: string): Promise<void> {
    const { columns, rowCount } = this;
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

  /** Drops what `toTable` made. */
  async dropTable(database: Database, table: string): Promise<void> {
    await database.run(`DROP TABLE ${table}`);
  }

  /** Writes the rows as one Parquet file, through a passing table; `select` may compute further columns. */
  async toParquet(database: Database, path: string, { select = '*' } = {}): Promise<void> {
    await this.toTable(database, 'passing');
    try {
      await copyToParquet(database, `SELECT ${select} FROM passing`, path);
    } finally {
      await this.dropTable(database, 'passing');
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

function emptyArray(type: ColumnType, length: number): NumberArray {
  switch (type) {
    case 'UTINYINT':
    case 'BOOLEAN':
      return new Uint8Array(length);
    case 'USMALLINT':
      return new Uint16Array(length);
    case 'UINTEGER':
    case 'WORD':
      return new Uint32Array(length);
    case 'FLOAT':
      return new Float32Array(length);
    case 'BIGINT':
      return new BigInt64Array(length);
    case 'UBIGINT':
      return new BigUint64Array(length);
    case 'VARCHAR':
      return new Uint8Array(0);
  }
}
