/**
 * One page in, what it says out: `extract(html, { url })`. The joint detector judges the page by itself; `site()` does
 * the same with the other pages of the site as evidence. Synchronous, and needs nothing of Node.
 *
 * The first call reads the model and compiles the kernel, up to 0.1 s.
 */
import type { ParsedPage } from '../../detect/detector.ts';
import type { JointOptions, JointSiteModel } from '../../detect/joint/joint-detector.ts';
import { checkNames } from '../../model/check-option.ts';
import { DEFAULT_LIMITS, type Limits } from '../../model/limits.ts';
import type { Page } from '../../model/page.ts';
import type { Label, Range } from '../../model/range.ts';
import type { Role } from '../../model/role.ts';
import { siteOf } from '../../model/site.ts';
import { Parser } from '../../parse/parser.ts';
import { readTitle } from '../../parse/title.ts';
import { renderHtml } from '../../view/html.ts';
import { renderMarkdown } from '../../view/markdown.ts';
import { renderText } from '../../view/visible-text.ts';
import { checkHtml, decodeHtml, makeInputPage } from './page-input.ts';
import { sharedDetector, unknownSite } from './shared-detector.ts';

export interface ExtractOptions extends JointOptions {
  /** Where the page is from: resolves its links, and tells those to its own site from others. */
  url?: string;
  /** Largest page (`pageBytes`), most nodes, deepest element; unnamed ones keep their default. */
  limits?: Partial<Limits>;
}

/** A part of the page with one label. Regions are ordered and disjoint, and cover all of the page. */
export interface Region {
  /**
   * Half-open: `html.slice(start, end)` when a string was given. For bytes, offsets in the page as UTF-8, which the bytes
   * are where `charset` is UTF-8 and there is no byte order mark.
   */
  start: number;
  end: number;
  /** `content` and `slot` (changing text inside a template, a date say) are kept; `template` is left out. */
  label: Label;
  /** What the region is for a reader, where it is known: title, byline, comments, navigation, … */
  role?: Role;
  /** How sure the label is, 0 to 1. */
  score: number;
  reason: string;
}

export interface Extraction {
  url: string;
  title: string;
  /** The main text, a line for each block. */
  text: string;
  /** The same as Markdown (CommonMark with GFM tables), and as HTML without scripts and styles. */
  markdown: string;
  html: string;
  regions: Region[];
  /** What the page was in, as a WHATWG name: `UTF-8`, `windows-1251`. */
  charset: string;
}

const JOINT_OPTIONS = ['model', 'dial', 'mode', 'roles'] as const;

/** Extracts what a page says. Throws for a page beyond the limits, and for what is not a page. */
export function extract(html: string | Uint8Array, options: ExtractOptions = {}): Extraction {
  checkHtml(html);
  checkNames(options, ['url', 'limits', ...JOINT_OPTIONS]);
  const { url = '', limits = {}, ...joint } = options;
  if (url !== '' && !URL.canParse(url)) {
    throw new TypeError(`url must be absolute, such as https://example.org/page, not "${url}"`);
  }
  const { pageBytes } = { ...DEFAULT_LIMITS, ...limits };
  const { source, charset, dropped } = decodeHtml(html);
  if (source.length > pageBytes) {
    throw new RangeError(`the page has ${source.length} bytes, over ${pageBytes} (limits.pageBytes)`);
  }
  const page = makeInputPage(url, { site: siteOf(url), charset, source });
  const tree = new Parser({ limits }).parse(source);
  const extraction = extractParsed({ page, tree }, unknownSite(joint), joint);
  if (typeof html === 'string') placeInText(extraction.regions, source, dropped);
  return extraction;
}

/** What a page says, judged by the model of its site. */
export function extractParsed(
  parsed: ParsedPage & { page: Page },
  model: JointSiteModel,
  joint: JointOptions,
): Extraction {
  const { page, tree } = parsed;
  const ranges = sharedDetector(joint).label(parsed, model);
  return {
    url: page.url,
    title: readTitle(tree),
    text: renderText(tree, ranges),
    markdown: renderMarkdown(tree, ranges, page),
    html: renderHtml(tree, ranges, page),
    regions: ranges.filter(({ start, end }) => end > start).map(regionOf),
    charset: page.charset,
  };
}

function regionOf({ start, end, label, role, score, reason }: Range): Region {
  return role === undefined
    ? { start, end, label, score, reason }
    : { start, end, label, role, score, reason };
}

/** Turns offsets in the UTF-8 source into indices of the string that it was made from, in one pass. */
export function placeInText(regions: Region[], source: Uint8Array, dropped: number): void {
  let at = 0;
  let index = dropped;
  for (const region of regions) {
    region.start = index;
    for (; at < region.end; at++) {
      const byte = source[at];
      // a character is one UTF-16 unit, and two where UTF-8 has four bytes
      if ((byte & 0xc0) !== 0x80) index += byte < 0xf0 ? 1 : 2;
    }
    region.end = index;
  }
}
