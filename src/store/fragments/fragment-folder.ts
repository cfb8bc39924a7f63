/**
 * The folder of an analysis of shared fragments, asked in the terms of the domain. Members and pages come in
 * the order of pages, a few thousand at a time, so that exports of any size stay within memory; to read both
 * side by side, open the folder twice.
 */
import { join } from 'node:path';
import type { FragmentClass, FragmentMember, Relation } from '../../fragments/shared-page.ts';
import { scratchPath } from '../../model/scratch.ts';
import { Database, quote, quoteFile } from '../database.ts';
import { type PlannedPage, readPlannedPages } from '../planned-page.ts';
import type { SharedCounts } from '../run-file.ts';

export const CLASSES_FILE = 'classes.parquet';
const MEMBERS_FILE = 'members.parquet';
export const PAGES_FILE = 'pages.parquet';
/** Where the bytes of every page lie, for exports that read them again. */
export const PLACES_FILE = 'places.parquet';

/** A member with the page it stands on. */
export interface PageMember extends FragmentMember {
  page: number;
}

export class FragmentFolder {
  readonly #database: Database;
  readonly #path: string;

  private constructor(database: Database, path: string) {
    this.#database = database;
    this.#path = path;
  }

  /** Opens the folder that holds `classes.parquet` and its like. */
  static async open(path: string, { memoryMb = 512 } = {}): Promise<FragmentFolder> {
    const database = await Database.open({ memoryMb, threads: 1, spillFolder: scratchPath() });
    return new FragmentFolder(database, path);
  }

  /** All classes by relation, those that save the most bytes first. */
  classes(): Promise<FragmentClass[]> {
    return this.#database.rows<FragmentClass>(
      `SELECT class AS id, relation, kind, parts, pages, members, sites, avg_bytes AS "avgBytes",
         avg_complete_bytes AS "avgCompleteBytes", structural_bytes AS "structuralBytes", saved_bytes AS "savedBytes", place, text, page, site, url
       FROM ${this.#table(CLASSES_FILE)} ORDER BY relation, saved_bytes DESC, class`,
    );
  }

  /** What the fragments of one relation come to. */
  async count(relation: Relation): Promise<SharedCounts> {
    const [classes] = await this.#database.rows<
      Omit<SharedCounts, 'sharedPages' | 'sharedBytes' | 'meanShare'>
    >(
      `SELECT count(*) AS classes, count(*) FILTER (kind = 'composite') AS composites,
         coalesce(sum(members), 0)::BIGINT AS members, coalesce(sum(saved_bytes), 0)::BIGINT AS "savedBytes"
       FROM ${this.#table(CLASSES_FILE)} WHERE relation = ${quote(relation)}`,
    );
    const [pages] = await this.#database.rows<
      Pick<SharedCounts, 'sharedPages' | 'sharedBytes' | 'meanShare'>
    >(
      `SELECT count(*) FILTER (${relation}_fragments > 0) AS "sharedPages",
         coalesce(sum(${relation}_shared_bytes), 0)::BIGINT AS "sharedBytes",
         coalesce(round(avg(${relation}_share), 4), 0)::DOUBLE AS "meanShare"
       FROM ${this.#table(PAGES_FILE)}`,
    );
    return { ...classes, ...pages };
  }

  async countSites(): Promise<number> {
    const [{ n }] = await this.#database.rows<{ n: number }>(
      `SELECT count(DISTINCT site) AS n FROM ${this.#table(PAGES_FILE)}`,
    );
    return n;
  }

  /** All members, page by page, ordered by where they begin; a few thousand at a time. */
  members(): AsyncGenerator<PageMember[]> {
    return this.#database.batches<PageMember>(
      `SELECT page, relation, class AS "classId", node, sibling, parent, "start", "end", complete_bytes AS "completeBytes",
         start_line AS "startLine", start_column AS "startColumn", end_line AS "endLine", end_column AS "endColumn"
       FROM ${this.#table(MEMBERS_FILE)}`,
    );
  }

  /** All pages in order, with where their bytes lie. */
  async *pages(): AsyncGenerator<PlannedPage> {
    yield* readPlannedPages(
      this.#database,
      `SELECT places.* FROM ${this.#table(PLACES_FILE)} places
       WHERE page IN (SELECT page FROM ${this.#table(PAGES_FILE)}) ORDER BY page`,
    );
  }

  close(): void {
    this.#database.close();
  }

  #table(file: string): string {
    return `read_parquet(${quoteFile(join(this.#path, file))})`;
  }
}
