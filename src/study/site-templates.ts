/**
 * The templates of one site as one detector sees them, gathered page by page: which stand on each page in which
 * order, from when to when. A task gathers those of its pages and leaves them as plain data; those of all tasks
 * are put together and ranked, the most pages first. Counts come from the distinct sequences, not from pages:
 * linear in the places of sequences. Memory is that of the sequences and twelve bytes a page.
 */
import type { Range } from '../model/range.ts';
import { SequenceCollector, type TemplateSequences } from './template-sequences.ts';

/** What was gathered, as plain data. */
export interface SiteTemplatesData {
  site: string;
  detector: string;
  /** Ids of the templates, by their number in the sequences. */
  ids: string[];
  /** Numbers of the pages with a template, in order. */
  pages: Uint32Array;
  /** By sequence: earliest and latest time of its pages, empty when none is known. */
  firstTimes: string[];
  lastTimes: string[];
  sequences: TemplateSequences;
}

export class SiteTemplates {
  readonly site: string;
  readonly detector: string;
  readonly #ids: string[] = [];
  readonly #numberOf = new Map<string, number>();
  #pages = new Uint32Array(256);
  #pageCount = 0;
  readonly #firstTimes: string[] = [];
  readonly #lastTimes: string[] = [];
  readonly #collector = new SequenceCollector();
  // those of the page that is being added
  readonly #templates: number[] = [];
  readonly #offsets: number[] = [];
  readonly #sizes: number[] = [];

  constructor(site: string, detector: string) {
    this.site = site;
    this.detector = detector;
  }

  /** Adds a page; one without a template is passed over. */
  add(page: number, time: string, ranges: readonly Range[]): void {
    const templates = this.#templates;
    const offsets = this.#offsets;
    const sizes = this.#sizes;
    templates.length = offsets.length = sizes.length = 0;
    for (const { label, template, start, end } of ranges) {
      if (label !== 'template' || template === '') continue;
      templates.push(this.#number(template));
      offsets.push(start);
      sizes.push(end - start);
    }
    if (templates.length === 0) return;
    this.#addPage(page);
    this.#addTimes(this.#collector.add(templates, offsets, sizes), time, time);
  }

  /** Adds what another task has gathered of the pages that follow. */
  merge({ ids, pages, firstTimes, lastTimes, sequences }: SiteTemplatesData): void {
    const numbers = Int32Array.from(ids, (id) => this.#number(id));
    const merged = this.#collector.merge(sequences, numbers);
    for (let s = 0; s < merged.length; s++) this.#addTimes(merged[s], firstTimes[s], lastTimes[s]);
    for (const page of pages) this.#addPage(page);
  }

  data(): SiteTemplatesData {
    return {
      site: this.site,
      detector: this.detector,
      ids: this.#ids,
      pages: this.#pages.subarray(0, this.#pageCount),
      firstTimes: this.#firstTimes,
      lastTimes: this.#lastTimes,
      sequences: this.#collector.finish(),
    };
  }

  #number(id: string): number {
    let number = this.#numberOf.get(id);
    if (number === undefined) {
      number = this.#ids.length;
      this.#ids.push(id);
      this.#numberOf.set(id, number);
    }
    return number;
  }

  #addPage(page: number): void {
    if (this.#pageCount === this.#pages.length) {
      const larger = new Uint32Array(2 * this.#pageCount);
      larger.set(this.#pages);
      this.#pages = larger;
    }
    this.#pages[this.#pageCount++] = page;
  }

  #addTimes(sequence: number, first: string, last: string): void {
    this.#firstTimes[sequence] = earlier(this.#firstTimes[sequence] ?? '', first);
    const known = this.#lastTimes[sequence];
    this.#lastTimes[sequence] = known === undefined || last > known ? last : known;
  }
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
 * Ranks what was gathered of a site. `urlOf` names, for each page whose URL was captured several times, the URL by a
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

/** The earlier of two times; an empty one is unknown. */
function earlier(a: string, b: string): string {
  if (a === '') return b;
  return b === '' || a < b ? a : b;
}
