/** Styles that attributes set: sizes, alignment, spans, the size of a control. */
import { TAG } from '../parse/tag-names.ts';
import { AUTO, percent, pixels } from './css-lengths.ts';
import { ATTRIBUTE, type StartTag } from './layout-attributes.ts';
import type { StyleColumns } from './style-columns.ts';
import {
  ALIGN_CENTER,
  ALIGN_RIGHT,
  BLOCK,
  FLOAT_LEFT,
  FLOAT_RIGHT,
  IS_CLOSED,
  NONE,
  tagIsAtomic,
} from './tag-styles.ts';

/** Columns and rows that a cell may span. */
const MAX_COLSPAN = 64;
const MAX_ROWSPAN = 1000;
/** Widths of a character and of the borders of a control, px. */
const CONTROL_CHARACTER = 7;
const CONTROL_EDGE = 6;
const CHECKBOX_SIZE = 13;

/** Changes the style of an element by its attributes, which `at` has read. */
export function setByAttributes(
  c: StyleColumns,
  at: StartTag,
  source: Uint8Array,
  node: number,
  tag: number,
): void {
  if (at.has(ATTRIBUTE.hidden)) c.display[node] = NONE;
  if (tag === 0) return;

  const width = at.number(source, ATTRIBUTE.width);
  if (width > 0 && tagTakesWidth(tag)) {
    c.width[node] = at.isPercent(source, ATTRIBUTE.width) ? percent(width) : pixels(width);
  }
  const height = at.number(source, ATTRIBUTE.height);
  if (height > 0 && tag !== TAG.hr && !at.isPercent(source, ATTRIBUTE.height) && tagTakesWidth(tag)) {
    c.height[node] = pixels(height);
  }
  setAlign(c, node, tag, at.initial(source, ATTRIBUTE.align));

  switch (tag) {
    case TAG.td:
    case TAG.th:
      c.colspan[node] = spanOf(at.number(source, ATTRIBUTE.colspan), MAX_COLSPAN);
      c.rowspan[node] = spanOf(at.number(source, ATTRIBUTE.rowspan), MAX_ROWSPAN);
      break;
    case TAG.table: {
      const padding = at.number(source, ATTRIBUTE.cellpadding);
      if (padding >= 0) c.cellPadding[node] = Math.min(padding, 100);
      break;
    }
    case TAG.img:
      // the alternative text is shown instead of a missing picture; an empty one shows nothing
      if (at.has(ATTRIBUTE.alt) && !at.has(ATTRIBUTE.width) && !at.has(ATTRIBUTE.height)) {
        const characters = at.end[ATTRIBUTE.alt] - at.start[ATTRIBUTE.alt];
        c.width[node] = characters === 0 ? 0 : Math.min(IMAGE_MAX, 16 + characters * 0.45 * c.font[node]);
        if (characters === 0) c.height[node] = 0;
      }
      break;
    case TAG.input:
      setInput(c, at, source, node);
      break;
    case TAG.textarea: {
      const cols = at.number(source, ATTRIBUTE.cols);
      const rows = at.number(source, ATTRIBUTE.rows);
      if (cols > 0) c.width[node] = pixels(cols * 8 + CONTROL_EDGE + 16);
      if (rows > 0) c.height[node] = pixels(rows * 15 + CONTROL_EDGE);
      break;
    }
    case TAG.details:
      if (at.has(ATTRIBUTE.open)) c.flags[node] &= ~IS_CLOSED;
      break;
    case TAG.dialog:
      if (at.has(ATTRIBUTE.open)) c.display[node] = BLOCK;
      break;
    case TAG.audio:
      if (!at.has(ATTRIBUTE.controls)) c.display[node] = NONE;
      break;
    case TAG.br:
      if (at.has(ATTRIBUTE.clear)) c.clear[node] = 3;
      break;
  }
}

function setAlign(c: StyleColumns, node: number, tag: number, letter: number): void {
  if (letter === 0) return;
  if (tag === TAG.table || tag === TAG.img || tag === TAG.iframe) {
    if (letter === LETTER_L) c.float[node] = FLOAT_LEFT;
    else if (letter === LETTER_R) c.float[node] = FLOAT_RIGHT;
    else if (letter === LETTER_C && tag === TAG.table) c.marginLeft[node] = c.marginRight[node] = AUTO;
    return;
  }
  c.align[node] =
    letter === LETTER_C || letter === LETTER_M ? ALIGN_CENTER : letter === LETTER_R ? ALIGN_RIGHT : 0;
  c.alignsBlocks[node] = c.align[node] !== 0 ? 1 : 0;
}

function setInput(c: StyleColumns, at: StartTag, source: Uint8Array, node: number): void {
  const type = at.initial(source, ATTRIBUTE.type);
  const length = at.end[ATTRIBUTE.type] - at.start[ATTRIBUTE.type];
  if (type === LETTER_H && length === 6) {
    c.display[node] = NONE;
  } else if ((type === LETTER_C && length === 8) || (type === LETTER_R && length === 5)) {
    c.width[node] = c.height[node] = CHECKBOX_SIZE;
  } else if (
    (type === LETTER_S && length === 6 && (source[at.start[ATTRIBUTE.type] + 1] | 0x20) === LETTER_U) ||
    (type === LETTER_B && length === 6) ||
    (type === LETTER_R && length === 5)
  ) {
    // submit, button, reset: as wide as their label
    const letters = at.has(ATTRIBUTE.value) ? at.end[ATTRIBUTE.value] - at.start[ATTRIBUTE.value] : 6;
    c.width[node] = Math.min(IMAGE_MAX, 2 * CONTROL_EDGE + 4 + letters * CONTROL_CHARACTER);
  } else if (!(type === LETTER_I && length === 5)) {
    const size = at.number(source, ATTRIBUTE.size);
    if (size > 0) c.width[node] = Math.min(1000, CONTROL_EDGE + 7 + size * CONTROL_CHARACTER);
  }
}

/** Largest width of a button or a missing picture, px. */
const IMAGE_MAX = 400;
const LETTER_B = 0x62;
const LETTER_C = 0x63;
const LETTER_H = 0x68;
const LETTER_I = 0x69;
const LETTER_L = 0x6c;
const LETTER_M = 0x6d;
const LETTER_R = 0x72;
const LETTER_S = 0x73;
const LETTER_U = 0x75;

function tagTakesWidth(tag: number): boolean {
  return (
    tagIsAtomic[tag] === 1 || tag === TAG.table || tag === TAG.td || tag === TAG.th || tag === TAG.object
  );
}

function spanOf(value: number, most: number): number {
  return value >= 1 ? Math.min(value, most) : 1;
}
