/**
 * The report's data as the browser gets it: compact JSON. Pages are listed once per site, shortest first;
 * the ranges of a page are a flat list of [bytes since the range before, length, template's number], where
 * number -1 is unsure and -2 a template beyond the list. Bounded: when the whole is larger than `mostBytes`, pictures keep the first half of
 * their sample, again and again until it fits.
 */

import { createHash } from 'node:crypto';
import { compare } from '../model/order.ts';
import { BAR_STEP } from '../store/site-pictures.ts';
import { classBounds, classNames } from './frequency-classes.ts';
import { cut } from './html-cells.ts';
import {
  type ReportBar,
  type ReportData,
  type ReportPicture,
  type ReportTemplate,
  templatesPerPicture,
} from './report-data.ts';

/** [pages, occurrences, bytes, first seen, last seen, text, sample pages]; only the first three when rare. */
type TemplateEntry = [number, number, number] | [number, number, number, string, string, string, string[]];

interface PictureEntry {
  /** Captures of the site, and all its templates. */
  captures: number;
  templateCount: number;
  templates: TemplateEntry[];
  /** For each page of the site's list, its ranges; null when this detector has none for it. */
  ranges: (number[] | null)[];
}

interface SiteEntry {
  site: string;
  /** Distinct URLs: what the pages of a template are counted in. */
  urls: number;
  bounds: readonly number[];
  classes: string[];
  /** [url, time, title, bytes] of the pages drawn, shortest first. */
  pages: [string, string, string, number][];
  pictures: Record<string, PictureEntry>;
}

export interface ReportJson {
  detectors: string[];
  sites: SiteEntry[];
}

const MOST_BYTES = 13_000_000;
const LONGEST_TEXT = 400;
const LONGEST_URL = 500;
const LONGEST_TITLE = 120;

/** JSON that can stand in a script element. */
export function encodeReportData(data: ReportData, mostBytes = MOST_BYTES): string {
  const templateLimit = templatesPerPicture(data.pictures.length);
  for (let halvings = 0; ; halvings++) {
    const json = JSON.stringify(compactData(data, halvings, Math.max(10, templateLimit >> halvings)));
    if (json.length <= mostBytes || halvings === 12) return escapeForScript(json);
  }
}

/** No `</script>`, no `<!--`, no line separators of old JavaScript. */
export function escapeForScript(json: string): string {
  return json.replace(/[<>&\u2028\u2029]/g, (character) => ESCAPED[character]);
}

const ESCAPED: Readonly<Record<string, string>> = {
  '<': '\\u003c',
  '>': '\\u003e',
  '&': '\\u0026',
  '\u2028': '\\u2028',
  '\u2029': '\\u2029',
};

export function compactData(data: ReportData, halvings: number, templateLimit: number): ReportJson {
  const sitesWithPictures = new Map<string, ReportPicture[]>();
  for (const picture of data.pictures) {
    const kept = {
      ...picture,
      bars: sampleBars(picture.bars, Math.ceil(picture.bars.length / 2 ** halvings)),
    };
    sitesWithPictures.set(picture.site, [...(sitesWithPictures.get(picture.site) ?? []), kept]);
  }
  const sites = data.sites
    .filter(({ site }) => sitesWithPictures.has(site))
    .map(({ site, urls }) => compactSite(site, urls, sitesWithPictures.get(site) ?? [], templateLimit));
  return { detectors: data.detectors, sites };
}

/** The bars with the smallest hashes: the same pages for every detector of a site. */
function sampleBars(bars: ReportBar[], count: number): ReportBar[] {
  if (count >= bars.length) return bars;
  const hashed = bars.map((bar) => ({ bar, hash: createHash('md5').update(barKey(bar)).digest('hex') }));
  hashed.sort((a, b) => compare(a.hash, b.hash));
  return hashed.slice(0, count).map(({ bar }) => bar);
}

function compactSite(
  site: string,
  urls: number,
  pictures: ReportPicture[],
  templateLimit: number,
): SiteEntry {
  const bars = new Map<string, ReportBar>();
  for (const picture of pictures) for (const bar of picture.bars) bars.set(barKey(bar), bar);
  const drawn = [...bars.values()].sort(
    (a, b) => a.sizeBytes - b.sizeBytes || compare(a.url, b.url) || compare(a.time, b.time),
  );
  const bounds = classBounds(urls);
  return {
    site,
    urls,
    bounds,
    classes: classNames(bounds),
    pages: drawn.map((bar) => [
      cut(bar.url, LONGEST_URL),
      bar.time,
      cut(bar.title, LONGEST_TITLE),
      bar.sizeBytes,
    ]),
    pictures: Object.fromEntries(
      pictures.map((picture) => [picture.detector, compactPicture(picture, drawn, templateLimit)]),
    ),
  };
}

function compactPicture(picture: ReportPicture, drawn: ReportBar[], templateLimit: number): PictureEntry {
  const own = new Map(picture.bars.map((bar) => [barKey(bar), bar]));
  return {
    captures: picture.pages,
    templateCount: picture.templateCount,
    templates: picture.templates.map((template, at) => compactTemplate(template, at < templateLimit)),
    ranges: drawn.map((bar) => {
      const ranges = own.get(barKey(bar))?.ranges;
      return ranges === undefined ? null : compactRanges(ranges);
    }),
  };
}

function compactTemplate(template: ReportTemplate, full: boolean): TemplateEntry {
  const { pages, occurrences, sizeBytes, firstSeen, lastSeen, text, samplePages } = template;
  if (!full) return [pages, occurrences, sizeBytes];
  const samples = samplePages.map((url) => cut(url, LONGEST_URL));
  return [pages, occurrences, sizeBytes, firstSeen, lastSeen, cut(text, LONGEST_TEXT), samples];
}

function compactRanges(ranges: readonly number[]): number[] {
  const flat: number[] = [];
  let position = 0;
  for (let at = 0; at < ranges.length; at += BAR_STEP) {
    const start = ranges[at];
    const end = ranges[at + 1];
    if (end <= start) continue;
    const template = ranges[at + 2] < 0 ? -2 : ranges[at + 2];
    flat.push(start - position, end - start, ranges[at + 3] === 1 ? -1 : template);
    position = end;
  }
  return flat;
}

function barKey({ url, time }: ReportBar): string {
  return `${time} ${url}`;
}
