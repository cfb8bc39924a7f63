/**
 * The rows of the sites that a task has all pages of, for the tables of templates and of `study/`, a file each. Rows of
 * many sites and tasks meet at the end (site-tables.ts); where every
 * page has templates of its own there are as many schemas as pages, so that rows do not wait in memory.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { countPlaces } from '../../study/latest-captures.ts';
import type { DetectorStudy, SiteStudy } from '../../study/site-study.ts';
import { i64, text, u32, word } from '../table.ts';
import { TableFile } from '../table-rows.ts';
import { AGGREGATES, PAGE_SCHEMAS, SCHEMAS } from '../tables.ts';

/** A schema of fewer pages, and of less than this share of the site's, is an outlier. */
const OUTLIER_PAGES = 3;
const OUTLIER_SHARE = 0.005;

/** Of a task: the folder of these rows. */
const STUDY_FOLDER = 'site-rows';

/** Rows of the finished tables; sites follow each other by `place`, their first page, and ids of templates are one text. */
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

export type StudyFile = 'ranked' | 'aggregates' | 'schemas' | 'page_schemas';

/** The files of one kind that tasks have left in their folders. */
export function studyFiles(taskFolders: readonly string[], kind: StudyFile): string[] {
  return taskFolders.map((folder) => studyFile(folder, kind));
}

function studyFile(taskFolder: string, kind: StudyFile): string {
  return join(taskFolder, STUDY_FOLDER, `${kind}.parquet`);
}

export class StudyPart {
  readonly #ranked: TableFile<typeof RANKED_COLUMNS>;
  readonly #aggregates: TableFile<typeof AGGREGATE_COLUMNS>;
  readonly #schemas: TableFile<typeof SCHEMA_COLUMNS>;
  readonly #pageSchemas: TableFile<typeof PAGE_SCHEMA_COLUMNS>;

  /** In a folder that a task is filling. */
  constructor(draft: string) {
    mkdirSync(join(draft, STUDY_FOLDER));
    this.#ranked = new TableFile(studyFile(draft, 'ranked'), RANKED_COLUMNS);
    this.#aggregates = new TableFile(studyFile(draft, 'aggregates'), AGGREGATE_COLUMNS);
    this.#schemas = new TableFile(studyFile(draft, 'schemas'), SCHEMA_COLUMNS);
    this.#pageSchemas = new TableFile(studyFile(draft, 'page_schemas'), PAGE_SCHEMA_COLUMNS);
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
