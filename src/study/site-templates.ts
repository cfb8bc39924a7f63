/**
 * Collects the templates that one detector finds on a site, page by page: their order on each page, and their
 * first and last times. A task collects its pages and returns plain data; site-study.ts merges the data of
 * all tasks and ranks the templates. Memory: the distinct sequences and twelve bytes per page.
 */
import { doubled } from '../model/growing-array.ts';
import { joinSlots, type Range } from '../model/range.ts';
import { SequenceCollector, type TemplateSequences } from './template-sequences.ts';

/** The collected templates of a site as plain data. */
export interface SiteTemplatesData {
  site: string;
  detector: string;
  /** Ids of the templates, by their number in the sequences. */
  ids: string[];
  /** Numbers of the pages with a template, in order. */
  pages: Uint32Array;
  /** By sequence: earliest and latest time of its pages; empty when unknown. */
  firstTimes: string[];
  lastTimes: string[];
  sequences: TemplateSequences;
}

/** The templates on a page, in order: their numbers, starts and lengths in bytes. */
export class FoundTemplates {
  readonly templates: number[] = [];
  readonly offsets: number[] = [];
  readonly sizes: number[] = [];

  clear(): void {
    this.templates.length = this.offsets.length = this.sizes.length = 0;
  }

  /** Adds template number `template` at `[start, end)` of the page's source. */
  add(template: number, start: number, end: number): void {
    this.templates.push(template);
    this.offsets.push(start);
    this.sizes.push(end - start);
  }
}

/** Collects the templates that one detector finds on the pages of one site. */
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
  readonly #found = new FoundTemplates();

  constructor(site: string, detector: string) {
    this.site = site;
    this.detector = detector;
  }

  /** Adds a page; pages without a template are ignored. */
  add(page: number, time: string, ranges: readonly Range[]): void {
    const found = this.#found;
    found.clear();
    for (const { label, template, start, end } of joinSlots(ranges)) {
      if (label === 'template' && template !== '') found.add(this.#number(template), start, end);
    }
    this.addFound(page, time, found, []);
  }

  /**
   * Adds a page whose templates are already numbered from 0 in order of first occurrence. `fresh` has a range
   * of each template that occurs on no earlier page.
   */
  addFound(page: number, time: string, found: FoundTemplates, fresh: readonly Range[]): void {
    for (const { template } of fresh) this.#number(template);
    const { templates, offsets, sizes } = found;
    if (templates.length === 0) return;
    this.#addPage(page);
    this.#addTimes(this.#collector.add(templates, offsets, sizes), time, time);
  }

  /** Adds the templates that another task collected from the pages that follow. */
  merge({ ids, pages, firstTimes, lastTimes, sequences }: SiteTemplatesData): void {
    const numbers = Int32Array.from(ids, (id) => this.#number(id));
    const merged = this.#collector.merge(sequences, numbers);
    for (let s = 0; s < merged.length; s++) this.#addTimes(merged[s], firstTimes[s], lastTimes[s]);
    for (const page of pages) this.#addPage(page);
  }

  /** Returns everything that was collected as plain data. */
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
    if (this.#pageCount === this.#pages.length) this.#pages = doubled(this.#pages);
    this.#pages[this.#pageCount++] = page;
  }

  #addTimes(sequence: number, first: string, last: string): void {
    this.#firstTimes[sequence] = earlier(this.#firstTimes[sequence] ?? '', first);
    const known = this.#lastTimes[sequence];
    this.#lastTimes[sequence] = known === undefined || last > known ? last : known;
  }
}

/** Returns the earlier of two times; an empty time is unknown. */
export function earlier(a: string, b: string): string {
  if (a === '') return b;
  return b === '' || a < b ? a : b;
}
