/**
 * Finds the authors of a page: in its JSON-LD, `meta` elements and microdata, in bylines around the headline and at the
 * ends of the text, and in links to pages about authors. Markup comes first, unless a byline names more people.
 */
import type { MetadataSource } from '../model/metadata.ts';
import { isHeading } from '../parse/tag-names.ts';
import { TEXT, type Tree } from '../parse/tree.ts';
import { readAuthors } from './author-names.ts';
import { titleKey } from './clean-title.ts';
import type { KeptText, TextPart } from './kept-text.ts';
import { AUTHOR_CLASS_ITEM, type PageFacts } from './page-facts.ts';
import { hrefOf, nearestParts, nodeAt, textBetween, textOfNode, tidy } from './page-text.ts';

/** What authors are found by. */
export interface AuthorContext {
  tree: Tree;
  url: string;
  facts: PageFacts;
  kept: KeptText;
  /** End of the headline in the detagged text; -1 for none. */
  headlineEnd: number;
  /** Possible names of the site. */
  siteNames: readonly string[];
}

/** Authors, separated by semicolons, with their source. */
export interface FoundAuthor {
  value: string;
  source: MetadataSource;
}

/** A span of the detagged text. */
type Span = Pick<TextPart, 'start' | 'end'>;

/** `meta` elements of publishing systems that name the author. */
const SOCIAL_AUTHORS = [
  'parsely-author',
  'sailthru.author',
  'byl',
  'creator',
  'shareaholic:article_author_name',
];
const AUTHOR_ITEMS: ReadonlySet<string> = new Set(['author', 'creator', 'dc:creator']);
const MAX_CHARACTERS = 200;
const MAX_NAMES = 12;
/** Bytes of text around the headline and at the ends of the kept text that are searched for a byline. */
const NEAR_BYTES = 300;
/** Maximum number of names of a byline that may add to the names of another source. */
const MAX_JOINED = 4;
/** An author element with more bytes of text is more than a byline. */
const LONGEST_BYLINE = 100;

/** URL path of a page about an author: the word for it, and a name or number after it. */
const AUTHOR_LINK =
  /[/=_-](?:authors?|autor(?:en|es|in)?|auteurs?|autore|writers?|redakteure?|journalist(?:en|as|s)?|contributors?|columnists?|newsteam)[/=_-][^/?#]|[/=](?:staff|profile?|people|users?|members?)[/=][^/?#]/i;
const ONLY_AUTHORS = /author|aut[eo]u?r|redakteur|journalist|columnist/i;
/** A label and a colon before a name of two to four words. */
const LABELLED =
  /(?:Author|Autor(?:in|a|e)?|Auteur|Автор)\s?[:：]\s?(\p{Lu}[\p{L}.'’-]{0,20}(?: \p{Lu}[\p{L}.'’-]{0,20}){1,3})/u;
/** Chinese names after a label, strongest first: author, text by; reporter; editor. */
const HAN_NAMES =
  '\\s{0,3}(\\p{Script=Han}{2,4}?(?:[ 、]{1,2}(?!\\p{Script=Han}{2,4}\\s?[:：])\\p{Script=Han}{2,4}){0,5})(?=发自|报道|摄|电|文|\\P{Script=Han}|$)';
const HAN_LABELLED = ['(?:作者|撰文|执笔人?|文)\\s?[:：/]', '记者\\s?[:：]?', '(?:编辑|责编)\\s?[:：]'].map(
  (label) => new RegExp(label + HAN_NAMES, 'u'),
);
/** The label above the author on the social-network cards that blog software writes, in several languages. */
const CARD_LABEL =
  /^(?:written by|(?:verfasst|geschrieben) von|écrit par|escrito (?:por|el)|scritto da|geschreven door|napisane przez|skrivet av|skrevet av|написано(?: автором)?|автор|作者|執筆者|yazan|γράφτηκε από)/i;
/** The start of a text that is a byline, `Von`, `Text by`; the texts of elements are lines. */
const BYLINE_START =
  /^[(–—-]? ?(?:(?:written|posted|published|reported|story|words|text|(?:ein )?(?:blog ?|gast)?beitrag|(?:ein )?artikel|article|publi[ée]|écrit|geschrieben|verfasst|veröffentlicht|scritto|escrito|publicado) )?(?:by|von|par|por|di|door|przez|av|af)(?: ?[:：])?[ \n]/iu;
/** First bytes of the texts that `BYLINE_START` may match: letters, signs, references, longer characters. */
const BYLINE_BYTES = new Uint8Array(256).fill(1, 0x80);
for (const sign of 'abdegprstvwABDEGPRSTVW(-&') BYLINE_BYTES[sign.charCodeAt(0)] = 1;
const NAME =
  "\\p{Lu}[\\p{L}\\p{M}'’.-]*(?: (?:(?:v[ao]n|de[rnl]?|d[aiu]|la|le|bin|ibn|al|el|zu|af|do?s) ){0,2}\\p{Lu}[\\p{L}\\p{M}'’.-]*){1,3}";
const NAME_ONLY = new RegExp(`^${NAME}$`, 'u');
/** One to four names at the start of a text, and what may follow them. */
const NAMES_FIRST = new RegExp(
  `^(${NAME}(?:(?:,[ \\n]?|[ \\n](?:and|und|et|y|e|en|och|og|&)[ \\n])${NAME}){0,3})(?= ?(?:[\\n|,;·•(/–—-]|\\d| (?:am|on|at|in|le|il|el|vom|für|for|pour)\\b))`,
  'u',
);
/** A text that may be a byline has at most this number of characters, with the texts of the elements after it. */
const BYLINE_CHARACTERS = 120;
/** Most bytes of text between the links of two authors. */
const LONGEST_JOINT = 20;
/** Text between the links of two authors. */
const JOINS_NAMES = /^(?:[,;&+/|·]|,? ?(?:and|und|et|y|e|i|och|og|en|и|και)|、)$/iu;
/** Maximum words of a link to an author. */
const MAX_LINK_WORDS = 4;

/** Finds the authors of a page. */
export function findAuthor(context: AuthorContext): FoundAuthor | undefined {
  return new AuthorFinder(context).find();
}

/** Texts with names from one source, made when they are first read. */
class NameTexts {
  readonly source: MetadataSource;
  readonly #make: () => readonly string[];
  #texts: readonly string[] | undefined;

  constructor(source: MetadataSource, make: () => readonly string[]) {
    this.source = source;
    this.#make = make;
  }

  get texts(): readonly string[] {
    return (this.#texts ??= this.#make());
  }
}

class AuthorFinder {
  readonly #tree: Tree;
  readonly #context: AuthorContext;
  readonly #siteKeys: readonly string[];

  constructor(context: AuthorContext) {
    this.#context = context;
    this.#tree = context.tree;
    this.#siteKeys = context.siteNames.map(titleKey);
  }

  find(): FoundAuthor | undefined {
    const bylineText = new NameTexts('text', () => this.#bylineText());
    const lists = this.#lists(bylineText);
    for (let k = 0; k < lists.length; k++) {
      let { source } = lists[k];
      let names = this.#read(lists[k].texts);
      if (names.length === 0) continue;
      // a later source may name further authors
      for (const other of lists.slice(k + 1)) {
        // a text in one piece may hold more than the author's name
        if (other === bylineText || (other.source === 'text' && other.texts.length < 2)) continue;
        const more = this.#read(other.texts);
        const keys = more.map(titleKey);
        if (more.length <= names.length || more.length > MAX_JOINED) continue;
        if (names.every((name) => keys.includes(titleKey(name)))) [names, source] = [more, other.source];
      }
      return { value: tidy(names.join('; '), MAX_CHARACTERS), source };
    }
    const linked = this.#read([this.#linkedAuthor()]);
    if (linked.length > 0) return { value: tidy(linked[0], MAX_CHARACTERS), source: 'link' };
    for (const { texts, source } of lists) {
      const names = texts.flatMap((text) => readAuthors(text, this.#siteKeys, { handles: true }));
      if (names.length > 0) return { value: tidy(names[0], MAX_CHARACTERS), source };
    }
    // a site may have the same name as its author
    for (const { texts, source } of lists.slice(0, 4)) {
      const names = texts.flatMap((text) => readAuthors(text, []));
      if (names.length > 0) return { value: tidy(names[0], MAX_CHARACTERS), source };
    }
    return undefined;
  }

  /** Texts with names, by source, most trusted first. */
  #lists(bylineText: NameTexts): NameTexts[] {
    const { facts, kept, headlineEnd } = this.#context;
    const { jsonLd, authors, meta } = facts;
    return [
      new NameTexts('json-ld', () => jsonLd.authors ?? []),
      new NameTexts('meta', () => authors),
      new NameTexts('meta', () =>
        [...SOCIAL_AUTHORS.map((name) => meta.get(name)), this.#cardAuthor()].filter(
          (text) => text !== undefined,
        ),
      ),
      new NameTexts('microdata', () => this.#itemAuthor()),
      new NameTexts('text', () => this.#labelled([LABELLED, HAN_LABELLED[0]])),
      new NameTexts('text', () => this.#byline(nearestParts(kept.parts, 'byline', headlineEnd)[0])),
      new NameTexts('text', () => this.#byline(this.#classByline())),
      bylineText,
      new NameTexts('text', () => this.#labelled(HAN_LABELLED.slice(1))),
    ];
  }

  /** The value of the first element that is marked as the author. */
  #itemAuthor(): string[] {
    const item = this.#context.facts.items.find(({ name }) => AUTHOR_ITEMS.has(name));
    return item ? [item.value || textOfNode(this.#tree, item.node)] : [];
  }

  /** The first short element whose class says that it is the author. */
  #classByline(): Span | undefined {
    const { textStart, last } = this.#tree;
    return this.#context.facts.items
      .filter(({ name }) => name === AUTHOR_CLASS_ITEM)
      .map(({ node }) => ({ start: textStart[node], end: textStart[last[node]] }))
      .find(({ start, end }) => end > start && end - start <= LONGEST_BYLINE);
  }

  #read(texts: readonly string[]): string[] {
    const names = texts.flatMap((text) => readAuthors(text, this.#siteKeys));
    return [...new Map(names.map((name) => [titleKey(name), name])).values()].slice(0, MAX_NAMES);
  }

  #text(start: number, end: number): string {
    return textBetween(this.#tree, Math.max(0, start), Math.max(0, end));
  }

  /** The value of the page's social-network card under a label such as `Written by`. */
  #cardAuthor(): string | undefined {
    const { meta } = this.#context.facts;
    const card = [1, 2].find((number) => CARD_LABEL.test(meta.get(`twitter:label${number}`) ?? ''));
    return card === undefined ? undefined : meta.get(`twitter:data${card}`);
  }

  /** A name after `Author:` and similar labels, around the headline or at an end of the kept text. */
  #labelled(patterns: readonly RegExp[]): string[] {
    const { headlineEnd, kept } = this.#context;
    const from = headlineEnd - NEAR_BYTES;
    const texts = [
      this.#text(from, Math.max(0, from) + 3 * NEAR_BYTES),
      this.#text(kept.start, kept.start + 2 * NEAR_BYTES),
      this.#text(kept.end - NEAR_BYTES, kept.end + NEAR_BYTES),
    ];
    for (const pattern of patterns) {
      for (const text of texts) {
        const [, name] = pattern.exec(text) ?? [];
        if (name !== undefined) return name.split(/(?<=\p{Script=Han})[ 、]+/u);
      }
    }
    return [];
  }

  /**
   * Names in a text that begins like a byline, `Von Ada Muster`, or in the elements right after one that is only `Von`:
   * near the headline, or at an end of the kept text.
   */
  #bylineText(): string[] {
    const { headlineEnd, kept } = this.#context;
    const spans = [
      [kept.start, kept.start + 2 * NEAR_BYTES],
      [kept.end - NEAR_BYTES, kept.end],
    ];
    if (headlineEnd >= 0)
      spans.unshift([headlineEnd, headlineEnd + 2 * NEAR_BYTES], [headlineEnd - NEAR_BYTES, headlineEnd]);
    const { kind, textStart, nodeCount, name, parent } = this.#tree;
    for (const [from, to] of spans) {
      for (
        let node = nodeAt(this.#tree, Math.max(0, from));
        node < nodeCount && textStart[node] < to;
        node++
      ) {
        if (kind[node] !== TEXT || !this.#mayBeByline(node) || isHeading(name[parent[node]])) continue;
        const [start] = BYLINE_START.exec(this.#line(node, BYLINE_CHARACTERS)) ?? [];
        if (start === undefined) continue;
        const text = this.#lines(node, BYLINE_CHARACTERS);
        const [, names] = NAMES_FIRST.exec(text.slice(start.length)) ?? [];
        if (names !== undefined) return [names.replaceAll('\n', ' ')];
      }
    }
    return [];
  }

  /** Whether the first byte of a text that is not white space may begin a byline. */
  #mayBeByline(node: number): boolean {
    const { text, textStart, last } = this.#tree;
    const end = textStart[last[node]];
    let at = textStart[node];
    while (at < end && text[at] <= 0x20) at++;
    return at < end && BYLINE_BYTES[text[at]] === 1;
  }

  /** A text as a line. */
  #line(node: number, most: number): string {
    const { last, textStart } = this.#tree;
    const start = textStart[node];
    return `${tidy(this.#text(start, Math.min(textStart[last[node]], start + most)), most)}\n`;
  }

  /** A text and the texts after it, a line each. */
  #lines(first: number, most: number): string {
    const { kind, nodeCount } = this.#tree;
    let lines = '';
    for (let node = first; node < nodeCount && lines.length < most; node++) {
      if (kind[node] === TEXT) lines += this.#line(node, most);
    }
    return lines;
  }

  /** Texts of a byline's first links to authors; without such links, its text or that of its first link. */
  #byline(part: Span | undefined): string[] {
    if (part === undefined) return [];
    const { start, end } = part;
    const { linkCount, linkNode, textStart, last } = this.#tree;
    const authors: string[] = [];
    let authorEnd = 0;
    let first = '';
    for (let link = 0; link < linkCount; link++) {
      const from = textStart[linkNode[link]];
      if (from >= end) break;
      const to = textStart[last[linkNode[link]]];
      if (from < start - 1 || to > end || to <= from) continue;
      const isJoined =
        authors.length === 0 ||
        (from - authorEnd < LONGEST_JOINT && JOINS_NAMES.test(this.#text(authorEnd, from).trim()));
      if (isJoined && AUTHOR_LINK.test(hrefOf(this.#tree, link))) {
        authors.push(this.#text(from, Math.min(to, from + 200)));
        authorEnd = to;
      } else if (first === '') first = this.#text(from, Math.min(to, from + 200));
    }
    if (authors.length > 0) return authors.slice(0, MAX_JOINED);
    const text = this.#text(start, Math.min(end, start + 400));
    return [first !== '' && text.length > 2 * first.length + 20 ? first : text];
  }

  /** Text of the first link to an author's page on this site, from the headline to the end of the text. */
  #linkedAuthor(): string {
    const { headlineEnd, kept, url } = this.#context;
    const { linkCount, linkNode, textStart, last } = this.#tree;
    const from = Math.max(0, headlineEnd - NEAR_BYTES);
    const domain = domainOf(url);
    for (let link = 0; link < linkCount; link++) {
      const start = textStart[linkNode[link]];
      if (start < from) continue;
      if (start > kept.end + NEAR_BYTES) break;
      const end = textStart[last[linkNode[link]]];
      if (end <= start || end - start >= 80) continue;
      const href = hrefOf(this.#tree, link);
      if (/^(?:https?:)?\/\//i.test(href) && domainOf(href) !== domain) continue;
      const text = this.#text(start, end).trim();
      if (leadsToAuthor(href, text)) return text;
    }
    return '';
  }
}

/**
 * Whether the text of a link is the name of the author that it leads to. `/author/` leads to authors only, so a part of the
 * name in the address is enough; `/users/` needs the whole name.
 */
function leadsToAuthor(href: string, text: string): boolean {
  const match = AUTHOR_LINK.exec(href);
  if (!match) return false;
  const address = safeDecode(href.slice(match.index + match[0].length - 1));
  const name = titleKey(text);
  if (ONLY_AUTHORS.test(match[0])) {
    const words = text.split(/[\s.,_-]+/);
    const isNamed = words.some(
      (word) => titleKey(word).length > 2 && titleKey(address).includes(titleKey(word)),
    );
    return isNamed || (words.length <= MAX_LINK_WORDS && NAME_ONLY.test(text));
  }
  const parts = address.split(/[/?&=#]+/).map(titleKey);
  return parts.some((part) => part === name || (part.length > 4 && name.includes(part)));
}

function safeDecode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The last two labels of a URL's host. */
function domainOf(url: string): string {
  const [, host = ''] = /^(?:https?:)?\/\/([^/:?#]+)/i.exec(url) ?? [];
  return host.toLowerCase().split('.').slice(-2).join('.');
}
