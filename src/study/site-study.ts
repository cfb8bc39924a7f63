/**
 * All that is told of the templates of one site: each by rank, whole templates put together from their parts, and the
 * schemas of its pages with the pattern of their URLs. Made when all pages of the site are there; one site is held at
 * a time, pages with the same templates as one.
 */
import { type AggregatedTemplate, aggregateTemplates } from './aggregate-templates.ts';
import { latestSequences } from './latest-captures.ts';
import { findSchemas, type Schemas, SchemaUrls } from './schemas.ts';
import { earlier, type SiteTemplatesData } from './site-templates.ts';
import type { TemplateSequences } from './template-sequences.ts';

/** Whole templates of a site that are worth a row; the paper's curves end at thirty. */
const MOST_AGGREGATES = 1000;

/** One site as one detector sees it. */
export interface DetectorStudy {
  ranked: RankedTemplates;
  /** The sequences of the latest capture of each page: what whole templates are put together from. */
  latest: TemplateSequences;
  aggregates: AggregatedTemplate[];
  schemas: Schemas;
  urls: SchemaUrls;
}

export class SiteStudy {
  readonly site: string;
  /** By name. */
  readonly detectors: DetectorStudy[];
  /** How many pages of each detector's list have passed. */
  readonly #passed: number[];

  /**
   * Of what each detector has gathered of a site, on one page at least. `urlOf` names, for each page whose URL was
   * captured several times, the URL by a number; `older` are captures that a later one of the page follows.
   */
  constructor(
    gathered: readonly SiteTemplatesData[],
    urlOf: ReadonlyMap<number, number>,
    older: ReadonlySet<number> = new Set(),
  ) {
    this.site = gathered[0].site;
    const byName = [...gathered].sort((a, b) => (a.detector < b.detector ? -1 : 1));
    this.detectors = byName.map((templates): DetectorStudy => {
      const ranked = rankTemplates(templates, urlOf);
      const latest = latestSequences(ranked.sequences, ranked.pages, older);
      const aggregates = aggregateTemplates(latest, { most: MOST_AGGREGATES });
      const schemas = findSchemas(ranked.sequences);
      return { ranked, latest, aggregates, schemas, urls: new SchemaUrls(schemas.schemas) };
    });
    this.#passed = byName.map(() => 0);
  }

  /** The first of its pages with a template. */
  get firstPage(): number {
    return Math.min(...this.detectors.map(({ ranked }) => ranked.pages[0]));
  }

  /** Takes the URLs of its pages in order, also of those without a template. */
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
 * Of the captures of a site, given in order with the keys of their URLs, those of pages that were captured more than once:
 * each with the first one.
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

/** The templates of a site by rank: on more pages, then of more bytes, then by id. */
export interface RankedTemplates {
  site: string;
  detector: string;
  pages: Uint32Array;
  /** With templates numbered by their rank, from 0. */
  sequences: TemplateSequences;
  /** By rank, and so are those below. */
  ids: string[];
  /** Distinct URLs that hold it. */
  pageCounts: Float64Array;
  occurrences: Float64Array;
  totalBytes: Float64Array;
  /** The first page that holds it. */
  firstPages: Float64Array;
  firstSeen: string[];
  lastSeen: string[];
}

/**
 * Ranks what was gathered of a site, in time linear in the distinct sequences. `urlOf` names, for each page whose URL was captured several times, the URL by a
 * number: such captures count as one page.
 */
export function rankTemplates(
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
  const seen = new Int32Array(size).fill(-1); // which sequence a template was met in last
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

/** Counts away, for each URL, the captures beyond the first that hold a template. */
function countUrlsOnce(
  pageCounts: Float64Array,
  { pages, sequences }: Pick<SiteTemplatesData, 'pages' | 'sequences'>,
  urlOf: ReadonlyMap<number, number>,
): void {
  if (urlOf.size === 0) return;
  const { start, template, sequenceOf } = sequences;
  const capturesOf = new Map<number, number[]>(); // by URL, the places of its captures among the pages
  for (let k = 0; k < pages.length; k++) {
    const url = urlOf.get(pages[k]);
    if (url === undefined) continue;
    const captures = capturesOf.get(url);
    if (captures) captures.push(k);
    else capturesOf.set(url, [k]);
  }
  const seenBy = new Int32Array(pageCounts.length).fill(-1); // the capture a template was met in last
  const seenOf = new Float64Array(pageCounts.length).fill(-1); // and its URL
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
