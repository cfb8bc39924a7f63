/**
 * Runs DuckDB in memory with a memory limit; larger queries spill to a temporary folder. Nothing is ever
 * downloaded. 64-bit integers are returned as plain numbers, because all that Chaff stores (offsets, counts) stays
 * below 2^53.
 */

import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { DuckDBConnection, DuckDBInstance, DuckDBValue } from '@duckdb/node-api';

/** Limits of a database. */
export interface DatabaseOptions {
  /** Memory limit in MB. @default 256 */
  memoryMb?: number;
  /**
   * Highest memory limit in MB: a query that runs out of memory is repeated with twice the limit, because not all
   * operations can spill. @default memoryMb
   */
  mostMb?: number;
  /** Threads per query. @default 1 */
  threads?: number;
  /** Folder for tables and queries larger than memory; without a folder they fail. */
  spillFolder?: string;
}

/** One row of a result by column name. */
export type Row = Record<string, DuckDBValue>;

/** Typed arrays of columns of numbers, as DuckDB returns them. */
export type NumberColumn = Uint8Array | Uint16Array | Uint32Array | Int32Array | Float32Array | Float64Array;

/** Rows that `objects` transfers in one text, which then has a few MB at most. */
const ROWS_OF_A_TEXT = 4096;

/** A connection to an in-memory DuckDB. */
export class Database {
  readonly #instance: DuckDBInstance;
  readonly connection: DuckDBConnection;
  /** Memory limits of the instance, shared by its connections. */
  readonly #bounds: { memoryMb: number; mostMb: number };
  readonly #isBeside: boolean;
  #closed = false;

  private constructor(
    instance: DuckDBInstance,
    connection: DuckDBConnection,
    { bounds, isBeside = false }: { bounds: { memoryMb: number; mostMb: number }; isBeside?: boolean },
  ) {
    this.#instance = instance;
    this.connection = connection;
    this.#bounds = bounds;
    this.#isBeside = isBeside;
  }

  static async open({ memoryMb = 256, mostMb = memoryMb, threads = 1, spillFolder }: DatabaseOptions = {}) {
    const instance = await duckDb().DuckDBInstance.create(':memory:', {
      threads: String(threads),
      memory_limit: `${memoryMb}MB`,
      autoinstall_known_extensions: 'false',
      autoload_known_extensions: 'false',
      // '' means no spilling; when left out, DuckDB spills below the current folder
      temp_directory: spillFolder ?? '',
    });
    return new Database(instance, await instance.connect(), { bounds: { memoryMb, mostMb } });
  }

  /**
   * Opens another connection to the same database for concurrent queries. The caller closes it before the first
   * connection.
   */
  async beside(): Promise<Database> {
    return new Database(this.#instance, await this.#instance.connect(), {
      bounds: this.#bounds,
      isBeside: true,
    });
  }

  async run(sql: string, values?: DuckDBValue[]): Promise<void> {
    await this.#withMemory(() => this.connection.run(sql, values));
  }

  /** Returns all rows of a query whose result is known to be small. */
  async rows<T = Row>(sql: string, values?: DuckDBValue[]): Promise<T[]> {
    const reader = await this.#withMemory(() => this.connection.runAndReadAll(sql, values));
    return reader.getRowObjects().map(plain) as T[];
  }

  /**
   * Returns some columns, of numbers and texts, of all rows of a query. Takes a fifth of the time of `rows` for
   * thousands of rows: rows are transferred as texts of JSON, because each text that DuckDB returns costs as much
   * as a short list.
   */
  async objects<T>(sql: string, columns: readonly (keyof T & string)[]): Promise<T[]> {
    const values = ['row_number', ...columns].map((name) => `"${name}"`).join(', ');
    const texts = await this.rows<{ json: string }>(
      `SELECT string_agg(json_array(${values})::VARCHAR, ',') AS json
       FROM (SELECT row_number() OVER () AS row_number, * FROM (${sql})) GROUP BY row_number // ${ROWS_OF_A_TEXT}`,
    );
    const rows: T[] = [];
    for (const { json } of texts) {
      for (const [number, ...row] of JSON.parse(`[${json}]`) as [number, ...unknown[]][]) {
        const object = {} as Record<string, unknown>;
        for (let k = 0; k < columns.length; k++) object[columns[k]] = row[k];
        rows[number - 1] = object as T;
      }
    }
    return rows;
  }

  /** Yields the rows of a query of any size, a few thousand at a time. */
  async *batches<T = Row>(sql: string, values?: DuckDBValue[]): AsyncGenerator<T[]> {
    const result = await this.#withMemory(() => this.connection.stream(sql, values));
    for await (const rows of result.yieldRowObjects()) yield rows.map(plain) as T[];
  }

  /** Opens another connection, to write while this one reads; the caller closes it. */
  connect(): Promise<DuckDBConnection> {
    return this.#instance.connect();
  }

  /**
   * Yields columns of numbers without NULL, a few thousand rows at a time, as views of DuckDB's memory without an
   * object per row.
   */
  async *numbers(sql: string): AsyncGenerator<{ columns: NumberColumn[]; rowCount: number }> {
    const result = await this.#withMemory(() => this.connection.stream(sql));
    for (;;) {
      const chunk = await result.fetchChunk();
      if (!chunk || chunk.rowCount === 0) return;
      const columns = Array.from({ length: chunk.columnCount }, (_, k) => {
        const { items } = chunk.getColumnVector(k) as unknown as { items: NumberColumn };
        if (!ArrayBuffer.isView(items)) throw new TypeError(`column ${k} does not hold numbers`);
        return items;
      });
      yield { columns, rowCount: chunk.rowCount };
    }
  }

  /** Yields columns of UINTEGER or UBIGINT as 32-bit lanes; a 64-bit value is a pair, low first. */
  async *lanes(sql: string): AsyncGenerator<{ columns: Uint32Array[]; rowCount: number }> {
    for await (const { columns, rowCount } of this.numbers(sql)) {
      const lanes = columns.map(
        ({ buffer, byteOffset, byteLength }) => new Uint32Array(buffer, byteOffset, byteLength / 4),
      );
      yield { columns: lanes, rowCount };
    }
  }

  /** Runs a query; when memory is too small, repeats it with twice the limit up to `mostMb`. */
  async #withMemory<T>(ask: () => Promise<T>): Promise<T> {
    const bounds = this.#bounds;
    for (;;) {
      const { memoryMb } = bounds;
      try {
        return await ask();
      } catch (error) {
        if (memoryMb >= bounds.mostMb || !isOutOfMemory(error)) throw error;
        // another connection may have raised the limit meanwhile
        if (bounds.memoryMb > memoryMb) continue;
        bounds.memoryMb = Math.min(2 * memoryMb, bounds.mostMb);
        await this.connection.run(`SET memory_limit = '${bounds.memoryMb}MB'`);
      }
    }
  }

  /** Releases the memory; a second call has no effect. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.connection.closeSync();
    if (!this.#isBeside) this.#instance.closeSync();
  }
}

/** True when a query failed because of the memory limit. */
function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('Out of Memory Error');
}

/** Returns a text as an SQL string literal. */
export function quote(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** Returns texts as an SQL list. */
export function quoteList(texts: readonly string[]): string {
  return `[${texts.map(quote).join(', ')}]`;
}

/** Returns a path as an SQL string literal in which `*`, `?` and `[` have no special meaning. */
export function quoteFile(path: string): string {
  return quote(literalPattern(path));
}

/** Returns paths as an SQL list, escaped as in `quoteFile`. */
export function quoteFiles(paths: readonly string[]): string {
  return quoteList(paths.map(literalPattern));
}

/** Returns the file `name` in each of the folders as an SQL list. */
export function filesOf(folders: readonly string[], name: string): string {
  return quoteFiles(folders.map((folder) => join(folder, name)));
}

/** Returns the pattern that matches only this path; DuckDB reads every path as a pattern. */
export function literalPattern(path: string): string {
  return path.replace(/[*?[]/g, '[$&]');
}

function plain(row: Row): Row {
  for (const name in row) {
    const value = row[name];
    if (typeof value === 'bigint') row[name] = Number(value);
  }
  return row;
}

type DuckDb = typeof import('@duckdb/node-api');

let loaded: DuckDb | undefined;

/** Loads the DuckDB package on first use, and returns it. */
export function duckDb(): DuckDb {
  if (loaded) return loaded;
  const require = createRequire(import.meta.url);
  // a build has the package as a single file, which loads twice as fast as its fifty files
  const bundled = fileURLToPath(new URL('duckdb-api.cjs', import.meta.url));
  loaded = require(existsSync(bundled) ? bundled : '@duckdb/node-api') as DuckDb;
  return loaded;
}

/** Loads the DuckDB package when the thread is idle, for a run that needs it after its worker threads. */
export function loadDuckDbSoon(): void {
  setImmediate(() => {
    try {
      duckDb();
    } catch {
      // the call that needs the package reports the failure
    }
  });
}

/** Memory limit in MB of a finish database, several of which are open at a time, and its highest limit. */
const FINISH_MB = 64;
const MAX_FINISH_MB = 1024;

/** Opens a database for the finish of a run: one thread, 64 MB, up to 1 GB when a query needs it. */
export function openFinishDatabase(spillFolder: string): Promise<Database> {
  return Database.open({
    spillFolder,
    memoryMb: FINISH_MB,
    mostMb: MAX_FINISH_MB,
    threads: 1, // each thread takes memory of its own, and row groups of files would vary
  });
}
