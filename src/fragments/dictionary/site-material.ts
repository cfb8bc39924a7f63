/**
 * Collects the pages and fragments from which the dictionary of each site is built and measured, in two
 * passes over the pages. The first pass records which pages of a site are on either side of the split, and on
 * how many of the pages to build from each class of fragments is; of a page it keeps only a number and a
 * hash. From these counts it selects the pages and fragments that the second pass copies. A site is passed on
 * as soon as its last page was read, so with pages ordered by site one site is in memory at a time.
 */
import { urlHashLanes } from '../../analysis/byte-hash.ts';
import { compare } from '../../model/order.ts';
import type { FragmentResult, Relation, SharedPage } from '../shared-page.ts';
import type { DictionaryMaterial } from './build-dictionary.ts';

/** Selection of the pages and fragments of a site for its dictionary. */
export interface SiteSurvey {
  site: string;
  /** Number of pages to build from, and of held-out pages. */
  used: number;
  heldOut: number;
  /** Numbers of the pages drawn for counting windows, and for measuring. */
  counted: Set<number>;
  measured: Set<number>;
  /** For pages that give fragments: the classes to take there, and the rank of each by its value. */
  takenAt: Map<number, Map<string, number>>;
  /** Number of the last page that the site needs. */
  lastPage: number;
}

/** Options of `surveySites`. */
export interface SurveySitesOptions {
  /** Share of the pages that are held out. */
  holdOut: number;
  /** Maximum number of pages of a site on which windows are counted. */
  countPages: number;
  /** Maximum number of measured pages per site, as a function of the number of sites. */
  measurePages: (siteCount: number) => number;
  /** Maximum bytes of fragments taken for a site. */
  fragmentBytes: number;
}

/** Material for the dictionary of a site, and pages to measure it on. */
export interface SiteMaterial extends DictionaryMaterial {
  survey: SiteSurvey;
  /** Held-out pages, on which the dictionary is measured. */
  heldOut: Uint8Array[];
}

/** One page in five is held out. */
export const DEFAULT_HOLD_OUT = 0.2;
/** Seed of the split; other samples use other seeds. */
const SEED = 9842;
/** Maximum bytes of pages kept for counting, and again for measuring. */
const MAX_KEPT_BYTES = 64 * 1024 * 1024;
/**
 * Larger pages are neither counted nor measured, because brotli's window must hold the page and the
 * dictionary.
 */
const MAX_PAGE_BYTES = 8 * 1024 * 1024;

interface ClassCount {
  key: string;
  pages: number;
  lastPage: number;
  /**
   * Page to take the class from, the one drawn first whatever the order of pages, and its source bytes there.
   */
  page: number;
  draw: number;
  bytes: number;
}

interface DrawnPage {
  number: number;
  draw: number;
}

interface SiteCounts {
  classes: Map<string, ClassCount>;
  used: DrawnPage[];
  heldOut: DrawnPage[];
}

/** First pass: returns the selections of all sites, by name. */
export async function surveySites(
  result: FragmentResult,
  options: SurveySitesOptions,
): Promise<SiteSurvey[]> {
  const sites = new Map<string, SiteCounts>();
  await result.visitPages((shared) => {
    const { site } = shared.page;
    let counts = sites.get(site);
    if (counts === undefined) sites.set(site, (counts = { classes: new Map(), used: [], heldOut: [] }));
    countPage(counts, shared, options.holdOut);
  });
  return [...sites]
    .sort(([a], [b]) => compare(a, b))
    .map(([site, counts]) => selectMaterial(site, counts, options, options.measurePages(sites.size)));
}

/**
 * Assigns and draws pages by a hash of the URL. So the result does not depend on order or machine, and all
 * captures of a URL are on the same side of the split.
 */
function countPage(site: SiteCounts, { number, page, members }: SharedPage, holdOut: number): void {
  const draw = urlHashLanes(page.url, SEED).high >>> 0;
  if (isHeldOut(page.url, holdOut)) {
    site.heldOut.push({ number, draw });
    return;
  }
  site.used.push({ number, draw });
  for (const { relation, classId, start, end } of members) {
    const key = classKey(relation, classId);
    const seen = site.classes.get(key);
    const bytes = end - start;
    if (seen === undefined) {
      site.classes.set(key, { key, pages: 1, lastPage: number, page: number, draw, bytes });
    } else if (seen.lastPage !== number) {
      seen.pages++;
      seen.lastPage = number;
      if (draw < seen.draw) Object.assign(seen, { page: number, draw, bytes });
    }
  }
}

/** Returns whether a URL is on the held-out side of the split. */
export function isHeldOut(url: string, holdOut: number): boolean {
  return (urlHashLanes(url, SEED).low >>> 0) / 2 ** 32 < holdOut;
}

/** Returns a key of a class in one relation, because both relations may use the same id. */
function classKey(relation: Relation, classId: string): string {
  return relation === 'complete' ? classId : `~${classId}`;
}

function selectMaterial(
  site: string,
  { classes, used, heldOut }: SiteCounts,
  options: SurveySitesOptions,
  measurePages: number,
): SiteSurvey {
  const counted = drawPages(used, options.countPages);
  const measured = drawPages(heldOut, measurePages);
  const takenAt = new Map<number, Map<string, number>>();
  // value is pages × bytes; a class on one page only is not shared among the pages to build from
  const shared = [...classes.values()]
    .filter(({ pages }) => pages >= 2)
    .sort((a, b) => b.pages * b.bytes - a.pages * a.bytes || (a.key < b.key ? -1 : 1));
  let left = options.fragmentBytes;
  shared.forEach(({ key, page, bytes }, rank) => {
    if (bytes > left) return;
    left -= bytes;
    let taken = takenAt.get(page);
    if (taken === undefined) takenAt.set(page, (taken = new Map()));
    taken.set(key, rank);
  });
  let lastPage = -1;
  for (const numbers of [counted, measured, takenAt.keys()]) {
    for (const number of numbers) lastPage = Math.max(lastPage, number);
  }
  return { site, used: used.length, heldOut: heldOut.length, counted, measured, takenAt, lastPage };
}

/** Returns the `most` pages with the smallest hashes. */
function drawPages(pages: DrawnPage[], most: number): Set<number> {
  const drawn = pages.sort((a, b) => a.draw - b.draw || a.number - b.number).slice(0, most);
  return new Set(drawn.map(({ number }) => number));
}

/** Copies of pages within a bound in bytes; pages that do not fit are dropped. */
class KeptPages {
  readonly pages: Uint8Array[] = [];
  #left = MAX_KEPT_BYTES;

  add(source: Uint8Array): void {
    if (source.length > MAX_PAGE_BYTES || source.length > this.#left) return;
    this.#left -= source.length;
    this.pages.push(source.slice());
  }
}

interface Gathering {
  counted: KeptPages;
  measured: KeptPages;
  fragments: { rank: number; bytes: Uint8Array }[];
}

/**
 * Second pass: calls `use` with the material of each site that has pages, in the order in which sites end.
 */
export async function readMaterial(
  result: FragmentResult,
  surveys: readonly SiteSurvey[],
  use: (material: SiteMaterial) => Promise<void>,
): Promise<void> {
  const bySite = new Map(surveys.map((survey) => [survey.site, survey]));
  const open = new Map<string, Gathering>();
  await result.visitPages(async ({ number, page, members }) => {
    const survey = bySite.get(page.site);
    if (survey === undefined || number > survey.lastPage) return;
    let site = open.get(page.site);
    if (site === undefined) {
      open.set(page.site, (site = { counted: new KeptPages(), measured: new KeptPages(), fragments: [] }));
    }
    if (survey.counted.has(number)) site.counted.add(page.source);
    if (survey.measured.has(number)) site.measured.add(page.source);
    const left = new Map(survey.takenAt.get(number));
    for (const { relation, classId, start, end } of members) {
      const key = classKey(relation, classId);
      const rank = left.get(key);
      if (rank === undefined) continue;
      left.delete(key); // its other members on this page are equal
      site.fragments.push({ rank, bytes: page.source.slice(start, end) });
    }
    if (number < survey.lastPage) return;
    open.delete(page.site);
    site.fragments.sort((a, b) => a.rank - b.rank);
    await use({
      survey,
      fragments: site.fragments.map(({ bytes }) => bytes),
      pages: site.counted.pages,
      heldOut: site.measured.pages,
    });
  });
}
