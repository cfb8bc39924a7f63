/**
 * Finds what the titles of a site's pages share at their ends, such as ` - Example News`. Equal titles count once, so
 * that copies of a page prove nothing; the result does not depend on their order.
 */
import type { SiteNames } from '../model/metadata.ts';
import { compare } from '../model/order.ts';
import { breaksOf } from './clean-title.ts';

/** Minimum number, and minimum share, of titles that share an end. */
const MIN_TITLES = 3;
const MIN_SHARE = 0.3;
const MAX_AFFIXES = 8;
const MAX_CHARACTERS = 300;

/** Collects the titles of a site's pages and finds the starts and ends that they share. */
export class SharedTitles {
  readonly #titles = new Set<string>();

  add(title: string): void {
    if (title !== '' && title.length <= MAX_CHARACTERS) this.#titles.add(title);
  }

  finish(): SiteNames {
    const ends = new Map<string, number>();
    const starts = new Map<string, number>();
    const addTo = (counts: Map<string, number>, affix: string) =>
      counts.set(affix, (counts.get(affix) ?? 0) + 1);
    for (const title of this.#titles) {
      for (const { start, end } of breaksOf(title)) {
        addTo(ends, title.slice(start));
        addTo(starts, title.slice(0, end));
      }
    }
    const least = Math.max(MIN_TITLES, MIN_SHARE * this.#titles.size);
    return { titleEnds: mostShared(ends, least), titleStarts: mostShared(starts, least) };
  }
}

/** Shared texts, the longest first: ` - Sports - Example News` before ` - Example News`. */
function mostShared(counts: ReadonlyMap<string, number>, least: number): string[] {
  return [...counts]
    .filter(([, titles]) => titles >= least)
    .sort(([a, m], [b, n]) => n - m || compare(a, b))
    .slice(0, MAX_AFFIXES)
    .map(([affix]) => affix)
    .sort((a, b) => b.length - a.length || compare(a, b));
}
