/**
 * Collects the pages for training the joint model, which may be read in any order: pages of gold rows, and some
 * pages of each whole site.
 */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { timeOf } from '../analysis/choose-arms.ts';
import type { LabelledSource } from '../detect/joint/read-labelled-pages.ts';
import { BottomK, type Sampled } from '../detect/sample.ts';
import { compare } from '../model/order.ts';
import type { Page } from '../model/page.ts';
import type { Problem } from '../model/problem.ts';
import { conventionOf, habitsOf } from './conventions.ts';
import { stemOf } from './extractor-rows.ts';
import { type GoldRow, type HostHalf, hostHalf, readGold } from './gold.ts';

/** A gold file. Its pages are in the archive of the same name beside it, or else among the inputs. */
export interface GoldFile {
  file: string;
  /** Weight of its pages. @default 1 */
  weight?: number;
}

/** Name of the set of pages of whole sites. */
export const SITES = 'sites';

/** A page that was chosen for training. */
export interface TakenPage extends Sampled {
  /** Key of the capture. */
  capture: string;
  source: LabelledSource;
}

const ARCHIVE_ENDINGS = ['.warc.gz', '.warc', '.warc.zst', '.arc.gz', '.arc', '.wacz'];

/** The archive with the pages of a gold file, if it lies beside it. */
export function archiveBeside(gold: string): string | undefined {
  return ARCHIVE_ENDINGS.map((ending) => join(dirname(gold), `${stemOf(gold)}${ending}`)).find(existsSync);
}

/** Pages of one gold file. */
export class GoldPages {
  readonly file: string;
  /** Name of the set: name of the file without folder and ending. */
  readonly name: string;
  readonly weight: number;
  /** Archive of its pages, when they are not among the inputs. */
  readonly archive: string | undefined;
  readonly problems: Problem[];
  /** Number of rows with labels. */
  readonly rows: GoldRow[];
  /** Number of rows without labels. */
  readonly unlabelled: number;
  /** Pages by the index of their row. */
  readonly found = new Map<number, TakenPage>();
  readonly #rowsOf = new Map<string, number[]>();
  readonly #half: HostHalf | undefined;

  static async read(gold: GoldFile, { half }: { half?: HostHalf } = {}): Promise<GoldPages> {
    return new GoldPages(gold, await readGold(gold.file), half);
  }

  private constructor(
    { file, weight = 1 }: GoldFile,
    { rows, problems }: { rows: GoldRow[]; problems: Problem[] },
    half: HostHalf | undefined,
  ) {
    this.file = file;
    this.name = stemOf(file);
    this.weight = weight;
    this.archive = archiveBeside(file);
    this.problems = problems;
    this.rows = rows.filter(hasLabels);
    this.unlabelled = rows.length - this.rows.length;
    this.#half = half;
    for (const [k, { url }] of this.rows.entries()) {
      this.#rowsOf.set(url, [...(this.#rowsOf.get(url) ?? []), k]);
    }
  }

  /**
   * Takes the page for each row with its URL and time; for a row without a time, the earliest capture of the URL counts.
   * Returns whether a row names the page, even in the other half.
   */
  offer(page: Page): boolean {
    const named = (this.#rowsOf.get(page.url) ?? []).filter((k) => {
      const { time } = this.rows[k];
      return time === undefined || timeOf(time) === timeOf(page.time);
    });
    for (const k of named) {
      const row = this.rows[k];
      const site = row.site || page.site;
      if (this.#half !== undefined && hostHalf(site) !== this.#half) continue;
      const before = this.found.get(k);
      if (before && !comesFirst(page, before)) continue;
      const { values = [] } = row;
      const snippets = { keep: row.keep.filter((text) => !values.includes(text)), drop: row.drop };
      const leftOut = habitsOf(conventionOf(this.name));
      this.found.set(
        k,
        takePage(page, {
          site,
          set: this.name,
          text: row.text,
          keep: values,
          snippets,
          leftOut,
          classes: row.labels,
        }),
      );
    }
    return named.length > 0;
  }

  /** Returns the pages in the order of their rows. */
  take(): TakenPage[] {
    return [...this.found].sort(([a], [b]) => a - b).map(([, page]) => page);
  }
}

function hasLabels({ text, keep, drop, labels }: GoldRow): boolean {
  return text !== undefined || labels !== undefined || keep.length > 0 || drop.length > 0;
}

/** Number of pages of each whole site, and seed. */
export interface SiteChoice {
  /** Maximum number of pages of a site. */
  pages: number;
  /** Minimum number of pages of a site. */
  minPages: number;
  seed: number;
}

/** Pages of whole sites, those with the lowest URL hashes of each. */
export class SitePages {
  /** Number of sites with too few pages, and of their captures. */
  tooSmall = 0;
  pagesTooFew = 0;
  readonly #choice: SiteChoice;
  readonly #sites = new Map<string, { sample: BottomK<TakenPage>; captures: number }>();

  constructor(choice: SiteChoice) {
    this.#choice = choice;
  }

  add(page: Page): void {
    const { pages, minPages, seed } = this.#choice;
    const known = this.#sites.get(page.site);
    // the sample must hold at least minPages pages, or every site would look too small
    const site = known ?? { sample: new BottomK<TakenPage>(Math.max(pages, minPages), seed), captures: 0 };
    if (!known) this.#sites.set(page.site, site);
    site.captures++;
    if (site.sample.wants(page)) site.sample.add(takePage(page, { site: page.site, set: SITES }));
  }

  /** Returns the sites with enough pages, by name. */
  take(): { site: string; pages: TakenPage[] }[] {
    const { pages, minPages } = this.#choice;
    const sites = [...this.#sites].sort(([a], [b]) => compare(a, b));
    return sites.flatMap(([site, { sample, captures }]) => {
      const all = sample.items();
      if (all.length >= minPages) return [{ site, pages: all.slice(0, pages) }];
      this.tooSmall++;
      this.pagesTooFew += captures;
      return [];
    });
  }
}

/** Copies the source, which is valid only until the next page is read. */
function takePage(page: Page, labels: Omit<LabelledSource, 'url' | 'source'>): TakenPage {
  const { url, time, file, offset, entry = '', source } = page;
  const capture = `${file} ${entry} ${offset}`;
  return { url, time, file, offset, capture, source: { ...labels, url, source: source.slice() } };
}

/** Orders captures by time, then by content, so that neither order nor names of inputs matter. */
function comesFirst(a: Page, { time, source }: TakenPage): boolean {
  return (compare(timeOf(a.time), timeOf(time)) || Buffer.compare(a.source, source.source)) < 0;
}
