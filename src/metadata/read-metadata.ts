/**
 * Reads the metadata of a page: title, author, dates, language and so on, each with its source. The markup is read once
 * (page-facts.ts), the roles of the detector's ranges locate headline, byline and date, and the site's pages show what
 * its titles share. All strings are bounded and well-formed, all URLs are absolute http(s).
 */

import type { MetadataSource } from '../model/metadata.ts';
import { NO_SITE_NAMES, type PageMetadata, type SiteNames, type SourcedField } from '../model/metadata.ts';
import type { Range } from '../model/range.ts';
import { BaseUrl } from '../model/resolve-url.ts';
import { decodeReferences } from '../parse/character-references.ts';
import type { Tree } from '../parse/tree.ts';
import { DateChooser, type DateContext } from './choose-dates.ts';
import { cleanTitle, titleKey } from './clean-title.ts';
import { findLanguage } from './detect-language.ts';
import { findAuthor } from './find-authors.ts';
import { type KeptText, measureKeptText, type TextPart } from './kept-text.ts';
import { type PageFacts, readItems, readPageFacts } from './page-facts.ts';
import { distanceTo, nearestParts, textBetween, textOfNode, tidy } from './page-text.ts';
import { findPageType } from './page-type.ts';

/** A page with its verdict, as input for its metadata. */
export interface MetadataPage {
  page: { url: string; time: string };
  tree: Tree;
  /** Ranges of the verdict, which decide what is kept. */
  ranges: readonly Range[];
  /** What the titles of the site's pages share. */
  site?: SiteNames;
  /** Facts that the detector adds to its ranges. */
  findings?: PageFindings;
}

/** Facts about a page that a detector may add to its ranges. */
export interface PageFindings {
  isForum?: boolean;
  /** Spans of the source in slots that hold a date on nearly every page of the site. */
  dates?: readonly { start: number; end: number }[];
  /** Position of the day in the slots' `12/04/2019`: 1 first, -1 second. */
  dayOrder?: number;
}

/** The title of a page and its other metadata. */
export interface TitledMetadata {
  title: string;
  metadata: PageMetadata;
}

/** Maximum characters of each value. */
const MAX_TITLE = 500;
/** Search engines show about 110 characters, and programs cut titles there. */
const CUT_TITLE = 100;
const MAX_DESCRIPTION = 1000;
const MAX_NAME = 200;
const MAX_URL = 2000;
/** A bare date within this number of bytes of text around the headline counts as the page's. */
const NEAR_BYTES = 300;
/** A day with a role counts as the page's within this number of bytes if it is cut. */
const FAR_BYTES = 1000;
/** Bytes of text that are searched for a day if nothing else gives one. */
const ANY_BYTES = 3000;

const SCRIPT_DATE =
  /["'](?:date_?published|(?:first_?)?publish(?:ed)?_?(?:at|on|date|time)?|pubdate|created_?at|creation_?date)["']\s*:\s*["']((?:19|20)\d\d-\d\d-\d\d[^"']{0,20})["']/i;
const MAX_SCRIPT_BYTES = 1 << 20;
/** The sign at the end of a heading that links to the heading. */
const PERMALINK = / ?[¶§#🔗]$/u;
/** The end of a title that is cut. */
const CUT_SIGN = /(?<!\.)\.{2,}$|…$/;
/** Signs before a headline: `[> `, `» `. */
const DECORATION = /^(?:\[?[>»›•▶►■]+\]?\s+)+/u;
const decoder = new TextDecoder();
const latin1 = new TextDecoder('latin1');

/** What is read of a page's metadata. */
export interface WantedMetadata {
  /** Read only the language: the title stays empty. @default false */
  onlyLanguage?: boolean;
}

/** Reads the title and metadata of a page. */
export function readMetadata(
  input: MetadataPage,
  { onlyLanguage = false }: WantedMetadata = {},
): TitledMetadata {
  const reader = new MetadataReader(input);
  return onlyLanguage ? reader.readLanguage() : reader.read();
}

class MetadataReader {
  readonly #input: MetadataPage;
  readonly #tree: Tree;
  readonly #facts: PageFacts;
  readonly #kept: KeptText;
  readonly #sources: Partial<Record<SourcedField, MetadataSource>> = {};
  readonly #base: BaseUrl;
  readonly #headline: string;
  /** End of the headline in the detagged text; -1 for none. */
  readonly #headlineEnd: number;
  readonly #names: string[];
  readonly #nameKeys: ReadonlySet<string>;
  /** The text of the page, and the texts that may hold a day, once they are needed. */
  #allText: string | undefined;
  #textsOfDays: string[] | undefined;

  constructor(input: MetadataPage) {
    this.#input = input;
    const { tree, ranges, page } = input;
    this.#tree = tree;
    this.#facts = readPageFacts(tree);
    this.#kept = measureKeptText(tree, ranges);
    const own = new BaseUrl(page.url);
    const { base } = this.#facts;
    this.#base = base === '' ? own : new BaseUrl(own.resolve(base) ?? page.url);
    const title = this.#kept.parts.find(({ role }) => role === 'title');
    const { heading } = this.#facts;
    const start = title ? title.start : heading > 0 ? tree.textStart[heading] : -1;
    this.#headlineEnd = title ? title.end : heading > 0 ? tree.textStart[tree.last[heading]] : -1;
    this.#headline =
      start < 0
        ? ''
        : tidy(textBetween(this.#tree, start, Math.min(this.#headlineEnd, start + 4 * MAX_TITLE)), MAX_TITLE)
            .replace(PERMALINK, '')
            .replace(DECORATION, '');
    this.#names = this.#siteNames();
    this.#nameKeys = new Set(this.#names.map(titleKey));
  }

  readLanguage(): TitledMetadata {
    const metadata = {} as PageMetadata;
    const language = this.#language();
    if (language) metadata.language = this.#take('language', language.language, language.source);
    return { title: '', metadata };
  }

  read(): TitledMetadata {
    const title = this.#title();
    const { metadata } = this.readLanguage();
    readItems(this.#tree, this.#facts, this.#headlineEnd);
    const author = findAuthor({
      tree: this.#tree,
      url: this.#input.page.url,
      facts: this.#facts,
      kept: this.#kept,
      headlineEnd: this.#headlineEnd,
      siteNames: this.#names,
    });
    if (author) metadata.author = this.#take('author', author.value, author.source);
    const dates = this.#dates(metadata.language ?? '');
    const published = dates.published();
    if (published) metadata.published = this.#take('published', published.value, published.source);
    const modified = dates.modified();
    if (modified) metadata.modified = this.#take('modified', modified.value, modified.source);
    this.#addTexts(metadata);
    this.#addUrls(metadata);
    const { words, linkWords } = this.#kept;
    const linkDensity = words === 0 ? 0 : Math.round((1000 * linkWords) / words) / 1000;
    const type = findPageType({
      facts: this.#facts,
      url: this.#input.page.url,
      kept: this.#kept,
      isForum: this.#input.findings?.isForum,
      isSigned: author !== undefined || (published !== undefined && published.source !== 'text'),
    });
    if (type) metadata.type = this.#take('type', type.type, type.source);
    metadata.words = words;
    metadata.linkDensity = linkDensity;
    metadata.sources = this.#sources;
    return { title, metadata };
  }

  #take<Value extends string>(field: SourcedField, value: Value, source: MetadataSource): Value {
    this.#sources[field] = source;
    return value;
  }

  /** Possible names of the site: from the page and from its host. */
  #siteNames(): string[] {
    const { meta, jsonLd } = this.#facts;
    const host = /^https?:\/\/(?:www\.)?([^/:?#]+)/i.exec(this.#input.page.url)?.[1] ?? '';
    const labels = host.split('.');
    // the longest of the last three labels is the name: example.co.uk, blog.example.com
    const label = labels
      .slice(-3, -1)
      .reduce((longest, one) => (one.length >= longest.length ? one : longest), '');
    const names = [
      meta.get('og:site_name'),
      jsonLd.siteName,
      jsonLd.publisher,
      meta.get('application-name'),
      host,
      label,
    ];
    return names.filter((name): name is string => name !== undefined && name.trim().length > 1);
  }

  #title(): string {
    const { meta, jsonLd } = this.#facts;
    const context = { site: this.#input.site ?? NO_SITE_NAMES, names: this.#names, headline: this.#headline };
    const clean = (text: string | undefined) => (text ? cleanTitle(tidy(text, MAX_TITLE), context) : '');
    const found: [title: string, source: MetadataSource][] = [
      [clean(jsonLd.headline), 'json-ld'],
      [clean(meta.get('og:title')), 'open-graph'],
      [clean(this.#facts.title), 'title'],
      [clean(meta.get('twitter:title') ?? meta.get('dc.title') ?? meta.get('citation_title')), 'meta'],
    ];
    const named = found.filter(([title]) => !this.#isSiteName(title));
    const candidates = (named.some(([title]) => title !== '') ? named : found).map(
      ([title, source]): [string, MetadataSource] => completed(title, source, found),
    );
    const headline = titleKey(this.#headline);
    if (headline.length > 2 && !(this.#isSiteName(this.#headline) && named.length > 0)) {
      let isLonger = false;
      for (const [title, source] of candidates) {
        const key = titleKey(title);
        if (key === '') continue;
        if (key === headline)
          return this.#take('title', this.#headline, source === 'title' ? 'text' : source);
        // a headline may begin with a rubric or end with a second line
        if (2 * key.length > headline.length && headline.includes(key))
          return this.#take('title', title, source);
        if (key.includes(headline)) isLonger = true;
      }
      const heading = this.#firstHeading();
      for (const [title, source] of candidates) {
        if (title !== '' && titleKey(title) === titleKey(heading))
          return this.#take('title', heading, source === 'title' ? 'text' : source);
        // the page shows the title in two parts
        if (headline.length > 8 && /[:：]$/.test(this.#headline) && titleKey(title).startsWith(headline))
          return this.#take('title', title, source);
      }
      // the headline belongs to something else, and the page shows its title as another text
      const words = wordsOf(this.#headline);
      const shown = candidates.find(([title]) => this.#shows(title));
      if (shown && !candidates.some(([title]) => wordsOf(title).some((word) => words.includes(word))))
        return this.#take('title', ...shown);
      const isFound = this.#kept.parts.some(({ role }) => role === 'title');
      if (isLonger || (isFound && headline.length > 8)) return this.#take('title', this.#headline, 'text');
    }
    const first = candidates.slice(1).find(([title]) => title !== '') ?? candidates[0];
    if (first[0] !== '') return this.#take('title', first[0], first[1]);
    return this.#headline === '' ? '' : this.#take('title', this.#headline, 'text');
  }

  #isSiteName(title: string): boolean {
    return this.#nameKeys.has(titleKey(title));
  }

  /** Whether one of the page's texts shows the title, and it is not the site's name. */
  #shows(title: string): boolean {
    if (title === '' || this.#isSiteName(title)) return false;
    this.#allText ??= textBetween(this.#tree, 0, this.#tree.textLength);
    return this.#allText.includes(title);
  }

  /** The text of the first h1. */
  #firstHeading(): string {
    const { heading } = this.#facts;
    return heading === 0 ? '' : tidy(textOfNode(this.#tree, heading), MAX_TITLE).replace(PERMALINK, '');
  }

  #language() {
    const { meta, lang, jsonLd } = this.#facts;
    const declared = [
      lang,
      meta.get('content-language'),
      meta.get('language'),
      meta.get('dc.language'),
      jsonLd.language,
      meta.get('og:locale'),
    ];
    return findLanguage(
      this.#kept.sample,
      declared.filter((one): one is string => one !== undefined && one !== ''),
    );
  }

  #dates(language: string): DateChooser {
    const { page, findings = {} } = this.#input;
    const end = this.#headlineEnd;
    // a day that is cut and not right below the headline may be today's
    const isOwn = ({ start, isKept }: TextPart) =>
      isKept || end < 0 || (start >= end && start <= end + FAR_BYTES);
    const texts = (role: TextPart['role']) =>
      nearestParts(this.#kept.parts, role, end)
        .filter(isOwn)
        .slice(0, 4)
        .map((part) => textBetween(this.#tree, part.start, Math.min(part.end, part.start + 400)));
    const near: string[] = [];
    if (end >= 0) near.push(textBetween(this.#tree, end, Math.min(end + NEAR_BYTES, this.#tree.textLength)));
    if (end > 0) near.push(textBetween(this.#tree, Math.max(0, end - NEAR_BYTES), end));
    return new DateChooser({
      facts: this.#facts,
      url: page.url,
      captured: page.time,
      language,
      slotTexts: (findings.dates ?? []).map(({ start, end: to }) => tidy(this.#source(start, to), 400)),
      dateTexts: [...texts('date'), ...texts('byline')],
      nearTexts: near,
      anyTexts: () => (this.#textsOfDays ??= this.#anyTexts()),
      scriptDate: () => this.#scriptDate(),
      times: this.#times(),
      slotOrder: findings.dayOrder ?? 0,
    });
  }

  /** The kept text, its end and the text around it, searched for a day when no markup gives one. */
  #anyTexts(): string[] {
    const { start, end } = this.#kept;
    const { textLength } = this.#tree;
    return [
      textBetween(this.#tree, start, Math.min(end, start + ANY_BYTES)),
      textBetween(this.#tree, Math.max(start, end - NEAR_BYTES), Math.min(textLength, end + NEAR_BYTES)),
      textBetween(this.#tree, Math.max(0, start - ANY_BYTES), start),
      textBetween(this.#tree, end, Math.min(textLength, end + ANY_BYTES)),
    ];
  }

  /** The day of publication in data for the page's scripts: `"publishedAt":"2019-10-31T…"`. */
  #scriptDate(): string | undefined {
    const { source } = this.#tree;
    return SCRIPT_DATE.exec(latin1.decode(source.subarray(0, MAX_SCRIPT_BYTES)))?.[1];
  }

  #source(start: number, end: number): string {
    const html = decoder.decode(this.#tree.source.subarray(start, Math.min(end, start + 2000)));
    return decodeReferences(html.replace(/<[^>]{0,500}>/g, ' '));
  }

  /** `time` elements of the page's own text, nearest to the headline first. */
  #times(): DateContext['times'] {
    const { textStart } = this.#tree;
    const { start, end } = this.#kept;
    const headline = this.#headlineEnd;
    return this.#facts.times
      .map((time) => ({ ...time, at: textStart[time.node] }))
      .filter(
        ({ at }) => (at >= start && at <= end) || headline < 0 || distanceTo(headline, at) <= 2 * NEAR_BYTES,
      )
      .sort((a, b) => (headline < 0 ? 0 : distanceTo(headline, a.at) - distanceTo(headline, b.at)))
      .slice(0, 6)
      .map(({ node, value, isUpdate }) => ({ value, isUpdate, text: textOfNode(this.#tree, node) }));
  }

  #addTexts(metadata: PageMetadata): void {
    const { meta, jsonLd } = this.#facts;
    const set = (
      field: 'description' | 'siteName',
      most: number,
      values: [string | undefined, MetadataSource][],
    ) => {
      for (const [value, source] of values) {
        const text = value === undefined ? '' : tidy(value, most);
        if (text === '') continue;
        metadata[field] = this.#take(field, text, source);
        return;
      }
    };
    set('description', MAX_DESCRIPTION, [
      [meta.get('og:description'), 'open-graph'],
      [meta.get('description'), 'meta'],
      [jsonLd.description, 'json-ld'],
      [meta.get('twitter:description') ?? meta.get('dc.description'), 'meta'],
    ]);
    const { titleEnds = [], titleStarts = [] } = this.#input.site ?? {};
    set('siteName', MAX_NAME, [
      [meta.get('og:site_name'), 'open-graph'],
      [jsonLd.siteName ?? jsonLd.publisher, 'json-ld'],
      [meta.get('application-name'), 'meta'],
      [nameOf(titleEnds[0] ?? titleStarts[0]), 'site'],
    ]);
  }

  #addUrls(metadata: PageMetadata): void {
    const { canonical, image, licence, meta, jsonLd, items } = this.#facts;
    const item = items.find(({ name }) => name === 'license');
    const set = (
      field: 'canonical' | 'image' | 'licence',
      values: [string | undefined, MetadataSource][],
    ) => {
      for (const [value, source] of values) {
        const url = value ? this.#address(value) : undefined;
        if (url === undefined) continue;
        metadata[field] = this.#take(field, url, source);
        return;
      }
    };
    set('canonical', [
      [canonical, 'link'],
      [meta.get('og:url'), 'open-graph'],
    ]);
    set('image', [
      [meta.get('og:image') ?? meta.get('og:image:url') ?? meta.get('og:image:secure_url'), 'open-graph'],
      [jsonLd.image, 'json-ld'],
      [meta.get('twitter:image') ?? meta.get('twitter:image:src') ?? meta.get('thumbnail'), 'meta'],
      [image, 'link'],
    ]);
    set('licence', [
      [licence, 'link'],
      [jsonLd.licence, 'json-ld'],
      [item?.value, 'link'],
      [meta.get('dcterms.license') ?? meta.get('dc.rights'), 'meta'],
    ]);
  }

  #address(value: string): string | undefined {
    const text = value.trim();
    if (text === '' || text.length > MAX_URL) return undefined;
    const url = this.#base.resolve(text);
    return url !== undefined && url.length <= 2 * MAX_URL && /^https?:/.test(url)
      ? url.toWellFormed()
      : undefined;
  }
}

/** The site's name in the text that titles share: ` - Example News`. */
function nameOf(affix: string | undefined): string | undefined {
  return affix?.replace(/^[^\p{L}\p{N}]+|(?<=[\p{L}\p{N}.!?)])[^\p{L}\p{N}.!?)]+$/gu, '');
}

/** The title, or another that begins with it if it was cut for its length. */
function completed(
  title: string,
  source: MetadataSource,
  titles: readonly [title: string, source: MetadataSource][],
): [string, MetadataSource] {
  const start = titleKey(title.replace(CUT_SIGN, ''));
  if (start === titleKey(title) && title.length < CUT_TITLE && !CUT_SIGN.test(title)) return [title, source];
  return (
    titles.find(([other]) => {
      const key = titleKey(other);
      return key.length > start.length && key.startsWith(start);
    }) ?? [title, source]
  );
}

/** Words of at least three letters, in lower case. */
function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? [];
}
