/**
 * Tables, indexed by tag, of how a browser shows an element when no style applies (HTML, section 15.3), and
 * the values that an element inherits from its parent.
 */
import { TAG, tagsOf } from '../parse/tag-names.ts';
import { WINDOW_HEIGHT, WINDOW_WIDTH } from './boxes.ts';
import type { StyleColumns } from './style-columns.ts';

/** Display of an element: not shown. */
export const NONE = 0;
/** Display: inline. */
export const INLINE = 1;
/** Display: block. */
export const BLOCK = 2;
/** Display: inline-block. */
export const INLINE_BLOCK = 3;
/** Display: table. */
export const TABLE = 4;
/** Display: group of table rows. */
export const ROW_GROUP = 5;
/** Display: table row. */
export const ROW = 6;
/** Display: table cell. */
export const CELL = 7;
/** Display: flex or grid container, whose children are side by side. */
export const FLEX = 8;
/** Display: line break (`br`). */
export const LINE_BREAK = 9;

/** Alignment of lines: centred. 0 is left. */
export const ALIGN_CENTER = 1;
/** Alignment of lines: right. */
export const ALIGN_RIGHT = 2;
/** Float: left. 0 is not a float. */
export const FLOAT_LEFT = 1;
/** Float: right. */
export const FLOAT_RIGHT = 2;
/** Flag of an element inside a list. */
const IN_LIST = 1;
/** Flag of a `details` element without `open`, whose content is hidden. */
export const IS_CLOSED = 2;

/** Font size of the page in px; `CONTROL_FONT` is that of a control. */
export const BASE_FONT = 16;
const CONTROL_FONT = 13.33;
/** Maximum font size in px; larger sizes are clamped. */
export const MAX_FONT = 400;
/** Height of a line as a multiple of the font size. */
export const LINE_HEIGHT = 1.15;
const BODY_MARGIN = 8;

const TAGS = 256;
/** Display of each tag, by tag number. */
export const tagDisplay = new Uint8Array(TAGS).fill(INLINE);
/** 1 for tags whose size does not depend on their content: pictures and controls. */
export const tagIsAtomic = new Uint8Array(TAGS);
/** Font size as a multiple of the parent's. */
const tagFont = new Float32Array(TAGS).fill(1);
/** Margins above and below, in em of the element's own font. */
export const tagMarginEm = new Float32Array(TAGS);
/** px */
const tagMarginLeft = new Float32Array(TAGS);
const tagMarginRight = new Float32Array(TAGS);
const tagPaddingLeft = new Float32Array(TAGS);
/** Padding on the three other sides, in px. */
const tagPadding = new Float32Array(TAGS);
/** Size in px of pictures and controls. */
const tagWidth = new Float32Array(TAGS).fill(Number.NaN);
const tagHeight = new Float32Array(TAGS).fill(Number.NaN);

set(
  tagDisplay,
  NONE,
  'head title script style meta link base template noembed noframes param source track datalist area col ' +
    'colgroup rp dialog basefont bgsound option optgroup defs symbol clippath lineargradient mask desc',
);
set(
  tagDisplay,
  BLOCK,
  'html body address article aside blockquote center details dir div dl dt dd fieldset figcaption figure ' +
    'footer form frame h1 h2 h3 h4 h5 h6 header hgroup hr legend li listing main menu nav ol p plaintext pre ' +
    'search section summary caption ul xmp marquee',
);
set(
  tagDisplay,
  INLINE_BLOCK,
  'button input select textarea img iframe embed video canvas audio meter progress svg applet image keygen',
);
set(tagDisplay, TABLE, 'table');
set(tagDisplay, ROW_GROUP, 'tbody thead tfoot');
set(tagDisplay, ROW, 'tr');
set(tagDisplay, CELL, 'td th');
set(tagDisplay, FLEX, 'frameset');
set(tagDisplay, LINE_BREAK, 'br');
set(
  tagIsAtomic,
  1,
  'input select textarea img iframe embed video canvas audio meter progress svg applet image hr frame keygen',
);

heading('h1', 2, 0.67);
heading('h2', 1.5, 0.83);
heading('h3', 1.17, 1);
heading('h4', 1, 1.33);
heading('h5', 0.83, 1.67);
heading('h6', 0.67, 2.33);
set(tagFont, 0.83, 'small sub sup rt');
set(tagFont, 1.2, 'big');
set(tagFont, 0.8125, 'code kbd samp tt pre listing xmp plaintext');

set(tagMarginEm, 1, 'p ul ol menu dir dl blockquote figure pre listing xmp plaintext');
set(tagMarginEm, 0.5, 'hr');
set(tagMarginLeft, 40, 'dd blockquote figure');
set(tagMarginRight, 40, 'blockquote figure');
set(tagMarginLeft, BODY_MARGIN, 'body');
set(tagMarginRight, BODY_MARGIN, 'body');
set(tagPaddingLeft, 40, 'ul ol menu dir');
set(tagPaddingLeft, 8, 'button');
set(tagPadding, 3, 'button');
set(tagPaddingLeft, 14, 'fieldset');
set(tagPadding, 8, 'fieldset');

size('input', 153, 21);
size('select', 60, 19);
size('textarea', 182, 36);
size('img image', 16, 16);
size('iframe embed applet', 304, 154);
size('video canvas audio', 300, 150);
// a browser stretches an SVG without size to its box, but sites make it an icon in style sheets that are not
// read here
size('svg', 24, 24);
size('meter progress', 80, 16);
size('frame', WINDOW_WIDTH, WINDOW_HEIGHT);
set(tagHeight, WINDOW_HEIGHT, 'frameset');
set(tagHeight, 2, 'hr');

/** Sets the style of the document node, from which its children inherit. */
export function setDocument(c: StyleColumns): void {
  c.font[0] = BASE_FONT;
  c.isInvisible[0] = c.align[0] = c.alignsBlocks[0] = 0;
  c.cellPadding[0] = 1;
  c.flags[0] = 0;
  setDefaults(c, 0, 0, 0);
  c.display[0] = BLOCK;
  c.holdsFloats[0] = 1;
}

/** Gives an element the style of its tag and the inherited values of its parent. */
export function setDefaults(c: StyleColumns, node: number, tag: number, parent: number): void {
  const font = Math.min(MAX_FONT, Math.max(1, c.font[parent] * tagFont[tag]));
  c.display[node] = tagDisplay[tag];
  c.isAtomic[node] = tagIsAtomic[tag];
  c.isInvisible[node] = c.isInvisible[parent];
  c.align[node] = c.align[parent];
  c.alignsBlocks[node] = c.alignsBlocks[parent];
  c.float[node] = 0;
  c.clear[node] = 0;
  c.isOut[node] = 0;
  c.holdsFloats[node] = 0;
  c.colspan[node] = 1;
  c.rowspan[node] = 1;
  c.font[node] = font;
  c.width[node] = tagWidth[tag];
  c.height[node] = tagHeight[tag];
  c.marginTop[node] = c.marginBottom[node] = tagMarginEm[tag] * font;
  c.marginLeft[node] = tagMarginLeft[tag];
  c.marginRight[node] = tagMarginRight[tag];
  c.padding[node] = tagPadding[tag];
  c.paddingLeft[node] = tagPaddingLeft[tag];
  c.cellPadding[node] = c.cellPadding[parent];
  c.flags[node] = c.flags[parent] & IN_LIST;

  switch (tag) {
    case TAG.html:
      c.holdsFloats[node] = 1;
      break;
    case TAG.body:
      c.marginTop[node] = c.marginBottom[node] = BODY_MARGIN;
      break;
    case TAG.center:
      c.align[node] = ALIGN_CENTER;
      c.alignsBlocks[node] = 1;
      break;
    case TAG.table:
      c.align[node] = c.alignsBlocks[node] = 0;
      c.cellPadding[node] = 1;
      break;
    case TAG.td:
    case TAG.th:
      if (tag === TAG.th) c.align[node] = ALIGN_CENTER;
      c.padding[node] = c.paddingLeft[node] = c.cellPadding[node];
      c.holdsFloats[node] = 1;
      break;
    case TAG.ul:
    case TAG.ol:
    case TAG.menu:
    case TAG.dir:
      // lists in lists have no margins
      if (c.flags[node] !== 0) c.marginTop[node] = c.marginBottom[node] = 0;
      c.flags[node] = IN_LIST;
      break;
    case TAG.button:
    case TAG.input:
    case TAG.select:
    case TAG.textarea:
      c.font[node] = CONTROL_FONT;
      c.align[node] = ALIGN_CENTER;
      break;
    case TAG.details:
      c.flags[node] |= IS_CLOSED;
      break;
  }
}

function set(table: Uint8Array | Float32Array, value: number, names: string): void {
  for (const tag of tagsOf(names)) table[tag] = value;
}

function heading(name: string, font: number, marginEm: number): void {
  set(tagFont, font, name);
  set(tagMarginEm, marginEm, name);
}

function size(names: string, width: number, height: number): void {
  set(tagWidth, width, names);
  set(tagHeight, height, names);
}
