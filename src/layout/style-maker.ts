/**
 * The style of every element: the defaults of its tag, then its attributes. In document order, so that what
 * is inherited stands ready in the parent. Cost: one pass over the bytes of the start tags.
 */
import { TAG } from '../parse/tag-names.ts';
import { ELEMENT, type Tree } from '../parse/tree.ts';
import { WINDOW_HEIGHT, WINDOW_WIDTH } from './boxes.ts';
import { AUTO, percent, pixels } from './lengths.ts';
import { ATTRIBUTE, StartTag } from './start-tag.ts';
import { ALIGN_CENTER, ALIGN_RIGHT, FLOAT_LEFT, FLOAT_RIGHT, StyleColumns } from './style-columns.ts';
import {
  BASE_FONT,
  BLOCK,
  CELL,
  CONTROL_FONT,
  FLEX,
  GRID,
  INLINE,
  INLINE_BLOCK,
  NONE,
  ROW,
  ROW_GROUP,
  TABLE,
  tagDisplay,
  tagFont,
  tagHeight,
  tagIsAtomic,
  tagIsPre,
  tagMarginEm,
  tagMarginLeft,
  tagMarginRight,
  tagPadding,
  tagPaddingLeft,
  tagWidth,
} from './tag-styles.ts';

/** Height of a line, times the font size, when no style says otherwise. */
const NORMAL_LINE = 1.15;
/** A cell may not say that it spans more. */
const MAX_COLSPAN = 64;
const MAX_ROWSPAN = 1000;
/** Names from here on are not in the tables; they are shown as spans. */
const TAGS = 256;
const BODY_MARGIN = 8;
/** Widths of a character and of the borders of a control, px. */
const CONTROL_CHARACTER = 7;
const CONTROL_EDGE = 6;
const CHECKBOX_SIZE = 13;
/** A start tag shorter than this has no attributes. */
const SHORTEST_WITH_ATTRIBUTE = 6;

const IN_LIST = 1;
const IS_CLOSED = 2;

export class StyleMaker {
  readonly columns = new StyleColumns();
  readonly #tag = new StartTag();
  /** Padding of the cells of a table, inherited. */
  #cellPadding = new Float32Array(0);
  #flags = new Uint8Array(0);

  make(tree: Tree): StyleColumns {
    const { nodeCount, kind, name, parent, start, openEnd, source } = tree;
    const columns = this.columns;
    columns.reserve(nodeCount);
    if (this.#flags.length < columns.display.length) {
      this.#cellPadding = new Float32Array(columns.display.length);
      this.#flags = new Uint8Array(columns.display.length);
    }
    this.#setDocument();
    for (let node = 1; node < nodeCount; node++) {
      if (kind[node] !== ELEMENT) {
        columns.display[node] = INLINE;
        continue;
      }
      const tag = name[node] < TAGS ? name[node] : 0;
      this.#setDefaults(node, tag, parent[node]);
      if (openEnd[node] - start[node] >= SHORTEST_WITH_ATTRIBUTE) {
        this.#tag.read(source, start[node], openEnd[node]);
        if (this.#tag.found !== 0) this.#readAttributes(source, node, tag);
      }
      this.#fitParent(node, tag, parent[node], name[parent[node]]);
    }
    return columns;
  }

  #setDocument(): void {
    const c = this.columns;
    c.font[0] = BASE_FONT;
    c.lineHeight[0] = BASE_FONT * NORMAL_LINE;
    c.isInvisible[0] = c.isPre[0] = c.isNowrap[0] = c.align[0] = c.alignsBlocks[0] = 0;
    this.#cellPadding[0] = 1;
    this.#flags[0] = 0;
    this.#setDefaults(0, 0, 0);
    c.display[0] = BLOCK;
    c.holdsFloats[0] = 1;
  }

  #setDefaults(node: number, tag: number, parent: number): void {
    const c = this.columns;
    const font = Math.max(1, c.font[parent] * tagFont[tag]);
    const marginY = tagMarginEm[tag] * font;
    c.display[node] = tagDisplay[tag];
    c.isAtomic[node] = tagIsAtomic[tag];
    c.isInvisible[node] = c.isInvisible[parent];
    c.isPre[node] = c.isPre[parent] | tagIsPre[tag];
    c.isNowrap[node] = c.isNowrap[parent];
    c.align[node] = c.align[parent];
    c.alignsBlocks[node] = c.alignsBlocks[parent];
    c.float[node] = 0;
    c.clear[node] = 0;
    c.position[node] = 0;
    c.holdsFloats[node] = 0;
    c.isTop[node] = 0;
    c.colspan[node] = 1;
    c.rowspan[node] = 1;
    c.font[node] = font;
    c.lineHeight[node] = c.lineHeight[parent] * tagFont[tag];
    c.width[node] = tagWidth[tag];
    c.height[node] = tagHeight[tag];
    c.maxWidth[node] = Number.NaN;
    c.marginTop[node] = marginY;
    c.marginBottom[node] = marginY;
    c.marginLeft[node] = tagMarginLeft[tag];
    c.marginRight[node] = tagMarginRight[tag];
    c.paddingTop[node] = c.paddingRight[node] = c.paddingBottom[node] = tagPadding[tag];
    c.paddingLeft[node] = tagPaddingLeft[tag];
    this.#cellPadding[node] = this.#cellPadding[parent];
    this.#flags[node] = this.#flags[parent] & IN_LIST;

    switch (tag) {
      case TAG.body:
        c.marginTop[node] = c.marginBottom[node] = BODY_MARGIN;
        break;
      case TAG.center:
        c.align[node] = ALIGN_CENTER;
        c.alignsBlocks[node] = 1;
        break;
      case TAG.table:
        c.align[node] = 0;
        c.alignsBlocks[node] = 0;
        c.isTop[node] = 0;
        this.#cellPadding[node] = 1;
        break;
      case TAG.td:
      case TAG.th:
        if (tag === TAG.th) c.align[node] = ALIGN_CENTER;
        c.paddingTop[node] = c.paddingRight[node] = this.#cellPadding[node];
        c.paddingBottom[node] = c.paddingLeft[node] = this.#cellPadding[node];
        c.isTop[node] = c.isTop[parent];
        c.holdsFloats[node] = 1;
        break;
      case TAG.tr:
      case TAG.tbody:
        c.isTop[node] = c.isTop[parent];
        break;
      case TAG.ul:
      case TAG.ol:
      case TAG.menu:
      case TAG.dir:
        // lists in lists have no margins
        if (this.#flags[node] !== 0) c.marginTop[node] = c.marginBottom[node] = 0;
        this.#flags[node] = IN_LIST;
        break;
      case TAG.hr:
        c.height[node] = 2;
        break;
      case TAG.button:
      case TAG.input:
      case TAG.select:
      case TAG.textarea:
        c.font[node] = CONTROL_FONT;
        c.lineHeight[node] = CONTROL_FONT * NORMAL_LINE;
        c.align[node] = ALIGN_CENTER;
        break;
      case TAG.details:
        this.#flags[node] |= IS_CLOSED;
        break;
      case TAG.frameset:
        c.height[node] = WINDOW_HEIGHT;
        c.display[node] = FLEX;
        break;
      case TAG.frame:
        c.width[node] = WINDOW_WIDTH;
        c.height[node] = WINDOW_HEIGHT;
        break;
    }
  }

  #readAttributes(source: Uint8Array, node: number, tag: number): void {
    const c = this.columns;
    const at = this.#tag;
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
    this.#readAlign(node, tag, at.initial(source, ATTRIBUTE.align));
    const valign = at.initial(source, ATTRIBUTE.valign);
    if (valign !== 0) c.isTop[node] = valign === LETTER_T || valign === LETTER_B ? 1 : 0;

    switch (tag) {
      case TAG.td:
      case TAG.th:
        c.colspan[node] = spanOf(at.number(source, ATTRIBUTE.colspan), MAX_COLSPAN);
        c.rowspan[node] = spanOf(at.number(source, ATTRIBUTE.rowspan), MAX_ROWSPAN);
        if (at.has(ATTRIBUTE.nowrap)) c.isNowrap[node] = 1;
        break;
      case TAG.table: {
        const padding = at.number(source, ATTRIBUTE.cellpadding);
        if (padding >= 0) this.#cellPadding[node] = Math.min(padding, 100);
        break;
      }
      case TAG.img:
        // without a picture the alternative text is shown; an empty one says that nothing is missing
        if (at.has(ATTRIBUTE.alt) && !at.has(ATTRIBUTE.width) && !at.has(ATTRIBUTE.height)) {
          const characters = at.end[ATTRIBUTE.alt] - at.start[ATTRIBUTE.alt];
          c.width[node] = characters === 0 ? 0 : Math.min(IMAGE_MAX, 16 + characters * 0.45 * c.font[node]);
          if (characters === 0) c.height[node] = 0;
        }
        break;
      case TAG.input:
        this.#readInput(source, node);
        break;
      case TAG.textarea: {
        const cols = at.number(source, ATTRIBUTE.cols);
        const rows = at.number(source, ATTRIBUTE.rows);
        if (cols > 0) c.width[node] = pixels(cols * 8 + CONTROL_EDGE + 16);
        if (rows > 0) c.height[node] = pixels(rows * 15 + CONTROL_EDGE);
        break;
      }
      case TAG.details:
        if (at.has(ATTRIBUTE.open)) this.#flags[node] &= ~IS_CLOSED;
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

  #readAlign(node: number, tag: number, letter: number): void {
    if (letter === 0) return;
    const c = this.columns;
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

  #readInput(source: Uint8Array, node: number): void {
    const c = this.columns;
    const at = this.#tag;
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
      // submit, button, reset: as wide as what they say
      const said = at.has(ATTRIBUTE.value) ? at.end[ATTRIBUTE.value] - at.start[ATTRIBUTE.value] : 6;
      c.width[node] = Math.min(IMAGE_MAX, 2 * CONTROL_EDGE + 4 + said * CONTROL_CHARACTER);
    } else if (!(type === LETTER_I && length === 5)) {
      const size = at.number(source, ATTRIBUTE.size);
      if (size > 0) c.width[node] = Math.min(1000, CONTROL_EDGE + 7 + size * CONTROL_CHARACTER);
    }
  }

  /** What an element is because of its parent: items of a row, parts of a table without one, closed details. */
  #fitParent(node: number, tag: number, parent: number, parentTag: number): void {
    const c = this.columns;
    const outer = c.display[parent];
    const display = c.display[node];
    if (parentTag === TAG.details && tag !== TAG.summary && (this.#flags[parent] & IS_CLOSED) !== 0) {
      c.display[node] = NONE;
    } else if (outer === FLEX || outer === GRID) {
      c.float[node] = 0;
      if (display === INLINE || display === INLINE_BLOCK || display === CELL) c.display[node] = BLOCK;
    } else if (display === CELL && outer !== ROW) {
      // cells of what is not a row: a row of boxes all the same
      if (outer === BLOCK || outer === TABLE) c.display[parent] = FLEX;
      c.display[node] = BLOCK;
    } else if (display === ROW && outer !== TABLE && outer !== ROW_GROUP) {
      c.display[node] = FLEX;
    } else if (display === ROW_GROUP && outer !== TABLE) {
      c.display[node] = BLOCK;
    }
  }
}

/** No button and no missing picture is wider, px. */
const IMAGE_MAX = 400;
const LETTER_B = 0x62;
const LETTER_C = 0x63;
const LETTER_H = 0x68;
const LETTER_I = 0x69;
const LETTER_L = 0x6c;
const LETTER_M = 0x6d;
const LETTER_R = 0x72;
const LETTER_S = 0x73;
const LETTER_T = 0x74;
const LETTER_U = 0x75;

function tagTakesWidth(tag: number): boolean {
  return (
    tagIsAtomic[tag] === 1 || tag === TAG.table || tag === TAG.td || tag === TAG.th || tag === TAG.object
  );
}

function spanOf(value: number, most: number): number {
  return value >= 1 ? Math.min(value, most) : 1;
}
