/** Makes the first part of a report: one sentence about the archive, and at most three numbers. */
import { countOf } from '../model/count-of.ts';
import type { Redesign } from '../store/history/read-history.ts';
import type { SiteSummary } from '../store/open-folder.ts';
import { formatBytes, formatCount, formatPercent } from './format-numbers.ts';
import { fragmentFinding } from './fragment-section.ts';
import type { ReportData } from './report-data.ts';
import { nameOfTemplate, rankTemplates } from './template-rank.ts';

/** Sentence and numbers at the top of a report. */
export interface Finding {
  sentence: string;
  /** Numbers, each with a label. */
  numbers: [value: string, name: string][];
}

/** Minimum number of pages of a site that is named as the one that repeats most. */
const MIN_PAGES = 5;

/** Returns the sentence and numbers about the archive of a report. */
export function findingOf(data: ReportData): Finding {
  const { counts, detectors, fragments, history } = data;
  if (counts.labelled === 0) return { sentence: nothingRead(data), numbers: [] };
  if (detectors.length === 0 && fragments) return fragmentFinding(fragments);
  const numbers: Finding['numbers'] = [
    [formatPercent(insideOf(data.sites, detectors[0]), counts.textBytes), 'of the text is repeated'],
    ...(data.savedBytes > 0
      ? ([
          [formatBytes(data.savedBytes), `of ${formatBytes(counts.htmlBytes)} of HTML are repetitions`],
        ] as Finding['numbers'])
      : []),
    pagesNumber(data),
  ];
  if (history && history.snapshots.length > data.sites.length) return historyFinding(data, numbers[0]);
  return { sentence: data.sites.length === 1 ? siteFinding(data) : sitesFinding(data), numbers };
}

function pagesNumber({ sites, counts }: ReportData): [string, string] {
  const urls = sites.reduce((sum, site) => sum + site.urls, 0);
  const isHistory = counts.labelled > urls;
  const name = `${urls === 1 ? 'page' : 'pages'} on ${countOf(sites.length, 'site')}`;
  return [formatCount(urls), isHistory ? `${name}, ${formatCount(counts.labelled)} captures` : name];
}

function nothingRead({ counts, inputs }: ReportData): string {
  if (inputs.length === 0) return 'No archive was read.';
  if (counts.captures === 0)
    return `No page was found: ${inputs.length === 1 ? 'the archive holds' : 'the archives hold'} no capture.`;
  const [first] = Object.entries(counts.skipped).sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1));
  const all =
    counts.captures === 1 ? 'the only capture was' : `all ${formatCount(counts.captures)} captures were`;
  return `No page was found: ${all} skipped${first === undefined ? '' : `, ${formatCount(first[1])} as ${first[0]}`}.`;
}

function siteFinding({ sites, detectors, pictures }: ReportData): string {
  const [site] = sites;
  const inside = site.inside[detectors[0]]?.textBytes ?? 0;
  const pages = site.urls === 1 ? 'The one page' : `The ${formatCount(site.urls)} pages`;
  if (inside === 0) return `${pages} of ${siteName(site)} ${site.urls === 1 ? 'repeats' : 'repeat'} nothing.`;
  const picture = pictures.find((each) => each.detector === detectors[0]);
  const [largest] = picture === undefined ? [] : rankTemplates(picture.templates);
  const example =
    largest === undefined || largest.template.pages < 2
      ? ''
      : `; most of that is its ${nameOfTemplate(largest.template)}, on ${formatCount(largest.template.pages)} of ${countOf(site.urls, 'page')}`;
  return `${capitalShare(inside / site.textBytes)} of what ${siteName(site)} says is repeated${example}.`;
}

function sitesFinding({ sites, detectors, counts }: ReportData): string {
  const inside = insideOf(sites, detectors[0]);
  if (inside === 0) return `These ${formatCount(sites.length)} sites repeat nothing.`;
  const own = ownShares(sites, detectors[0]);
  const least = own.find(({ site }) => site.urls >= MIN_PAGES) ?? own[0];
  const example =
    least === undefined ? '' : `; ${siteName(least.site)} repeats the most, ${formatPercent(1 - least.own)}`;
  return `${capitalShare(inside / counts.textBytes)} of what these ${formatCount(sites.length)} sites say is repeated${example}.`;
}

function historyFinding({ history, sites }: ReportData, share: [string, string]): Finding {
  const { snapshots, redesigns } = history!;
  const years = snapshots.map(({ moment }) => new Date(1000 * moment).getUTCFullYear());
  const [first, last] = [years.reduce((a, b) => Math.min(a, b)), years.reduce((a, b) => Math.max(a, b))];
  const span = first === last ? `in ${first}` : `between ${first} and ${last}`;
  const changed = new Set(redesigns.map(({ site }) => site));
  const times =
    redesigns.length === 1
      ? 'once'
      : redesigns.length === 2
        ? 'twice'
        : `${formatCount(redesigns.length)} times`;
  const latest =
    redesigns
      .map(({ first: day }) => day)
      .sort()
      .at(-1) ?? '';
  let sentence: string;
  if (redesigns.length === 0) {
    sentence =
      sites.length === 1
        ? `${siteName(sites[0])} kept its design ${span}.`
        : `None of these ${formatCount(sites.length)} sites was redesigned ${span}.`;
  } else if (sites.length === 1) {
    sentence = `${siteName(sites[0])} was redesigned ${times} ${span}${redesigns.length > 1 ? `, last in ${latest.slice(0, 4)}` : `, in ${latest.slice(0, 4)}`}.`;
  } else {
    const { names, count } = mostOften(redesigns);
    const which =
      changed.size === sites.length
        ? sites.length === 2
          ? 'Both sites were'
          : `All ${formatCount(sites.length)} sites were`
        : `${formatCount(changed.size)} of these ${formatCount(sites.length)} sites ${changed.size === 1 ? 'was' : 'were'}`;
    const often =
      count > 1
        ? `; ${names.length > 2 ? `${formatCount(names.length)} of them` : names.join(' and ')} ${count === 2 ? 'twice' : `${formatCount(count)} times`}`
        : '';
    sentence = `${which} redesigned ${span}${often}.`;
  }
  return {
    sentence,
    numbers: [
      [formatCount(redesigns.length), redesigns.length === 1 ? 'redesign' : 'redesigns'],
      [formatCount(snapshots.length), `snapshots of ${countOf(sites.length, 'site')}`],
      share,
    ],
  };
}

/** Returns the sites with the most redesigns, in order, and their number of redesigns. */
function mostOften(redesigns: readonly Redesign[]): { names: string[]; count: number } {
  const counts = new Map<string, number>();
  for (const { site } of redesigns) counts.set(site, (counts.get(site) ?? 0) + 1);
  const count = [...counts.values()].reduce((a, b) => Math.max(a, b));
  const names = [...counts].flatMap(([site, n]) => (n === count ? siteName({ site }) : []));
  return { names: names.sort(), count };
}

/** Returns the sites by the share of their text outside templates (0 to 1), smallest first. */
export function ownShares(
  sites: readonly SiteSummary[],
  detector: string,
): { site: SiteSummary; own: number }[] {
  return sites
    .filter(({ textBytes }) => textBytes > 0)
    .map((site) => ({ site, own: 1 - Math.min(1, (site.inside[detector]?.textBytes ?? 0) / site.textBytes) }))
    .sort((a, b) => a.own - b.own || (a.site.site < b.site.site ? -1 : 1));
}

function insideOf(sites: readonly SiteSummary[], detector: string): number {
  return sites.reduce((sum, site) => sum + (site.inside[detector]?.textBytes ?? 0), 0);
}

/** Returns the name of a site for a sentence. */
export function siteName({ site }: { site: string }): string {
  return site === '' ? '(no host)' : site;
}

const FRACTIONS: readonly [share: number, name: string][] = [
  [1 / 5, 'a fifth'],
  [1 / 4, 'a quarter'],
  [1 / 3, 'a third'],
  [1 / 2, 'half'],
  [2 / 3, 'two thirds'],
  [3 / 4, 'three quarters'],
];
/** Distance from a fraction within which a share is written as that fraction. */
const NEAR = 0.015;

/** Returns a share in words, such as `A third` or `Nearly all`, or in per cent: `42 %`. */
export function capitalShare(share: number): string {
  if (share >= 0.97) return 'Nearly all';
  const named = FRACTIONS.find(([fraction]) => Math.abs(share - fraction) <= NEAR)?.[1];
  return named === undefined ? formatPercent(share) : `${named[0].toUpperCase()}${named.slice(1)}`;
}
