/**
 * The templates that a label task met, site by site and detector by detector. A site that has pages in no other task is
 * studied at once (study/study-part.ts); of the others the task leaves what it has gathered, to be put together when all
 * their tasks are done, without reading the ranges of their pages again: numbers as they lie in memory, in the form of
 * structured clones.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { deserialize, serialize } from 'node:v8';
import type { Range } from '../model/range.ts';
import { olderCaptures } from '../study/latest-captures.ts';
import { repeatedPages, SiteStudy } from '../study/site-study.ts';
import { type FoundTemplates, SiteTemplates, type SiteTemplatesData } from '../study/site-templates.ts';
import { type Database, quote, quoteFiles } from './database.ts';

export const SEQUENCES_FILE = 'sequences.bin';

/** What is gathered of a site. */
interface GatheredSite {
  site: string;
  /** Its pages in order, their URLs, the keys of these, and their times. */
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

/** On its way to the file. The pages of a site follow each other. */
export class SequencePart {
  readonly #sites: GatheredSite[] = [];
  #page = { page: 0, time: '' };

  /** The page whose ranges come next. */
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

  /** Adds what a detector found on the page, numbered from 0 as it met them on the site; `fresh` are those it met first. */
  add(detector: string, found: FoundTemplates, fresh: readonly Range[]): void {
    const { site, byDetector } = this.#sites.at(-1)!;
    let templates = byDetector.get(detector);
    if (!templates) byDetector.set(detector, (templates = new SiteTemplates(site, detector)));
    templates.addFound(this.#page.page, this.#page.time, found, fresh);
  }

  /** The study of each site that no other task has pages of. */
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

  /** Writes what is gathered of the sites that other tasks have pages of too. */
  write(path: string, sharedSites: readonly string[]): void {
    const shared = this.#sites.filter(({ site }) => sharedSites.includes(site));
    writeFileSync(path, serialize(shared.flatMap(({ byDetector }) => dataOf(byDetector))));
  }
}

/** Of the detectors that have found a template. */
function dataOf(byDetector: Map<string, SiteTemplates>): SiteTemplatesData[] {
  return Array.from(byDetector.values(), (templates) => templates.data()).filter(
    ({ pages }) => pages.length > 0,
  );
}

/** What several tasks have gathered of a site, by detector; the files in the order of their pages. */
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

export interface SharedSiteSources {
  site: string;
  /** What its tasks have gathered, and the tables of their pages, in order. */
  sequenceFiles: readonly string[];
  pageFiles: readonly string[];
}

/**
 * The study of a site whose pages lie in several tasks, from what those have left and from its pages, which are
 * published; undefined when no page of it has a template.
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
  /** Captures of pages that were captured several times, each with the first one. */
  repeats: Map<number, number>;
  /** Those of them that a later one follows. */
  older: Set<number>;
}

/** Two numbers a capture, all at once. */
async function readRepeats(database: Database): Promise<Repeats> {
  const older = new Set<number>();
  const repeats = new Map<number, number>();
  // hashes in a table, which goes to disk when there are too many
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
