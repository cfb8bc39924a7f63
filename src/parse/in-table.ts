/**
 * Insertion modes inside tables. What does not belong between table tags would be moved before
 * the table by a browser; here it stays where its bytes are and is counted.
 */
import {
  type Construction,
  IN_CAPTION,
  IN_CELL,
  IN_COLUMN_GROUP,
  IN_ROW,
  IN_TABLE,
  IN_TABLE_BODY,
} from './construction.ts';
import { endInBody, isHiddenInput, startInBody } from './in-body.ts';
import { endTemplate, startInHead } from './in-head.ts';
import { TAG } from './tag-names.ts';
import { endTag, startTag } from './tree-builder.ts';

/** Start tags in table, table body, row, cell, caption and column group. */
export function startInTableModes(build: Construction): void {
  switch (build.mode) {
    case IN_TABLE:
      startInTable(build);
      return;
    case IN_TABLE_BODY:
      startInTableBody(build);
      return;
    case IN_ROW:
      startInRow(build);
      return;
    case IN_CELL:
      startInCell(build);
      return;
    case IN_CAPTION:
      startInCaption(build);
      return;
    default:
      startInColumnGroup(build);
      return;
  }
}

/** End tags in the same modes. */
export function endInTableModes(build: Construction): void {
  switch (build.mode) {
    case IN_TABLE:
      endInTable(build);
      return;
    case IN_TABLE_BODY:
      endInTableBody(build);
      return;
    case IN_ROW:
      endInRow(build);
      return;
    case IN_CELL:
      endInCell(build);
      return;
    case IN_CAPTION:
      endInCaption(build);
      return;
    default:
      endInColumnGroup(build);
      return;
  }
}

function startInTable(build: Construction): void {
  const { open, tag } = build;
  switch (tag) {
    case TAG.tr:
    case TAG.td:
    case TAG.th:
      clearTo(build, TAG.table);
      build.insertImplied(TAG.tbody, build.tokenStart);
      build.mode = IN_TABLE_BODY;
      startInTableBody(build);
      return;
    case TAG.tbody:
    case TAG.thead:
    case TAG.tfoot:
      clearTo(build, TAG.table);
      build.insertElement();
      build.mode = IN_TABLE_BODY;
      return;
    case TAG.caption:
      clearTo(build, TAG.table);
      build.formatting.insertMarker();
      build.insertElement();
      build.mode = IN_CAPTION;
      return;
    case TAG.colgroup:
      clearTo(build, TAG.table);
      build.insertElement();
      build.mode = IN_COLUMN_GROUP;
      return;
    case TAG.col:
      clearTo(build, TAG.table);
      build.insertImplied(TAG.colgroup, build.tokenStart);
      build.mode = IN_COLUMN_GROUP;
      startInColumnGroup(build);
      return;
    case TAG.table:
      if (!open.inTableScope(TAG.table)) return;
      build.closeByImplication(TAG.table);
      build.resetMode();
      startTag(build);
      return;
    case TAG.style:
    case TAG.script:
    case TAG.template:
      startInHead(build);
      return;
    case TAG.input:
      if (isHiddenInput(build)) {
        build.insertVoid();
        return;
      }
      startFostered(build);
      return;
    case TAG.form:
      if (build.hasForm || open.innermost[TAG.template] >= 0) return;
      build.hasForm = true;
      build.insertVoid();
      return;
    default:
      startFostered(build);
      return;
  }
}

function startInTableBody(build: Construction): void {
  const { tag } = build;
  if (tag === TAG.tr) {
    clearToSection(build);
    build.insertElement();
    build.mode = IN_ROW;
  } else if (tag === TAG.td || tag === TAG.th) {
    clearToSection(build);
    build.insertImplied(TAG.tr, build.tokenStart);
    build.mode = IN_ROW;
    startInRow(build);
  } else if (isSection(tag) || tag === TAG.caption || tag === TAG.col || tag === TAG.colgroup) {
    if (closeSection(build)) startInTable(build);
  } else startInTable(build);
}

function startInRow(build: Construction): void {
  const { tag } = build;
  if (tag === TAG.td || tag === TAG.th) {
    clearTo(build, TAG.tr);
    build.insertElement();
    build.mode = IN_CELL;
    build.formatting.insertMarker();
  } else if (
    tag === TAG.tr ||
    isSection(tag) ||
    tag === TAG.caption ||
    tag === TAG.col ||
    tag === TAG.colgroup
  ) {
    if (closeRow(build)) startInTableBody(build);
  } else startInTable(build);
}

function startInCell(build: Construction): void {
  if (!isCellEnding(build.tag)) {
    startInBody(build);
    return;
  }
  if (closeCell(build)) startInRow(build);
}

function startInCaption(build: Construction): void {
  if (!isCellEnding(build.tag)) {
    startInBody(build);
    return;
  }
  if (closeCaption(build, build.tokenStart)) startInTable(build);
}

function startInColumnGroup(build: Construction): void {
  const { tag } = build;
  if (tag === TAG.col) build.insertVoid();
  else if (tag === TAG.template) startInHead(build);
  else if (tag === TAG.html) return;
  else if (closeColumnGroup(build, build.tokenStart)) startTag(build);
}

function endInTable(build: Construction): void {
  const { open, tag } = build;
  if (tag === TAG.table) {
    if (!open.inTableScope(TAG.table)) return;
    build.closeByEndTag(TAG.table);
    build.resetMode();
  } else if (tag === TAG.template) endTemplate(build);
  else if (!isTableInternal(tag) && tag !== TAG.body && tag !== TAG.html) {
    build.fostering = true;
    endInBody(build);
    build.fostering = false;
  }
}

function endInTableBody(build: Construction): void {
  const { open, tag } = build;
  if (isSection(tag)) {
    if (!open.inTableScope(tag)) return;
    clearToSection(build);
    open.pop(build.tokenEnd);
    build.mode = IN_TABLE;
  } else if (tag === TAG.table) {
    if (closeSection(build)) endInTable(build);
  } else if (tag !== TAG.td && tag !== TAG.th && tag !== TAG.tr) endInTable(build);
}

function endInRow(build: Construction): void {
  const { open, tag } = build;
  if (tag === TAG.tr) {
    if (!open.inTableScope(TAG.tr)) return;
    clearTo(build, TAG.tr);
    open.pop(build.tokenEnd);
    build.mode = IN_TABLE_BODY;
  } else if (tag === TAG.table) {
    if (closeRow(build)) endInTableBody(build);
  } else if (isSection(tag)) {
    if (open.inTableScope(tag) && closeRow(build)) endInTableBody(build);
  } else if (tag !== TAG.td && tag !== TAG.th) endInTable(build);
}

function endInCell(build: Construction): void {
  const { open, tag } = build;
  if (tag === TAG.td || tag === TAG.th) {
    if (!open.inTableScope(tag)) return;
    build.closeByEndTag(tag);
    build.formatting.clearToMarker();
    build.mode = IN_ROW;
  } else if (tag === TAG.table || tag === TAG.tr || isSection(tag)) {
    if (open.inTableScope(tag) && closeCell(build)) endInRow(build);
  } else if (!isTableInternal(tag) && tag !== TAG.body && tag !== TAG.html) endInBody(build);
}

function endInCaption(build: Construction): void {
  const { tag } = build;
  if (tag === TAG.caption) closeCaption(build, build.tokenEnd);
  else if (tag === TAG.table) {
    if (closeCaption(build, build.tokenStart)) endInTable(build);
  } else if (!isTableInternal(tag) && tag !== TAG.body && tag !== TAG.html) endInBody(build);
}

function endInColumnGroup(build: Construction): void {
  const { tag } = build;
  if (tag === TAG.colgroup) closeColumnGroup(build, build.tokenEnd);
  else if (tag === TAG.template) endTemplate(build);
  else if (tag !== TAG.col && closeColumnGroup(build, build.tokenStart)) endTag(build);
}

/** Ends a column group for text or an end tag that does not belong to it; false when there is none. */
export function closeColumnGroup(build: Construction, end: number): boolean {
  if (build.open.currentKey !== TAG.colgroup) return false;
  build.open.pop(end);
  build.mode = IN_TABLE;
  return true;
}

function startFostered(build: Construction): void {
  build.fostering = true;
  startInBody(build);
  build.fostering = false;
}

/** Closes elements down to the innermost one of a tag, template or html. */
function clearTo(build: Construction, tag: number): void {
  const { open } = build;
  open.popAbove(Math.max(1, open.innermost[tag], open.innermost[TAG.template]), build.tokenStart);
}

function clearToSection(build: Construction): void {
  const { open } = build;
  open.popAbove(Math.max(1, innermostSection(build), open.innermost[TAG.template]), build.tokenStart);
}

function innermostSection({ open }: Construction): number {
  return Math.max(open.innermost[TAG.tbody], open.innermost[TAG.thead], open.innermost[TAG.tfoot]);
}

function closeRow(build: Construction): boolean {
  const { open } = build;
  if (!open.inTableScope(TAG.tr)) return false;
  clearTo(build, TAG.tr);
  open.pop(build.tokenStart);
  build.mode = IN_TABLE_BODY;
  return true;
}

function closeSection(build: Construction): boolean {
  const { open } = build;
  if (!open.inTableScope(TAG.tbody) && !open.inTableScope(TAG.thead) && !open.inTableScope(TAG.tfoot))
    return false;
  clearToSection(build);
  open.pop(build.tokenStart);
  build.mode = IN_TABLE;
  return true;
}

function closeCell(build: Construction): boolean {
  const { open } = build;
  if (!open.inTableScope(TAG.td) && !open.inTableScope(TAG.th)) return false;
  const index = Math.max(open.innermost[TAG.td], open.innermost[TAG.th]);
  open.popThrough(index, build.tokenStart, build.tokenStart);
  build.formatting.clearToMarker();
  build.mode = IN_ROW;
  return true;
}

function closeCaption(build: Construction, end: number): boolean {
  const { open } = build;
  if (!open.inTableScope(TAG.caption)) return false;
  open.popThrough(open.innermost[TAG.caption], build.tokenStart, end);
  build.formatting.clearToMarker();
  build.mode = IN_TABLE;
  return true;
}

export function isSection(tag: number): boolean {
  return tag === TAG.tbody || tag === TAG.thead || tag === TAG.tfoot;
}

/** What ends a cell or caption by starting. */
function isCellEnding(tag: number): boolean {
  return (
    tag === TAG.tr ||
    tag === TAG.td ||
    tag === TAG.th ||
    tag === TAG.caption ||
    tag === TAG.col ||
    tag === TAG.colgroup ||
    isSection(tag)
  );
}

/** Parts of a table other than the table itself. */
function isTableInternal(tag: number): boolean {
  return isCellEnding(tag);
}
