/** The groups that near-duplicates fall into, by page number: which are told, in which order, and who is alone. */
import type { HashedPages, StarGroups } from '../analysis/near-duplicate-groups.ts';
import type { DedupRow } from './dedup-run.ts';

/** What is known of some pages, earliest first; columns of numbers. */
export interface PageColumns extends HashedPages {
  count: number;
  /** Words without which a page cannot be compared by what it says. */
  least: number;
  page: Uint32Array;
  /** One number for all pages of a site. */
  site: Uint32Array;
  words: Uint32Array;
  digest: Float64Array;
}

export type Member = Omit<DedupRow, 'site' | 'url' | 'time'> & { page: number };

export class DuplicateGroups {
  /** Pages of which a near-duplicate was compared with as many others as may be. */
  readonly crowded: number;
  groupCount = 0;
  copyCount = 0;
  shortCount = 0;
  readonly #pages: PageColumns;
  readonly #stars: StarGroups;
  /** By the first page of a group: how many pages and sites it has. */
  readonly #sizes: Uint32Array;
  readonly #siteCounts: Uint32Array;
  /** Places of pages by their numbers, from 1. */
  readonly #placeOf: Uint32Array;

  constructor(pages: PageColumns, stars: StarGroups, { acrossSites = false } = {}) {
    this.#pages = pages;
    this.#stars = stars;
    this.crowded = stars.crowded;
    this.#sizes = new Uint32Array(pages.count);
    this.#siteCounts = new Uint32Array(pages.count);
    this.#placeOf = new Uint32Array(pages.page.reduce((most, page) => Math.max(most, page), 0) + 1);
    this.#count();
    if (acrossSites) this.#dissolveOneSiteGroups();
    for (let k = 0; k < pages.count; k++) {
      const size = this.#sizes[stars.first[k]];
      if (size > 1) {
        if (stars.first[k] === k) this.groupCount++;
        else this.copyCount++;
      } else if (pages.words[k] < pages.least) this.shortCount++;
    }
  }

  /** Whether a page is in a group with others. */
  isGrouped(page: number): boolean {
    const k = this.#find(page);
    return k >= 0 && this.#sizes[this.#stars.first[k]] > 1;
  }

  /** A page that is in none. */
  alone(page: number): Member | undefined {
    const k = this.#find(page);
    return k < 0 || this.isGrouped(page) ? undefined : this.#member(k, null);
  }

  /** The pages of groups, largest group first, of a group the nearest first. */
  *members(): Generator<Member> {
    const { first, matching } = this.#stars;
    const { count } = this.#pages;
    const sizes = this.#sizes;
    const grouped: number[] = [];
    for (let k = 0; k < count; k++) if (sizes[first[k]] > 1) grouped.push(k);
    grouped.sort(
      (a, b) =>
        sizes[first[b]] - sizes[first[a]] ||
        first[a] - first[b] ||
        Number(first[b] === b) - Number(first[a] === a) ||
        matching[b] - matching[a] ||
        a - b,
    );
    let group = 0;
    for (const k of grouped) {
      if (first[k] === k) group++;
      yield this.#member(k, group);
    }
  }

  #member(k: number, group: number | null): Member {
    const pages = this.#pages;
    const first = this.#stars.first[k];
    const isFirst = first === k || group === null;
    return {
      kind: group === null ? (pages.words[k] < pages.least ? 'short' : 'single') : isFirst ? 'first' : 'copy',
      group,
      page: pages.page[k],
      pages: group === null ? 1 : this.#sizes[first],
      sites: group === null ? 1 : this.#siteCounts[first],
      words: pages.words[k],
      matching: isFirst ? storedHashes(pages, k) : this.#stars.matching[k],
      stored: storedHashes(pages, k),
      exact: isFirst || pages.digest[k] === pages.digest[first],
    };
  }

  #find(page: number): number {
    return (this.#placeOf[page] ?? 0) - 1;
  }

  #count(): void {
    const { count, site, page } = this.#pages;
    const { first } = this.#stars;
    const order = Uint32Array.from({ length: count }, (_, k) => k);
    // pages of one site follow each other, so that each is counted once
    order.sort((a, b) => site[a] - site[b]);
    const lastSite = new Uint32Array(count); // from 1
    for (const k of order) {
      this.#placeOf[page[k]] = k + 1;
      const group = first[k];
      this.#sizes[group]++;
      if (lastSite[group] === site[k]) continue;
      lastSite[group] = site[k];
      this.#siteCounts[group]++;
    }
  }

  #dissolveOneSiteGroups(): void {
    for (let k = 0; k < this.#sizes.length; k++) if (this.#siteCounts[k] === 1) this.#sizes[k] = 1;
  }
}

function storedHashes({ starts }: PageColumns, k: number): number {
  return starts[k + 1] - starts[k];
}
