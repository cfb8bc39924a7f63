/**
 * Insertion modes inside tables. A browser moves content that does not belong between table tags before the
 * table; here it stays where its bytes are and is counted.
 */
import { ELEMENT_BYTES } from '../layout.ts';
import { b } from './builder.ts';
import { isHiddenInput } from './find-attribute.ts';
import { clearToMarker, insertMarker } from './formatting-list.ts';
import { endInBody, startInBody } from './in-body.ts';
import { endTemplate, startInHead } from './in-head.ts';
import {
  closeByEndTag,
  closeByImplication,
  insertElement,
  insertImplied,
  insertVoid,
  resetMode,
} from './insert-nodes.ts';
import * as Mode from './insertion-modes.ts';
import { currentKey, inTableScope, pop, popAbove, popThrough } from './open-elements.ts';
import { innermost, Tag } from './tag-table.ts';
import { endTag, startTag } from './tokens.ts';

/** Handles a start tag in table, table body, row, cell, caption and column group. */
export function startInTableModes(): void {
  switch (b.mode) {
    case Mode.IN_TABLE:
      startInTable();
      return;
    case Mode.IN_TABLE_BODY:
      startInTableBody();
      return;
    case Mode.IN_ROW:
      startInRow();
      return;
    case Mode.IN_CELL:
      if (!isTablePart(b.tag)) startInBody();
      else if (closeCell()) startInRow();
      return;
    case Mode.IN_CAPTION:
      if (!isTablePart(b.tag)) startInBody();
      else if (closeCaption(b.tokenStart)) startInTable();
      return;
    default:
      startInColumnGroup();
      return;
  }
}

/** Handles an end tag in the same modes. */
export function endInTableModes(): void {
  switch (b.mode) {
    case Mode.IN_TABLE:
      endInTable();
      return;
    case Mode.IN_TABLE_BODY:
      endInTableBody();
      return;
    case Mode.IN_ROW:
      endInRow();
      return;
    case Mode.IN_CELL:
      endInCell();
      return;
    case Mode.IN_CAPTION:
      endInCaption();
      return;
    default:
      endInColumnGroup();
      return;
  }
}

function startInTable(): void {
  switch (b.tag) {
    case Tag.tr:
    case Tag.td:
    case Tag.th:
      clearTo(innermost(Tag.table));
      insertImplied(Tag.tbody, b.tokenStart);
      b.mode = Mode.IN_TABLE_BODY;
      startInTableBody();
      return;
    case Tag.tbody:
    case Tag.thead:
    case Tag.tfoot:
      clearTo(innermost(Tag.table));
      insertElement();
      b.mode = Mode.IN_TABLE_BODY;
      return;
    case Tag.caption:
      clearTo(innermost(Tag.table));
      insertMarker();
      insertElement();
      b.mode = Mode.IN_CAPTION;
      return;
    case Tag.colgroup:
      clearTo(innermost(Tag.table));
      insertElement();
      b.mode = Mode.IN_COLUMN_GROUP;
      return;
    case Tag.col:
      clearTo(innermost(Tag.table));
      insertImplied(Tag.colgroup, b.tokenStart);
      b.mode = Mode.IN_COLUMN_GROUP;
      startInColumnGroup();
      return;
    case Tag.table:
      if (!inTableScope(Tag.table)) return;
      closeByImplication(Tag.table);
      resetMode();
      startTag();
      return;
    case Tag.style:
    case Tag.script:
    case Tag.template:
      startInHead();
      return;
    case Tag.input:
      if (isHiddenInput()) insertVoid();
      else startFostered();
      return;
    case Tag.form:
      if (b.hasForm || innermost(Tag.template)) return;
      b.hasForm = 1;
      insertVoid();
      return;
    default:
      startFostered();
      return;
  }
}

function startInTableBody(): void {
  switch (b.tag) {
    case Tag.tr:
      clearTo(innermostSection());
      insertElement();
      b.mode = Mode.IN_ROW;
      return;
    case Tag.td:
    case Tag.th:
      clearTo(innermostSection());
      insertImplied(Tag.tr, b.tokenStart);
      b.mode = Mode.IN_ROW;
      startInRow();
      return;
    default:
      if (!isTablePart(b.tag) || closeSection()) startInTable();
      return;
  }
}

function startInRow(): void {
  if (b.tag === Tag.td || b.tag === Tag.th) {
    clearTo(innermost(Tag.tr));
    insertElement();
    b.mode = Mode.IN_CELL;
    insertMarker();
  } else if (!isTablePart(b.tag)) startInTable();
  else if (closeRow()) startInTableBody();
}

function startInColumnGroup(): void {
  if (b.tag === Tag.col) insertVoid();
  else if (b.tag === Tag.template) startInHead();
  else if (b.tag !== Tag.html && closeColumnGroup(b.tokenStart)) startTag();
}

function endInTable(): void {
  const tag = b.tag;
  if (tag === Tag.table) {
    if (!inTableScope(Tag.table)) return;
    closeByEndTag(Tag.table);
    resetMode();
  } else if (tag === Tag.template) endTemplate();
  else if (isContentEnd(tag)) {
    b.fostering = 1;
    endInBody();
    b.fostering = 0;
  }
}

function endInTableBody(): void {
  const tag = b.tag;
  if (isSection(tag)) {
    if (!inTableScope(tag)) return;
    clearTo(innermostSection());
    pop(b.tokenEnd);
    b.mode = Mode.IN_TABLE;
  } else if (tag === Tag.table) {
    if (closeSection()) endInTable();
  } else if (tag !== Tag.td && tag !== Tag.th && tag !== Tag.tr) endInTable();
}

function endInRow(): void {
  const tag = b.tag;
  if (tag === Tag.tr) {
    if (!inTableScope(Tag.tr)) return;
    clearTo(innermost(Tag.tr));
    pop(b.tokenEnd);
    b.mode = Mode.IN_TABLE_BODY;
  } else if (tag === Tag.table) {
    if (closeRow()) endInTableBody();
  } else if (isSection(tag)) {
    if (inTableScope(tag) && closeRow()) endInTableBody();
  } else if (tag !== Tag.td && tag !== Tag.th) endInTable();
}

function endInCell(): void {
  const tag = b.tag;
  if (tag === Tag.td || tag === Tag.th) {
    if (!inTableScope(tag)) return;
    closeByEndTag(tag);
    clearToMarker();
    b.mode = Mode.IN_ROW;
  } else if (tag === Tag.table || tag === Tag.tr || isSection(tag)) {
    if (inTableScope(tag) && closeCell()) endInRow();
  } else if (isContentEnd(tag)) endInBody();
}

function endInCaption(): void {
  const tag = b.tag;
  if (tag === Tag.caption) closeCaption(b.tokenEnd);
  else if (tag === Tag.table) {
    if (closeCaption(b.tokenStart)) endInTable();
  } else if (isContentEnd(tag)) endInBody();
}

function endInColumnGroup(): void {
  const tag = b.tag;
  if (tag === Tag.colgroup) closeColumnGroup(b.tokenEnd);
  else if (tag === Tag.template) endTemplate();
  else if (tag !== Tag.col && closeColumnGroup(b.tokenStart)) endTag();
}

/**
 * Ends a column group before text or a tag that does not belong to it; false if the current element is not
 * one.
 */
export function closeColumnGroup(end: u32): bool {
  if (currentKey() !== Tag.colgroup) return false;
  pop(end);
  b.mode = Mode.IN_TABLE;
  return true;
}

function startFostered(): void {
  b.fostering = 1;
  startInBody();
  b.fostering = 0;
}

/** Closes elements up to the given one, the innermost template or html. */
function clearTo(element: u32): void {
  const html = b.bottom + ELEMENT_BYTES;
  popAbove(max(html, max(element, innermost(Tag.template))), b.tokenStart);
}

function innermostSection(): u32 {
  return max(innermost(Tag.tbody), max(innermost(Tag.thead), innermost(Tag.tfoot)));
}

function closeRow(): bool {
  if (!inTableScope(Tag.tr)) return false;
  clearTo(innermost(Tag.tr));
  pop(b.tokenStart);
  b.mode = Mode.IN_TABLE_BODY;
  return true;
}

function closeSection(): bool {
  if (!inTableScope(Tag.tbody) && !inTableScope(Tag.thead) && !inTableScope(Tag.tfoot)) return false;
  clearTo(innermostSection());
  pop(b.tokenStart);
  b.mode = Mode.IN_TABLE;
  return true;
}

function closeCell(): bool {
  if (!inTableScope(Tag.td) && !inTableScope(Tag.th)) return false;
  popThrough(max(innermost(Tag.td), innermost(Tag.th)), b.tokenStart, b.tokenStart);
  clearToMarker();
  b.mode = Mode.IN_ROW;
  return true;
}

function closeCaption(end: u32): bool {
  if (!inTableScope(Tag.caption)) return false;
  popThrough(innermost(Tag.caption), b.tokenStart, end);
  clearToMarker();
  b.mode = Mode.IN_TABLE;
  return true;
}

/** Whether a tag is tbody, thead or tfoot. */
export function isSection(tag: u32): bool {
  return tag === Tag.tbody || tag === Tag.thead || tag === Tag.tfoot;
}

/** Whether a tag is a part of a table other than the table itself; its start ends a cell or caption. */
function isTablePart(tag: u32): bool {
  switch (tag) {
    case Tag.tr:
    case Tag.td:
    case Tag.th:
    case Tag.caption:
    case Tag.col:
    case Tag.colgroup:
      return true;
    default:
      return isSection(tag);
  }
}

/** Whether an end tag inside a table follows the rules of the body. */
function isContentEnd(tag: u32): bool {
  return !isTablePart(tag) && tag !== Tag.body && tag !== Tag.html;
}
