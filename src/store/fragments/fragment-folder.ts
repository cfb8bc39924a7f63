/**
 * Reads the folder of an analysis of shared fragments in the terms of the domain. Members and pages come in page
 * order, a few thousand at a time, so that exports of any size stay within memory; to read both at the same time,
 * open the folder twice.
 */
import { join } from 'node:path';
import type { FragmentClass, FragmentMember, Relation } from '../../fragments/shared-page.ts';
import { scratchPath } from '../../model/scratch.ts';
import { Database, quote, quoteFile } from '../database.ts';
import { type PlannedPage, readPlannedPages } from '../planned-page.ts';
import type { SharedCounts } from '../run-file.ts';

/** Table of classes in the folder. */
export const CLASSES_FILE = 'classes.parquet';
const MEMBERS_FILE = 'members.parquet';
const PAGES_FILE = 'pages.parquet';
/** Table with the location of every page's record, for exports that read the pages again. */
export const PLACES_FILE = 'places.parquet';

/** Maximum number of points of a distribution; each is exact, and they are the same in every run. */
const MAX_POINTS = 500;

/** A cumulative distribution: of `total` values, `point[1]` are at most `point[0]`. */
export interface Distribution {
  relation: Relation;
  total: number;
  points: [value: number, count: number][];
  median: number;
  /** First and last decile. */
  low: number;
  high: number;
  largest: number;
}

/** A member with its page. */
export interface PageMember extends FragmentMember {
  page: number;
}

/** An open analysis of shared fragments. */
export class FragmentFolder {
  readonly #database: Database;
  readonly #path: string;

  private constructor(database: Database, path: string) {
    this.#database = database;
    this.#path = path;
  }

  /** Opens the folder with `classes.parquet` and the other tables. */
  static async open(path: string, { memoryMb = 512 } = {}): Promise<FragmentFolder> {
    const database = await Database.open({ memoryMb, threads: 1, spillFolder: scratchPath() });
    return new FragmentFolder(database, path);
  }

  /** Yields classes by relation, those that save the most bytes first; all classes, or the first of one relation. */
  classes(only?: { relation: Relation; limit: number }): Promise<FragmentClass[]> {
    return this.#database.rows<FragmentClass>(
      `SELECT class AS id, relation, kind, parts, pages, members, sites, avg_bytes AS "avgBytes",
         avg_complete_bytes AS "avgCompleteBytes", structural_bytes AS "structuralBytes", saved_bytes AS "savedBytes",
         place, text, page, site, url
       FROM ${this.#table(CLASSES_FILE)} ${only ? `WHERE relation = ${quote(only.relation)}` : ''}
       ORDER BY relation, saved_bytes DESC, class ${only ? `LIMIT ${only.limit}` : ''}`,
    );
  }

  /** Returns the totals of one relation. */
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

  /** Returns the totals of the compared pages. */
  async countPages(): Promise<{ sites: number; pages: number; htmlBytes: number }> {
    const [counts] = await this.#database.rows<{ sites: number; pages: number; htmlBytes: number }>(
      `SELECT count(DISTINCT site) AS sites, count(*) AS pages,
         coalesce(sum(html_bytes), 0)::BIGINT AS "htmlBytes" FROM ${this.#table(PAGES_FILE)}`,
    );
    return counts;
  }

  /** Reads the cumulative distribution of a value of classes or pages, given as SQL. */
  async distribution(relation: Relation, of: 'classes' | 'pages', value: string): Promise<Distribution> {
    const values =
      of === 'classes'
        ? `SELECT ${value} AS x FROM ${this.#table(CLASSES_FILE)} WHERE relation = ${quote(relation)}`
        : `SELECT ${value} AS x FROM ${this.#table(PAGES_FILE)}`;
    const [quantiles] = await this.#database.rows<Omit<Distribution, 'relation' | 'points'>>(
      `SELECT count(*) AS total, coalesce(quantile_disc(x, 0.5), 0)::DOUBLE AS median,
         coalesce(quantile_disc(x, 0.1), 0)::DOUBLE AS low, coalesce(quantile_disc(x, 0.9), 0)::DOUBLE AS high,
         coalesce(max(x), 0)::DOUBLE AS largest
       FROM (${values})`,
    );
    // divide distinct values into equal buckets; keep the last value of each, and the smallest of all
    const points = await this.#database.rows<{ x: number; n: number }>(
      `WITH counted AS (SELECT x, count(*) AS n FROM (${values}) GROUP BY x),
         summed AS (SELECT x, sum(n) OVER (ORDER BY x) AS n, row_number() OVER (ORDER BY x) AS k, count(*) OVER () AS distinct_values FROM counted),
         cut AS (SELECT x, n, (k - 1) * ${MAX_POINTS - 1} // greatest(distinct_values, ${MAX_POINTS - 1}) AS bucket, k = 1 AS is_first FROM summed)
       SELECT x::DOUBLE AS x, n::BIGINT AS n FROM cut
       QUALIFY is_first OR x = max(x) OVER (PARTITION BY bucket) ORDER BY x`,
    );
    return { relation, ...quantiles, points: points.map(({ x, n }) => [x, n]) };
  }

  /** Yields all members in batches of a few thousand, by page and start. */
  members(): AsyncGenerator<PageMember[]> {
    return this.#database.batches<PageMember>(
      `SELECT page, relation, class AS "classId", node, sibling, parent, "start", "end", complete_bytes AS "completeBytes",
         start_line AS "startLine", start_column AS "startColumn", end_line AS "endLine", end_column AS "endColumn"
       FROM ${this.#table(MEMBERS_FILE)}`,
    );
  }

  /** Yields all pages in order, with the location of their records. */
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
