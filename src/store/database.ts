/**
 * The embedded database: DuckDB in memory, within bounds: queries that need more spill to a temporary folder. Nothing is
 * ever downloaded. 64-bit integers come back as plain numbers: all that Chaff stores (offsets, counts) stays below 2^53.
 */

import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { DuckDBConnection, DuckDBInstance, DuckDBValue } from '@duckdb/node-api';

export interface DatabaseOptions {
  /** Memory the database may hold, in MB. @default 256 */
  memoryMb?: number;
  /**
   * What it may hold at most: a query that fails with less is asked again with twice as much, because not all that queries
   * do can be spilled. @default memoryMb
   */
  mostMb?: number;
  /** @default 1 */
  threads?: number;
  /** Where tables and queries larger than memory spill; without one they fail. */
  spillFolder?: string;
}

export type Row = Record<string, DuckDBValue>;

export type NumberColumn = Uint8Array | Uint16Array | Uint32Array | Int32Array | Float32Array | Float64Array;

/** Rows that `objects` hands over in one text: some MB at most. */
const ROWS_OF_A_TEXT = 4096;

export class Database {
  readonly #instance: DuckDBInstance;
  readonly connection: DuckDBConnection;
  /** Of the instance. */
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
      // empty means that nothing is spilled; left out, it would be a folder below the current one
      temp_directory: spillFolder ?? '',
    });
    return new Database(instance, await instance.connect(), { bounds: { memoryMb, mostMb } });
  }

  /** The same database, for who asks at the same time; whoever asked for it closes it, and before the first one. */
  async beside(): Promise<Database> {
    return new Database(this.#instance, await this.#instance.connect(), {
      bounds: this.#bounds,
      isBeside: true,
    });
  }

  async run(sql: string, values?: DuckDBValue[]): Promise<void> {
    await this.#withMemory(() => this.connection.run(sql, values));
  }

  /** All rows of a query that is known to be small. */
  async rows<T = Row>(sql: string, values?: DuckDBValue[]): Promise<T[]> {
    const reader = await this.#withMemory(() => this.connection.runAndReadAll(sql, values));
    return reader.getRowObjects().map(plain) as T[];
  }

  /**
   * All rows of a query by some of its columns, of numbers and texts: what `rows` gives in a fifth of the time where there
   * are thousands. They come as texts of JSON, because each text that is handed over costs as much as a short list.
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

  /** Rows of a query of any size, a few thousand at a time. */
  async *batches<T = Row>(sql: string, values?: DuckDBValue[]): AsyncGenerator<T[]> {
    const result = await this.#withMemory(() => this.connection.stream(sql, values));
    for await (const rows of result.yieldRowObjects()) yield rows.map(plain) as T[];
  }

  /** One more connection, to write by while another reads; whoever asked closes it. */
  connect(): Promise<DuckDBConnection> {
    return this.#instance.connect();
  }

  /** Columns of numbers without NULL, a few thousand rows at a time, as they lie: no row becomes an object. */
  async *numbers(sql: string): AsyncGenerator<{ columns: NumberColumn[]; rowCount: number }> {
    const result = await this.#withMemory(() => this.connection.stream(sql));
    for (;;) {
      const chunk = await result.fetchChunk();
      if (!chunk || chunk.rowCount === 0) return;
      const columns = Array.from({ length: chunk.columnCount }, (_, k) => {
        const { items } = chunk.getColumnVector(k) as unknown as { items: NumberColumn };
        if (!ArrayBuffer.isView(items)) throw new TypeError(`column ${k} is not of numbers`);
        return items;
      });
      yield { columns, rowCount: chunk.rowCount };
    }
  }

  /** The same for columns of UINTEGER or UBIGINT, as 32-bit lanes: those of 64 bits are pairs, low first. */
  async *lanes(sql: string): AsyncGenerator<{ columns: Uint32Array[]; rowCount: number }> {
    for await (const { columns, rowCount } of this.numbers(sql)) {
      const lanes = columns.map(
        ({ buffer, byteOffset, byteLength }) => new Uint32Array(buffer, byteOffset, byteLength / 4),
      );
      yield { columns: lanes, rowCount };
    }
  }

  /** Asks again, with twice the memory, while there was too little and more may be taken. */
  async #withMemory<T>(ask: () => Promise<T>): Promise<T> {
    const bounds = this.#bounds;
    for (;;) {
      const { memoryMb } = bounds;
      try {
        return await ask();
      } catch (error) {
        if (memoryMb >= bounds.mostMb || !isOutOfMemory(error)) throw error;
        // who asks beside may have taken more meanwhile
        if (bounds.memoryMb > memoryMb) continue;
        bounds.memoryMb = Math.min(2 * memoryMb, bounds.mostMb);
        await this.connection.run(`SET memory_limit = '${bounds.memoryMb}MB'`);
      }
    }
  }

  /** Gives its memory back; done again it does nothing. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.connection.closeSync();
    if (!this.#isBeside) this.#instance.closeSync();
  }
}

/** Whether a query failed because the database's memory was too small for it. */
function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('Out of Memory Error');
}

/** A value as an SQL string literal. */
export function quote(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** Values as an SQL list. */
export function quoteList(texts: readonly string[]): string {
  return `[${texts.map(quote).join(', ')}]`;
}

/** A file to read, as an SQL string literal; what its name or that of a folder has of patterns stands for itself. */
export function quoteFile(path: string): string {
  return quote(literalPattern(path));
}

/** Files to read, as an SQL list. */
export function quoteFiles(paths: readonly string[]): string {
  return quoteList(paths.map(literalPattern));
}

/** A file of each of some folders, as an SQL list. */
export function filesOf(folders: readonly string[], name: string): string {
  return quoteFiles(folders.map((folder) => join(folder, name)));
}

/** The pattern that one path matches: the database takes whatever it reads for a pattern. */
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

export function duckDb(): DuckDb {
  if (loaded) return loaded;
  const require = createRequire(import.meta.url);
  // a build has the package as one file, which loads in half the time of its fifty
  const bundled = fileURLToPath(new URL('duckdb-api.cjs', import.meta.url));
  loaded = require(existsSync(bundled) ? bundled : '@duckdb/node-api') as DuckDb;
  return loaded;
}

/** Loads the package when the thread is idle: a run that will need it waits for its worker threads until then. */
export function loadDuckDbSoon(): void {
  setImmediate(() => {
    try {
      duckDb();
    } catch {
      // the call that needs the package reports the failure
    }
  });
}

/**
 * Memory of the database: several are open at a time, and each spills what exceeds it. And what it may take when that is
 * too little.
 */
const FINISH_MB = 64;
const MOST_FINISH_MB = 1024;

export function openFinishDatabase(spillFolder: string): Promise<Database> {
  return Database.open({
    spillFolder,
    memoryMb: FINISH_MB,
    mostMb: MOST_FINISH_MB,
    threads: 1, // several would each take memory of their own, and cut files into row groups as they please
  });
}
