/**
 * What the dictionary of each site is built from and measured on, in two passes over the pages. The first notes which
 * pages a site has on either side of the split, and which classes of fragments are on how many of the pages to build
 * from; it keeps nothing of a page but its number and a hash. From these counts it is decided which pages and
 * fragments the second pass copies. A site is handed on as soon as its last page was read, so that with pages ordered
 * by site one site is in memory at a time.
 */
import { urlHashLanes } from '../../analysis/byte-hash.ts';
import { compare } from '../../model/order.ts';
import type { FragmentResult, Relation, SharedPage } from '../shared-page.ts';
import type { DictionaryMaterial } from './build-dictionary.ts';

/** What a site has, as far as its dictionary is concerned. */
export interface SiteSurvey {
  site: string;
  /** Pages to build from, and pages held out. */
  used: number;
  heldOut: number;
  /** Numbers of the pages drawn for counting stretches, and for measuring. */
  counted: Set<number>;
  measured: Set<number>;
  /** For pages that give fragments: the classes to take there, and the rank of each by its value. */
  takenAt: Map<number, Map<string, number>>;
  /** After this page the site needs no other. */
  lastPage: number;
}

export interface SurveyOptions {
  /** Share of the pages held out. */
  holdOut: number;
  /** Most pages of a site on which stretches are counted. */
  countPages: number;
  /** Most pages of each site that are measured, by the number of sites. */
  measurePages: (siteCount: number) => number;
  /** Most bytes of fragments taken for a site. */
  fragmentBytes: number;
}

export interface SiteMaterial extends DictionaryMaterial {
  survey: SiteSurvey;
  /** Pages held out, to measure the dictionary on. */
  heldOut: Uint8Array[];
}

/** One page in five is held out. */
export const DEFAULT_HOLD_OUT = 0.2;
/** Seed of the split; other samples use other seeds. */
const SEED = 9842;
/** Most bytes of pages kept for counting, and again for measuring. */
const MAX_KEPT_BYTES = 64 * 1024 * 1024;
/** A larger page is neither counted on nor measured: brotli's window must hold it and the dictionary. */
const MAX_PAGE_BYTES = 8 * 1024 * 1024;

interface ClassCount {
  key: string;
  pages: number;
  lastPage: number;
  /** The page to take it from, the one drawn first whatever the order of pages, and its source bytes there. */
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

/** First pass: the sites by name. */
export async function surveySites(result: FragmentResult, options: SurveyOptions): Promise<SiteSurvey[]> {
  const sites = new Map<string, SiteCounts>();
  await result.visitPages((shared) => {
    const { site } = shared.page;
    let counts = sites.get(site);
    if (counts === undefined) sites.set(site, (counts = { classes: new Map(), used: [], heldOut: [] }));
    countPage(counts, shared, options.holdOut);
  });
  return [...sites]
    .sort(([a], [b]) => compare(a, b))
    .map(([site, counts]) => decide(site, counts, options, options.measurePages(sites.size)));
}

/**
 * Splits and draws by a hash of the URL: the result depends on neither order nor machine, and all captures of a URL are
 * on the same side.
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

export function isHeldOut(url: string, holdOut: number): boolean {
  return (urlHashLanes(url, SEED).low >>> 0) / 2 ** 32 < holdOut;
}

/** A class of one relation: the two relations may give the same id. */
function classKey(relation: Relation, classId: string): string {
  return relation === 'complete' ? classId : `~${classId}`;
}

function decide(
  site: string,
  { classes, used, heldOut }: SiteCounts,
  options: SurveyOptions,
  measurePages: number,
): SiteSurvey {
  const counted = drawPages(used, options.countPages);
  const measured = drawPages(heldOut, measurePages);
  const takenAt = new Map<number, Map<string, number>>();
  // pages times bytes; a class on one page only is not shared among the pages to build from
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

/** So many pages, those with the smallest hashes. */
function drawPages(pages: DrawnPage[], most: number): Set<number> {
  const drawn = pages.sort((a, b) => a.draw - b.draw || a.number - b.number).slice(0, most);
  return new Set(drawn.map(({ number }) => number));
}

/** Pages kept within a bound in bytes; those that no longer fit are left out. */
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

/** Second pass: calls `use` with the material of each site that has pages, in the order in which sites end. */
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
      left.delete(key); // its other members on this page are the same
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
