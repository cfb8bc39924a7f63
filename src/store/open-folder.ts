/**
 * Reads a finished output folder in the terms of the domain, for report.html and the terminal summary. Every answer
 * has a size limit, so that an archive of a million pages makes an equally small report.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Problem } from '../model/problem.ts';
import { scratchPath } from '../model/scratch.ts';
import { type Database, openFinishDatabase } from './database.ts';
import { makeViews, type TableKind } from './folder-sql.ts';
import { type RunFile, readRunFile } from './run-file.ts';
import { readPictures, type SitePicture } from './site-pictures.ts';

/** Counts and sums of one site. */
export interface SiteSummary {
  site: string;
  /** Labelled pages (captures), and the distinct URLs among them. */
  pages: number;
  urls: number;
  snapshots: number;
  /** ISO times of the earliest and latest page; '' when unknown. */
  firstTime: string;
  lastTime: string;
  htmlBytes: number;
  textBytes: number;
  links: number;
  /** Bytes and links inside templates, by detector. */
  inside: Record<string, { htmlBytes: number; textBytes: number; links: number }>;
  exactPages: number;
  /** Pages that keep their text because of a floor, by the first detector. */
  unsurePages: number;
  /** Number of pages with a problem. */
  problems: number;
}

/** Maximum number of pages held in memory, of about 400 bytes each. */
const MAX_HELD_PAGES = 100_000;

export type { PageBar, SitePicture, TemplateSummary } from './site-pictures.ts';

/** Options of `openFolder`. */
export interface OpenFolderOptions {
  /** Contents of `run.json` while that file is not yet written. */
  run?: RunFile;
  /** An open database to use; the caller closes it. @default a new one */
  database?: Database;
  /** Tables that will be queried; each takes some milliseconds to open. @default those of a report */
  tables?: readonly TableKind[];
}

const REPORT_TABLES: readonly TableKind[] = ['pages', 'ranges', 'templates', 'study', 'history', 'problems'];

/** Makes `pages` refer to the pages in memory, for one connection. */
const HELD_PAGES = 'CREATE TEMP VIEW pages AS FROM held_pages';

/** A finished folder that is open for the queries of reports and summaries. */
export class OutputFolder {
  readonly path: string;
  readonly run: RunFile;
  readonly #database: Database;
  readonly #isShared: boolean;
  readonly #isEmpty: boolean;
  #holdsPages = false;

  private constructor(path: string, run: RunFile, database: Database, isShared: boolean) {
    this.path = path;
    this.run = run;
    this.#database = database;
    this.#isShared = isShared;
    this.#isEmpty = run.counts.pages === 0;
  }

  /** Opens a finished folder; close it after use. */
  static async open(
    path: string,
    { run = readRunFile(path), database: shared, tables = REPORT_TABLES }: OpenFolderOptions = {},
  ): Promise<OutputFolder> {
    const database = shared ?? (await openFinishDatabase(scratchPath()));
    await makeViews(database, path, tables);
    return new OutputFolder(path, run, database, shared !== undefined);
  }

  /** Creates the views of some kinds again, after files were added. */
  async refresh(kinds: readonly TableKind[]): Promise<void> {
    await makeViews(this.#database, this.path, kinds);
  }

  /** Loads the table of pages into memory, for callers with many queries; more than 100,000 pages stay on disk. */
  async holdPages(): Promise<void> {
    if (this.#isEmpty || this.run.counts.pages > MAX_HELD_PAGES) return;
    await this.#database.run(
      `CREATE TABLE held_pages AS SELECT * EXCLUDE (file, entry, "offset", length, record_id, payload_digest,
         charset, mime) FROM main.pages`,
    );
    this.#holdsPages = true;
    await this.#database.run(HELD_PAGES);
  }

  get detectors(): string[] {
    return this.run.options.detectors;
  }

  /** Sites with the most pages, equal ones by name. */
  async sites({ limit = 5000 } = {}): Promise<SiteSummary[]> {
    if (this.#isEmpty) return [];
    const { detectors } = this;
    const sums = detectors.map(
      (name) => `sum(${name}_html_bytes) AS ${name}_html, sum(${name}_text_bytes) AS ${name}_text,
        sum(${name}_links) AS ${name}_links`,
    );
    const rows = await this.#database.rows<Record<string, number> & { site: string }>(
      `SELECT site, count(*) AS pages, count(DISTINCT url_key) AS urls, count(DISTINCT snapshot) AS snapshots,
         coalesce(min(nullif(time, '')), '') AS "firstTime", max(time) AS "lastTime",
         sum(html_bytes) AS "htmlBytes", sum(text_bytes) AS "textBytes", sum(links) AS links,
         count(*) FILTER (exact) AS "exactPages", count(*) FILTER (${detectors[0]}_unsure) AS "unsurePages",
         count(*) FILTER (problems <> '') AS problems, ${sums.join(', ')}
       FROM pages GROUP BY site ORDER BY pages DESC, site LIMIT ${limit}`,
    );
    return rows.map((row) => {
      const inside: SiteSummary['inside'] = {};
      for (const name of detectors) {
        inside[name] = {
          htmlBytes: row[`${name}_html`],
          textBytes: row[`${name}_text`],
          links: row[`${name}_links`],
        };
        for (const part of ['html', 'text', 'links'])
          delete (row as Record<string, unknown>)[`${name}_${part}`];
      }
      return { ...(row as unknown as SiteSummary), inside };
    });
  }

  /** Data of the pictures of some sites, by site, then by detector. Other queries may run at the same time. */
  async pictures(
    sites: readonly string[],
    { mostBars = 1500, mostTemplates = 400 } = {},
  ): Promise<SitePicture[]> {
    if (this.#isEmpty) return [];
    const database = await this.#database.beside();
    try {
      if (this.#holdsPages) await database.run(HELD_PAGES);
      return await readPictures(database, { sites, detectors: this.detectors, mostBars, mostTemplates });
    } finally {
      database.close();
    }
  }

  /** The first problems in the order of `problems.jsonl`. */
  async problems({ limit = 500 } = {}): Promise<Problem[]> {
    const rows = await this.#database.rows<Record<string, unknown>>(`SELECT * FROM problems LIMIT ${limit}`);
    return rows.map((row) => {
      const present = Object.entries(row).filter(([, value]) => value !== null);
      return Object.fromEntries(present) as unknown as Problem;
    });
  }

  /**
   * Rows of a query whose result is known to be small; no rows for an empty folder. With `columns` (numbers and
   * texts only), thousands of rows are read faster.
   */
  async ask<T>(sql: string, columns?: readonly (keyof T & string)[]): Promise<T[]> {
    if (this.#isEmpty) return [];
    return columns ? this.#database.objects<T>(sql, columns) : this.#database.rows<T>(sql);
  }

  /** Returns whether the folder has a table of `study/` or `history/`. */
  has(table: string, kind: 'study' | 'history' = 'study'): boolean {
    return existsSync(join(this.path, kind, `${table}.parquet`));
  }

  close(): void {
    if (!this.#isShared) this.#database.close();
  }
}

/** Opens a finished output folder; close it after use. */
export function openFolder(path: string, options: OpenFolderOptions = {}): Promise<OutputFolder> {
  return OutputFolder.open(path, options);
}

/** Opens a folder, calls `work` with it, and closes it. */
export async function withFolder<T>(
  path: string,
  work: (folder: OutputFolder) => Promise<T>,
  options: OpenFolderOptions = {},
): Promise<T> {
  const folder = await OutputFolder.open(path, options);
  try {
    return await work(folder);
  } finally {
    folder.close();
  }
}
