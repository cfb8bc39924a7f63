/**
 * Runs queries of the user over a folder, one at a time, with limits of time and rows. The database is that of
 * `chaff sql`: restricted to the files of the folder and to statements that read.
 */
import { createReadStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Json } from '@duckdb/node-api';
import { makeScratchFolder } from '../../model/scratch.ts';
import { Database, quote } from '../database.ts';
import { FolderSql, type SqlResult } from '../folder-sql.ts';
import { dataLines, plainRow } from '../sql-lines.ts';

/** First rows of a query and the time that it took. */
export interface AskResult {
  columns: { name: string; type: string }[];
  rows: Json[][];
  /** Whether the query has more rows. */
  more: boolean;
  milliseconds: number;
}

/** Limits of a query. */
export interface AskOptions {
  signal?: AbortSignal;
  /** Maximum milliseconds of the query. @default 30_000 */
  mostMs?: number;
  /** Maximum number of rows of the answer. @default 5000 */
  mostRows?: number;
}

/** File formats of query results. */
export const EXPORT_FORMATS = ['csv', 'jsonl', 'parquet'] as const;
/** One of `EXPORT_FORMATS`. */
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** Thrown for a wrong query, or when a limit was reached. */
export class AskError extends Error {}

/** Runs queries of the user over one folder. */
export class AskFolder {
  readonly #folder: string;
  #sql: Promise<FolderSql> | undefined;
  /** Settles when the current query has ended; a connection runs one query at a time. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Returns the first rows of a query. */
  ask(query: string, { mostRows = 5000, mostMs = 30_000, signal }: AskOptions = {}): Promise<AskResult> {
    let startedMs = 0;
    const onStart = () => {
      startedMs = performance.now();
    };
    return this.#inTurn({ query, mostMs, signal, onStart }, async (result) => {
      const rows: Json[][] = [];
      for await (const batch of result.rows) {
        for (const row of batch) if (rows.length <= mostRows) rows.push(plainRow(result.columns, row));
        if (rows.length > mostRows) break;
      }
      const more = rows.length > mostRows;
      if (more) rows.pop();
      return { columns: result.columns, rows, more, milliseconds: Math.round(performance.now() - startedMs) };
    });
  }

  /** Passes all rows of a query as a file to `write`, piece by piece. */
  export(
    query: string,
    format: ExportFormat,
    write: (piece: string | Uint8Array) => Promise<void>,
    { mostMs = 600_000, signal }: AskOptions = {},
  ): Promise<void> {
    return this.#inTurn({ query, mostMs, signal }, async (result) => {
      if (format === 'parquet') return writeParquet(result, write);
      let batch = '';
      for await (const line of dataLines(result, format)) {
        batch += `${line}\n`;
        if (batch.length < 65_536) continue;
        await write(batch);
        batch = '';
      }
      await write(batch);
    });
  }

  #inTurn<T>(
    {
      query,
      mostMs,
      signal,
      onStart,
    }: { query: string; mostMs: number; signal?: AbortSignal; onStart?: () => void },
    work: (result: SqlResult) => Promise<T>,
  ): Promise<T> {
    const turn = this.#last.then(async () => {
      if (signal?.aborted) throw new AskError('the query was cancelled');
      this.#sql ??= FolderSql.open(this.#folder);
      const sql = await this.#sql;
      // a signal for this query alone: a later abort must not stop the next query
      const stop = new AbortController();
      const cancel = () => stop.abort(new AskError('the query was cancelled'));
      signal?.addEventListener('abort', cancel);
      const timer = setTimeout(
        () => stop.abort(new AskError(`the query took longer than ${mostMs / 1000} seconds and was stopped`)),
        mostMs,
      );
      onStart?.();
      try {
        return await work(await sql.query(query, { signal: stop.signal }));
      } catch (error) {
        throw stop.signal.aborted ? stop.signal.reason : new AskError((error as Error).message);
      } finally {
        clearTimeout(timer);
        signal?.removeEventListener('abort', cancel);
      }
    });
    this.#last = turn.catch(() => {});
    return turn;
  }

  async close(): Promise<void> {
    await this.#last;
    await this.#sql?.then((sql) => sql.close()).catch(() => {});
  }
}

/**
 * Writes a Parquet file with another database that never sees the query, because the database of the query must not
 * write.
 */
async function writeParquet(result: SqlResult, write: (piece: Uint8Array) => Promise<void>): Promise<void> {
  const scratch = makeScratchFolder();
  await mkdir(join(scratch, 'spill'));
  const database = await Database.open({ memoryMb: 512, spillFolder: join(scratch, 'spill') });
  try {
    const columns = result.columns.map(({ name, type }) => `"${name.replaceAll('"', '""')}" ${type}`);
    await database.run(`CREATE TABLE result (${columns.join(', ')})`);
    const appender = await database.connection.createAppender('result');
    for await (const chunk of result.chunks()) appender.appendDataChunk(chunk);
    appender.closeSync();
    const file = join(scratch, 'result.parquet');
    await database.run(`COPY result TO ${quote(file)} (FORMAT parquet, COMPRESSION zstd)`);
    for await (const piece of createReadStream(file)) await write(piece as Uint8Array);
  } finally {
    database.close();
    await rm(scratch, { recursive: true, force: true });
  }
}
