/**
 * All that is told of the templates of one site: each by rank, whole templates put together from their parts, and the
 * schemas of its pages with the pattern of their URLs. Made when all pages of the site are there; one site is held at
 * a time, pages with the same templates as one.
 */

import { type AggregatedTemplate, aggregateTemplates } from './aggregate-templates.ts';
import { latestSequences } from './latest-captures.ts';
import { type RankedTemplates, rankTemplates } from './rank-templates.ts';
import { SchemaUrls } from './schema-urls.ts';
import { findSchemas, type Schemas } from './schemas.ts';
import type { SiteTemplatesData } from './site-templates.ts';
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
