/**
 * `extract(html, { url })` extracts what one page says. The joint detector judges the page by itself; `site()` adds the
 * other pages of the site as evidence. The call is synchronous and needs no Node API.
 *
 * The first call reads the model and compiles the kernel, which takes up to 0.1 s.
 */
import type { ParsedPage } from '../../detect/detector.ts';
import type { JointOptions, JointSiteModel } from '../../detect/joint/joint-detector.ts';
import { type PageFindings, readMetadata } from '../../metadata/read-metadata.ts';
import { checkOptions } from '../../model/check-option.ts';
import type { Limits } from '../../model/limits.ts';
import type { PageMetadata } from '../../model/metadata.ts';
import type { Page } from '../../model/page.ts';
import type { Label, Range } from '../../model/range.ts';
import type { Role } from '../../model/role.ts';
import { siteOf } from '../../model/site.ts';
import { Parser } from '../../parse/parser.ts';
import { checkReadOptions } from '../../read/read-options.ts';
import { renderHtml } from '../../view/html.ts';
import { renderMarkdown } from '../../view/markdown.ts';
import { renderText } from '../../view/visible-text.ts';
import { checkHtml, checkPageUrl, decodeHtml, makeInputPage } from './page-input.ts';
import { sharedDetector, unknownSite } from './shared-detector.ts';

/** Options of `extract`. */
export interface ExtractOptions extends JointOptions {
  /** URL of the page: resolves its links, and distinguishes links to its own site. */
  url?: string;
  /** Maximum bytes (`pageBytes`), nodes and depth of a page; missing limits keep their default. */
  limits?: Partial<Limits>;
}

/** A part of the page with one label. Regions are ordered and disjoint, and cover the whole page. */
export interface Region {
  /**
   * Half-open: `html.slice(start, end)` if a string was given. For bytes, offsets in the page as UTF-8; they are
   * offsets in the given bytes if `charset` is UTF-8 and there is no byte order mark.
   */
  start: number;
  end: number;
  /** `content` and `slot` (changing text inside a template, such as a date) are kept; `template` is dropped. */
  label: Label;
  /** The part that the region plays for a reader, if known: title, byline, comments, navigation, … */
  role?: Role;
  /** Confidence of the label, 0 to 1. */
  score: number;
  reason: string;
}

/** What a page says: its title, text and metadata, and the labelled regions of its source. */
export interface Extraction {
  url: string;
  /** Title without the name of the site. */
  title: string;
  /** Language, author, dates, page type and so on, each with its source. */
  metadata: PageMetadata;
  /** The main text, one line per block. */
  text: string;
  /** The main text as Markdown (CommonMark with GFM tables), and as HTML without scripts and styles. */
  markdown: string;
  html: string;
  regions: Region[];
  /** Charset of the page, as a WHATWG name: `UTF-8`, `windows-1251`. */
  charset: string;
}

/** The options of the joint detector, which checks them itself. */
export const JOINT_OPTION_KINDS = { model: 'any', dial: 'any', mode: 'any', roles: 'any' } as const;

/** Extracts the main text and metadata of a page. Throws for a page beyond the limits, and for a value that is not a page. */
export function extract(html: string | Uint8Array, options: ExtractOptions = {}): Extraction {
  checkHtml(html);
  checkOptions(options, { url: 'any', limits: 'any', ...JOINT_OPTION_KINDS });
  const { url = '', limits: given, ...joint } = options;
  checkPageUrl(url);
  const { limits } = checkReadOptions({ limits: given });
  const { pageBytes } = limits;
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

/** Extracts the main text and metadata of a page, judged by the model of its site. */
export function extractParsed(
  parsed: ParsedPage & { page: Page },
  model: JointSiteModel,
  joint: JointOptions,
): Extraction {
  const { page, tree } = parsed;
  let findings: PageFindings | undefined;
  const onFindings = (found: PageFindings) => {
    findings = found;
  };
  const ranges = sharedDetector(joint).label(parsed, model, { onFindings });
  return {
    url: page.url,
    ...readMetadata({ page, tree, ranges, site: model.names, findings }),
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

/** Converts offsets in the UTF-8 source to indices of the original string, in one pass. */
export function placeInText(regions: Region[], source: Uint8Array, dropped: number): void {
  let at = 0;
  let index = dropped;
  for (const region of regions) {
    region.start = index;
    for (; at < region.end; at++) {
      const byte = source[at];
      // a character is one UTF-16 unit, or two if UTF-8 has four bytes
      if ((byte & 0xc0) !== 0x80) index += byte < 0xf0 ? 1 : 2;
    }
    region.end = index;
  }
}
