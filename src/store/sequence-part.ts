/**
 * Gathers the templates of a label task by site and detector. A site with pages in no other task is studied at once
 * (study/study-part.ts). For other sites the task writes the gathered data as structured clones of typed arrays;
 * they are joined when all tasks of the site are done, without reading the ranges again.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { deserialize, serialize } from 'node:v8';
import type { Range } from '../model/range.ts';
import { olderCaptures } from '../study/latest-captures.ts';
import { repeatedPages, SiteStudy } from '../study/site-study.ts';
import { type FoundTemplates, SiteTemplates, type SiteTemplatesData } from '../study/site-templates.ts';
import { type Database, quote, quoteFiles } from './database.ts';

/** File of a task with the templates of the sites that other tasks share. */
export const SEQUENCES_FILE = 'sequences.bin';

/** Data gathered for one site. */
interface GatheredSite {
  site: string;
  /** Pages of the site in order, with URL, URL key and time of each. */
  pages: number[];
  urls: string[];
  keys: string[];
  times: string[];
  byDetector: Map<string, SiteTemplates>;
}

interface GatheredPage {
  page: number;
  site: string;
  url: string;
  url_key: string;
  time: string;
}

/** Gathers the templates of the pages of a task. The pages of a site must be consecutive. */
export class SequencePart {
  readonly #sites: GatheredSite[] = [];
  #page = { page: 0, time: '' };

  /** Begins a page; its ranges are added next. */
  beginPage({ page, site, url, url_key: urlKey, time }: GatheredPage): void {
    let current = this.#sites.at(-1);
    if (current?.site !== site) {
      current = { site, pages: [], urls: [], keys: [], times: [], byDetector: new Map() };
      this.#sites.push(current);
    }
    current.pages.push(page);
    current.urls.push(url);
    current.keys.push(urlKey);
    current.times.push(time);
    this.#page = { page, time };
  }

  /**
   * Adds the templates of the current page, as numbers from 0 per site and detector; `fresh` are the ranges of new
   * numbers.
   */
  add(detector: string, found: FoundTemplates, fresh: readonly Range[]): void {
    const { site, byDetector } = this.#sites.at(-1)!;
    let templates = byDetector.get(detector);
    if (!templates) byDetector.set(detector, (templates = new SiteTemplates(site, detector)));
    templates.addFound(this.#page.page, this.#page.time, found, fresh);
  }

  /** Yields the study of each site that has no pages in other tasks. */
  *studies(sharedSites: readonly string[]): Generator<SiteStudy> {
    for (const { site, pages, urls, keys, times, byDetector } of this.#sites) {
      if (sharedSites.includes(site)) continue;
      const gathered = dataOf(byDetector);
      if (gathered.length === 0) continue;
      const older = olderCaptures(pages, keys, times);
      const study = new SiteStudy(gathered, repeatedPages(pages, keys), older);
      for (let k = 0; k < pages.length; k++) study.addUrl(pages[k], urls[k]);
      yield study;
    }
  }

  /** Writes the data of the sites that other tasks share. */
  write(path: string, sharedSites: readonly string[]): void {
    const shared = this.#sites.filter(({ site }) => sharedSites.includes(site));
    writeFileSync(path, serialize(shared.flatMap(({ byDetector }) => dataOf(byDetector))));
  }
}

/** Data of the detectors that have found a template. */
function dataOf(byDetector: Map<string, SiteTemplates>): SiteTemplatesData[] {
  return Array.from(byDetector.values(), (templates) => templates.data()).filter(
    ({ pages }) => pages.length > 0,
  );
}

/** Joins the data of several tasks about a site, by detector; `files` must be in page order. */
export function readSequenceParts(files: readonly string[], site: string): SiteTemplatesData[] {
  const byDetector = new Map<string, SiteTemplatesData[]>();
  for (const file of files) {
    for (const part of deserialize(readFileSync(file)) as SiteTemplatesData[]) {
      if (part.site !== site) continue;
      const known = byDetector.get(part.detector);
      if (known) known.push(part);
      else byDetector.set(part.detector, [part]);
    }
  }
  return Array.from(byDetector.values(), joinParts);
}

function joinParts(parts: SiteTemplatesData[]): SiteTemplatesData {
  const [first] = parts;
  if (parts.length === 1) return first;
  const whole = new SiteTemplates(first.site, first.detector);
  for (const part of parts) whole.merge(part);
  return whole.data();
}

/** Files from which the study of a site of several tasks is made. */
export interface SharedSiteSources {
  site: string;
  /** Sequence files of its tasks and tables of their pages, both in page order. */
  sequenceFiles: readonly string[];
  pageFiles: readonly string[];
}

/**
 * Returns the study of a site with pages in several tasks, from their files and the published pages; undefined when
 * no page of the site has a template.
 */
export async function readSharedSite(
  database: Database,
  { site, sequenceFiles, pageFiles }: SharedSiteSources,
): Promise<SiteStudy | undefined> {
  const gathered = readSequenceParts(sequenceFiles, site);
  if (gathered.length === 0) return undefined;
  await database.run(
    `CREATE OR REPLACE VIEW site_pages AS
     SELECT page, url, url_key, time FROM read_parquet(${quoteFiles(pageFiles)}) WHERE site = ${quote(site)}`,
  );
  const { repeats, older } = await readRepeats(database);
  const study = new SiteStudy(gathered, repeats, older);
  const rows = database.batches<{ page: number; url: string }>(
    'SELECT page, url FROM site_pages ORDER BY page',
  );
  for await (const batch of rows) for (const { page, url } of batch) study.addUrl(page, url);
  return study;
}

interface Repeats {
  /** For pages with several captures: each capture with the first one. */
  repeats: Map<number, number>;
  /** Captures that a later capture of the same page follows. */
  older: Set<number>;
}

/** Reads repeated captures into memory, two numbers each. */
async function readRepeats(database: Database): Promise<Repeats> {
  const older = new Set<number>();
  const repeats = new Map<number, number>();
  // keep hashes in a table, which DuckDB spills to disk when it is large
  await database.run(
    'CREATE OR REPLACE TABLE page_hashes AS SELECT page, hash(url_key) AS hash, time FROM site_pages',
  );
  const rows = database.numbers(
    `SELECT page, first_page, (page <> latest)::UTINYINT FROM page_hashes JOIN (
       SELECT hash, min(page) AS first_page, arg_max(page, time || lpad(page::VARCHAR, 10, '0')) AS latest
       FROM page_hashes GROUP BY hash HAVING count(*) > 1) USING (hash)`,
  );
  for await (const { columns, rowCount } of rows) {
    const [pages, firsts, isOlder] = columns;
    for (let row = 0; row < rowCount; row++) {
      repeats.set(pages[row], firsts[row]);
      if (isOlder[row] === 1) older.add(pages[row]);
    }
  }
  await database.run('DROP TABLE page_hashes');
  return { repeats, older };
}
