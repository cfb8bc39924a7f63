/**
 * Reads what the markup of a page says about it: one pass over the tree's names, then the attributes of the few
 * relevant elements. Values are bounded; nothing is resolved or judged here.
 */
import { AttributeCursor, readAttribute } from '../parse/attributes.ts';
import { decodeAttribute, decodeReferences } from '../parse/character-references.ts';
import { TAG } from '../parse/tag-names.ts';
import { ELEMENT, TEXT, type Tree } from '../parse/tree.ts';
import { type JsonLdFacts, JsonLdReader } from './json-ld.ts';
import { nodeAt } from './page-text.ts';

/** Values in a page's markup that describe the page, as they are written. */
export interface PageFacts {
  /** Values of `meta` elements by lower-case name: the first of each name; repeatable names have lists of their own. */
  meta: Map<string, string>;
  authors: string[];
  title: string;
  /** `lang` of the html element. */
  lang: string;
  base: string;
  canonical: string;
  licence: string;
  image: string;
  /** `time` elements in order. */
  times: TimeElement[];
  /** Elements with `itemprop`, `rel` or a class that names an author, a date or a licence. */
  items: ItemValue[];
  /** Number of the first h1 with text; 0 for none. */
  heading: number;
  jsonLd: JsonLdFacts;
}

/** A `time` element. */
interface TimeElement {
  node: number;
  /** Its `datetime` attribute, or empty. */
  value: string;
  /** Whether its class says that it is the time of a change. */
  isUpdate: boolean;
}

/** An element marked as an author, a date or a licence. */
interface ItemValue {
  name: string;
  node: number;
  /** `content`, `datetime`, `title` or `href`; empty if the element's text is the value. */
  value: string;
}

/** Bounds on what is read from one page. */
const MAX_METAS = 300;
const MAX_TIMES = 60;
const MAX_ITEMS = 60;
const MAX_TRIED = 200;
const MAX_LINKS = 100;
const MAX_ATTRIBUTES = 40;
/** Elements within this number of bytes of text around the headline are read. */
const ITEM_BYTES = 600;
const MAX_VALUE_BYTES = 4000;

const KIND_META = 1;
const KIND_LINK = 2;
const KIND_SCRIPT = 3;
const KIND_TITLE = 4;
const KIND_TIME = 5;
const KIND_HEADING = 6;
const KIND_HTML = 7;
const KIND_BASE = 8;
const KIND_SVG = 9;
const KINDS = new Uint8Array(65_536);
KINDS[TAG.meta] = KIND_META;
KINDS[TAG.link] = KIND_LINK;
KINDS[TAG.script] = KIND_SCRIPT;
KINDS[TAG.title] = KIND_TITLE;
KINDS[TAG.time] = KIND_TIME;
KINDS[TAG.h1] = KIND_HEADING;
KINDS[TAG.html] = KIND_HTML;
KINDS[TAG.base] = KIND_BASE;
KINDS[TAG.svg] = KIND_SVG;

const UPDATE_CLASS = /(?:^|[\s_-])(?:updated?|modified)(?:[\s_-]|$)/i;

const decoder = new TextDecoder();

/** Reads the facts of a page, without the items around its headline (see `readItems`). */
export function readPageFacts(tree: Tree): PageFacts {
  const facts: PageFacts = {
    meta: new Map(),
    authors: [],
    title: '',
    lang: '',
    base: '',
    canonical: '',
    licence: '',
    image: '',
    times: [],
    items: [],
    heading: 0,
    jsonLd: {},
  };
  const { name, nodeCount, last } = tree;
  const jsonLd = new JsonLdReader();
  const attributes = new StartTag(tree);
  let metas = 0;
  let links = 0;
  for (let node = 1; node < nodeCount; node++) {
    const kind = KINDS[name[node]];
    if (kind === 0) continue;
    switch (kind) {
      case KIND_META:
        if (metas++ < MAX_METAS) readMeta(attributes, node, facts);
        break;
      case KIND_LINK:
        if (links++ < MAX_LINKS) readLink(attributes, node, facts);
        break;
      case KIND_SCRIPT:
        if (
          last[node] > node + 1 &&
          isJson(tree, node + 1) &&
          attributes.open(node) &&
          isJsonLd(attributes.get(TYPE))
        ) {
          jsonLd.add(tree.source.subarray(tree.start[node + 1], tree.end[node + 1]));
        }
        break;
      case KIND_TITLE:
        if (facts.title === '' && last[node] > node + 1 && tree.kind[node + 1] === TEXT) {
          facts.title = textAt(tree, node + 1);
        }
        break;
      case KIND_TIME:
        if (facts.times.length < MAX_TIMES) {
          const names = readAttribute(tree, node, 'class') ?? '';
          const isUpdate = UPDATE_CLASS.test(names) && !/publi/i.test(names);
          facts.times.push({
            node,
            value: readAttribute(tree, node, 'datetime')?.slice(0, 100) ?? '',
            isUpdate,
          });
        }
        break;
      case KIND_HEADING:
        if (facts.heading === 0 && tree.textStart[last[node]] > tree.textStart[node]) facts.heading = node;
        break;
      case KIND_HTML:
        if (attributes.open(node)) facts.lang = attributes.get(LANG);
        break;
      case KIND_BASE:
        if (facts.base === '') facts.base = readAttribute(tree, node, 'href') ?? '';
        break;
      case KIND_SVG: // titles inside drawings are tooltips
        node = last[node] - 1;
        break;
    }
  }
  facts.jsonLd = jsonLd.finish();
  return facts;
}

/** Whether a script may be JSON: it begins with a bracket, or with a comment that some programs put around JSON. */
function isJson({ source, start, end }: Tree, text: number): boolean {
  let at = start[text];
  const limit = Math.min(end[text], at + 200);
  while (at < limit && source[at] <= 0x20) at++;
  return source[at] === 0x7b || source[at] === 0x5b || source[at] === 0x3c || source[at] === 0x2f;
}

function isJsonLd(type: string): boolean {
  return type.trim().toLowerCase() === 'application/ld+json';
}
/** Names of `meta` elements that may occur several times. */
const AUTHOR_NAMES = new Set([
  'author',
  'citation_author',
  'dc.creator',
  'dcterms.creator',
  'article:author',
]);

function readMeta(tag: StartTag, node: number, { meta, authors }: PageFacts): void {
  tag.open(node);
  const name = (tag.get(PROPERTY) || tag.get(NAME) || tag.get(ITEMPROP) || tag.get(HTTP_EQUIV))
    .trim()
    .toLowerCase();
  if (name === '' || name.length > 60) return;
  const isAuthor = AUTHOR_NAMES.has(name);
  if (meta.has(name) && !isAuthor) return;
  const content = tag.value(CONTENT).trim();
  if (content === '') return;
  if (isAuthor && authors.length < 20 && !authors.includes(content)) authors.push(content);
  if (!meta.has(name)) meta.set(name, content);
}

function readLink(tag: StartTag, node: number, facts: PageFacts): void {
  tag.open(node);
  const rel = tag.get(REL).toLowerCase();
  if (rel === 'canonical') facts.canonical ||= tag.value(HREF);
  else if (rel === 'image_src') facts.image ||= tag.value(HREF);
  else if (rel === 'license') facts.licence ||= tag.value(HREF);
}

/** Names of items in microdata, RDFa and microformats that are read. */
const ITEM_NAMES = new Set([
  'author',
  'creator',
  'datepublished',
  'datecreated',
  'datemodified',
  'headline',
  'license',
  'dc:date',
  'dc:created',
  'dc:creator',
]);

/** The name of an item whose only mark is a class that says author. */
export const AUTHOR_CLASS_ITEM = 'class author';
const AUTHOR_CLASS =
  /(?:^|[\s_-])(?:author|byline|autor)(?:[_-]{1,2}(?:names?|link|vcard|title|text|fullname|info))?(?:\s|$)/i;

/**
 * Reads the elements around the headline, where authors and days are, and the last ones, where licences are. Reading
 * the attributes of all elements would take longer than everything else.
 */
export function readItems(tree: Tree, facts: PageFacts, headline: number): void {
  const tag = new StartTag(tree);
  const first = headline < 0 ? 1 : nodeAt(tree, headline - ITEM_BYTES);
  let read = 0;
  for (let node = first; node < tree.nodeCount && read < MAX_TRIED; node++) {
    if (tree.kind[node] !== ELEMENT) continue;
    if (headline >= 0 && tree.textStart[node] > headline + 2 * ITEM_BYTES) break;
    read++;
    addItem(tag, node, facts.items);
  }
  for (let node = Math.max(first, tree.nodeCount - MAX_TRIED); node < tree.nodeCount; node++) {
    if (tree.name[node] === TAG.a || tree.name[node] === TAG.meta) addItem(tag, node, facts.items);
  }
}

function addItem(tag: StartTag, node: number, items: ItemValue[]): void {
  if (items.length >= MAX_ITEMS || !tag.open(node)) return;
  if (AUTHOR_CLASS.test(tag.get(CLASS))) items.push({ name: AUTHOR_CLASS_ITEM, node, value: '' });
  if (!tag.has(ITEMPROP) && !tag.has(REL) && !tag.has(PROPERTY)) return;
  const names = `${tag.get(ITEMPROP)} ${tag.get(REL)} ${tag.get(PROPERTY)}`.toLowerCase().split(/\s+/);
  const name = names.find((one) => ITEM_NAMES.has(one));
  if (name === undefined || items.some((item) => item.node === node)) return;
  const value = tag.value(CONTENT) || tag.value(DATETIME) || (name === 'license' ? tag.value(HREF) : '');
  items.push({ name, node, value });
}

/** Numbers of the attributes that are read. */
const PROPERTY = 0;
const NAME = 1;
const ITEMPROP = 2;
const HTTP_EQUIV = 3;
const CONTENT = 4;
const REL = 5;
const HREF = 6;
const LANG = 7;
const TYPE = 8;
const DATETIME = 9;
const CLASS = 10;
const NAMES = [
  'property',
  'name',
  'itemprop',
  'http-equiv',
  'content',
  'rel',
  'href',
  'lang',
  'type',
  'datetime',
  'class',
];
const NONE = -1;

/** The number of an attribute by its name, ignoring case; NONE for others. */
function attributeNumber(source: Uint8Array, start: number, end: number): number {
  const size = end - start;
  if (size < 3 || size > 10) return NONE;
  for (let number = 0; number < NAMES.length; number++) {
    const name = NAMES[number];
    if (name.length !== size || (source[start] | 0x20) !== name.charCodeAt(0)) continue;
    let at = 1;
    while (
      at < size &&
      (source[start + at] === name.charCodeAt(at) || (source[start + at] | 0x20) === name.charCodeAt(at))
    )
      at++;
    if (at === size) return number;
  }
  return NONE;
}

/** The attributes of a start tag, located in one pass; values are decoded on demand. */
class StartTag {
  readonly #tree: Tree;
  readonly #cursor = new AttributeCursor();
  /** By attribute number: start of the value, -1 for none, and its end. */
  readonly #starts = new Int32Array(NAMES.length);
  readonly #ends = new Int32Array(NAMES.length);

  constructor(tree: Tree) {
    this.#tree = tree;
  }

  open(node: number): boolean {
    const { source, start, openEnd } = this.#tree;
    this.#starts.fill(NONE);
    if (openEnd[node] <= start[node]) return false;
    const cursor = this.#cursor;
    cursor.open(source, start[node], openEnd[node]);
    for (let count = 0; count < MAX_ATTRIBUTES && cursor.next(); count++) {
      const number = attributeNumber(source, cursor.nameStart, cursor.nameEnd);
      if (number === NONE || this.#starts[number] !== NONE) continue;
      this.#starts[number] = cursor.valueStart;
      this.#ends[number] = cursor.valueEnd;
    }
    return true;
  }

  has(number: number): boolean {
    return this.#starts[number] !== NONE;
  }

  /** A short value as written, for names and keywords; empty if the attribute is missing. */
  get(number: number): string {
    return this.#slice(number, 200);
  }

  /** A value with its references decoded. */
  value(number: number): string {
    return decodeAttribute(this.#slice(number, MAX_VALUE_BYTES));
  }

  #slice(number: number, most: number): string {
    const start = this.#starts[number];
    if (start === NONE) return '';
    return decoder.decode(this.#tree.source.subarray(start, Math.min(this.#ends[number], start + most)));
  }
}

function textAt(tree: Tree, node: number): string {
  const end = Math.min(tree.end[node], tree.start[node] + MAX_VALUE_BYTES);
  return decodeReferences(decoder.decode(tree.source.subarray(tree.start[node], end)));
}
