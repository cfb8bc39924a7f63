/**
 * Writes rows of the sites whose pages are all in one task, for `templates` and the tables of `study/`, one file
 * each; site-tables.ts joins them. Rows are not held in memory, because a site in which every page has its own
 * templates has as many schemas as pages.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { countPlaces } from '../../study/latest-captures.ts';
import type { DetectorStudy, SiteStudy } from '../../study/site-study.ts';
import { i64, text, u32, word } from '../table.ts';
import { TableFile } from '../table-rows.ts';
import { AGGREGATES, PAGE_SCHEMAS, SCHEMAS } from '../tables.ts';

/** A schema with fewer pages than this, and less than this share of the site's pages, is an outlier. */
const OUTLIER_PAGES = 3;
const OUTLIER_SHARE = 0.005;

/** Folder of these files within a task's folder. */
const STUDY_FOLDER = 'site-rows';

/**
 * Columns of the finished tables; sites are ordered by `place`, their first page, and lists of template ids are one
 * text.
 */
const RANKED_COLUMNS = {
  place: u32(),
  site: text(),
  detector: word(),
  rank: u32(),
  template: text(),
  first_page: u32(),
  pages: u32(),
  occurrences: i64(),
  total_bytes: i64(),
  latest_occurrences: i64(),
  latest_bytes: i64(),
  first_seen: text(),
  last_seen: text(),
};
const { covered_share: _, ...AGGREGATED } = AGGREGATES.columns;
const AGGREGATE_COLUMNS = { place: u32(), ...AGGREGATED, detector: word(), templates: text() };
const SCHEMA_COLUMNS = { place: u32(), ...SCHEMAS.columns, detector: word(), templates: text() };
const PAGE_SCHEMA_COLUMNS = { ...PAGE_SCHEMAS.columns, detector: word() };

/** Kinds of files. */
export type StudyFile = 'ranked' | 'aggregates' | 'schemas' | 'page_schemas';

/** Returns the files of one kind in the folders of tasks. */
export function studyFiles(taskFolders: readonly string[], kind: StudyFile): string[] {
  return taskFolders.map((folder) => studyFile(folder, kind));
}

function studyFile(taskFolder: string, kind: StudyFile): string {
  return join(taskFolder, STUDY_FOLDER, `${kind}.parquet`);
}

/** Writes the study rows of one task. */
export class StudyPart {
  readonly #ranked: TableFile<typeof RANKED_COLUMNS>;
  readonly #aggregates: TableFile<typeof AGGREGATE_COLUMNS>;
  readonly #schemas: TableFile<typeof SCHEMA_COLUMNS>;
  readonly #pageSchemas: TableFile<typeof PAGE_SCHEMA_COLUMNS>;

  /** Opens the files in the folder of a task's attempt. */
  constructor(draft: string) {
    mkdirSync(join(draft, STUDY_FOLDER));
    this.#ranked = new TableFile(studyFile(draft, 'ranked'), RANKED_COLUMNS);
    this.#aggregates = new TableFile(studyFile(draft, 'aggregates'), AGGREGATE_COLUMNS);
    this.#schemas = new TableFile(studyFile(draft, 'schemas'), SCHEMA_COLUMNS);
    this.#pageSchemas = new TableFile(studyFile(draft, 'page_schemas'), PAGE_SCHEMA_COLUMNS);
  }

  /** Adds the rows of a site; all its URLs must have been added to its study. */
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
      this.#ranked.add({
        place,
        site,
        detector,
        rank,
        template: ids[rank],
        first_page: firstPages[rank],
        pages: pageCounts[rank],
        occurrences: occurrences[rank],
        total_bytes: totalBytes[rank],
        latest_occurrences: now.occurrences[rank],
        latest_bytes: Math.round(now.bytes[rank]),
        first_seen: firstSeen[rank],
        last_seen: lastSeen[rank],
      });
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
      this.#aggregates.add({
        place,
        site,
        detector,
        aggregate: k + 1,
        templates: templates.map((template) => ids[template]).join(' '),
        hashes: templates.length,
        pages,
        occurrences,
        total_bytes: Math.round(bytes),
        covered_bytes: Math.round(covered),
        all_bytes: Math.round(allBytes),
        hashes_so_far: met.size,
      });
    }
  }

  #addSchemas(place: number, { ranked, schemas: found, urls }: DetectorStudy): void {
    const { site, detector, pages, ids, sequences } = ranked;
    const { count, start, template, sequenceOf } = sequences;
    const { schemas, numberOf, likenessOf } = found;
    const typical = new Uint32Array(count); // first page of each sequence
    for (let k = 0; k < pages.length; k++) {
      this.#pageSchemas.add({ page: pages[k], detector, schema: numberOf[k], likeness: likenessOf[k] });
      if (typical[sequenceOf[k]] === 0) typical[sequenceOf[k]] = pages[k];
    }
    for (const { number, pages: own, leader } of schemas) {
      const share = own / pages.length;
      const named = Array.from(template.subarray(start[leader], start[leader + 1]), (each) => ids[each]);
      this.#schemas.add({
        place,
        site,
        detector,
        schema: number,
        pages: own,
        share,
        pattern: urls.patternOf(number),
        typical_page: typical[leader],
        templates: named.join(' '),
        outlier: own < OUTLIER_PAGES && share < OUTLIER_SHARE,
      });
    }
  }
}
