/**
 * A page's HTML without its templates: elements that lie wholly in what is dropped are gone with all in
 * them, those that are covered in part keep their tags, balanced. An element with nothing left in it is gone too. Links
 * and images have absolute addresses, and images are those that a browser would show (images.ts). Formulas are TeX
 * between dollars, and what readers do not see is left out, as in the text.
 *
 * It is written to be opened by people, so it is safe: tags are rewritten from a list of attributes,
 * never copied, and text is escaped. There are no scripts, handlers, frames, plug-ins, comments or SVG in
 * it, and no addresses but http, https, mailto, relative ones and images as data. Images are still fetched.
 */
import { threadKernel } from '../kernel/thread-kernel.ts';
import type { Label, Range } from '../model/range.ts';
import { BaseUrl, parseUrl } from '../model/resolve-url.ts';
import { hasAttribute, scanAttributes } from '../parse/attributes.ts';
import { decodeAttribute } from '../parse/character-references.ts';
import { tagName } from '../parse/tag-names.ts';
import { DECLARATION, type Tree } from '../parse/tree.ts';
import { isRawText } from './display.ts';
import { escapeHtml } from './escape-html.ts';
import { findMath, replaceFormula } from './find-math.ts';
import { readImage } from './images.ts';
import { droppedFinder } from './kept-bytes.ts';
import type { MarkdownFacts } from './markdown.ts';
import { baseUrl, safeUrl } from './page-urls.ts';
import { KEPT_LABELS } from './visible-text.ts';
import { sliceText, type Visitor, walkPage } from './walk.ts';

/** Options of `renderHtml`. */
export interface HtmlOptions {
  /** Labels to keep. @default all but 'template' */
  keep?: readonly Label[];
  /** Keep style attributes, style elements and links to style sheets. @default false */
  styles?: boolean;
}

/** Renders the kept part of a page as safe HTML. */
export function renderHtml(
  tree: Tree,
  ranges: readonly Range[],
  page: MarkdownFacts,
  options: HtmlOptions = {},
): string {
  const { keep = KEPT_LABELS, styles = false } = options;
  const base = baseUrl(tree, page.url);
  const writer = new HtmlWriter(tree, ranges, { keep, styles }, new BaseUrl(base));
  walkPage(tree, ranges, writer);
  return writer.finish(base);
}

/** Elements that are removed with everything inside. */
const DROPPED = new Set(
  `script template iframe frame frameset noframes noembed object embed applet param portal svg canvas
   audio video source track base meta select datalist`.split(/\s+/),
);
/** Elements that are removed while their content stays. */
const UNWRAPPED = new Set('noscript foreignobject desc xml'.split(' '));
/** Elements that are kept even when empty: cells keep their place in a row. */
const KEPT_EMPTY = new Set('html head body title td th'.split(' '));
/** Visible elements without content. */
const SEEN = new Set('img input hr'.split(' '));
const VOID = new Set('area br col hr img input wbr link basefont bgsound keygen'.split(' '));
const ADDRESSES = new Set(
  'href src action cite background longdesc poster data usemap srcset imagesrcset lowsrc dynsrc'.split(' '),
);
const IMAGE_ATTRIBUTES = new Set('alt title width height class id style'.split(' '));
const NEVER = new Set(['srcdoc', 'formaction', 'ping', 'http-equiv', 'xmlns', 'is', 'autofocus']);
const SAFE_ADDRESS =
  /^(?:https?:|mailto:|tel:|ftp:|data:image\/(?:png|gif|jpe?g|webp|avif)[;,]|[^:]*(?:[/?#]|$))/i;

/** The output for each start tag, keyed by its source text. */
const knownTags = new Map<string, string>();
/** Tags that are known at most, and bytes of the longest: some 2 MB. */
const MAX_CACHED = 4096;
const LONGEST_KNOWN = 200;

class HtmlWriter implements Visitor {
  readonly #tree: Tree;
  readonly #source: Buffer;
  readonly #keep: readonly Label[];
  readonly #styles: boolean;
  readonly #isDropped: (start: number, end: number) => boolean;
  readonly #base: BaseUrl;
  readonly #out: string[] = [];
  /** Number of texts and images written so far, and that number when each open element began. */
  #ink = 0;
  readonly #open: { out: number; ink: number }[] = [];
  #hasHead = false;
  /** Whether an image came last, without text after it; then the number of open noscript elements. */
  #afterImage = false;
  #noscriptDepth = 0;
  /** Address of the last image if it was in a noscript element. */
  #copied = '';
  /** TeX of the formulas, by their outermost node. */
  readonly #math: ReadonlyMap<number, string>;
  readonly #functions = threadKernel().functions;

  constructor(tree: Tree, ranges: readonly Range[], { keep, styles }: Required<HtmlOptions>, base: BaseUrl) {
    const { buffer, byteOffset, length } = tree.source;
    this.#tree = tree;
    this.#source = Buffer.from(buffer, byteOffset, length);
    this.#keep = keep;
    this.#styles = styles;
    this.#base = base;
    this.#isDropped = droppedFinder(ranges, keep);
    this.#math = new Map(
      findMath(tree)
        .map(replaceFormula)
        .map(({ node, text }) => [node, text]),
    );
  }

  enter(node: number): boolean {
    const { start, end } = this.#tree;
    if (this.#isDropped(start[node], end[node])) return false;
    const formula = this.#math.get(node);
    if (formula !== undefined) {
      this.#out.push(escapeHtml(formula));
      if (formula !== '') this.#ink++;
      return false;
    }
    const name = tagName(this.#tree, node);
    if (DROPPED.has(name) || this.#functions.isUnseen(this.#tree.address, node) !== 0) return false;
    if (name === 'style' || name === 'link') {
      if (this.#styles) this.#style(node, name);
      return false;
    }
    if (name === 'head') this.#hasHead = true;
    if (name === 'noscript') this.#noscriptDepth++;
    this.#open.push({ out: this.#out.length, ink: this.#ink });
    if (!this.#isWritten(node, name)) return true;
    const tag = name === 'img' ? this.#image(node) : this.#startTag(node, outputName(name));
    if (tag !== '' && SEEN.has(name)) this.#ink++;
    this.#out.push(tag);
    return true;
  }

  leave(node: number): void {
    const name = tagName(this.#tree, node);
    const { out, ink } = this.#open.pop() as { out: number; ink: number };
    if (name === 'noscript') this.#noscriptDepth--;
    if (VOID.has(name) || !this.#isWritten(node, name)) return;
    const isEmpty = ink === this.#ink && !KEPT_EMPTY.has(name) && !this.#isAnchor(node, name);
    if (!isEmpty) this.#out.push(`</${outputName(name)}>`);
    else {
      // white space inside it may separate words
      const hasSpace = this.#out.slice(out).some((piece) => /^\s/.test(piece) || piece === '<br>');
      this.#out.length = out;
      if (hasSpace) this.#out.push(' ');
    }
  }

  /** Whether an element may be the target of links. */
  #isAnchor(node: number, name: string): boolean {
    if (name !== 'a') return false;
    const { source, start, openEnd } = this.#tree;
    return (
      hasAttribute(source, start[node], openEnd[node], 'id') ||
      hasAttribute(source, start[node], openEnd[node], 'name')
    );
  }

  /**
   * The tag of an image; empty when nothing is visible, or when it repeats the image before for browsers without
   * scripts.
   */
  #image(node: number): string {
    const image =
      this.#noscriptDepth > 0 && this.#afterImage ? undefined : readImage(this.#tree, node, this.#base);
    if (image === undefined || (this.#afterImage && image.url === this.#copied)) return '';
    this.#copied = this.#noscriptDepth > 0 ? image.url : '';
    this.#afterImage = true;
    let tag = `<img src="${escapeHtml(image.url)}"`;
    for (const attribute of readAttributes(this.#tree, node)) {
      if (IMAGE_ATTRIBUTES.has(attribute.name) && this.#isSafe(attribute))
        tag += ` ${attribute.name}="${escapeHtml(attribute.value)}"`;
    }
    return `${tag}>`;
  }

  text(start: number, end: number, range: Range, parent: number): void {
    if (!this.#keep.includes(range.label)) return;
    const text = this.#slice(start, end);
    // a lone < must not meet what comes after a cut; & may only begin what it began in the source
    const safe = isRawText(this.#tree, parent) ? escapeHtml(text) : text.replaceAll('<', '&lt;');
    this.#out.push(safe.replaceAll('\0', ''));
    this.#ink++;
    this.#afterImage = false;
  }

  space(start: number, end: number, range: Range): void {
    if (this.#keep.includes(range.label)) this.#out.push(this.#slice(start, end));
  }

  finish(base: string): string {
    if (this.#ink === 0) return '';
    const isWeb = /^https?:/.test(base) && parseUrl(base) !== undefined;
    const head = `<meta charset="utf-8">${isWeb ? `<base href="${escapeHtml(base)}">` : ''}`;
    const doctype = this.#tree.kind[1] === DECLARATION ? '<!DOCTYPE html>\n' : '';
    const body = this.#out.join('');
    const at = this.#hasHead ? body.indexOf('<head>') : -1;
    if (at === -1) return `${doctype}${head}\n${body.trimStart()}`;
    return `${doctype}${body.slice(0, at + 6).trimStart()}${head}${body.slice(at + 6)}`;
  }

  /** Whether an element gets tags: implied elements and odd names get none. */
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

  /** Writes a start tag; the cache helps because tags repeat on a page and across its site. */
  #startTag(node: number, name: string): string {
    const { start, openEnd } = this.#tree;
    // URLs depend on the page, so the tag is not cached
    if (name === 'a' || openEnd[node] - start[node] > LONGEST_KNOWN) return this.#writeTag(node, name);
    const key = `${this.#styles} ${name} ${this.#source.toString('latin1', start[node], openEnd[node])}`;
    let tag = knownTags.get(key);
    if (tag === undefined) {
      tag = this.#writeTag(node, name);
      if (knownTags.size === MAX_CACHED) knownTags.clear();
      knownTags.set(key, tag);
    }
    return tag;
  }

  #writeTag(node: number, name: string): string {
    let tag = `<${name}`;
    // the head gets no attributes because `finish` searches for the plain tag
    const attributes = name === 'head' ? [] : readAttributes(this.#tree, node);
    for (const attribute of attributes) {
      if (!this.#isSafe(attribute)) continue;
      const isLink = name === 'a' && attribute.name === 'href';
      const value = isLink ? (safeUrl(attribute.value, this.#base) ?? attribute.value) : attribute.value;
      tag += ` ${attribute.name}="${escapeHtml(value)}"`;
    }
    return `${tag}>`;
  }

  #isSafe({ name, value }: Attribute): boolean {
    if (!/^[a-z][a-z0-9_-]*$/.test(name) || name.startsWith('on') || NEVER.has(name)) return false;
    if (name === 'style') return this.#styles && !/expression|behavior|binding|javascript/i.test(value);
    if (!ADDRESSES.has(name)) return true;
    // browsers skip white space and controls before a scheme
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

/** Elements whose text is raw would show escapes as they are written: they become pre. */
function outputName(name: string): string {
  return name === 'xmp' || name === 'plaintext' || name === 'listing' ? 'pre' : name;
}

/** An attribute of an element, decoded; parse/attributes.ts reads single ones. */

interface Attribute {
  /** In lower case. */
  name: string;
  /** Empty for an attribute without a value. */
  value: string;
}

/** The first attribute of each name, in order; none for implied elements. */
function readAttributes({ source, start, openEnd }: Tree, node: number): Attribute[] {
  const values = new Map<string, string>();
  if (openEnd[node] <= start[node]) return [];
  for (const span of scanAttributes(source, start[node], openEnd[node])) {
    const name = sliceText(source, span.nameStart, span.nameEnd).toLowerCase();
    if (!values.has(name))
      values.set(name, decodeAttribute(sliceText(source, span.valueStart, span.valueEnd)));
  }
  return Array.from(values, ([name, value]) => ({ name, value }));
}
