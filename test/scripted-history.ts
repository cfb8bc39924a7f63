/**
 * Histories whose every change is written down: sites of pages made of blocks, some on all pages and some on one, each
 * with what it says at each crawl. What `chaff history` must find follows from the script alone.
 */
import { warcRecord } from './sample-archives.ts';

const DAY = 86_400;

/** A block of a page: what all pages of the site say in it, or each page on its own; nothing when it is not there. */
export interface Block {
  /** Whether all pages say the same. */
  shared: boolean;
  /** What it says at a crawl, as HTML of one element. */
  at: (crawl: number, page: number) => string;
}

export interface ScriptedSite {
  host: string;
  pages: number;
  /** First day of each crawl. */
  crawls: readonly string[];
  blocks: readonly Block[];
}

export interface ScriptedCapture {
  site: ScriptedSite;
  page: number;
  crawl: number;
  url: string;
  /** Seconds since 1970: the pages of a crawl are fetched an hour apart. */
  moment: number;
  html: string;
}

export function captureOf(site: ScriptedSite, page: number, crawl: number): ScriptedCapture {
  return {
    site,
    page,
    crawl,
    url: `http://${site.host}/page-${page}`,
    moment: momentOf(site, page, crawl),
    html: `<body>${site.blocks.map((block) => block.at(crawl, page)).join('')}</body>`,
  };
}

export function momentOf({ crawls }: ScriptedSite, page: number, crawl: number): number {
  return Date.parse(`${crawls[crawl]}T00:00:00Z`) / 1000 + page * (DAY / 24);
}

/** Crawl by crawl, page by page. */
export function capturesOf(site: ScriptedSite): ScriptedCapture[] {
  return site.crawls.flatMap((_, crawl) =>
    Array.from({ length: site.pages }, (_, page) => captureOf(site, page, crawl)),
  );
}

export function isoTime(moment: number): string {
  return `${new Date(1000 * moment).toISOString().slice(0, 19)}Z`;
}

export function warcOf(captures: readonly ScriptedCapture[]): Buffer {
  return Buffer.concat(
    captures.map(({ url, moment, html }) => warcRecord({ url, time: isoTime(moment), html })),
  );
}

/** The text of some HTML, by the plainest rule. */
export function plainText(html: string): string {
  return html
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

/** What the blocks of a page say that all pages share, or that they do not. */
export function textOf({ site, page, crawl }: ScriptedCapture, shared: boolean): string {
  return plainText(htmlOf({ site, page, crawl }, shared));
}

export function htmlOf(
  { site, page, crawl }: Pick<ScriptedCapture, 'site' | 'page' | 'crawl'>,
  shared: boolean,
): string {
  return site.blocks
    .filter((block) => block.shared === shared)
    .map((block) => block.at(crawl, page))
    .join('');
}

/** 1 − 2·|A ∩ B| / (|A| + |B|) of the words of two texts, as the paper has it. */
export function magnitude(a: string, b: string): number {
  const wordsOf = (text: string): Set<string> => new Set(text.toLowerCase().match(/[a-z0-9]+/g) ?? []);
  const [first, second] = [wordsOf(a), wordsOf(b)];
  const common = [...first].filter((word) => second.has(word)).length;
  return first.size + second.size === 0 ? 0 : 1 - (2 * common) / (first.size + second.size);
}

/** Words that no other page, block or version has. */
export function ownWords(count: number, ...of: (string | number)[]): string {
  return Array.from({ length: count }, (_, k) => `${of.join('x')}w${k}`).join(' ');
}
