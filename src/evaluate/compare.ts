/**
 * Computes how certain the figures are: for each contender the word F1 of a group of pages with its interval over
 * hosts, and the lead of one contender over each other on the same pages, paired by page.
 */
import type { DetectorResult } from './evaluate.ts';
import { hostInterval, type Interval } from './host-bootstrap.ts';
import type { PageScore } from './score-page.ts';
import { LARGE_SITE_PAGES } from './summarise.ts';

/** Intervals and leads of all contenders by group of pages. */
export interface Comparison {
  /** The contender that the others are compared with. */
  base: string;
  groups: GroupComparison[];
}

/** Intervals and leads of all contenders on one group of pages. */
interface GroupComparison {
  /** Name of the group as in floors: `all`, `large`, `set:daniel`, `type:forum`, `lang:Greek`. */
  group: string;
  contenders: {
    label: string;
    /** Word F1 (0 to 1). */
    f1?: Interval;
    /** Word F1 of the base minus this contender's, on the pages that both have. */
    baseAhead?: Interval;
  }[];
}

/** Compares all contenders with the base (the first one by default), on all pages and on groups of them. */
export function compareContenders(
  detectors: readonly DetectorResult[],
  { base = detectors[0].label }: { base?: string } = {},
): Comparison {
  const own = detectors.find(({ label }) => label === base);
  if (!own) {
    const known = detectors.map(({ label }) => label).join(', ');
    throw new RangeError(`the contender to compare with must be one of ${known}, not "${base}"`);
  }
  const groups = groupsOf(own.pages).map(({ group, has }) => ({
    group,
    contenders: detectors.map(({ label, pages }) => {
      const inGroup = pages.filter((page) => page.words && has(page));
      const f1 = hostInterval(inGroup.map(({ site, words }) => ({ host: site, value: words!.f1 })));
      const baseAhead = label === base ? undefined : leadOf(own.pages.filter(has), inGroup);
      return { label, ...(f1 && { f1 }), ...(baseAhead && { baseAhead }) };
    }),
  }));
  return { base, groups: groups.filter(({ contenders }) => contenders.some(({ f1 }) => f1)) };
}

/** Returns the mean lead of `pages` over `others`, on the pages that both have. */
function leadOf(pages: readonly PageScore[], others: readonly PageScore[]): Interval | undefined {
  const theirs = new Map(others.map((page) => [pageName(page), page.words!.f1]));
  return hostInterval(
    pages.flatMap((page) => {
      const other = theirs.get(pageName(page));
      return page.words && other !== undefined ? [{ host: page.site, value: page.words.f1 - other }] : [];
    }),
  );
}

function pageName({ set, url, time = '' }: PageScore): string {
  return `${set} ${url} ${time}`;
}

/** Returns the groups of pages; sets, types and languages only when there are several. */
function groupsOf(pages: readonly PageScore[]): { group: string; has: (page: PageScore) => boolean }[] {
  const groups = [
    { group: 'all', has: (_: PageScore) => true },
    { group: 'large', has: (page: PageScore) => page.sitePages >= LARGE_SITE_PAGES },
  ];
  for (const kind of ['set', 'type', 'lang'] as const) {
    const names = [...new Set(pages.map((page) => page[kind]))].filter((name) => name !== '').sort();
    if (names.length < 2) continue;
    for (const name of names) {
      groups.push({ group: `${kind}:${name}`, has: (page: PageScore) => page[kind] === name });
    }
  }
  return groups;
}
