/**
 * A table of the database that is filled row by row: a few thousand rows are held, and what exceeds the database's
 * memory goes to its spill folder. By a connection of its own it is written while another reads.
 */
import type { DuckDBConnection } from '@duckdb/node-api';
import { ColumnBuffer, type Schema } from './column-buffer.ts';

/** Rows gathered before they go to the database. */
const FLUSH_ROWS = 4096;

export class PassingTable {
  readonly #connection: DuckDBConnection;
  readonly #name: string;
  readonly #schema: Schema;
  readonly #rows: ColumnBuffer;
  #flushed = 0;

  constructor(connection: DuckDBConnection, name: string, schema: Schema) {
    this.#connection = connection;
    this.#name = name;
    this.#schema = schema;
    this.#rows = new ColumnBuffer(schema);
  }

  async create(): Promise<void> {
    const columns = Object.entries(this.#schema).map(([name, type]) => `${name} ${type}`);
    await this.#connection.run(`CREATE TABLE ${this.#name} (${columns.join(', ')})`);
  }

  async add(...values: Parameters<ColumnBuffer['add']>): Promise<void> {
    this.#rows.add(...values);
    if (this.#rows.rowCount >= FLUSH_ROWS) await this.flush();
  }

  /** Rows added so far. */
  get rowCount(): number {
    return this.#flushed + this.#rows.rowCount;
  }

  async flush(): Promise<void> {
    this.#flushed += this.#rows.rowCount;
    await this.#rows.appendTo(this.#connection, this.#name);
    this.#rows.clear();
  }
}
