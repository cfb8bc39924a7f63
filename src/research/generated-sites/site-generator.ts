/**
 * Generates realistic sites with the true label of every byte, for tests, benchmarks and the demonstration. A
 * page depends only on the seed, its URL and its time: the same options give the same bytes, a larger site
 * begins with the smaller one, and pages are made one at a time in constant memory (some thousands per
 * second).
 */

import { createMultibyteEncoder } from '@exodus/bytes/multi-byte.js';
import { createSinglebyteEncoder } from '@exodus/bytes/single-byte.js';
import { utf8toString } from '@exodus/bytes/utf8.js';
import { checkWhole } from '../../model/check-option.ts';
import { type Chrome, makeChrome } from './chrome.ts';
import { LabelWriter, type TruthRange } from './label-writer.ts';
import { languageFor } from './languages.ts';
import { renderPage } from './page-kinds.ts';
import type { LanguageCode } from './phrases.ts';
import { keyOf, Random } from './random.ts';
import {
  PAGE_KINDS,
  type PageId,
  type PageKind,
  pageAt,
  planSite,
  RARE_KINDS,
  type SitePlan,
  storyAt,
} from './site-plan.ts';
import type { Era, Skin } from './skin.ts';

/** Options of a generated site. */
export interface GeneratedSiteOptions {
  /** Sites with equal seeds and options are equal. */
  seed: number;
  /** Host of all its URLs, such as `news.example`. */
  host: string;
  /** Number of distinct URLs. */
  pages: number;
  /** Number of template generations, five years apart; each one is a redesign. @default 1 */
  generations?: number;
  /** Captures of every URL within each generation. @default 1 */
  captures?: number;
  /** Redesigns of a part of the site within a generation. @default none */
  parts?: readonly PartRedesign[];
  /**
   * Days between two captures of a URL, from 7. @default spread evenly over the five years of a generation
   */
  captureGapDays?: number;
  /** @default 'en' */
  language?: LanguageCode;
  /** Charset in which pages are stored, as a WHATWG name. @default 'utf-8' */
  charset?: string;
  /** Whether markup is sloppy. @default false */
  soup?: boolean;
  /**
   * First day of the first generation, such as `2007-03-01`. @default such that the last generation is of
   * 2022
   */
  start?: string;
  /** Page kinds to make, which may include rare ones. @default all of PAGE_KINDS */
  kinds?: readonly PageKind[];
  /**
   * Sites with the same number have the same articles, each in its own template, order, boxes and comments.
   * The first 256 articles of two such sites are the same, then the next 256, and so on. @default its own
   * articles
   */
  stories?: number;
  /** Whether readers comment on articles and products. @default true */
  comments?: boolean;
  /**
   * Whether pages have boilerplate that resembles prose, at unusual positions and with uninformative names.
   * @default false
   */
  hard?: boolean;
}

/** One generated capture of a page. */
export interface GeneratedCapture {
  /** Number of the article's story; sites with the same `stories` share it. */
  story?: number;
  url: string;
  /** ISO 8601 in UTC, to the second. */
  time: string;
  kind: PageKind;
  /** Number of the template generation, from 0. */
  generation: number;
  charset: string;
  /** The body as stored, in `charset`. */
  html: Uint8Array;
  /** The body in UTF-8; offsets of `truth` refer to it. */
  source: Uint8Array;
  /** Ordered, disjoint ranges that tile the source. */
  truth: TruthRange[];
}

const DAY = 86_400_000;
const GENERATION_DAYS = 1826;
/** Duration of a crawl of a site, in days. */
const CRAWL_DAYS = 6;

/** Yields all captures crawl by crawl, oldest first, and page by page within a crawl. */
export function* generateSite(options: GeneratedSiteOptions): Generator<GeneratedCapture> {
  const { pages, generations = 1, captures = 1 } = options;
  for (const [name, value] of Object.entries({ pages, generations, captures })) checkWhole(name, value, 1);
  const site = openSite(options);
  for (let crawl = 0; crawl < generations * captures; crawl++) {
    for (let index = 0; index < pages; index++) yield site.capture(index, crawl);
  }
}

/** Gives random access to the same captures: page `index` as crawl `crawl` found it. */
export function openSite(options: GeneratedSiteOptions): {
  capture(index: number, crawl: number): GeneratedCapture;
} {
  const { seed, host, generations = 1, captures = 1, soup = false, charset = 'utf-8' } = options;
  const {
    language = 'en',
    kinds = PAGE_KINDS,
    stories,
    comments,
    captureGapDays,
    parts = [],
    hard,
  } = options;
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
  const known: readonly PageKind[] = [...PAGE_KINDS, ...RARE_KINDS];
  if (!kinds.some((kind) => known.includes(kind)))
    throw new RangeError(`kinds must name some of ${known.join(', ')}`);
  for (const { crawl, part } of parts) {
    if (!REDESIGN_PARTS.includes(part) || crawl % captures === 0)
      throw new RangeError(
        `parts must be redesigned after the first crawl of a generation, not ${part} at crawl ${crawl}`,
      );
  }
  const own = { seed, host, language: languageFor(language), kinds, start: startTime };
  const plan = planSite({ ...own, stories, comments, hard });
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

/** Returns how sites were built in a year. */
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

/**
 * Parts of a site that can be redesigned alone: from some crawl on a block of the template, the files of the
 * head, or the pages of one kind have another look while the rest stays. The new part comes from the template
 * that the site would have in the next era, because sites are often modernised block by block.
 */
export const REDESIGN_PARTS = ['menu', 'side', 'footer', 'head', 'articles'] as const;
/** Name of a part of a site. */
export type RedesignPart = (typeof REDESIGN_PARTS)[number];

/** A redesign of a part of a site. */
interface PartRedesign {
  /** Number of the first crawl with the new part, from 0; it lasts to the end of the template generation. */
  crawl: number;
  part: RedesignPart;
}

/** Era from which new parts are taken; for the last era it is an earlier one. */
const ERA_OF_PARTS: Record<Era, Era> = {
  tables: 'divs',
  divs: 'html5',
  html5: 'utility',
  utility: 'html5',
};

/** Returns `chrome` with one part of `other`. */
function redesignPart(chrome: Chrome, other: Chrome, part: RedesignPart): Chrome {
  switch (part) {
    case 'menu':
      return { ...chrome, menus: other.menus };
    case 'side':
      return { ...chrome, sideTop: other.sideTop, sideBottom: other.sideBottom };
    case 'footer':
      return { ...chrome, footer: other.footer };
    case 'head': {
      const skin = { ...chrome.skin, scripts: renameFiles(chrome.skin.scripts) };
      return { ...chrome, headTags: renameFiles(chrome.headTags), skin };
    }
    case 'articles': {
      const kindSkins = { ...chrome.kindSkins, article: withBodyOf(chrome.skin, other.skin) };
      const kindTop = { ...chrome.kindTop, article: other.kindTop.article };
      return { ...chrome, kindSkins, kindTop };
    }
  }
}

/** Renames style sheets, scripts, icons and fonts in markup. */
function renameFiles(markup: string): string {
  return markup.replace(/\/([\w.-]+\.(?:css|js|ico|png|svg|woff2))\b/g, '/renewed-$1');
}

/** Returns a skin with the content markup of `other` between the same header, columns and footer. */
function withBodyOf(skin: Skin, other: Skin): Skin {
  const { bodyPartOpen, bodyPartClose, h1, h2, byline, figure, tagLine, quote, comment, teaser } = other;
  return { ...skin, bodyPartOpen, bodyPartClose, h1, h2, byline, figure, tagLine, quote, comment, teaser };
}

/**
 * Habits of sloppy markup, as in hand-written pages: tags in capitals, attributes without quotes, missing end
 * tags where browsers do not need them, missing html, head and body tags. Changes depend only on the markup
 * and the site's habits, so a template stays the same on all pages.
 */
interface SoupHabits {
  capitals: boolean;
  unquoted: boolean;
  /** Names of end tags that are omitted. */
  unclosed: Set<string>;
  /** Whether html, head and body tags are omitted. */
  bare: boolean;
}

function soupHabits(key: number): SoupHabits {
  const random = new Random(key);
  const optional = ['li', 'p', 'td', 'tr', 'th', 'dd'];
  return {
    capitals: random.chance(0.6),
    unquoted: random.chance(0.8),
    unclosed: new Set(random.sample(optional, random.between(3, 6))),
    bare: random.chance(0.6),
  };
}

function makeSoup(markup: string, { capitals, unquoted, unclosed, bare }: SoupHabits): string {
  return markup.replace(
    /<(script|style)\b[\s\S]*?<\/\1>|<!--[\s\S]*?-->|<(\/?)([a-z][a-z0-9]*)((?:[^>"']|"[^"]*"|'[^']*')*)>/g,
    (whole, raw: string | undefined, slash: string, name: string, attributes: string) => {
      if (raw !== undefined || name === undefined) return whole;
      if (slash === '/' && unclosed.has(name)) return '';
      if (bare && (name === 'html' || name === 'head' || name === 'body')) return '';
      const plain = unquoted ? attributes.replace(/="([A-Za-z0-9#%._-]+)"/g, '=$1') : attributes;
      return `<${slash}${capitals ? name.toUpperCase() : name}${plain}>`;
    },
  );
}

/**
 * Legacy charsets with several bytes per character. Pages are encoded from UTF-8 to their charset; characters
 * outside of it are errors of the language table.
 */
const MULTIBYTE = new Set(['big5', 'euc-jp', 'euc-kr', 'gb18030', 'gbk', 'shift_jis']);

function encoderFor(charset: string): (source: Uint8Array) => Uint8Array {
  if (charset === 'utf-8') return (source) => source;
  const encode = MULTIBYTE.has(charset) ? createMultibyteEncoder(charset) : createSinglebyteEncoder(charset);
  return (source) => encode(utf8toString(source));
}
