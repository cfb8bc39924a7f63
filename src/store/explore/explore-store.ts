/**
 * Keeps a finished folder open for the explorer. Views can query it at the same time, each over a connection of its
 * own. The database can read nothing but the folder.
 */
import { basename } from 'node:path';
import type { DuckDBValue } from '@duckdb/node-api';
import { scratchPath } from '../../model/scratch.ts';
import { Database, type NumberColumn } from '../database.ts';
import { lockToFolder, makeViews } from '../folder-sql.ts';
import { type RunFile, readRunFile } from '../run-file.ts';
import { AskFolder } from './ask-folder.ts';

/** Facts about the folder that every view needs. */
export interface FolderFacts {
  name: string;
  path: string;
  version: string;
  /** Detectors that ran; empty in a folder of `chaff fragments`. */
  detectors: string[];
  /** Names of the tables that the folder has. */
  tables: string[];
  inputs: string[];
  pages: number;
  sites: number;
  /** Whether a site has several snapshots. */
  isHistory: boolean;
}

/** Memory limit of the database; larger queries spill to a temporary folder. */
const MEMORY_MB = 1024;

/** Maximum number of cached answers; those of the map have 13 bytes per page of a site. */
const MAX_KEPT = 64;

/** An open folder with a cache of answers. */
export class ExploreStore {
  readonly folder: string;
  readonly run: RunFile;
  readonly facts: FolderFacts;
  /** Runs queries of the user in a separate database. */
  readonly asked: AskFolder;
  readonly #database: Database;
  readonly #kept = new Map<string, Promise<unknown>>();
  /** Work that has not ended, and the connections that it uses. */
  readonly #work = new Set<Promise<void>>();
  readonly #connections = new Set<Database>();
  #isClosed = false;

  private constructor(folder: string, run: RunFile, database: Database, tables: string[]) {
    this.folder = folder;
    this.run = run;
    this.#database = database;
    this.asked = new AskFolder(folder);
    this.facts = {
      name: basename(folder),
      path: folder,
      version: run.version,
      detectors: tables.includes('pages') ? run.options.detectors : [],
      tables,
      inputs: run.inputs.map(({ name }) => name),
      pages: run.counts.pages,
      sites: run.counts.sites,
      isHistory: run.counts.snapshots > run.counts.sites,
    };
  }

  static async open(folder: string): Promise<ExploreStore> {
    const run = readRunFile(folder);
    if (run.counts === undefined || !Array.isArray(run.inputs)) {
      throw new Error(
        `${folder} is not from chaff report, history or fragments: its run.json names no inputs`,
      );
    }
    const database = await Database.open({ memoryMb: MEMORY_MB, threads: 2, spillFolder: scratchPath() });
    try {
      await makeViews(database, folder);
      await lockToFolder(database, folder);
      const views = await database.rows<{ name: string }>(
        'SELECT view_name AS name FROM duckdb_views() WHERE NOT internal ORDER BY name',
      );
      const tables = views.map(({ name }) => name);
      if (!tables.includes('pages') && !tables.includes('fragment_pages')) {
        throw new Error(`${folder} has no table of pages: run the report again`);
      }
      return new ExploreStore(folder, run, database, tables);
    } catch (error) {
      database.close();
      throw error;
    }
  }

  has(table: string): boolean {
    return this.facts.tables.includes(table);
  }

  /** Returns all rows of a query whose result is known to be small. */
  rows<T>(sql: string, values?: DuckDBValue[]): Promise<T[]> {
    return this.#beside((database) => database.rows<T>(sql, values));
  }

  /** Returns the columns of a query of any size, each as one array of numbers. */
  columns(sql: string): Promise<NumberColumn[]> {
    return this.#beside(async (database) => {
      const parts: NumberColumn[][] = [];
      let rowCount = 0;
      for await (const { columns, rowCount: count } of database.numbers(sql)) {
        columns.forEach((column, k) => {
          parts[k] ??= [];
          // copy, because the vectors belong to the database and are valid for this chunk only
          parts[k].push(column.slice(0, count));
        });
        rowCount += count;
      }
      return parts.map((pieces) => joined(pieces, rowCount));
    });
  }

  /** Returns the names of the columns of a table. */
  columnsOf(table: string): Promise<string[]> {
    return this.kept(`columns ${table}`, async () => {
      const rows = await this.rows<{ name: string }>(
        'SELECT column_name AS name FROM duckdb_columns() WHERE table_name = $1',
        [table],
      );
      return rows.map(({ name }) => name);
    });
  }

  /** Returns the cached answer for a key, or computes it; failures are not cached. */
  kept<T>(key: string, ask: () => Promise<T>): Promise<T> {
    const answer = (this.#kept.get(key) as Promise<T> | undefined) ?? ask();
    // move the entry to the end: the least recently used one is removed first
    this.#kept.delete(key);
    this.#kept.set(key, answer);
    answer.catch(() => this.#kept.delete(key));
    if (this.#kept.size > MAX_KEPT) this.#kept.delete(this.#kept.keys().next().value!);
    return answer;
  }

  /** Starts work; `close` waits for its end, because the process would crash if it ended during a query. */
  soon<T>(work: () => Promise<T>): Promise<T> {
    const done = work();
    const settle = () => void this.#work.delete(settled);
    const settled = done.then(settle, settle);
    this.#work.add(settled);
    return done;
  }

  #beside<T>(work: (database: Database) => Promise<T>): Promise<T> {
    return this.soon(async () => {
      if (this.#isClosed) throw new Error('the folder is closed');
      const database = await this.#database.beside();
      this.#connections.add(database);
      try {
        return await work(database);
      } finally {
        this.#connections.delete(database);
        database.close();
      }
    });
  }

  /** Interrupts all queries, waits for their end and closes the database. */
  async close(): Promise<void> {
    await this.asked.close();
    this.#isClosed = true;
    for (const { connection } of this.#connections) connection.interrupt();
    while (this.#work.size > 0) await Promise.all(this.#work);
    this.#database.close();
  }
}

function joined(pieces: NumberColumn[], length: number): NumberColumn {
  const whole = new (pieces[0].constructor as new (length: number) => NumberColumn)(length);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
