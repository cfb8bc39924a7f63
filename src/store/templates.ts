/**
 * The table of templates: what the sequences of all pages say about each, site by site. Pages are distinct URLs, so
 * that many captures of one page do not make its own text look shared. Rows of one site are ranked at a time and go
 * to the database, which spills what is too much. Texts are joined last, for some thousand templates at a
 * time, each a part of the table: a detector that names templates for every page has as many as there are pages.
 */
import type { DuckDBConnection } from '@duckdb/node-api';
import type { RankedTemplates } from '../study/rank-templates.ts';
import { copyToParquet, type Schema } from './column-buffer.ts';
import { type Database, quoteList } from './database.ts';
import { PassingTable } from './passing-table.ts';

/** Templates of one part. */
const PART_TEMPLATES = 16_384;

const RANKED_SCHEMA = {
  place: 'UINTEGER',
  site: 'VARCHAR',
  detector: 'VARCHAR',
  template: 'VARCHAR',
  first_page: 'UINTEGER',
  pages: 'UINTEGER',
  occurrences: 'BIGINT',
  total_bytes: 'BIGINT',
  first_seen: 'VARCHAR',
  last_seen: 'VARCHAR',
} as const satisfies Schema;

export class TemplateTable {
  readonly #database: Database;
  readonly #rows: PassingTable;

  private constructor(database: Database, rows: PassingTable) {
    this.#database = database;
    this.#rows = rows;
  }

  /** Rows are added by `writer`, a connection of the database. */
  static async open(database: Database, writer: DuckDBConnection): Promise<TemplateTable> {
    const rows = new PassingTable(writer, 'ranked', RANKED_SCHEMA);
    await rows.create();
    return new TemplateTable(database, rows);
  }

  /** Adds the templates of a site as one detector sees it; sites come in order, and detectors by name. */
  async add(ranked: RankedTemplates): Promise<void> {
    const { site, detector, ids, firstPages, pageCounts, occurrences, totalBytes, firstSeen, lastSeen } =
      ranked;
    for (let rank = 0; rank < ids.length; rank++) {
      await this.#rows.add(
        this.#rows.rowCount,
        site,
        detector,
        ids[rank],
        firstPages[rank],
        pageCounts[rank],
        occurrences[rank],
        totalBytes[rank],
        firstSeen[rank],
        lastSeen[rank],
      );
    }
  }

  /**
   * Writes the parts of the table to the files that `partOf` names, with the texts of the sightings in other files;
   * the number of templates.
   */
  async write(sightings: string[], partOf: (part: number) => string): Promise<number> {
    await this.#rows.flush();
    const count = this.#rows.rowCount;
    const allSightings = `read_parquet(${quoteList(sightings)})`;
    for (let part = 0; part === 0 || part * PART_TEMPLATES < count; part++) {
      const from = part * PART_TEMPLATES;
      await copyToParquet(
        this.#database,
        `WITH slice AS (FROM ranked WHERE place >= ${from} AND place < ${from + PART_TEMPLATES}),
           samples AS (
             FROM (SELECT site, detector, template, page AS first_page, text, links, targets FROM ${allSightings})
               SEMI JOIN slice USING (site, detector, template, first_page))
         SELECT site, detector, template, pages, occurrences, total_bytes // occurrences AS size_bytes, total_bytes,
           first_seen, last_seen, coalesce(text, '') AS text, coalesce(links, 0)::UINTEGER AS links,
           CASE WHEN coalesce(targets, '') = '' THEN [] ELSE string_split(targets, chr(10)) END AS targets
         FROM slice LEFT JOIN samples USING (site, detector, template, first_page)
         ORDER BY place`,
        partOf(part),
      );
    }
    await this.#database.run('DROP TABLE ranked');
    return count;
  }
}
