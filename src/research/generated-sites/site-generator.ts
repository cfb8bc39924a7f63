/**
 * Realistic sites with the true label of every byte, for tests, benchmarks and the demonstration. A page
 * depends only on the seed, its URL and its time: the same options give the same bytes, a larger site
 * begins with the smaller one, and pages come one at a time at constant memory (some thousands a second).
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
  /** Page kinds to make, the rare ones too. @default all of PAGE_KINDS */
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
  for (const [name, value] of Object.entries({ pages, generations, captures })) checkWhole(name, value, 1);
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
  const known: readonly PageKind[] = [...PAGE_KINDS, ...RARE_KINDS];
  if (!kinds.some((kind) => known.includes(kind)))
    throw new RangeError(`kinds must name some of ${known.join(', ')}`);
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

/**
 * Redesigns of a part of a site: from some crawl on a block of the template, the files of the head, or the pages of one
 * kind look another way while the rest stays. What is new is taken from the template that the site would have in the
 * next era, as sites are modernised: block by block.
 */
export const REDESIGN_PARTS = ['menu', 'side', 'footer', 'head', 'articles'] as const;
export type RedesignPart = (typeof REDESIGN_PARTS)[number];

export interface PartRedesign {
  /** The first crawl that finds it, from 0; it lasts to the end of the template generation. */
  crawl: number;
  part: RedesignPart;
}

/** The era that new parts are taken from; the last one looks back, as there is none after it. */
const ERA_OF_PARTS: Record<Era, Era> = {
  tables: 'divs',
  divs: 'html5',
  html5: 'utility',
  utility: 'html5',
};

/** `chrome` with one part as `other` has it. */
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

/** The same style sheets, scripts, icons and fonts under other names. */
function renameFiles(markup: string): string {
  return markup.replace(/\/([\w.-]+\.(?:css|js|ico|png|svg|woff2))\b/g, '/renewed-$1');
}

/** What a page says in other markup, between the same header, columns and footer. */
function withBodyOf(skin: Skin, other: Skin): Skin {
  const { bodyPartOpen, bodyPartClose, h1, h2, byline, figure, tagLine, quote, comment, teaser } = other;
  return { ...skin, bodyPartOpen, bodyPartClose, h1, h2, byline, figure, tagLine, quote, comment, teaser };
}

/**
 * Well-formed markup made sloppy, the way hand-written pages are: capital tags, attributes without quotes,
 * end tags left out where a browser does not need them, html, head and body not written at all. Every
 * change depends only on the markup itself and the site's habits, so a template stays the same on all
 * its pages.
 */
export interface SoupHabits {
  capitals: boolean;
  unquoted: boolean;
  /** Names of end tags that are left out. */
  unclosed: Set<string>;
  /** Whether html, head and body tags are left out. */
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

/** From UTF-8 to the charset a page is stored in. Characters outside it are a fault of the language table. */
const MULTIBYTE = new Set(['big5', 'euc-jp', 'euc-kr', 'gb18030', 'gbk', 'shift_jis']);

function encoderFor(charset: string): (source: Uint8Array) => Uint8Array {
  if (charset === 'utf-8') return (source) => source;
  const encode = MULTIBYTE.has(charset) ? createMultibyteEncoder(charset) : createSinglebyteEncoder(charset);
  return (source) => encode(utf8toString(source));
}
