/**
 * A page's HTML without its templates: elements that lie wholly in what is dropped are gone with all in
 * them, those that are covered in part keep their tags, balanced.
 *
 * It is written to be opened by people, so it is safe: tags are written anew from a list of attributes,
 * never copied, and text is escaped. There are no scripts, handlers, frames, plug-ins, comments or SVG in
 * it, and no addresses but http, https, mailto, relative ones and images as data. Images are still fetched.
 */
import type { Label, Range } from '../model/range.ts';
import { parseUrl } from '../model/resolve-url.ts';
import { scanAttributes } from '../parse/attributes.ts';
import { decodeAttribute } from '../parse/character-references.ts';
import { tagName } from '../parse/tag-names.ts';
import { DECLARATION, type Tree } from '../parse/tree.ts';
import { isRawText } from './display.ts';
import { escapeHtml } from './escape-html.ts';
import { droppedFinder } from './kept-bytes.ts';
import type { PageFacts } from './markdown.ts';
import { baseUrl } from './page-urls.ts';
import { KEPT_LABELS } from './visible-text.ts';
import { sliceText, type Visitor, walkPage } from './walk.ts';

export interface HtmlOptions {
  /** Labels that are kept. @default all but 'template' */
  keep?: readonly Label[];
  /** Keep style attributes, style elements and links to style sheets. @default false */
  styles?: boolean;
}

export function renderHtml(
  tree: Tree,
  ranges: readonly Range[],
  page: PageFacts,
  options: HtmlOptions = {},
): string {
  const { keep = KEPT_LABELS, styles = false } = options;
  const writer = new HtmlWriter(tree, ranges, keep, styles);
  walkPage(tree, ranges, writer);
  return writer.finish(baseUrl(tree, page.url));
}

/** Left out with all that is in them. */
const DROPPED = new Set(
  `script template iframe frame frameset noframes noembed object embed applet param portal svg canvas
   audio video source track base meta`.split(/\s+/),
);
/** Left out, but what is in them stays. */
const UNWRAPPED = new Set(
  'noscript math mi mo mn ms mtext annotation semantics foreignobject desc xml'.split(' '),
);
const VOID = new Set('area br col hr img input wbr link basefont bgsound keygen'.split(' '));
const ADDRESSES = new Set(
  'href src action cite background longdesc poster data usemap srcset imagesrcset lowsrc dynsrc'.split(' '),
);
const NEVER = new Set(['srcdoc', 'formaction', 'ping', 'http-equiv', 'xmlns', 'is', 'autofocus']);
const SAFE_ADDRESS =
  /^(?:https?:|mailto:|tel:|ftp:|data:image\/(?:png|gif|jpe?g|webp|avif)[;,]|[^:]*(?:[/?#]|$))/i;

/** What becomes of a start tag, by how a page writes it. */
const knownTags = new Map<string, string>();
/** Tags that are known at most, and bytes of the longest: some 2 MB. */
const MOST_KNOWN = 4096;
const LONGEST_KNOWN = 200;

class HtmlWriter implements Visitor {
  readonly #tree: Tree;
  readonly #source: Buffer;
  readonly #keep: readonly Label[];
  readonly #styles: boolean;
  readonly #isDropped: (start: number, end: number) => boolean;
  readonly #out: string[] = [];
  #inked = false;
  #hasHead = false;

  constructor(tree: Tree, ranges: readonly Range[], keep: readonly Label[], styles: boolean) {
    const { buffer, byteOffset, length } = tree.source;
    this.#tree = tree;
    this.#source = Buffer.from(buffer, byteOffset, length);
    this.#keep = keep;
    this.#styles = styles;
    this.#isDropped = droppedFinder(ranges, keep);
  }

  enter(node: number): boolean {
    const { start, end } = this.#tree;
    const name = tagName(this.#tree, node);
    if (DROPPED.has(name) || this.#isDropped(start[node], end[node])) return false;
    if (name === 'style' || name === 'link') {
      if (this.#styles) this.#style(node, name);
      return false;
    }
    if (name === 'head') this.#hasHead = true;
    if (!this.#isWritten(node, name)) return true;
    this.#out.push(this.#startTag(node, outputName(name)));
    this.#inked = true;
    return true;
  }

  leave(node: number): void {
    const name = tagName(this.#tree, node);
    if (this.#isWritten(node, name) && !VOID.has(name)) this.#out.push(`</${outputName(name)}>`);
  }

  text(start: number, end: number, range: Range, parent: number): void {
    if (!this.#keep.includes(range.label)) return;
    const text = this.#slice(start, end);
    // a lone < must not meet what comes after a cut; & may only begin what it began in the source
    const safe = isRawText(this.#tree, parent) ? escapeHtml(text) : text.replaceAll('<', '&lt;');
    this.#out.push(safe.replaceAll('\0', ''));
    this.#inked = true;
  }

  space(start: number, end: number, range: Range): void {
    if (this.#keep.includes(range.label)) this.#out.push(this.#slice(start, end));
  }

  finish(base: string): string {
    if (!this.#inked) return '';
    const isWeb = /^https?:/.test(base) && parseUrl(base) !== undefined;
    const head = `<meta charset="utf-8">${isWeb ? `<base href="${escapeHtml(base)}">` : ''}`;
    const doctype = this.#tree.kind[1] === DECLARATION ? '<!DOCTYPE html>\n' : '';
    const body = this.#out.join('');
    const at = this.#hasHead ? body.indexOf('<head>') : -1;
    if (at === -1) return `${doctype}${head}\n${body.trimStart()}`;
    return `${doctype}${body.slice(0, at + 6).trimStart()}${head}${body.slice(at + 6)}`;
  }

  /** Implied elements have no tags of their own; names that are no plain names get none. */
  #isWritten(node: number, name: string): boolean {
    return (
      this.#tree.openEnd[node] > this.#tree.start[node] &&
      !UNWRAPPED.has(name) &&
      /^[a-z][a-z0-9-]*$/.test(name)
    );
  }

  #slice(start: number, end: number): string {
    return this.#source.toString('utf8', start, end);
  }

  /** The same tags come again and again, on a page and on all of its site. */
  #startTag(node: number, name: string): string {
    const { start, openEnd } = this.#tree;
    if (openEnd[node] - start[node] > LONGEST_KNOWN) return this.#writeTag(node, name);
    const key = `${this.#styles} ${name} ${this.#source.toString('latin1', start[node], openEnd[node])}`;
    let tag = knownTags.get(key);
    if (tag === undefined) {
      tag = this.#writeTag(node, name);
      if (knownTags.size === MOST_KNOWN) knownTags.clear();
      knownTags.set(key, tag);
    }
    return tag;
  }

  #writeTag(node: number, name: string): string {
    let tag = `<${name}`;
    // the head gets no attributes: finish looks for it
    const attributes = name === 'head' ? [] : readAttributes(this.#tree, node);
    for (const attribute of attributes) {
      if (this.#isSafe(attribute)) tag += ` ${attribute.name}="${escapeHtml(attribute.value)}"`;
    }
    return `${tag}>`;
  }

  #isSafe({ name, value }: Attribute): boolean {
    if (!/^[a-z][a-z0-9_-]*$/.test(name) || name.startsWith('on') || NEVER.has(name)) return false;
    if (name === 'style') return this.#styles && !/expression|behavior|binding|javascript/i.test(value);
    if (!ADDRESSES.has(name)) return true;
    // browsers step over white space and controls when they look for a scheme
    return SAFE_ADDRESS.test(value.replace(/[\x00-\x20\x7f-\xa0]/g, ''));
  }

  #style(node: number, name: string): void {
    if (name === 'style') {
      const { openEnd, end, last } = this.#tree;
      // one text, or white space up to the end tag; in MathML a style may hold elements too, and is left out then
      if (last[node] > node + 2) return;
      const css =
        last[node] === node + 2
          ? this.#slice(openEnd[node], end[node + 1])
          : this.#slice(openEnd[node], end[node]).split('<', 1)[0];
      if (!/<|expression\s*\(|javascript:/i.test(css))
        this.#out.push(`${this.#startTag(node, name)}${css}</style>`);
      return;
    }
    const rel = readAttributes(this.#tree, node).find((attribute) => attribute.name === 'rel')?.value;
    if (rel?.toLowerCase().trim() === 'stylesheet') this.#out.push(this.#startTag(node, name));
  }
}

/** Elements whose text is read raw would show escapes as written: they become pre. */
function outputName(name: string): string {
  return name === 'xmp' || name === 'plaintext' || name === 'listing' ? 'pre' : name;
}

/** All attributes of one element, decoded; see parse/attributes.ts for the reading of a single one. */

export interface Attribute {
  /** In lower case. */
  name: string;
  /** Empty for an attribute without a value. */
  value: string;
}

/** The first attribute of each name, in order; none for implied elements. */
export function readAttributes({ source, start, openEnd }: Tree, node: number): Attribute[] {
  const values = new Map<string, string>();
  if (openEnd[node] <= start[node]) return [];
  for (const span of scanAttributes(source, start[node], openEnd[node])) {
    const name = sliceText(source, span.nameStart, span.nameEnd).toLowerCase();
    if (!values.has(name))
      values.set(name, decodeAttribute(sliceText(source, span.valueStart, span.valueEnd)));
  }
  return Array.from(values, ([name, value]) => ({ name, value }));
}
