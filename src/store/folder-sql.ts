/**
 * Queries by users over a finished folder. The tables are views over its files; those files are all that a
 * query can read (the database is locked to them before the first one runs, and cannot be unlocked), and only
 * statements that read are let through, so that none can be written.
 */

import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import type { DuckDBType, Json } from '@duckdb/node-api';
import { Database, duckDb, literalPattern, quote, quoteFile, quoteList } from './database.ts';
import { readRunFile } from './run-file.ts';
import type { Table } from './table.ts';
import { PROBLEMS, TEXT } from './tables.ts';

export interface SqlResult {
  columns: { name: string; type: string }[];
  /** Values as JSON has them: 64-bit integers and dates as text where JSON cannot hold them exactly. */
  rows: AsyncIterable<Json[][]>;
}

export class FolderSql {
  readonly #database: Database;
  readonly #closed = new AbortController();

  private constructor(database: Database) {
    this.#database = database;
  }

  /** Opens a finished folder with the tables it has: pages, ranges, templates, text, fragment_…, problems. */
  static async open(folder: string, { memoryMb = 1024, threads = 2 } = {}): Promise<FolderSql> {
    readRunFile(folder);
    const database = await Database.open({ memoryMb, threads });
    try {
      await makeViews(database, folder);
      const root = realpathSync(folder);
      // the views name it by a pattern
      const allowed = [...new Set([`${root}/`, `${literalPattern(root)}/`])];
      await database.run(`SET allowed_directories = ${quoteList(allowed)}`);
      await database.run('SET enable_external_access = false');
      await database.run('SET lock_configuration = true');
    } catch (error) {
      database.close();
      throw error;
    }
    return new FolderSql(database);
  }

  /** Runs one query; a wrong one throws with the database's own message, and one that is stopped by the signal too. */
  async query(sql: string, { signal }: { signal?: AbortSignal } = {}): Promise<SqlResult> {
    signal?.throwIfAborted();
    // a query that is interrupted throws, whether it still computes or its rows are being read
    signal?.addEventListener('abort', () => this.#database.connection.interrupt(), {
      signal: this.#closed.signal,
    });
    const statements = await this.#database.connection.extractStatements(sql);
    if (statements.count !== 1) throw new RangeError(`one query at a time, not ${statements.count}`);
    const statement = await statements.prepare(0);
    if (statement.statementType !== duckDb().StatementType.SELECT) {
      throw new RangeError('only queries that read: SELECT, WITH, FROM, DESCRIBE, SUMMARIZE, SHOW');
    }
    const result = await statement.stream();
    const types = result.columnTypes();
    return {
      columns: result
        .deduplicatedColumnNames()
        .map((name, k) => ({ name, type: (types[k] as DuckDBType).toString() })),
      rows: untilStopped(result.yieldRowsJson() as AsyncIterable<Json[][]>, signal),
    };
  }

  close(): void {
    this.#closed.abort();
    this.#database.close();
  }
}

/** An interrupted query ends like one that has no more rows. */
async function* untilStopped<T>(rows: AsyncIterable<T>, signal?: AbortSignal): AsyncGenerator<T> {
  yield* rows;
  signal?.throwIfAborted();
}

/** What a folder holds that is a table, or a folder of some. */
export type TableKind =
  | 'pages'
  | 'ranges'
  | 'templates'
  | 'study'
  | 'history'
  | 'fragments'
  | 'text'
  | 'problems';

/** The tables of a finished folder as views, also for the queries of open-folder.ts; all of them, or some kinds only. */
export async function makeViews(
  database: Database,
  folder: string,
  kinds?: readonly TableKind[],
): Promise<void> {
  const root = realpathSync(folder);
  const sources = { ...parquetSources(root), ...jsonSources(root) };
  for (const [name, { kind, sql }] of Object.entries(sources)) {
    if (kinds && !kinds.includes(kind)) continue;
    await database.run(`CREATE OR REPLACE VIEW ${name} AS SELECT * FROM ${sql}`);
  }
}

/** By the name of the view: what it is of, and what it reads. */
type Sources = Record<string, { kind: TableKind; sql: string }>;

function parquetSources(root: string): Sources {
  const sources: Sources = {};
  for (const kind of ['pages', 'ranges', 'templates'] as const) {
    if (partsOf(root, kind, '.parquet').length === 0) continue;
    sources[kind] = { kind, sql: `read_parquet(${quote(join(literalPattern(root), kind, '*.parquet'))})` };
  }
  const single = (kind: TableKind, prefix: string, names: string[]): void => {
    for (const name of names) {
      const file = join(root, kind, `${name}.parquet`);
      if (existsSync(file)) sources[`${prefix}${name}`] = { kind, sql: `read_parquet(${quoteFile(file)})` };
    }
  };
  single('study', '', ['aggregates', 'schemas', 'page_schemas', 'categories', 'collections', 'settings']);
  single('history', 'history_', ['captures', 'values', 'redesigns']);
  single('fragments', 'fragment_', ['classes', 'members', 'pages']);
  return sources;
}

function jsonSources(root: string): Sources {
  const sources: Sources = {};
  if (partsOf(root, 'text', '.jsonl.gz').length > 0) {
    sources.text = {
      kind: 'text',
      sql: `read_json(${quote(join(literalPattern(root), 'text', '*.jsonl.gz'))}, format = 'newline_delimited', compression = 'gzip',
        columns = ${jsonColumns(TEXT)}, maximum_object_size = 33554432)`,
    };
  }
  const problems = join(root, 'problems.jsonl');
  if (existsSync(problems)) {
    sources.problems = {
      kind: 'problems',
      sql: `read_json(${quoteFile(problems)}, format = 'newline_delimited', columns = ${jsonColumns(PROBLEMS)})`,
    };
  }
  return sources;
}

/** The columns of a table as `read_json` takes them. */
function jsonColumns({ columns }: Table): string {
  return `{${Object.entries(columns)
    .map(([name, { type }]) => `"${name}": ${quote(type)}`)
    .join(', ')}}`;
}

function partsOf(folder: string, kind: string, ending: string): string[] {
  const path = join(folder, kind);
  return existsSync(path) ? readdirSync(path).filter((name) => name.endsWith(ending)) : [];
}
