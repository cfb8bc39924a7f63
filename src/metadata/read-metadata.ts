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
import { readAuthors } from './author-names.ts';
import { DateChooser } from './choose-dates.ts';
import { cleanTitle, titleKey } from './clean-title.ts';
import { findLanguage } from './detect-language.ts';
import { type KeptText, measureKeptText, type TextPart } from './kept-text.ts';
import { AUTHOR_CLASS_ITEM, type PageFacts, readItems, readPageFacts } from './page-facts.ts';
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
const MAX_DESCRIPTION = 1000;
const MAX_NAME = 200;
const MAX_URL = 2000;
/** A bare date within this number of bytes of text around the headline counts as the page's. */
const NEAR_BYTES = 300;
/** Bytes of text that are searched for a day if nothing else gives one. */
const ANY_BYTES = 3000;

/** URL path of a page about an author. */
const AUTHOR_LINK =
  /[/=_-](?:authors?|autor(?:en|es|in)?|auteurs?|autore|writers?|redakteure?|journalist(?:en|as|s)?|contributors?|columnists?|staff|profile?|people|users?|members?)[/=_-]/i;

/** A label, a colon and a name: two to four words, or a few Chinese characters. */
const LABELLED_AUTHOR =
  /(?:作者|撰文|记者|Author|Autor(?:in|a|e)?|Auteur|Автор)\s?[:：]\s?(\p{Script=Han}{2,5}(?!\p{Script=Han})|\p{Lu}[\p{L}.'’-]{0,20}(?: \p{Lu}[\p{L}.'’-]{0,20}){1,3})/u;

/** The label above the author on the social-network cards that blog software writes, in several languages. */
const CARD_LABEL =
  /^(?:written by|(?:verfasst|geschrieben) von|écrit par|escrito (?:por|el)|scritto da|geschreven door|napisane przez|skrivet av|skrevet av|написано(?: автором)?|автор|作者|執筆者|yazan|γράφτηκε από)/i;
const SCRIPT_DATE =
  /["'](?:date_?published|(?:first_?)?publish(?:ed)?_?(?:at|on|date|time)?|pubdate|created_?at|creation_?date)["']\s*:\s*["']((?:19|20)\d\d-\d\d-\d\d[^"']{0,20})["']/i;
const MAX_SCRIPT_BYTES = 1 << 20;
/** The sign at the end of a heading that links to the heading. */
const PERMALINK = / *[¶§#🔗]$/u;
/** Text between the links of two authors. */
const JOINS_NAMES = /^(?:[,;&+/|·]|,? ?(?:and|und|et|y|e|i|och|og|en|и|και)|、)$/iu;
/** Maximum number of names of a byline that may add to the names of another source. */
const MAX_JOINED = 4;
/** An author element with more bytes of text is more than a byline. */
const LONGEST_BYLINE = 100;

const decoder = new TextDecoder();
const latin1 = new TextDecoder('latin1');

/** Reads the title and metadata of a page. */
export function readMetadata(input: MetadataPage): TitledMetadata {
  return new MetadataReader(input).read();
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
        : tidy(this.#text(start, Math.min(this.#headlineEnd, start + 4 * MAX_TITLE)), MAX_TITLE).replace(
            PERMALINK,
            '',
          );
    readItems(tree, this.#facts, this.#headlineEnd);
    this.#names = this.#siteNames();
  }

  read(): TitledMetadata {
    const metadata = {} as PageMetadata;
    const title = this.#title();
    const language = this.#language();
    if (language) metadata.language = this.#take('language', language.language, language.source);
    const author = this.#author();
    if (author) metadata.author = author;
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

  #text(start: number, end: number): string {
    return decodeReferences(decoder.decode(this.#tree.text.subarray(start, end)));
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
    const candidates: [title: string, source: MetadataSource][] = [
      [clean(jsonLd.headline), 'json-ld'],
      [clean(meta.get('og:title')), 'open-graph'],
      [clean(this.#facts.title), 'title'],
      [clean(meta.get('twitter:title') ?? meta.get('dc.title') ?? meta.get('citation_title')), 'meta'],
    ];
    const headline = titleKey(this.#headline);
    if (headline.length > 2) {
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

  /** Whether one of the page's texts shows the title, and it is not the site's name. */
  #shows(title: string): boolean {
    if (title === '' || this.#names.some((name) => titleKey(name) === titleKey(title))) return false;
    const { text, textLength } = this.#tree;
    return Buffer.from(text.buffer, text.byteOffset, textLength).indexOf(title) !== -1;
  }

  /** The text of the first h1. */
  #firstHeading(): string {
    const { heading } = this.#facts;
    return heading === 0 ? '' : tidy(this.#textOfNode(heading), MAX_TITLE).replace(PERMALINK, '');
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

  #author(): string | undefined {
    const { jsonLd, authors, items, meta } = this.#facts;
    const siteKeys = this.#names.map(titleKey);
    const read = (texts: readonly string[]) => {
      const names = texts.flatMap((text) => readAuthors(text, siteKeys));
      return [...new Map(names.map((name) => [titleKey(name), name])).values()].slice(0, 12);
    };
    const parsely = [
      meta.get('parsely-author'),
      meta.get('sailthru.author'),
      meta.get('byl'),
      meta.get('creator'),
      meta.get('shareaholic:article_author_name'),
      this.#cardAuthor(),
    ];
    const itemTexts = items
      .filter(({ name }) => name === 'author' || name === 'creator' || name === 'dc:creator')
      .slice(0, 3)
      .map(({ node, value }) => value || this.#textOfNode(node));
    const { textStart, last } = this.#tree;
    const [classByline = []] = items
      .filter(({ name }) => name === AUTHOR_CLASS_ITEM)
      .map(({ node }) => ({ start: textStart[node], end: textStart[last[node]] }))
      .filter(({ start, end }) => end > start && end - start <= LONGEST_BYLINE)
      .map((part) => this.#byline(part));
    const [byline = []] = this.#near('byline').map((part) => this.#byline(part));
    const lists: [texts: readonly string[], source: MetadataSource][] = [
      [jsonLd.authors ?? [], 'json-ld'],
      [authors, 'meta'],
      [parsely.filter((text) => text !== undefined), 'meta'],
      [itemTexts.slice(0, 1), 'microdata'],
      [byline, 'text'],
      [classByline, 'text'],
      [this.#labelledAuthor(), 'text'],
    ];
    for (let k = 0; k < lists.length; k++) {
      let [texts, source] = lists[k];
      let names = read(texts);
      if (names.length === 0) continue;
      // a later source may name further authors
      for (const [others, from] of lists.slice(k + 1)) {
        // a text in one piece may hold more than the author's name
        const more = from === 'text' && others.length < 2 ? [] : read(others);
        const keys = more.map(titleKey);
        if (more.length <= names.length || more.length > MAX_JOINED) continue;
        if (names.every((name) => keys.includes(titleKey(name)))) [names, source] = [more, from];
      }
      return this.#take('author', tidy(names.join('; '), MAX_NAME), source);
    }
    const linked = read([this.#linkedAuthor()]);
    if (linked.length > 0) return this.#take('author', tidy(linked[0], MAX_NAME), 'link');
    for (const [texts, source] of lists) {
      const names = texts.flatMap((text) => readAuthors(text, siteKeys, { handles: true }));
      if (names.length > 0) return this.#take('author', tidy(names[0], MAX_NAME), source);
    }
    // a site may have the same name as its author
    for (const [texts, source] of lists.slice(0, 4)) {
      const names = texts.flatMap((text) => readAuthors(text, []));
      if (names.length > 0) return this.#take('author', tidy(names[0], MAX_NAME), source);
    }
    return undefined;
  }

  /** The value of the page's social-network card under a label such as `Written by`. */
  #cardAuthor(): string | undefined {
    const { meta } = this.#facts;
    const card = [1, 2].find((number) => CARD_LABEL.test(meta.get(`twitter:label${number}`) ?? ''));
    return card === undefined ? undefined : meta.get(`twitter:data${card}`);
  }

  /** A name after `Author:` and similar labels, around the headline or at the start of the text. */
  #labelledAuthor(): string[] {
    const from = Math.max(0, this.#headlineEnd - NEAR_BYTES);
    const texts = [
      this.#text(from, from + 3 * NEAR_BYTES),
      this.#text(this.#kept.start, this.#kept.start + 2 * NEAR_BYTES),
    ];
    for (const text of texts) {
      const [, name] = LABELLED_AUTHOR.exec(text) ?? [];
      if (name !== undefined) return [name];
    }
    return [];
  }

  /** Texts of a byline's first links to authors; without such links, its text or that of its first link. */
  #byline({ start, end }: Pick<TextPart, 'start' | 'end'>): string[] {
    const { linkCount, linkNode, textStart, last } = this.#tree;
    const authors: string[] = [];
    let authorEnd = 0;
    let first = '';
    for (let link = 0; link < linkCount; link++) {
      const from = textStart[linkNode[link]];
      if (from >= end) break;
      const to = textStart[last[linkNode[link]]];
      if (from < start - 1 || to > end || to <= from) continue;
      const isJoined = authors.length === 0 || JOINS_NAMES.test(this.#text(authorEnd, from).trim());
      if (isJoined && AUTHOR_LINK.test(this.#href(link))) {
        authors.push(this.#text(from, Math.min(to, from + 200)));
        authorEnd = to;
      } else if (first === '') first = this.#text(from, Math.min(to, from + 200));
    }
    if (authors.length > 0) return authors.slice(0, MAX_JOINED);
    const text = this.#text(start, Math.min(end, start + 400));
    return [first !== '' && text.length > 2 * first.length + 20 ? first : text];
  }

  /** Text of the first link to an author's page, from the headline to the end of the text. */
  #linkedAuthor(): string {
    const { linkCount, linkNode, textStart, last } = this.#tree;
    const from = Math.max(0, this.#headlineEnd - NEAR_BYTES);
    for (let link = 0; link < linkCount; link++) {
      const start = textStart[linkNode[link]];
      if (start < from) continue;
      if (start > this.#kept.end + NEAR_BYTES) break;
      const end = textStart[last[linkNode[link]]];
      if (end > start && end - start < 80 && AUTHOR_LINK.test(this.#href(link)))
        return this.#text(start, end);
    }
    return '';
  }

  #href(link: number): string {
    const { source, linkStart, linkEnd } = this.#tree;
    return decoder.decode(source.subarray(linkStart[link], Math.min(linkEnd[link], linkStart[link] + 300)));
  }

  #textOfNode(node: number): string {
    const { textStart, last } = this.#tree;
    const start = textStart[node];
    return this.#text(start, Math.min(textStart[last[node]], start + 400)).trim();
  }

  /** Parts with a role, nearest to the headline first: those after it, then those before it. */
  #near(role: TextPart['role']): TextPart[] {
    const end = this.#headlineEnd;
    const distance = ({ start }: TextPart) => (start >= end - 2 ? start - end : 2 * (end - start));
    return this.#kept.parts.filter((part) => part.role === role).sort((a, b) => distance(a) - distance(b));
  }

  #dates(language: string): DateChooser {
    const { page, findings = {} } = this.#input;
    const texts = (parts: TextPart[]) =>
      parts.slice(0, 4).map(({ start, end }) => this.#text(start, Math.min(end, start + 400)));
    const end = this.#headlineEnd;
    const near: string[] = [];
    if (end >= 0) near.push(this.#text(end, Math.min(end + NEAR_BYTES, this.#tree.textLength)));
    if (end > 0) near.push(this.#text(Math.max(0, end - NEAR_BYTES), end));
    return new DateChooser({
      facts: this.#facts,
      url: page.url,
      captured: page.time,
      language,
      slotTexts: (findings.dates ?? []).map(({ start, end: to }) => tidy(this.#source(start, to), 400)),
      dateTexts: texts([...this.#near('date'), ...this.#near('byline')]),
      nearTexts: near,
      anyTexts: () => this.#anyTexts(),
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
      this.#text(start, Math.min(end, start + ANY_BYTES)),
      this.#text(Math.max(start, end - NEAR_BYTES), Math.min(textLength, end + NEAR_BYTES)),
      this.#text(Math.max(0, start - ANY_BYTES), start),
      this.#text(end, Math.min(textLength, end + ANY_BYTES)),
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
  #times(): { value: string; text: string }[] {
    const { textStart } = this.#tree;
    const { start, end } = this.#kept;
    const headline = this.#headlineEnd;
    const distance = (at: number) => (at >= headline - 2 ? at - headline : 2 * (headline - at));
    return this.#facts.times
      .map(({ node, value }) => ({ node, value, at: textStart[node] }))
      .filter(({ at }) => (at >= start && at <= end) || headline < 0 || distance(at) <= 2 * NEAR_BYTES)
      .sort((a, b) => (headline < 0 ? 0 : distance(a.at) - distance(b.at)))
      .slice(0, 6)
      .map(({ node, value }) => ({ value, text: value === '' ? this.#textOfNode(node) : '' }));
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
  return affix?.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}.!?)]+$/gu, '');
}

/** Collapses white space and cuts to at most `most` characters, never within a character. */
function tidy(text: string, most: number): string {
  const short = text.length > 4 * most ? text.slice(0, 4 * most) : text;
  const collapsed = short.replace(/[\s\u0000-\u001f\u200b\ufeff]+/g, ' ').trim();
  return (collapsed.length > most ? collapsed.slice(0, most) : collapsed).toWellFormed();
}

/** Words of at least three letters, in lower case. */
function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? [];
}
