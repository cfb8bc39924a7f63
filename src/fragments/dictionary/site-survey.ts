/**
 * One reading of the pages that notes, for each site, which pages it has on either side of the split and which
 * classes of fragments stand on how many of the pages to build from. Nothing of a page is kept but its number
 * and hash. Only from these counts is it decided which pages and fragments are read for their bytes.
 */
import { compare } from '../../model/order.ts';
import type { FragmentResult, Relation } from '../shared-page.ts';
import { drawOf, isHeldOut } from './split-pages.ts';

/** What a site has, as far as its dictionary is concerned. */
export interface SiteSurvey {
  site: string;
  /** Pages to build from, and pages kept apart. */
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
  /** Share of the pages kept apart. */
  holdOut: number;
  /** Most pages of a site on which stretches are counted. */
  countPages: number;
  /** Most pages of each site that are measured, when there are so many sites. */
  measurePages: (siteCount: number) => number;
  /** Most bytes of fragments taken for a site. */
  fragmentBytes: number;
}

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

/** A class of one relation: the two relations may give the same id. */
export function classKey(relation: Relation, classId: string): string {
  return relation === 'complete' ? classId : `~${classId}`;
}

/** The sites by name. */
export async function surveySites(result: FragmentResult, options: SurveyOptions): Promise<SiteSurvey[]> {
  const sites = new Map<string, SiteCounts>();
  for await (const { number, page, members } of result.readPages()) {
    let site = sites.get(page.site);
    if (site === undefined) sites.set(page.site, (site = { classes: new Map(), used: [], heldOut: [] }));
    const drawn = { number, draw: drawOf(page.url) };
    if (isHeldOut(page.url, options.holdOut)) {
      site.heldOut.push(drawn);
      continue;
    }
    site.used.push(drawn);
    for (const { relation, classId, start, end } of members) {
      const key = classKey(relation, classId);
      const seen = site.classes.get(key);
      if (seen === undefined) {
        const { draw } = drawn;
        site.classes.set(key, { key, pages: 1, lastPage: number, page: number, draw, bytes: end - start });
      } else if (seen.lastPage !== number) {
        seen.pages++;
        seen.lastPage = number;
        if (drawn.draw >= seen.draw) continue;
        seen.page = number;
        seen.draw = drawn.draw;
        seen.bytes = end - start;
      }
    }
  }
  return [...sites]
    .sort(([a], [b]) => compare(a, b))
    .map(([site, counts]) => decide(site, counts, options, options.measurePages(sites.size)));
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
  // pages times bytes; what stands on one page only is not shared among the pages to build from
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

function drawPages(pages: DrawnPage[], most: number): Set<number> {
  const drawn = pages.sort((a, b) => a.draw - b.draw || a.number - b.number).slice(0, most);
  return new Set(drawn.map(({ number }) => number));
}
