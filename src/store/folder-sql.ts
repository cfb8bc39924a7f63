/**
 * Runs SQL queries of users over a finished folder. Each table is a view over its files. Before the first query the
 * database is restricted to these files, and that setting is locked; only statements that read are accepted.
 */

import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import type { DuckDBDataChunk, DuckDBResult, DuckDBType, Json } from '@duckdb/node-api';
import { Database, duckDb, literalPattern, quote, quoteFile, quoteList } from './database.ts';
import { readRunFile } from './run-file.ts';
import type { Table } from './table.ts';
import { CHANGES, GROUPS, PROBLEMS, TEXT } from './tables.ts';

/** Columns and rows of one query; the rows can be read once. */
export interface SqlResult {
  columns: { name: string; type: string }[];
  /** Rows in batches of JSON values; 64-bit integers and dates are texts, because JSON readers would round them. */
  rows: AsyncIterable<Json[][]>;
  /** The same rows as DuckDB chunks; read either this or `rows`. */
  chunks(): AsyncIterable<DuckDBDataChunk>;
}

/** A finished folder that is open for queries of a user. */
export class FolderSql {
  readonly #database: Database;
  #isClosed = false;

  private constructor(database: Database) {
    this.#database = database;
  }

  /**
   * Opens a finished folder. Its tables are pages, ranges, templates, text, problems and others that the folder
   * has.
   */
  static async open(folder: string, { memoryMb = 1024, threads = 2 } = {}): Promise<FolderSql> {
    readRunFile(folder);
    const database = await Database.open({ memoryMb, threads });
    try {
      await makeViews(database, folder);
      await lockToFolder(database, folder);
    } catch (error) {
      database.close();
      throw error;
    }
    return new FolderSql(database);
  }

  /** Runs one query. A wrong query throws the database's message; an aborted query throws the signal's reason. */
  async query(sql: string, { signal }: { signal?: AbortSignal } = {}): Promise<SqlResult> {
    signal?.throwIfAborted();
    // an interrupted query throws while it computes or while its rows are read
    const interrupt = () => !this.#isClosed && this.#database.connection.interrupt();
    signal?.addEventListener('abort', interrupt, { once: true });
    const statements = await this.#database.connection.extractStatements(sql);
    if (statements.count !== 1) throw new RangeError(`give one query at a time, not ${statements.count}`);
    const statement = await statements.prepare(0);
    if (statement.statementType !== duckDb().StatementType.SELECT) {
      throw new RangeError(
        'only queries that read are allowed: SELECT, WITH, FROM, DESCRIBE, SUMMARIZE, SHOW',
      );
    }
    const result = await statement.stream();
    const types = result.columnTypes();
    return {
      columns: result
        .deduplicatedColumnNames()
        .map((name, k) => ({ name, type: (types[k] as DuckDBType).toString() })),
      rows: untilStopped(result.yieldRowsJson() as AsyncIterable<Json[][]>, signal),
      chunks: () => untilStopped(chunksOf(result), signal),
    };
  }

  close(): void {
    this.#isClosed = true;
    this.#database.close();
  }
}

/** Restricts the database to files of this folder, and locks its settings. */
export async function lockToFolder(database: Database, folder: string): Promise<void> {
  const root = realpathSync(folder);
  // the views use the folder's name as an escaped pattern
  const allowed = [...new Set([`${root}/`, `${literalPattern(root)}/`])];
  await database.run(`SET allowed_directories = ${quoteList(allowed)}`);
  await database.run('SET enable_external_access = false');
  await database.run('SET lock_configuration = true');
}

/** DuckDB ends an interrupted query like one without more rows, so this checks the signal at the end. */
async function* untilStopped<T>(rows: AsyncIterable<T>, signal?: AbortSignal): AsyncGenerator<T> {
  yield* rows;
  signal?.throwIfAborted();
}

async function* chunksOf(result: DuckDBResult): AsyncGenerator<DuckDBDataChunk> {
  for (;;) {
    const chunk = await result.fetchChunk();
    if (!chunk || chunk.rowCount === 0) return;
    yield chunk;
  }
}

/** Kinds of tables of an output folder, which can be opened separately. */
export type TableKind =
  | 'pages'
  | 'ranges'
  | 'templates'
  | 'study'
  | 'history'
  | 'fragments'
  | 'text'
  | 'problems'
  | 'lists';

/** Creates a view for each table of a finished folder, or for some kinds only; open-folder.ts uses them too. */
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

/** By the name of the view: the kind of table and the SQL that reads its files. */
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
  single('study', '', [
    'aggregates',
    'schemas',
    'page_schemas',
    'wireframes',
    'categories',
    'collections',
    'settings',
  ]);
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
  // lists that a user has put here from other commands
  for (const [name, list] of Object.entries({ groups: GROUPS, changes: CHANGES })) {
    const file = join(root, `${name}.jsonl`);
    if (!existsSync(file)) continue;
    sources[name] = {
      kind: 'lists',
      sql: `read_json(${quoteFile(file)}, format = 'newline_delimited', columns = ${jsonColumns(list)})`,
    };
  }
  return sources;
}

/** Columns of a table in the syntax of `read_json`. */
function jsonColumns({ columns }: Table): string {
  return `{${Object.entries(columns)
    .map(([name, { type }]) => `"${name}": ${quote(type)}`)
    .join(', ')}}`;
}

function partsOf(folder: string, kind: string, ending: string): string[] {
  const path = join(folder, kind);
  return existsSync(path) ? readdirSync(path).filter((name) => name.endsWith(ending)) : [];
}
