/**
 * The second reading: the bytes of the fragments and pages that the survey decided on, site by site. A site is
 * given as soon as its last page was read, so that where pages come by site one site is in memory at a time.
 * Its pages are bounded in bytes: those that no longer fit are left out.
 */
import type { FragmentResult } from '../shared-page.ts';
import type { DictionaryMaterial } from './build-dictionary.ts';
import { classKey, type SiteSurvey } from './site-survey.ts';

export interface SiteMaterial extends DictionaryMaterial {
  survey: SiteSurvey;
  /** Pages kept apart, to measure the dictionary on. */
  heldOut: Uint8Array[];
}

/** Most bytes of pages kept for counting, and again for measuring. */
const MAX_KEPT_BYTES = 64 * 1024 * 1024;
/** A larger page is neither counted on nor measured: brotli's window must hold it and the dictionary. */
const MAX_PAGE_BYTES = 8 * 1024 * 1024;

/** Pages kept within a bound. */
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

/** The material of each site that has pages, in the order in which sites end. */
export async function* readMaterial(
  result: FragmentResult,
  surveys: readonly SiteSurvey[],
): AsyncGenerator<SiteMaterial> {
  const bySite = new Map(surveys.map((survey) => [survey.site, survey]));
  const open = new Map<string, Gathering>();
  for await (const { number, page, members } of result.readPages()) {
    const survey = bySite.get(page.site);
    if (survey === undefined || number > survey.lastPage) continue;
    let site = open.get(page.site);
    if (site === undefined) {
      site = { counted: new KeptPages(), measured: new KeptPages(), fragments: [] };
      open.set(page.site, site);
    }
    if (survey.counted.has(number)) site.counted.add(page.source);
    if (survey.measured.has(number)) site.measured.add(page.source);
    const ranks = survey.takenAt.get(number);
    if (ranks !== undefined) {
      const left = new Map(ranks);
      for (const { relation, classId, start, end } of members) {
        const key = classKey(relation, classId);
        const rank = left.get(key);
        if (rank === undefined) continue;
        left.delete(key); // its other members on this page are the same
        site.fragments.push({ rank, bytes: page.source.slice(start, end) });
      }
    }
    if (number < survey.lastPage) continue;
    open.delete(page.site);
    site.fragments.sort((a, b) => a.rank - b.rank);
    yield {
      survey,
      fragments: site.fragments.map(({ bytes }) => bytes),
      pages: site.counted.pages,
      heldOut: site.measured.pages,
    };
  }
}
