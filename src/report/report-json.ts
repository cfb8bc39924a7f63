/**
 * Encodes the report's data for the browser as compact JSON. Pages are listed once per site, shortest first; the
 * ranges of a page are a flat list of [bytes since the previous range, length, template number], with -1 for unsure
 * and -2 for a template that is not listed. When the whole exceeds `mostBytes`, the samples of pictures are halved
 * until it fits.
 */

import { createHash } from 'node:crypto';
import { compare } from '../model/order.ts';
import { ANNOTATED_FOLDER, annotatedFile } from '../store/sampled-part.ts';
import { BAR_STEP } from '../store/site-pictures.ts';
import { CLASS_NAMES, classBounds } from './frequency-classes.ts';
import { cut } from './html-cells.ts';
import {
  type ReportBar,
  type ReportData,
  type ReportPicture,
  type ReportTemplate,
  templatesPerPicture,
} from './report-data.ts';
import { roleName } from './role-name.ts';
import { rankTemplates } from './template-rank.ts';

/**
 * [pages, occurrences, bytes, first seen, last seen, text, sample pages, name, place]; only the first three for
 * templates that save little.
 */
type TemplateEntry =
  | [number, number, number]
  | [number, number, number, string, string, string, [url: string, annotated: string][], string, string];

interface PictureEntry {
  /** Number of captures of the site, and of all its templates. */
  captures: number;
  templateCount: number;
  templates: TemplateEntry[];
  /** Numbers of the templates with all fields, those that save the most first. */
  ranked: number[];
  /** Ranges by page of the site's list; null when this detector has none for it. */
  ranges: (number[] | null)[];
}

interface SiteEntry {
  site: string;
  /** Number of distinct URLs, of which `pages` of a template are a part. */
  urls: number;
  bounds: readonly number[];
  /** [url, time, title, bytes, file of the annotated view or ''] of the drawn pages, shortest first. */
  pages: [string, string, string, number, string][];
  pictures: Record<string, PictureEntry>;
}

/** Data of a report in the form that the browser script reads. */
export interface ReportJson {
  detectors: string[];
  /** Names of the frequency classes. */
  classes: readonly string[];
  sites: SiteEntry[];
}

const MAX_BYTES = 13_000_000;
const LONGEST_TEXT = 400;
const LONGEST_URL = 500;
const LONGEST_TITLE = 120;

/** Returns the data as JSON that is safe within a script element. */
export function encodeReportData(data: ReportData, mostBytes = MAX_BYTES): string {
  const templateLimit = templatesPerPicture(data.pictures.length);
  for (let halvings = 0; ; halvings++) {
    const json = JSON.stringify(compactData(data, halvings, Math.max(10, templateLimit >> halvings)));
    if (json.length <= mostBytes || halvings === 12) return escapeForScript(json);
  }
}

/** Escapes `</script>`, `<!--` and the line separators of old JavaScript. */
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

/**
 * Returns the compact data, with samples halved `halvings` times and at most `templateLimit` templates with all
 * fields.
 */
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
    .map(({ site, urls }) =>
      compactSite(site, urls, sitesWithPictures.get(site) ?? [], {
        templateLimit,
        annotated: data.annotated,
      }),
    );
  return { detectors: data.detectors, classes: CLASS_NAMES, sites };
}

/** Returns the bars with the smallest hashes, which are the same pages for each detector of a site. */
function sampleBars(bars: ReportBar[], count: number): ReportBar[] {
  if (count >= bars.length) return bars;
  const hashed = bars.map((bar) => ({ bar, hash: createHash('md5').update(barKey(bar)).digest('hex') }));
  hashed.sort((a, b) => compare(a.hash, b.hash));
  return hashed.slice(0, count).map(({ bar }) => bar);
}

interface CompactOptions {
  templateLimit: number;
  annotated: ReadonlySet<number>;
}

/** Returns the path of a page's annotated view below the folder; '' when the page has no such view. */
function viewOf(page: number, { annotated }: CompactOptions): string {
  return annotated.has(page) ? `${ANNOTATED_FOLDER}/${annotatedFile(page)}` : '';
}

function compactSite(
  site: string,
  urls: number,
  pictures: ReportPicture[],
  options: CompactOptions,
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
    pages: drawn.map((bar) => [
      cut(bar.url, LONGEST_URL),
      bar.time,
      cut(bar.title, LONGEST_TITLE),
      bar.sizeBytes,
      viewOf(bar.page, options),
    ]),
    pictures: Object.fromEntries(
      pictures.map((picture) => [picture.detector, compactPicture(picture, drawn, options)]),
    ),
  };
}

function compactPicture(picture: ReportPicture, drawn: ReportBar[], options: CompactOptions): PictureEntry {
  const ranked = rankTemplates(picture.templates)
    .slice(0, options.templateLimit)
    .map(({ number }) => number);
  const isTold = new Set(ranked);
  const own = new Map(picture.bars.map((bar) => [barKey(bar), bar]));
  return {
    captures: picture.pages,
    templateCount: picture.templateCount,
    templates: picture.templates.map((template, at) => compactTemplate(template, isTold.has(at), options)),
    ranked,
    ranges: drawn.map((bar) => {
      const ranges = own.get(barKey(bar))?.ranges;
      return ranges === undefined ? null : compactRanges(ranges);
    }),
  };
}

function compactTemplate(template: ReportTemplate, full: boolean, options: CompactOptions): TemplateEntry {
  const { pages, occurrences, sizeBytes, firstSeen, lastSeen, text, samplePages, role, place } = template;
  if (!full) return [pages, occurrences, sizeBytes];
  const samples = samplePages.map(({ page, url }): [string, string] => [
    cut(url, LONGEST_URL),
    viewOf(page, options),
  ]);
  const described = [cut(text, LONGEST_TEXT), samples, roleName(role), place] as const;
  return [pages, occurrences, sizeBytes, firstSeen, lastSeen, ...described];
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
