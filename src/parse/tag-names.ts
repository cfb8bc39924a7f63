/**
 * Tag names as small integers. HTML's own names (and the few of SVG and MathML that steer parsing) have
 * fixed ids from a static table; every other name gets an id per page, from FIRST_FOREIGN_TAG, in order of
 * appearance. Look-up is an open-addressed table over the lower-case bytes; a hit is compared byte by byte.
 *
 * What the parser wants to know about a tag is one integer of flags: see the FLAG constants.
 */

import { lowerCase } from '../model/byte-kinds.ts';
import { enlarged } from '../model/growing-array.ts';
import { hashName, nameHigh, nameLow } from './hashes.ts';
import type { Tree } from './tree.ts';

/** Ids of the static names: `TAG.div`, `TAG['annotation-xml']`. A literal, so that its values are constants. */
// biome-ignore format: a table
export const TAG = {
  html: 2, head: 3, body: 4, div: 5, span: 6, p: 7, a: 8, li: 9, ul: 10, ol: 11, img: 12, br: 13, td: 14,
  tr: 15, th: 16, table: 17, tbody: 18, thead: 19, tfoot: 20, caption: 21, col: 22, colgroup: 23, h1: 24,
  h2: 25, h3: 26, h4: 27, h5: 28, h6: 29, b: 30, i: 31, u: 32, s: 33, em: 34, strong: 35, small: 36,
  big: 37, tt: 38, code: 39, font: 40, strike: 41, nobr: 42, script: 43, style: 44, title: 45, meta: 46,
  link: 47, base: 48, noscript: 49, template: 50, textarea: 51, iframe: 52, noembed: 53, noframes: 54,
  xmp: 55, plaintext: 56, form: 57, input: 58, button: 59, select: 60, option: 61, optgroup: 62, label: 63,
  fieldset: 64, legend: 65, datalist: 66, output: 67, progress: 68, meter: 69, keygen: 70, article: 71,
  aside: 72, section: 73, nav: 74, header: 75, footer: 76, main: 77, address: 78, blockquote: 79,
  center: 80, details: 81, dialog: 82, dir: 83, dl: 84, dt: 85, dd: 86, figcaption: 87, figure: 88,
  hgroup: 89, menu: 90, menuitem: 91, search: 92, summary: 93, pre: 94, listing: 95, hr: 96, area: 97,
  embed: 98, param: 99, source: 100, track: 101, wbr: 102, basefont: 103, bgsound: 104, frame: 105,
  frameset: 106, applet: 107, marquee: 108, object: 109, abbr: 110, acronym: 111, audio: 112, bdi: 113,
  bdo: 114, blink: 115, canvas: 116, cite: 117, data: 118, del: 119, dfn: 120, ins: 121, kbd: 122,
  map: 123, mark: 124, picture: 125, q: 126, rb: 127, rp: 128, rt: 129, rtc: 130, ruby: 131, samp: 132,
  slot: 133, sub: 134, sup: 135, time: 136, var: 137, video: 138, image: 139, svg: 140, math: 141,
  desc: 142, foreignobject: 143, mi: 144, mo: 145, mn: 146, ms: 147, mtext: 148, 'annotation-xml': 149,
  mglyph: 150, malignmark: 151, path: 152, g: 153, use: 154, circle: 155, rect: 156, line: 157,
  polygon: 158, polyline: 159, ellipse: 160, defs: 161, symbol: 162, clippath: 163, lineargradient: 164,
  stop: 165, mask: 166, text: 167, tspan: 168,
} as const;

const NAMES = Object.keys(TAG);
/** Stack key of an element that was removed from the open elements while its content goes on. */
export const GHOST = 0;
/** Stack key of what is not an HTML element: the document, SVG, MathML, a head that has ended. */
export const NOT_HTML = 1;
const FIRST_TAG = 2;

/** Ids from here on are names of the page: `tree.foreignNames[id - FIRST_FOREIGN_TAG]`. */
export const FIRST_FOREIGN_TAG = 256;
/** All names of a page beyond this many share the last id. */
const MAX_IDS = 65_536;

const VOID = 1 << 0;
/** The scope markers of "has an element in scope". */
export const SCOPE = 1 << 1;
export const SPECIAL = 1 << 2;
/** Special, but not address, div or p: what ends the search for a list item to close. */
export const ITEM_BOUNDARY = 1 << 3;
/** Closed by "generate implied end tags". */
export const IMPLIED_END = 1 << 4;
/** Ends the word before it: blocks, cells, options, br. */
export const BREAK = 1 << 7;
/** Its text is not text of the page. */
export const HIDDEN = 1 << 8;
export const HEADING = 1 << 9;
/** table, tbody, thead, tfoot, tr: text and most elements in them are fostered. */
export const TABLE_PART = 1 << 10;
/** Ends foreign content when met there. */
export const BREAKOUT = 1 << 11;
/** Not of HTML's name space; set on the stack, not by name. */
export const FOREIGN = 1 << 12;
/** MathML, where FOREIGN is set; SVG otherwise. */
export const MATH = 1 << 13;
/** SVG and MathML elements inside which HTML's rules hold again. */
export const HTML_INTEGRATION = 1 << 14;
export const MATH_INTEGRATION = 1 << 15;
/** Its end tag, met while it is the current node, does nothing but close it. */
export const PLAIN_END = 1 << 5;
/** Its start tag may carry an href that links somewhere. */
export const LINK = 1 << 16;

/** Flags of the HTML element with this id; 0 for names of the page. */
export const TAG_FLAGS = new Int32Array(MAX_IDS);

setFlag(
  VOID,
  'area base br col embed hr img input link meta param source track wbr keygen basefont bgsound frame',
);
setFlag(SCOPE, 'applet caption html table td th marquee object template');
setFlag(
  SPECIAL | ITEM_BOUNDARY,
  'applet area article aside base basefont bgsound blockquote body br button caption center col colgroup ' +
    'dd details dir dl dt embed fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 ' +
    'head header hgroup hr html iframe img input keygen li link listing main marquee menu meta nav noembed ' +
    'noframes noscript object ol param plaintext pre script search section select source style summary ' +
    'table tbody td template textarea tfoot th thead title tr track ul wbr xmp',
);
setFlag(SPECIAL, 'address div p');
setFlag(IMPLIED_END, 'dd dt li optgroup option p rb rp rt rtc');
setFlag(
  BREAK,
  'html body address article aside blockquote center details dialog dir div dl dt dd fieldset figcaption ' +
    'figure footer form frameset h1 h2 h3 h4 h5 h6 header hgroup hr legend li listing main menu nav ol ' +
    'optgroup option p plaintext pre search section summary table caption tbody thead tfoot tr ul xmp',
);
setFlag(BREAK, 'br td th noscript select textarea button iframe object applet marquee');
setFlag(HIDDEN, 'script style template title iframe noembed noframes');
setFlag(HEADING, 'h1 h2 h3 h4 h5 h6');
setFlag(TABLE_PART, 'table tbody thead tfoot tr');
setFlag(
  BREAKOUT,
  'b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li listing ' +
    'menu meta nobr ol p pre ruby s small span strong strike sub sup table tt u ul var',
);
setFlag(LINK, 'a area');
setFlag(
  PLAIN_END,
  'div span p a li ul ol h1 h2 h3 h4 h5 h6 b i u s em strong small big tt code font strike nobr dl dt dd ' +
    'article aside section nav header footer main address blockquote center details dialog dir fieldset ' +
    'figcaption figure hgroup menu search summary pre listing label legend abbr acronym cite del dfn ins kbd ' +
    'mark q samp sub sup time var button noscript audio video picture map canvas bdi bdo',
);

/** The name of an element, lower case; empty for every other node. */
export function tagName(tree: Tree, node: number): string {
  const id = tree.name[node];
  if (id >= FIRST_FOREIGN_TAG) return tree.foreignNames[id - FIRST_FOREIGN_TAG];
  return id < FIRST_TAG ? '' : NAMES[id - FIRST_TAG];
}

/** Whether elements of this name separate words: blocks, cells, br and their like. */
export function breaksWords(tag: number): boolean {
  return (TAG_FLAGS[tag] & BREAK) !== 0;
}

/** Whether elements of this name have no content and no end tag. */
export function isVoid(tag: number): boolean {
  return (TAG_FLAGS[tag] & VOID) !== 0;
}

/** Whether text inside elements of this name is no text of the page (script, style, title and their like). */
export function isHidden(tag: number): boolean {
  return (TAG_FLAGS[tag] & HIDDEN) !== 0;
}

/** Whether elements of this name are headings, h1 to h6. */
export function isHeading(tag: number): boolean {
  return (TAG_FLAGS[tag] & HEADING) !== 0;
}

/** Ids of a list of static names, for tables indexed by tag. */
export function tagsOf(names: string): number[] {
  return names.split(' ').map((name) => {
    const id: number | undefined = TAG[name as keyof typeof TAG];
    if (id === undefined) throw new RangeError(`"${name}" is not a name of the static table`);
    return id;
  });
}

/** The names of one page: the static ones and those met. Reused from page to page. */
export class TagTable {
  /** Names met on this page beyond the static ones. */
  foreignNames: string[] = [];
  /** Hash lanes of each name, by id. */
  low = new Int32Array(1024);
  high = new Int32Array(1024);
  /** Hash of each name as the scanner computes it, by id. */
  #hashes = new Int32Array(1024);
  /** Id in each slot, 0 when free; the slot of a name is where its probe ends. */
  #slots = new Uint16Array(2048);
  /** Lower-case bytes of the name of each id, one after the other. */
  #bytes = new Uint8Array(16_384);
  #byteStart = new Int32Array(1025);
  #count = FIRST_TAG;
  #staticByteEnd = 0;

  constructor() {
    for (const name of NAMES) this.#add(new TextEncoder().encode(name), 0, name.length, hashName(name));
    this.#staticByteEnd = this.#byteStart[this.#count];
    this.#skipToForeign();
  }

  /** Forgets the names of the last page. */
  reset(): void {
    if (this.foreignNames.length === 0) return;
    this.foreignNames = [];
    this.#slots.fill(0);
    const mask = this.#slots.length - 1;
    for (let id = FIRST_TAG; id < FIRST_TAG + NAMES.length; id++) this.#place(id, mask);
    this.#skipToForeign();
  }

  /**
   * Id of the name at `[start, end)` of `source`, in any case; `hash` is that of its lower-case bytes as
   * `hashName` defines it. A name not met before gets the next id.
   */
  find(source: Uint8Array, start: number, end: number, hash: number): number {
    const slots = this.#slots;
    const hashes = this.#hashes;
    const mask = slots.length - 1;
    for (let slot = (hash ^ (hash >>> 15)) & mask; ; slot = (slot + 1) & mask) {
      const id = slots[slot];
      if (id === 0) return this.#add(source, start, end, hash);
      if (hashes[id] === hash && this.#same(id, source, start, end)) return id;
    }
  }

  #same(id: number, source: Uint8Array, start: number, end: number): boolean {
    const bytes = this.#bytes;
    let at = this.#byteStart[id];
    if (this.#byteStart[id + 1] - at !== end - start) return false;
    for (let i = start; i < end; i++, at++) {
      const byte = source[i];
      if (byte !== bytes[at] && lowerCase(byte) !== bytes[at]) return false;
    }
    return true;
  }

  #add(source: Uint8Array, start: number, end: number, hash: number): number {
    const id = this.#count;
    if (id >= MAX_IDS - 1) return MAX_IDS - 1;
    if (id + 2 >= this.low.length) this.#grow();

    // the bytes, lower case
    const from = this.#byteStart[id];
    const to = from + end - start;
    if (to > this.#bytes.length) this.#bytes = enlarged(this.#bytes, Math.max(to, this.#bytes.length * 2));
    for (let i = start, at = from; i < end; i++, at++) this.#bytes[at] = lowerCase(source[i]);
    this.#byteStart[id + 1] = to;

    if (id >= FIRST_FOREIGN_TAG) {
      this.foreignNames.push(decoder.decode(this.#bytes.subarray(from, to)));
    }
    this.low[id] = nameLow(hash);
    this.high[id] = nameHigh(hash, to - from);
    this.#hashes[id] = hash;
    this.#place(id, this.#slots.length - 1);
    this.#count++;
    return id;
  }

  #place(id: number, mask: number): void {
    const hash = this.#hashes[id];
    let slot = (hash ^ (hash >>> 15)) & mask;
    while (this.#slots[slot] !== 0) slot = (slot + 1) & mask;
    this.#slots[slot] = id;
  }

  #grow(): void {
    const ids = Math.min(this.low.length * 2, MAX_IDS);
    this.low = enlarged(this.low, ids);
    this.high = enlarged(this.high, ids);
    this.#hashes = enlarged(this.#hashes, ids);
    this.#byteStart = enlarged(this.#byteStart, ids + 1);
    this.#slots = new Uint16Array(ids * 2);
    const mask = this.#slots.length - 1;
    for (let id = FIRST_TAG; id < this.#count; id++) {
      if (id < FIRST_TAG + NAMES.length || id >= FIRST_FOREIGN_TAG) this.#place(id, mask);
    }
  }

  #skipToForeign(): void {
    this.#count = FIRST_FOREIGN_TAG;
    this.#byteStart[FIRST_FOREIGN_TAG] = this.#staticByteEnd;
  }
}

const decoder = new TextDecoder();

function setFlag(flag: number, names: string): void {
  for (const tag of tagsOf(names)) TAG_FLAGS[tag] |= flag;
}
