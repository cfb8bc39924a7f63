/**
 * What a task tells of the sites that it has all pages of: rows on their way to the tables of templates and of
 * `study/`, a file each. Rows of many sites and tasks meet at the end (study-tables.ts, ../templates.ts); where every
 * page has templates of its own there are as many schemas as pages, so that rows do not wait in memory.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { countPlaces } from '../../study/latest-captures.ts';
import type { DetectorStudy, SiteStudy } from '../../study/site-study.ts';
import { ColumnBuffer, type Schema } from '../column-buffer.ts';
import { ParquetFile } from '../parquet/parquet-file.ts';

/** A schema of fewer pages, and of less than this share of the site's, is an outlier. */
const OUTLIER_PAGES = 3;
const OUTLIER_SHARE = 0.005;

/** Rows held of each file. */
const FLUSH_ROWS = 8192;

/** Of a task: the folder of these rows. */
export const STUDY_FOLDER = 'told';

/** Sites follow each other by `place`, their first page. */
const RANKED_SCHEMA = {
  place: 'UINTEGER',
  site: 'VARCHAR',
  detector: 'WORD',
  rank: 'UINTEGER',
  template: 'VARCHAR',
  first_page: 'UINTEGER',
  pages: 'UINTEGER',
  occurrences: 'BIGINT',
  total_bytes: 'BIGINT',
  latest_occurrences: 'BIGINT',
  latest_bytes: 'BIGINT',
  first_seen: 'VARCHAR',
  last_seen: 'VARCHAR',
} as const satisfies Schema;

const AGGREGATE_SCHEMA = {
  place: 'UINTEGER',
  site: 'VARCHAR',
  detector: 'WORD',
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

const SCHEMA_SCHEMA = {
  place: 'UINTEGER',
  site: 'VARCHAR',
  detector: 'WORD',
  schema: 'UINTEGER',
  pages: 'UINTEGER',
  share: 'FLOAT',
  pattern: 'VARCHAR',
  typical_page: 'UINTEGER',
  templates: 'VARCHAR',
  outlier: 'BOOLEAN',
} as const satisfies Schema;

const PAGE_SCHEMA_SCHEMA = {
  page: 'UINTEGER',
  detector: 'WORD',
  schema: 'UINTEGER',
  likeness: 'FLOAT',
} as const satisfies Schema;

export type StudyFile = 'ranked' | 'aggregates' | 'schemas' | 'page_schemas';

/** The files of one kind that tasks have left in their folders. */
export function studyFiles(taskFolders: readonly string[], kind: StudyFile): string[] {
  return taskFolders.map((folder) => studyFile(folder, kind));
}

function studyFile(taskFolder: string, kind: StudyFile): string {
  return join(taskFolder, STUDY_FOLDER, `${kind}.parquet`);
}

export class StudyPart {
  readonly #ranked: PassingFile;
  readonly #aggregates: PassingFile;
  readonly #schemas: PassingFile;
  readonly #pageSchemas: PassingFile;

  /** In a folder that a task is filling. */
  constructor(draft: string) {
    mkdirSync(join(draft, STUDY_FOLDER));
    this.#ranked = new PassingFile(studyFile(draft, 'ranked'), RANKED_SCHEMA);
    this.#aggregates = new PassingFile(studyFile(draft, 'aggregates'), AGGREGATE_SCHEMA);
    this.#schemas = new PassingFile(studyFile(draft, 'schemas'), SCHEMA_SCHEMA);
    this.#pageSchemas = new PassingFile(studyFile(draft, 'page_schemas'), PAGE_SCHEMA_SCHEMA);
  }

  /** Adds a site whose URLs are all there. */
  add(study: SiteStudy): void {
    const { firstPage } = study;
    for (const each of study.detectors) {
      this.#addRanked(firstPage, each);
      this.#addAggregates(firstPage, each);
      this.#addSchemas(firstPage, each);
    }
  }

  close(): void {
    for (const file of [this.#ranked, this.#aggregates, this.#schemas, this.#pageSchemas]) file.close();
  }

  #addRanked(place: number, { ranked, latest }: DetectorStudy): void {
    const now = countPlaces(latest);
    const { site, detector, ids, firstPages, pageCounts, occurrences, totalBytes, firstSeen, lastSeen } =
      ranked;
    for (let rank = 0; rank < ids.length; rank++) {
      this.#ranked.add(
        place,
        site,
        detector,
        rank,
        ids[rank],
        firstPages[rank],
        pageCounts[rank],
        occurrences[rank],
        totalBytes[rank],
        now.occurrences[rank],
        Math.round(now.bytes[rank]),
        firstSeen[rank],
        lastSeen[rank],
      );
    }
  }

  #addAggregates(place: number, { ranked, latest, aggregates }: DetectorStudy): void {
    const { site, detector, ids } = ranked;
    const allBytes = latest.bytes.reduce((sum, bytes) => sum + bytes, 0);
    const met = new Set<number>();
    let covered = 0;
    for (const [k, { templates, pages, occurrences, bytes }] of aggregates.entries()) {
      covered += bytes;
      for (const template of templates) met.add(template);
      this.#aggregates.add(
        place,
        site,
        detector,
        k + 1,
        templates.map((template) => ids[template]).join(' '),
        templates.length,
        pages,
        occurrences,
        Math.round(bytes),
        Math.round(covered),
        Math.round(allBytes),
        met.size,
      );
    }
  }

  #addSchemas(place: number, { ranked, schemas: found, urls }: DetectorStudy): void {
    const { site, detector, pages, ids, sequences } = ranked;
    const { count, start, template, sequenceOf } = sequences;
    const { schemas, numberOf, likenessOf } = found;
    const typical = new Uint32Array(count); // first page of each sequence
    for (let k = 0; k < pages.length; k++) {
      this.#pageSchemas.add(pages[k], detector, numberOf[k], likenessOf[k]);
      if (typical[sequenceOf[k]] === 0) typical[sequenceOf[k]] = pages[k];
    }
    for (const { number, pages: own, leader } of schemas) {
      const share = own / pages.length;
      const named = Array.from(template.subarray(start[leader], start[leader + 1]), (each) => ids[each]);
      this.#schemas.add(
        place,
        site,
        detector,
        number,
        own,
        share,
        urls.patternOf(number),
        typical[leader],
        named.join(' '),
        own < OUTLIER_PAGES && share < OUTLIER_SHARE,
      );
    }
  }
}

/** A file that is filled row by row. */
class PassingFile {
  readonly #rows: ColumnBuffer;
  readonly #file: ParquetFile;

  constructor(path: string, schema: Schema) {
    this.#rows = new ColumnBuffer(schema);
    this.#file = new ParquetFile(path, this.#rows.columns);
  }

  add(...values: Parameters<ColumnBuffer['add']>): void {
    this.#rows.add(...values);
    if (this.#rows.rowCount >= FLUSH_ROWS) this.#flush();
  }

  close(): void {
    this.#flush();
    this.#file.close();
  }

  #flush(): void {
    this.#file.add(this.#rows.rowCount);
    this.#rows.clear();
  }
}
