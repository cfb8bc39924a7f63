/**
 * Tag names as small integers. HTML's own names, and the few of SVG and MathML that change how a page is
 * parsed, have fixed ids. Every other name gets an id per page, from FIRST_FOREIGN_TAG on, in order of
 * appearance.
 */
import { FIRST_FOREIGN_TAG } from '../kernel/layout.ts';
import { BREAK_TAGS, HEADING_TAGS, HIDDEN_TAGS, VOID_TAGS } from '../kernel/tag-lists.ts';
import type { Tree } from './tree.ts';

/**
 * Ids of the fixed names, such as `TAG.div` and `TAG['annotation-xml']`, in the order of `TAG_NAMES` in
 * kernel/tag-lists.ts.
 */
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
const FIRST_TAG = TAG.html;

/** Ids from here on are names of the page: `tree.foreignNames[id - FIRST_FOREIGN_TAG]`. */
export { FIRST_FOREIGN_TAG };

/** Returns the lower-case name of an element; empty for every other node. */
export function tagName(tree: Tree, node: number): string {
  const id = tree.name[node];
  if (id >= FIRST_FOREIGN_TAG) return tree.foreignNames[id - FIRST_FOREIGN_TAG];
  return id < FIRST_TAG ? '' : NAMES[id - FIRST_TAG];
}

/** Returns the ids of a list of fixed names separated by spaces, for tables indexed by tag. */
export function tagsOf(names: string): number[] {
  return names.split(' ').map((name) => {
    const id: number | undefined = TAG[name as keyof typeof TAG];
    if (id === undefined) throw new RangeError(`"${name}" is not a known tag name`);
    return id;
  });
}

/** Returns a table by id with 1 for the names in the list. */
function tableOf(names: string): Uint8Array {
  const table = new Uint8Array(65_536);
  for (const tag of tagsOf(names)) table[tag] = 1;
  return table;
}

const BREAKS = tableOf(BREAK_TAGS);
const VOID = tableOf(VOID_TAGS);
const HIDDEN = tableOf(HIDDEN_TAGS);
const HEADINGS = tableOf(HEADING_TAGS);

/** Whether elements with this tag id separate words: blocks, cells, `br` and similar. */
export function breaksWords(tag: number): boolean {
  return BREAKS[tag] !== 0;
}

/** Whether elements with this tag id have no content and no end tag. */
export function isVoid(tag: number): boolean {
  return VOID[tag] !== 0;
}

/**
 * Whether text inside elements with this tag id is not text of the page (script, style, title and similar).
 */
export function isHidden(tag: number): boolean {
  return HIDDEN[tag] !== 0;
}

/** Whether elements with this tag id are headings, h1 to h6. */
export function isHeading(tag: number): boolean {
  return HEADINGS[tag] !== 0;
}
