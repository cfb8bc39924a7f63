/**
 * Tables that queries cannot make: whole templates put together from their parts, and the schemas of sites. One site
 * and detector is held at a time, pages with the same templates as one. Where every page has templates of its own
 * there are as many schemas as pages: they go to the database as they are found, and meet the patterns of their URLs
 * there. Sites come one after another with all detectors, the tables tell one detector after another: each has
 * tables of its own until they are written.
 */
import type { DuckDBConnection } from '@duckdb/node-api';
import { aggregateTemplates } from '../../study/aggregate-templates.ts';
import type { RankedTemplates } from '../../study/rank-templates.ts';
import { findSchemas } from '../../study/schemas.ts';
import { urlPattern } from '../../study/url-pattern.ts';
import { ColumnBuffer, copyToParquet, type Schema } from '../column-buffer.ts';
import { type Database, quote } from '../database.ts';
import { PassingTable } from '../passing-table.ts';

/** Whole templates of a site that are worth a row; the paper's curves end at thirty. */
const MOST_AGGREGATES = 1000;
/** A schema of fewer pages, and of less than this share of the site's, is an outlier. */
const OUTLIER_PAGES = 3;
const OUTLIER_SHARE = 0.005;
/** URLs that a pattern is made of. */
const PATTERN_URLS = 200;

const AGGREGATE_SCHEMA = {
  site: 'VARCHAR',
  aggregate: 'UINTEGER',
  templates: 'VARCHAR',
  hashes: 'UINTEGER',
  pages: 'UINTEGER',
  occurrences: 'BIGINT',
  total_bytes: 'BIGINT',
  covered_bytes: 'BIGINT',
  all_bytes: 'BIGINT',
  hashes_so_far: 'UINTEGER',
} as const satisfies Schema;

/** Schemas before the URLs of their pages are looked at, in order. */
const FOUND_SCHEMA = {
  place: 'UINTEGER',
  site: 'VARCHAR',
  schema: 'UINTEGER',
  pages: 'UINTEGER',
  share: 'FLOAT',
  typical_page: 'UINTEGER',
  templates: 'VARCHAR',
  outlier: 'BOOLEAN',
} as const satisfies Schema;

const PATTERN_SCHEMA = { place: 'UINTEGER', pattern: 'VARCHAR' } as const satisfies Schema;

const PAGE_SCHEMA_SCHEMA = {
  page: 'UINTEGER',
  /** Of its schema in the table of schemas. */
  place: 'UINTEGER',
  schema: 'UINTEGER',
  likeness: 'FLOAT',
} as const satisfies Schema;

export interface StudyFiles {
  aggregates: string;
  schemas: string;
  pageSchemas: string;
}

/** The tables, filled site by site from what `rankTemplates` gives. The table `pages` must be there to write them. */
export class StudyTables {
  readonly #database: Database;
  readonly #writer: DuckDBConnection;
  readonly #ofDetector = new Map<string, DetectorTables>();

  /** Rows are added by `writer`, a connection of the database. */
  constructor(database: Database, writer: DuckDBConnection) {
    this.#database = database;
    this.#writer = writer;
  }

  async add(ranked: RankedTemplates): Promise<void> {
    let tables = this.#ofDetector.get(ranked.detector);
    if (!tables) {
      tables = new DetectorTables(this.#writer, `d${this.#ofDetector.size}`);
      this.#ofDetector.set(ranked.detector, tables);
      await tables.create();
    }
    tables.addAggregates(ranked);
    await tables.addSchemas(ranked);
  }

  /** Writes the tables, detectors in the order given. */
  async write(detectors: readonly string[], files: StudyFiles): Promise<void> {
    const database = this.#database;
    let met = detectors.filter((detector) => this.#ofDetector.has(detector));
    if (met.length === 0) {
      met = [''];
      this.#ofDetector.set('', new DetectorTables(this.#writer, 'none'));
      await this.#ofDetector.get('')!.create();
    }
    for (const detector of met) {
      const tables = this.#ofDetector.get(detector)!;
      await tables.flush(database);
      await tables.makePatterns(database);
    }
    await database.run(`CREATE TYPE study_detector AS ENUM (${met.map(quote).join(', ')})`);
    const all = (select: (name: string, detector: string) => string): string =>
      met
        .map((detector) =>
          select(this.#ofDetector.get(detector)!.name, `${quote(detector)}::study_detector AS detector`),
        )
        .join(' UNION ALL ');
    await copyToParquet(
      database,
      all(
        (name, detector) =>
          `SELECT site, ${detector}, aggregate, string_split(templates, ' ') AS templates, * EXCLUDE (site, aggregate,
             templates), (covered_bytes / all_bytes)::FLOAT AS covered_share FROM ${name}_aggregates`,
      ),
      files.aggregates,
    );
    await copyToParquet(
      database,
      all(
        (name, detector) =>
          `FROM (SELECT site, ${detector}, schema, pages, share, coalesce(pattern, '') AS pattern, typical_page,
             string_split(templates, ' ') AS templates, outlier
           FROM ${name}_schemas LEFT JOIN ${name}_patterns USING (place) ORDER BY place)`,
      ),
      files.schemas,
    );
    await copyToParquet(
      database,
      `FROM (${all((name, detector) => `SELECT page, ${detector}, schema, likeness FROM ${name}_page_schemas`)})
       ORDER BY page, detector::VARCHAR`,
      files.pageSchemas,
    );
  }
}

/** What is found of one detector, in tables whose names begin alike. */
class DetectorTables {
  readonly name: string;
  readonly #aggregates = new ColumnBuffer(AGGREGATE_SCHEMA);
  readonly #schemas: PassingTable;
  readonly #patterns: PassingTable;
  readonly #pageSchemas = new ColumnBuffer(PAGE_SCHEMA_SCHEMA);

  constructor(writer: DuckDBConnection, name: string) {
    this.name = name;
    this.#schemas = new PassingTable(writer, `${name}_schemas`, FOUND_SCHEMA);
    this.#patterns = new PassingTable(writer, `${name}_patterns`, PATTERN_SCHEMA);
  }

  async create(): Promise<void> {
    await this.#schemas.create();
    await this.#patterns.create();
  }

  async flush(database: Database): Promise<void> {
    await this.#schemas.flush();
    await this.#aggregates.toTable(database, `${this.name}_aggregates`);
    await this.#pageSchemas.toTable(database, `${this.name}_page_schemas`);
  }

  addAggregates({ site, ids, sequences }: RankedTemplates): void {
    const allBytes = sequences.bytes.reduce((sum, bytes) => sum + bytes, 0);
    const met = new Set<number>();
    let covered = 0;
    const found = aggregateTemplates(sequences, { most: MOST_AGGREGATES });
    for (const [k, { templates, pages, occurrences, bytes }] of found.entries()) {
      covered += bytes;
      for (const template of templates) met.add(template);
      const named = templates.map((template) => ids[template]).join(' ');
      this.#aggregates.add(
        site,
        k + 1,
        named,
        templates.length,
        pages,
        occurrences,
        bytes,
        covered,
        allBytes,
        met.size,
      );
    }
  }

  async addSchemas({ site, pages, ids, sequences }: RankedTemplates): Promise<void> {
    const { count, start, template, sequenceOf } = sequences;
    const { schemas, numberOf, likenessOf } = findSchemas(sequences);
    const firstPlace = this.#schemas.rowCount;
    const typical = new Uint32Array(count); // first page of each sequence
    for (let k = 0; k < pages.length; k++) {
      this.#pageSchemas.add(pages[k], firstPlace + numberOf[k] - 1, numberOf[k], likenessOf[k]);
      if (typical[sequenceOf[k]] === 0) typical[sequenceOf[k]] = pages[k];
    }
    for (const { number, pages: own, leader } of schemas) {
      const share = own / pages.length;
      const named = Array.from(template.subarray(start[leader], start[leader + 1]), (each) => ids[each]);
      const outlier = own < OUTLIER_PAGES && share < OUTLIER_SHARE;
      await this.#schemas.add(
        firstPlace + number - 1,
        site,
        number,
        own,
        share,
        typical[leader],
        named.join(' '),
        outlier,
      );
    }
  }

  /**
   * Finds what the URLs of each schema have in common. Of many URLs those with the smallest hashes are looked at, by a
   * heap a schema, which small ones do not need.
   */
  async makePatterns(database: Database): Promise<void> {
    const grouped = (urls: string, size: string): string =>
      `SELECT f.place, ${urls} AS urls
       FROM ${this.name}_page_schemas f JOIN pages p USING (page) JOIN ${this.name}_schemas s USING (place)
       WHERE s.pages ${size} GROUP BY f.place`;
    for (const sql of [
      grouped('string_agg(url, chr(10))', `<= ${PATTERN_URLS}`),
      grouped(`array_to_string(arg_min(url, md5(url), ${PATTERN_URLS}), chr(10))`, `> ${PATTERN_URLS}`),
    ]) {
      for await (const batch of database.batches<{ place: number; urls: string }>(sql)) {
        for (const { place, urls } of batch) await this.#patterns.add(place, urlPattern(urls.split('\n')));
      }
    }
    await this.#patterns.flush();
  }
}
