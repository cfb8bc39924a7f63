/** The style of an element before its attributes and any CSS: that of its tag, and what its parent hands down. */
import { TAG } from '../parse/tag-names.ts';
import { WINDOW_HEIGHT, WINDOW_WIDTH } from './boxes.ts';
import { AUTO } from './lengths.ts';
import { ALIGN_CENTER, IN_LIST, IS_CLOSED, MAX_FONT, type StyleColumns } from './style-columns.ts';
import {
  BASE_FONT,
  BLOCK,
  CONTROL_FONT,
  FLEX,
  tagDisplay,
  tagFont,
  tagHeight,
  tagIsAtomic,
  tagIsBorderBox,
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
const BODY_MARGIN = 8;

/** The style of the document, which hands down what no element has set. */
export function setDocument(c: StyleColumns): void {
  c.font[0] = BASE_FONT;
  c.lineFactor[0] = NORMAL_LINE;
  c.face[0] = 1;
  c.isInvisible[0] = c.isPre[0] = c.isNowrap[0] = c.align[0] = c.alignsBlocks[0] = 0;
  c.cellPadding[0] = 1;
  c.flags[0] = 0;
  setDefaults(c, 0, 0, 0);
  c.lineHeight[0] = BASE_FONT * NORMAL_LINE;
  c.display[0] = BLOCK;
  c.holdsFloats[0] = 1;
}

/** Gives an element the style of its tag, and of its parent where that is handed down. */
export function setDefaults(c: StyleColumns, node: number, tag: number, parent: number): void {
  const font = Math.min(MAX_FONT, Math.max(1, c.font[parent] * tagFont[tag]));
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
  c.lineFactor[node] = c.lineFactor[parent];
  c.face[node] = c.face[parent];
  c.width[node] = tagWidth[tag];
  c.height[node] = tagHeight[tag];
  c.maxWidth[node] = Number.NaN;
  c.minWidth[node] = 0;
  c.minHeight[node] = 0;
  c.isBorderBox[node] = tagIsBorderBox[tag];
  c.isColumn[node] = c.isWrapping[node] = c.justify[node] = c.alignItems[node] = 0;
  c.gap[node] = c.grow[node] = 0;
  c.basis[node] = AUTO;
  c.gridSpan[node] = 1;
  c.gridColumns[node] = -1;
  c.marginTop[node] = marginY;
  c.marginBottom[node] = marginY;
  c.marginLeft[node] = tagMarginLeft[tag];
  c.marginRight[node] = tagMarginRight[tag];
  c.paddingTop[node] = c.paddingRight[node] = c.paddingBottom[node] = tagPadding[tag];
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
      c.align[node] = 0;
      c.alignsBlocks[node] = 0;
      c.isTop[node] = 0;
      c.cellPadding[node] = 1;
      break;
    case TAG.td:
    case TAG.th:
      if (tag === TAG.th) c.align[node] = ALIGN_CENTER;
      c.paddingTop[node] = c.paddingRight[node] = c.cellPadding[node];
      c.paddingBottom[node] = c.paddingLeft[node] = c.cellPadding[node];
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
      if (c.flags[node] !== 0) c.marginTop[node] = c.marginBottom[node] = 0;
      c.flags[node] = IN_LIST;
      break;
    case TAG.hr:
      c.height[node] = 2;
      break;
    case TAG.button:
    case TAG.input:
    case TAG.select:
    case TAG.textarea:
      c.font[node] = CONTROL_FONT;
      c.lineFactor[node] = NORMAL_LINE;
      c.face[node] = 1.1;
      c.align[node] = ALIGN_CENTER;
      break;
    case TAG.details:
      c.flags[node] |= IS_CLOSED;
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
