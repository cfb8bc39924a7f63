/**
 * Renders an archived page as a document for a sandboxed frame. The document is built from the page's tree:
 * known elements with known attributes, text escaped. No script, handler, form target, frame, plugin, `<base>` or
 * `<meta>` of the page is written. Style sheets, images and fonts refer to the archive (`resourceOf`), or to
 * nothing. Inline SVG becomes an image. The policy of the response (frame-routes.ts) forbids the same things again.
 *
 * Every piece of text is inside a link to `pickOf(piece)` in the colour of its range. A click on it informs the
 * server which piece was picked; the server answers 204, so that the document stays. A piece shows its reason when
 * the pointer is over it or when the address names it (`#chaff-12`).
 *
 * One walk over the tree, without recursion.
 */

import type { Range } from '../../model/range.ts';
import { BaseUrl } from '../../model/resolve-url.ts';
import { AttributeCursor, readAttribute } from '../../parse/attributes.ts';
import { decodeAttribute, decodeReferences } from '../../parse/character-references.ts';
import { isVoid, TAG, tagName } from '../../parse/tag-names.ts';
import { TEXT, type Tree } from '../../parse/tree.ts';
import { isRawText } from '../../view/display.ts';
import { escapeHtml } from '../../view/escape-html.ts';
import { coveringRangeFinder } from '../../view/kept-bytes.ts';
import { baseUrl } from '../../view/page-urls.ts';
import { sliceText, type Visitor, walkPage } from '../../view/walk.ts';
import { FRAME_STYLE } from './frame-style.ts';
import { rewriteStyle } from './rewrite-style.ts';
import { svgImage } from './svg-image.ts';

/** A range of the page with its class and description in the frame. */
export interface FramePiece extends Range {
  /** Class of frame-style.ts, such as `template` or `unmarked`. */
  tint: string;
  /** Text shown on hover. */
  why: string;
  /** Number of the piece, for `pickOf` and the address `#chaff-NUMBER`; -1 for a piece that cannot be picked. */
  number: number;
}

/** Pieces and addresses of a framed page. */
export interface FrameOptions {
  url: string;
  /** Pieces that tile the source, in order. */
  pieces: readonly FramePiece[];
  /** Returns the address of a resource in the archive, from its absolute URL; undefined blocks it. */
  resourceOf: (url: string, kind: 'style' | 'image') => string | undefined;
  /** Returns the address that a click on a piece requests. */
  pickOf: (piece: number) => string;
}

/** Returns the document for a frame. */
export function renderFrame(tree: Tree, options: FrameOptions): string {
  const writer = new FrameWriter(tree, options);
  walkPage(tree, options.pieces, writer);
  return writer.finish();
}

/** Returns the id of a node within a frame: its own id if it has one. */
export function nodeAnchor(tree: Tree, node: number): string {
  return readAttribute(tree, node, 'id') || `chaff-node-${node}`;
}

const names = (list: string) => new Set(list.split(/\s+/));

const WRITTEN =
  names(`a abbr acronym address area article aside b bdi bdo big blockquote br button caption center cite
  code col colgroup data dd del details dfn dialog dir div dl dt em fieldset figcaption figure font footer form h1 h2 h3
  h4 h5 h6 header hgroup hr i img input ins kbd label legend li main map mark menu meter nav nobr ol optgroup option
  output p picture pre progress q rb rp rt rtc ruby s samp search section select small source span strike strong sub
  summary sup table tbody td textarea tfoot th thead time tr tt u ul var wbr`);
const RENAMED: Readonly<Record<string, string>> = {
  noscript: 'div',
  marquee: 'div',
  listing: 'pre',
  xmp: 'pre',
  plaintext: 'pre',
  image: 'img',
};
/** Elements left out with their contents. */
const DROPPED = names(
  'script template meta base title param track datalist noembed noframes basefont bgsound keygen canvas math',
);
/** Elements shown as an empty box with a name. */
const REPLACED = names('iframe frame embed applet audio video portal fencedframe');
const ATTRIBUTES =
  names(`class id dir lang align valign bgcolor color face size width height border cellpadding
  cellspacing colspan rowspan span alt start value hidden open nowrap clear noshade hspace vspace media type
  placeholder rows cols label selected checked disabled multiple text link vlink alink compact reversed max min`);
/** Elements in which text cannot be wrapped in an element. */
const PLAIN_TEXT = names('option optgroup textarea select');
/** Longest value of an attribute in bytes; some pages store their whole state in one. */
const LONGEST_VALUE = 8192;

/** Most pieces whose texts are outlined together. */
const MAX_JOINED = 1000;

function joinedRules(pieces: ReadonlySet<number>): string {
  return [...pieces]
    .map(
      (number) =>
        `body:has(#chaff-${number}:target) .chaff-part-${number}{outline:2px solid #1a5fb4!important}`,
    )
    .join('\n');
}

class FrameWriter implements Visitor {
  readonly #tree: Tree;
  readonly #options: FrameOptions;
  readonly #base: BaseUrl;
  readonly #covering: (start: number, end: number) => Range | undefined;
  readonly #head: string[] = [];
  readonly #body: string[] = [];
  readonly #cursor = new AttributeCursor();
  #out = this.#body;
  #htmlTag = '<html>';
  #bodyTag = '<body>';
  /** Outermost open element of one colour; -1 for none. */
  #coloured = -1;
  /** Open link of the page, and open element whose text is written without links; -1 for none. */
  #link = -1;
  #plain = -1;
  readonly #anchored = new Set<number>();
  /** Pieces with several texts, which are outlined together. */
  readonly #joined = new Set<number>();

  constructor(tree: Tree, options: FrameOptions) {
    this.#tree = tree;
    this.#options = options;
    this.#base = new BaseUrl(baseUrl(tree, options.url));
    this.#covering = coveringRangeFinder(options.pieces);
  }

  enter(node: number, range: Range): boolean {
    const tree = this.#tree;
    const tag = tree.name[node];
    const name = tagName(tree, node);
    if (tag === TAG.html) this.#htmlTag = `<html${this.#attributes(node)}>`;
    if (tag === TAG.body) this.#bodyTag = `<body${this.#attributes(node)}>`;
    if (tag === TAG.html || tag === TAG.body || tag === TAG.frameset) return true;
    if (tag === TAG.head) {
      this.#out = this.#head;
      return true;
    }
    if (tag === TAG.style || tag === TAG.link) {
      this.#out.push(tag === TAG.style ? this.#styleElement(node) : this.#styleLink(node));
      return false;
    }
    if (tag === TAG.svg) {
      this.#out.push(svgImage(tree, node));
      return false;
    }
    // inside head: an element that is not displayed
    if (DROPPED.has(name) || (this.#out === this.#head && tag !== TAG.noscript)) return false;
    if (REPLACED.has(name)) {
      this.#out.push(this.#replacement(node, name));
      return false;
    }
    const written = this.#nameOf(name);
    if (written !== undefined) this.#open(node, written, range as FramePiece);
    return true;
  }

  leave(node: number): void {
    const tag = this.#tree.name[node];
    if (tag === TAG.head) this.#out = this.#body;
    const written = this.#nameOf(tagName(this.#tree, node));
    if (written !== undefined && this.#out === this.#body && !isVoid(tag) && written !== 'img') {
      this.#out.push(`</${written}>`);
    }
    if (this.#coloured === node) this.#coloured = -1;
    if (this.#link === node) this.#link = -1;
    if (this.#plain === node) this.#plain = -1;
  }

  text(start: number, end: number, range: Range, parent: number): void {
    const raw = sliceText(this.#tree.source, start, end);
    const text = escapeHtml(isRawText(this.#tree, parent) ? raw : decodeReferences(raw));
    const piece = range as FramePiece;
    if (this.#plain >= 0 || piece.tint === undefined || this.#out === this.#head) {
      this.#out.push(text);
      return;
    }
    // the address names an element that takes no focus: key presses must go to the explorer
    const isLink = this.#link < 0 && piece.number >= 0;
    const href = isLink ? escapeHtml(this.#options.pickOf(piece.number)) : '';
    const link = isLink ? `<a class="chaff-a" href="${href}" tabindex="-1">${text}</a>` : text;
    this.#out.push(
      `<chaff-t class="chaff-t chaff-${piece.tint}${this.#partOf(piece)}"${this.#anchor(piece)} data-chaff="${escapeHtml(piece.why)}">${link}</chaff-t>`,
    );
  }

  space(start: number, end: number): void {
    if (this.#out === this.#body)
      this.#out.push(sliceText(this.#tree.source, start, end).replaceAll('\f', ' '));
  }

  finish(): string {
    const doctype = this.#tree.quirks ? '' : '<!DOCTYPE html>\n';
    return `${doctype}${this.#htmlTag}<head><meta charset="utf-8">${this.#head.join('')}<style>${FRAME_STYLE}${joinedRules(this.#joined)}</style></head>
${this.#bodyTag}${this.#body.join('')}</body></html>
`;
  }

  /** Returns the name with which an element is written; undefined when only its content is written. */
  #nameOf(name: string): string | undefined {
    if (WRITTEN.has(name)) return name;
    if (Object.hasOwn(RENAMED, name)) return RENAMED[name];
    // a custom element; without scripts it only has styles
    return /^[a-z][a-z0-9]*(?:-[a-z0-9]+)+$/.test(name) && !name.startsWith('chaff-') ? name : undefined;
  }

  #open(node: number, written: string, first: FramePiece): void {
    const { start, end } = this.#tree;
    if (written === 'a' || written === 'button') this.#link = node;
    if (PLAIN_TEXT.has(written) && this.#plain < 0) this.#plain = node;
    let attributes = this.#attributes(node);
    const piece = this.#covering(start[node], end[node]) as FramePiece | undefined;
    const isShown = written !== 'br' && written !== 'wbr' && piece?.tint !== undefined;
    if (isShown && this.#coloured < 0 && written !== 'a') {
      if (!isVoid(this.#tree.name[node])) this.#coloured = node;
      attributes += ` data-chaff-box="${piece.tint}"`;
    }
    // a link around several pieces, or part of one, picks the first piece
    const openEnd = this.#tree.openEnd[node];
    const picked = [piece, this.#covering(openEnd, openEnd + 1) as FramePiece | undefined, first].find(
      (one) => one !== undefined && one.number >= 0,
    );
    if (written === 'a' && picked !== undefined) {
      attributes += ` href="${escapeHtml(this.#options.pickOf(picked.number))}" tabindex="-1"`;
    }
    // no element of the page is in the tab order: the explorer lists the pieces
    if (/^(?:button|input|select|textarea|summary)$/.test(written)) attributes += ' tabindex="-1"';
    this.#out.push(`<${written}${attributes}>`);
  }

  /** Returns the class of a further text of a piece, by which it is outlined together with the first one. */
  #partOf({ number }: FramePiece): string {
    if (!this.#anchored.has(number) || (this.#joined.size >= MAX_JOINED && !this.#joined.has(number)))
      return '';
    this.#joined.add(number);
    return ` chaff-part-${number}`;
  }

  /** Returns the id of the first text of a piece. */
  #anchor({ number }: FramePiece): string {
    if (number < 0 || this.#anchored.has(number)) return '';
    this.#anchored.add(number);
    return ` id="chaff-${number}"`;
  }

  #attributes(node: number): string {
    const { source, start, openEnd, name } = this.#tree;
    if (openEnd[node] === start[node]) return ` id="chaff-node-${node}"`;
    const cursor = this.#cursor;
    const written = new Map<string, string>();
    const seen = new Set<string>();
    const isImage = name[node] === TAG.img || name[node] === TAG.image || name[node] === TAG.input;
    cursor.open(source, start[node], openEnd[node]);
    while (cursor.next()) {
      const attribute = sliceText(source, cursor.nameStart, cursor.nameEnd).toLowerCase();
      if (seen.has(attribute)) continue;
      seen.add(attribute);
      const raw = sliceText(
        source,
        cursor.valueStart,
        Math.min(cursor.valueEnd, cursor.valueStart + LONGEST_VALUE),
      );
      const value = this.#attributeValue(
        attribute,
        decodeAttribute(raw),
        isImage || name[node] === TAG.source,
      );
      if (value !== undefined) written.set(attribute, value);
    }
    // many pages have the address of a lazily loaded image in data-src
    const later = written.get('data-src');
    written.delete('data-src');
    if (later !== undefined && (written.get('src') ?? 'data:').startsWith('data:')) written.set('src', later);
    if (!seen.has('id')) written.set('id', `chaff-node-${node}`);
    return [...written].map(([attribute, value]) => ` ${attribute}="${escapeHtml(value)}"`).join('');
  }

  #attributeValue(attribute: string, value: string, isImage: boolean): string | undefined {
    if (ATTRIBUTES.has(attribute)) return value;
    if (attribute === 'style') return this.#rewrite(value);
    if (attribute === 'background') return this.#image(value);
    if (!isImage) return undefined;
    if (attribute === 'src' || attribute === 'data-src') return this.#image(value);
    return attribute === 'srcset' ? this.#imageSet(value) : undefined;
  }

  #image(address: string): string | undefined {
    return this.#resource(address, 'image');
  }

  #imageSet(value: string): string {
    return value
      .split(/,\s+/)
      .flatMap((candidate) => {
        const [address, ...descriptor] = candidate.trim().split(/\s+/);
        const led = this.#image(address);
        return led === undefined || led.startsWith('data:')
          ? []
          : [[led, ...descriptor.slice(0, 1)].join(' ')];
      })
      .join(', ');
  }

  #resource(address: string, kind: 'style' | 'image'): string | undefined {
    const trimmed = address.trim();
    if (/^data:image\/(?:png|gif|jpe?g|webp|avif|svg\+xml|bmp|x-icon)[;,]/i.test(trimmed)) return trimmed;
    if (trimmed === '' || /^data:/i.test(trimmed)) return undefined;
    const url = this.#base.resolve(trimmed);
    return url !== undefined && /^(?:https?|file):/i.test(url)
      ? this.#options.resourceOf(url, kind)
      : undefined;
  }

  #rewrite(css: string): string {
    return rewriteStyle(css, (address, kind) =>
      /^data:(?:font|application\/(?:x-)?font)/i.test(address) ? address : this.#resource(address, kind),
    );
  }

  #styleElement(node: number): string {
    const { kind, last, start, end, source } = this.#tree;
    const parts: string[] = [];
    for (let child = node + 1; child < last[node]; child++) {
      if (kind[child] === TEXT) parts.push(sliceText(source, start[child], end[child]));
    }
    return `<style${this.#media(node)}>${this.#rewrite(parts.join(''))}</style>`;
  }

  #styleLink(node: number): string {
    const rel = readAttribute(this.#tree, node, 'rel') ?? '';
    const isStyle = /(?:^|\s)stylesheet(?:\s|$)/i.test(rel) && !/(?:^|\s)alternate(?:\s|$)/i.test(rel);
    const href = isStyle ? this.#resource(readAttribute(this.#tree, node, 'href') ?? '', 'style') : undefined;
    return href === undefined ? '' : `<link rel="stylesheet" href="${escapeHtml(href)}"${this.#media(node)}>`;
  }

  #media(node: number): string {
    const media = readAttribute(this.#tree, node, 'media');
    return media === undefined ? '' : ` media="${escapeHtml(media)}"`;
  }

  #replacement(node: number, name: string): string {
    const size = ['width', 'height'].map((side) => {
      const pixels = Number.parseInt(readAttribute(this.#tree, node, side) ?? '', 10);
      return pixels > 0 && pixels < 5000 ? `${side}:${pixels}px;` : '';
    });
    const poster = readAttribute(this.#tree, node, 'poster');
    const image = poster === undefined ? undefined : this.#image(poster);
    const content =
      image === undefined ? `${name} left out` : `<img src="${escapeHtml(image)}" alt="${name} left out">`;
    return `<chaff-gone style="${size.join('')}">${content}</chaff-gone>`;
  }
}
