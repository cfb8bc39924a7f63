/**
 * Studies the templates of one site: their ranking, whole templates assembled from their parts, and the
 * schemas of the site's pages with the patterns of their URLs. It runs when all pages of the site are known.
 * One site is held at a time, and pages with the same templates are stored once.
 */
import { type AggregatedTemplate, aggregateTemplates } from './aggregate-templates.ts';
import { latestSequences } from './latest-captures.ts';
import { findSchemas, type Schemas, SchemaUrls } from './schemas.ts';
import { earlier, type SiteTemplatesData } from './site-templates.ts';
import type { TemplateSequences } from './template-sequences.ts';

/** Maximum number of whole templates per site that get a row; the curves of the paper end at thirty. */
const MAX_AGGREGATES = 1000;

/** The templates of one site as one detector found them. */
export interface DetectorStudy {
  ranked: RankedTemplates;
  /** Sequences of the latest capture of each page, from which whole templates are assembled. */
  latest: TemplateSequences;
  aggregates: AggregatedTemplate[];
  schemas: Schemas;
  urls: SchemaUrls;
}

/** Templates and schemas of one site, for each detector that found templates there. */
export class SiteStudy {
  readonly site: string;
  /** Ordered by name. */
  readonly detectors: DetectorStudy[];
  /** Number of pages of each detector's list that `addUrl` has passed. */
  readonly #passed: number[];

  /**
   * Studies what each detector has found on a site with at least one page. `urlOf` gives the number of the
   * URL for each page whose URL was captured several times; `older` are captures that are followed by a later
   * one of the same page.
   */
  constructor(
    gathered: readonly SiteTemplatesData[],
    urlOf: ReadonlyMap<number, number>,
    older: ReadonlySet<number> = new Set(),
  ) {
    this.site = gathered[0].site;
    const byName = [...gathered].sort((a, b) => (a.detector < b.detector ? -1 : 1));
    this.detectors = byName.map((templates): DetectorStudy => {
      const ranked = rankSiteTemplates(templates, urlOf);
      const latest = latestSequences(ranked.sequences, ranked.pages, older);
      const aggregates = aggregateTemplates(latest, { most: MAX_AGGREGATES });
      const schemas = findSchemas(ranked.sequences);
      return { ranked, latest, aggregates, schemas, urls: new SchemaUrls(schemas.schemas) };
    });
    this.#passed = byName.map(() => 0);
  }

  /** The first page of the site that has a template. */
  get firstPage(): number {
    return Math.min(...this.detectors.map(({ ranked }) => ranked.pages[0]));
  }

  /** Adds the URL of a page. Pages must come in order, including those without a template. */
  addUrl(page: number, url: string): void {
    for (const [k, { ranked, schemas, urls }] of this.detectors.entries()) {
      const at = this.#passed[k];
      if (ranked.pages[at] !== page) continue;
      this.#passed[k]++;
      urls.add(schemas.numberOf[at], url);
    }
  }
}

/**
 * Returns the captures of all pages that were captured more than once, each with the page's first capture.
 * `pages` are the captures of a site in order, with the keys of their URLs.
 */
export function repeatedPages(pages: readonly number[], keys: readonly string[]): Map<number, number> {
  const firstOf = new Map<string, number>();
  const repeats = new Map<number, number>();
  for (let k = 0; k < pages.length; k++) {
    const first = firstOf.get(keys[k]);
    if (first === undefined) {
      firstOf.set(keys[k], pages[k]);
      continue;
    }
    repeats.set(first, first);
    repeats.set(pages[k], first);
  }
  return repeats;
}

/** The templates of a site by rank: more pages first, then more bytes, then by id. */
export interface RankedTemplates {
  site: string;
  detector: string;
  pages: Uint32Array;
  /** Sequences whose templates are numbered by rank, from 0. */
  sequences: TemplateSequences;
  /** Ids by rank; the following columns are also ordered by rank. */
  ids: string[];
  /** Distinct URLs with the template. */
  pageCounts: Float64Array;
  occurrences: Float64Array;
  totalBytes: Float64Array;
  /** The first page with the template. */
  firstPages: Float64Array;
  firstSeen: string[];
  lastSeen: string[];
}

/**
 * Ranks the templates of a site in time linear in its distinct sequences. `urlOf` gives the number of the URL
 * for each page whose URL was captured several times; such captures count as one page.
 */
export function rankSiteTemplates(
  { site, detector, ids, pages, firstTimes, lastTimes, sequences }: SiteTemplatesData,
  urlOf: ReadonlyMap<number, number> = new Map(),
): RankedTemplates {
  const { count, start, template, bytes, pages: pagesOf, sequenceOf } = sequences;
  const size = ids.length;
  const pageCounts = new Float64Array(size);
  const occurrences = new Float64Array(size);
  const totalBytes = new Float64Array(size);
  const firstPages = new Float64Array(size).fill(Number.POSITIVE_INFINITY);
  const firstSeen = new Array<string>(size).fill('');
  const lastSeen = new Array<string>(size).fill('');
  const firstPageOf = new Float64Array(count).fill(Number.POSITIVE_INFINITY);
  for (let k = pages.length - 1; k >= 0; k--) firstPageOf[sequenceOf[k]] = pages[k];
  const seen = new Int32Array(size).fill(-1); // the sequence that contained a template last
  for (let s = 0; s < count; s++) {
    for (let at = start[s]; at < start[s + 1]; at++) {
      const number = template[at];
      occurrences[number] += pagesOf[s];
      totalBytes[number] += bytes[at];
      if (seen[number] === s) continue;
      seen[number] = s;
      pageCounts[number] += pagesOf[s];
      if (firstPageOf[s] < firstPages[number]) firstPages[number] = firstPageOf[s];
      firstSeen[number] = earlier(firstSeen[number], firstTimes[s]);
      if (lastTimes[s] > lastSeen[number]) lastSeen[number] = lastTimes[s];
    }
  }
  countUrlsOnce(pageCounts, { pages, sequences }, urlOf);

  const ranked = Array.from(ids, (_, number) => number).sort(
    (a, b) => pageCounts[b] - pageCounts[a] || totalBytes[b] - totalBytes[a] || (ids[a] < ids[b] ? -1 : 1),
  );
  const rankOf = new Int32Array(size);
  for (let rank = 0; rank < size; rank++) rankOf[ranked[rank]] = rank;
  return {
    site,
    detector,
    pages,
    sequences: { ...sequences, template: template.map((number) => rankOf[number]) },
    ids: ranked.map((number) => ids[number]),
    pageCounts: Float64Array.from(ranked, (number) => pageCounts[number]),
    occurrences: Float64Array.from(ranked, (number) => occurrences[number]),
    totalBytes: Float64Array.from(ranked, (number) => totalBytes[number]),
    firstPages: Float64Array.from(ranked, (number) => firstPages[number]),
    firstSeen: ranked.map((number) => firstSeen[number]),
    lastSeen: ranked.map((number) => lastSeen[number]),
  };
}

/** Subtracts the captures beyond the first of each URL from the page counts of the templates on them. */
function countUrlsOnce(
  pageCounts: Float64Array,
  { pages, sequences }: Pick<SiteTemplatesData, 'pages' | 'sequences'>,
  urlOf: ReadonlyMap<number, number>,
): void {
  if (urlOf.size === 0) return;
  const { start, template, sequenceOf } = sequences;
  const capturesOf = new Map<number, number[]>(); // for each URL, the indexes of its captures among the pages
  for (let k = 0; k < pages.length; k++) {
    const url = urlOf.get(pages[k]);
    if (url === undefined) continue;
    const captures = capturesOf.get(url);
    if (captures) captures.push(k);
    else capturesOf.set(url, [k]);
  }
  const seenBy = new Int32Array(pageCounts.length).fill(-1); // the capture that contained a template last
  const seenOf = new Float64Array(pageCounts.length).fill(-1); // the URL of that capture
  for (const [url, captures] of capturesOf) {
    for (const k of captures) {
      const s = sequenceOf[k];
      for (let at = start[s]; at < start[s + 1]; at++) {
        const number = template[at];
        if (seenBy[number] === k) continue;
        seenBy[number] = k;
        if (seenOf[number] === url) pageCounts[number]--;
        seenOf[number] = url;
      }
    }
  }
}
