/** How a browser shows each tag when no style says otherwise (HTML, section 15.3), in tables indexed by tag. */
import { tagsOf } from '../parse/tag-names.ts';

export const NONE = 0;
export const INLINE = 1;
export const BLOCK = 2;
export const INLINE_BLOCK = 3;
export const TABLE = 4;
export const ROW_GROUP = 5;
export const ROW = 6;
export const CELL = 7;
export const FLEX = 8;
export const GRID = 9;
/** Ends the line: br. */
export const LINE_BREAK = 10;

const TAGS = 256;
/** Font size of the page, and of a control, in px. */
export const BASE_FONT = 16;
export const CONTROL_FONT = 13.33;

export const tagDisplay = new Uint8Array(TAGS).fill(INLINE);
/** Its content is a picture or a control, whose size does not follow from the nodes in it. */
export const tagIsAtomic = new Uint8Array(TAGS);
/** Times the parent's font size. */
export const tagFont = new Float32Array(TAGS).fill(1);
/** Margins above and below, in em of the element's own font. */
export const tagMarginEm = new Float32Array(TAGS);
/** Margins left and right, and paddings, in px. */
export const tagMarginLeft = new Float32Array(TAGS);
export const tagMarginRight = new Float32Array(TAGS);
export const tagPaddingLeft = new Float32Array(TAGS);
/** On the three other sides. */
export const tagPadding = new Float32Array(TAGS);
/** Its width and height count its padding in: controls and tables. */
export const tagIsBorderBox = new Uint8Array(TAGS);
/** Lines end where the source's do. */
export const tagIsPre = new Uint8Array(TAGS);
/** Size in px of what is atomic. */
export const tagWidth = new Float32Array(TAGS).fill(Number.NaN);
export const tagHeight = new Float32Array(TAGS).fill(Number.NaN);

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
    'footer form frameset frame h1 h2 h3 h4 h5 h6 header hgroup hr legend li listing main menu nav ol p ' +
    'plaintext pre search section summary caption ul xmp marquee',
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
set(tagDisplay, LINE_BREAK, 'br');

set(
  tagIsAtomic,
  1,
  'input select textarea img iframe embed video canvas audio meter progress svg applet image hr frame keygen',
);
set(tagIsBorderBox, 1, 'table input select button textarea');
set(tagIsPre, 1, 'pre listing xmp plaintext');

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
set(tagMarginLeft, 8, 'body');
set(tagMarginRight, 8, 'body');
set(tagPaddingLeft, 40, 'ul ol menu dir');
set(tagPaddingLeft, 1, 'td th');
set(tagPadding, 1, 'td th');
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
// one without a size fills its box in a browser; sites make it an icon in style sheets that are not read here
size('svg', 24, 24);
size('meter progress', 80, 16);

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
