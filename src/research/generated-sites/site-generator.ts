/**
 * Realistic sites with the true label of every byte, for tests, benchmarks and the demonstration. A page
 * depends only on the seed, its URL and its time: the same options give the same bytes, a larger site
 * begins with the smaller one, and pages come one at a time at constant memory (some thousands a second).
 */

import { type Chrome, makeChrome } from './chrome.ts';
import { LabelWriter, type TruthRange } from './label-writer.ts';
import type { LanguageCode } from './language.ts';
import { languageFor } from './languages.ts';
import { encoderFor } from './page-charset.ts';
import { keyOf } from './random.ts';
import { ERA_OF_PARTS, type PartRedesign, REDESIGN_PARTS, redesignPart } from './redesign-part.ts';
import { renderPage } from './render-page.ts';
import {
  PAGE_KINDS,
  type PageId,
  type PageKind,
  pageAt,
  planSite,
  type SitePlan,
  storyAt,
} from './site-plan.ts';
import type { Era } from './skin.ts';
import { makeSoup, soupHabits } from './tag-soup.ts';

export interface SiteOptions {
  /** Same seed, same site. */
  seed: number;
  /** Host of all its URLs, `news.example`. */
  host: string;
  /** Number of distinct URLs. */
  pages: number;
  /** Template generations, five years apart: each is a redesign. @default 1 */
  generations?: number;
  /** Captures of every URL within each generation. @default 1 */
  captures?: number;
  /** Redesigns of a part of the site, within a generation. @default none */
  parts?: readonly PartRedesign[];
  /** Days from one capture of a URL to the next, from 7. @default evenly over the five years of a generation */
  captureGapDays?: number;
  /** @default 'en' */
  language?: LanguageCode;
  /** Charset the pages are stored in, as a WHATWG name. @default 'utf-8' */
  charset?: string;
  /** Sloppy markup. @default false */
  soup?: boolean;
  /** First day of the first generation, `2007-03-01`. @default so that the last generation is of 2022 */
  start?: string;
  /** Page kinds to make. @default all of them */
  kinds?: readonly PageKind[];
  /**
   * Sites with the same number print the same articles, each in its own template, order, boxes and comments;
   * of the first 256 articles of two such sites all are the same, and so on. @default its own
   */
  stories?: number;
  /** Whether readers comment on articles and products. @default true */
  comments?: boolean;
}

export interface GeneratedCapture {
  /** Of an article, what it says: sites with the same `stories` have it in common. */
  story?: number;
  url: string;
  /** ISO 8601 in UTC to the second. */
  time: string;
  kind: PageKind;
  /** Number of the template generation, from 0. */
  generation: number;
  charset: string;
  /** The body as stored, in `charset`. */
  html: Uint8Array;
  /** The body as UTF-8; offsets of `truth` are offsets here. */
  source: Uint8Array;
  /** Ordered, disjoint, tiling the source. */
  truth: TruthRange[];
}

const DAY = 86_400_000;
const GENERATION_DAYS = 1826;
/** A crawl of a site takes this long. */
const CRAWL_DAYS = 6;

/** Crawl by crawl, oldest first; within a crawl page by page. */
export function* generateSite(options: SiteOptions): Generator<GeneratedCapture> {
  const { pages, generations = 1, captures = 1 } = options;
  for (const [name, value] of Object.entries({ pages, generations, captures })) {
    if (!Number.isInteger(value) || value < 1)
      throw new RangeError(`${name} must be a whole number from 1, not ${value}`);
  }
  const site = openSite(options);
  for (let crawl = 0; crawl < generations * captures; crawl++) {
    for (let index = 0; index < pages; index++) yield site.capture(index, crawl);
  }
}

/** Random access to the same captures: page `index` as crawl `crawl` found it. */
export function openSite(options: SiteOptions): { capture(index: number, crawl: number): GeneratedCapture } {
  const { seed, host, generations = 1, captures = 1, soup = false, charset = 'utf-8' } = options;
  const { language = 'en', kinds = PAGE_KINDS, stories, comments, captureGapDays, parts = [] } = options;
  if (
    captureGapDays !== undefined &&
    !(captureGapDays > CRAWL_DAYS && captureGapDays * captures <= GENERATION_DAYS)
  ) {
    throw new RangeError(
      `captureGapDays must be over ${CRAWL_DAYS} and all captures within ${GENERATION_DAYS} days, not ${captureGapDays}`,
    );
  }
  const { start = `${2022 - 5 * (generations - 1)}-03-01` } = options;
  const startTime = Date.parse(`${start.slice(0, 10)}T00:00:00Z`);
  if (Number.isNaN(startTime)) throw new RangeError(`start must be a day such as 2007-03-01, not "${start}"`);
  if (!kinds.some((kind) => PAGE_KINDS.includes(kind)))
    throw new RangeError(`kinds must name some of ${PAGE_KINDS.join(', ')}`);
  for (const { crawl, part } of parts) {
    if (!REDESIGN_PARTS.includes(part) || crawl % captures === 0)
      throw new RangeError(`parts must be redesigned within a generation, not ${part} at crawl ${crawl}`);
  }
  const own = { seed, host, language: languageFor(language), kinds, start: startTime };
  const plan = planSite({ ...own, stories, comments });
  const habits = soupHabits(keyOf(plan.seed, 'soup'));
  const writer = new LabelWriter(soup ? (markup) => makeSoup(markup, habits) : undefined);
  const encode = encoderFor(charset);
  const chromes = new Map<number, Chrome>();

  const chromeOf = (crawl: number): Chrome => {
    let chrome = chromes.get(crawl);
    if (!chrome) {
      const generation = Math.floor(crawl / captures);
      const era = eraOf(new Date(startTime + generation * GENERATION_DAYS * DAY).getUTCFullYear());
      const which = { generation, revision: crawl % captures, charset };
      chrome = makeChrome(plan, { era, ...which });
      for (const { crawl: from, part } of parts) {
        if (from > crawl || Math.floor(from / captures) !== generation) continue;
        const other = makeChrome(plan, { era: ERA_OF_PARTS[era], ...which, other: from });
        chrome = redesignPart(chrome, other, part);
      }
      chromes.set(crawl, chrome);
    }
    return chrome;
  };
  return {
    capture(index, crawl) {
      const page = pageAt(plan, index);
      const time = crawlTime(plan, page, crawl, captures, captureGapDays);
      const chrome = chromeOf(crawl);
      const skin = chrome.kindSkins?.[page.kind] ?? chrome.skin;
      renderPage(writer, { plan, skin, page, time, misnest: soup }, chrome);
      const { source, truth } = writer.finish();
      return {
        url: page.url,
        time: `${new Date(time).toISOString().slice(0, 19)}Z`,
        kind: page.kind,
        ...(page.kind === 'article' ? { story: storyAt(plan, page.ordinal) } : {}),
        generation: Math.floor(crawl / captures),
        charset,
        html: encode(source),
        source,
        truth,
      };
    },
  };
}

/** The way sites were built in a year. */
function eraOf(year: number): Era {
  if (year < 2009) return 'tables';
  if (year < 2014) return 'divs';
  return year < 2019 ? 'html5' : 'utility';
}

function crawlTime(plan: SitePlan, page: PageId, crawl: number, captures: number, gapDays?: number): number {
  const generationDays = Math.floor(crawl / captures) * GENERATION_DAYS;
  const days =
    gapDays === undefined
      ? ((crawl + 0.5) * GENERATION_DAYS) / captures
      : generationDays + ((crawl % captures) + 0.5) * gapDays;
  const seconds = keyOf(plan.seed, 'crawl', page.index, crawl) % (CRAWL_DAYS * 86_400);
  return plan.start + Math.floor(days) * DAY + seconds * 1000;
}
