/**
 * Tags, texts and comments into the tree: picks the rules by insertion mode. The scanner calls these in
 * source order; each call appends to the columns and never looks back further than the open elements.
 */
import {
  AFTER_AFTER_BODY,
  AFTER_AFTER_FRAMESET,
  AFTER_BODY,
  AFTER_FRAMESET,
  AFTER_HEAD,
  BEFORE_HTML,
  type Construction,
  IN_BODY,
  IN_CELL,
  IN_COLUMN_GROUP,
  IN_FRAMESET,
  IN_ROW,
  IN_SELECT,
  IN_SELECT_IN_TABLE,
  IN_TABLE,
  IN_TABLE_BODY,
  IN_TEMPLATE,
  INITIAL,
} from './construction.ts';
import { endInBody, startInBody } from './in-body.ts';
import { endInForeign, isForeignStart, isForeignText, startInForeign } from './in-foreign.ts';
import {
  closeTemplate,
  endInHeadModes,
  endTemplate,
  startBody,
  startInHead,
  startInHeadModes,
} from './in-head.ts';
import { endInSelect, startInSelect } from './in-select.ts';
import { closeColumnGroup, endInTableModes, isSection, startInTableModes } from './in-table.ts';
import { isQuirksDoctype } from './quirks.ts';
import { FOREIGN, NOT_HTML, PLAIN_END, TABLE_PART, TAG, TAG_FLAGS } from './tag-names.ts';
import { DECLARATION, DOCUMENT } from './tree.ts';

/** Opens the document. */
export function startDocument(build: Construction): void {
  const { columns, open } = build;
  const document = columns.add(DOCUMENT, 0, -1, 0, 0);
  open.push(document, NOT_HTML, 0, 0, 0, 0, 0);
}

/** The start tag at hand. */
export function startTag(build: Construction): void {
  const { open, mode } = build;
  if ((open.currentFlags & FOREIGN) !== 0 && isForeignStart(build) && startInForeign(build)) return;
  if (mode === IN_BODY) startInBody(build);
  else if (mode < IN_BODY) {
    if (!startInHeadModes(build)) startTag(build);
  } else if (mode <= IN_CELL) startInTableModes(build);
  else if (mode === IN_SELECT || mode === IN_SELECT_IN_TABLE) startInSelect(build);
  else if (mode === IN_TEMPLATE) startInTemplate(build);
  else if (mode === AFTER_BODY || mode === AFTER_AFTER_BODY) {
    if (build.tag === TAG.html) return;
    build.resumeBody();
    startInBody(build);
  } else startInFrameset(build);
}

/** The end tag at hand. */
export function endTag(build: Construction): void {
  const { open, mode } = build;
  if ((mode === IN_BODY || mode === IN_CELL) && closePlainElement(build)) return;
  if ((open.currentFlags & FOREIGN) !== 0 && endInForeign(build)) return;
  if (mode === IN_BODY) endInBody(build);
  else if (mode < IN_BODY) {
    if (!endInHeadModes(build)) endTag(build);
  } else if (mode <= IN_CELL) endInTableModes(build);
  else if (mode === IN_SELECT || mode === IN_SELECT_IN_TABLE) endInSelect(build);
  else if (mode === IN_TEMPLATE) {
    if (build.tag === TAG.template) endTemplate(build);
  } else if (mode === AFTER_BODY || mode === AFTER_AFTER_BODY) endAfterBody(build);
  else endInFrameset(build);
}

/**
 * Makes way for text at `at` that is not white space: afterwards the current node is its parent. False when
 * the text is dropped.
 */
export function prepareText(build: Construction, at: number): boolean {
  const { mode } = build;
  if (mode === IN_BODY && (build.open.currentFlags & FOREIGN) === 0) {
    if (build.formatting.needsOpening) build.reopenFormatting(at);
    build.framesetOk = false;
    return true;
  }
  if (isForeignText(build)) {
    build.resumeBody();
    build.framesetOk = false;
    return true;
  }
  if (mode < IN_BODY) startBody(build, at);
  else if (mode === AFTER_BODY || mode === AFTER_AFTER_BODY) build.resumeBody();
  else if (mode === IN_SELECT || mode === IN_SELECT_IN_TABLE) return true;
  else if (mode >= IN_FRAMESET) return false;
  else if (mode === IN_COLUMN_GROUP) {
    build.tokenStart = at;
    if (!closeColumnGroup(build, at)) return false;
  }
  const inTable = build.mode === IN_TABLE || build.mode === IN_TABLE_BODY || build.mode === IN_ROW;
  build.fostering = inTable;
  build.reopenFormatting(at);
  build.fostering = false;
  build.framesetOk = false;
  if (inTable && (build.open.currentFlags & TABLE_PART) !== 0) build.columns.fosteredCount++;
  return true;
}

/** White space makes no node, but it has formatting elements opened again. */
export function whiteSpace(build: Construction, at: number): void {
  if (!build.formatting.needsOpening) return;
  const { mode } = build;
  if (mode < IN_BODY || mode > IN_TEMPLATE || mode === IN_COLUMN_GROUP) return;
  if (mode === IN_SELECT || mode === IN_SELECT_IN_TABLE || isForeignText(build)) return;
  const inTable = mode === IN_TABLE || mode === IN_TABLE_BODY || mode === IN_ROW;
  if (inTable && (build.open.currentFlags & TABLE_PART) !== 0) return;
  build.reopenFormatting(at);
}

/** A doctype, at any place; only one at the very start tells how old the page wants to be. */
export function doctype(build: Construction, start: number, end: number, low: number, high: number): void {
  if (build.mode === INITIAL) {
    build.quirks = isQuirksDoctype(build.columns.source, start, end);
    build.mode = BEFORE_HTML;
  }
  build.insertComment(DECLARATION, start, end, low, high);
}

/** The element whose content was not markup ends. */
export function endRaw(build: Construction, contentEnd: number, end: number): void {
  build.rawTag = 0;
  build.open.pop(Math.max(end, contentEnd));
  // raw elements after </head>, or after </html> of a frameset page, extend the head or html element
  if (build.mode === AFTER_HEAD) build.headEnd = end;
  else if (build.mode === AFTER_AFTER_FRAMESET) build.htmlEnd = end;
}

/** Closes everything at the end of the source. */
export function endDocument(build: Construction, size: number): void {
  const { open, columns } = build;
  build.tokenStart = build.tokenEnd = size;
  while (build.templateModes.length > 0) closeTemplate(build);
  if (build.mode < IN_BODY) startBody(build, size);
  const lateComment = build.lateComment >= 0 ? build.lateComment : columns.nodeCount;
  const lastComment = build.lastComment >= 0 ? build.lastComment : columns.nodeCount;
  const bodyEnd = build.bodyEnd >= 0 ? build.bodyEnd : size;
  const htmlEnd = build.htmlEnd >= 0 ? build.htmlEnd : size;
  while (open.depth > 3) open.popBefore(bodyEnd, lateComment);
  if (open.depth > 2) open.popBefore(bodyEnd, lateComment);
  if (open.depth > 1) open.popBefore(htmlEnd, lastComment);
  open.pop(size);
  columns.textStart[columns.nodeCount] = columns.textLength;
}

/** Closes the current node when the end tag is its own and means nothing else: the usual case. */
function closePlainElement(build: Construction): boolean {
  const { open, formatting, tag } = build;
  if (open.currentKey !== tag || (TAG_FLAGS[tag] & PLAIN_END) === 0) return false;
  const index = open.depth - 1;
  const entry = open.formattingEntry(index);
  if (entry >= 0) {
    if (entry !== formatting.length - 1) return false;
    formatting.length = entry;
    open.setFormattingEntry(index, -1);
  }
  open.pop(build.tokenEnd);
  return true;
}

function endAfterBody(build: Construction): void {
  if (build.tag === TAG.html) {
    // after a comment that is already outside, a second end tag does not extend the element
    if (build.lastComment < 0) build.htmlEnd = build.tokenEnd;
    build.mode = AFTER_AFTER_BODY;
    return;
  }
  if (build.tag === TAG.body && build.mode === AFTER_BODY) return;
  build.resumeBody();
  endInBody(build);
}

/** In a template the first tag decides what kind of content it is for. */
function startInTemplate(build: Construction): void {
  const { tag } = build;
  if (startsHeadContent(tag)) {
    startInHead(build);
    return;
  }
  let mode = IN_BODY;
  if (tag === TAG.caption || tag === TAG.colgroup || isSection(tag)) mode = IN_TABLE;
  else if (tag === TAG.col) mode = IN_COLUMN_GROUP;
  else if (tag === TAG.tr) mode = IN_TABLE_BODY;
  else if (tag === TAG.td || tag === TAG.th) mode = IN_ROW;
  build.templateModes[build.templateModes.length - 1] = mode;
  build.mode = mode;
  startTag(build);
}

function startsHeadContent(tag: number): boolean {
  return (
    tag === TAG.base ||
    tag === TAG.basefont ||
    tag === TAG.bgsound ||
    tag === TAG.link ||
    tag === TAG.meta ||
    tag === TAG.noframes ||
    tag === TAG.script ||
    tag === TAG.style ||
    tag === TAG.template ||
    tag === TAG.title
  );
}

function startInFrameset(build: Construction): void {
  const { tag, mode } = build;
  if (tag === TAG.noframes) {
    if (mode === AFTER_AFTER_FRAMESET) build.adoptLateComments();
    build.insertRaw();
  } else if (mode !== IN_FRAMESET) return;
  else if (tag === TAG.frameset) build.insertElement();
  else if (tag === TAG.frame) build.insertVoid();
}

function endInFrameset(build: Construction): void {
  const { open, tag, mode } = build;
  if (tag === TAG.frameset && mode === IN_FRAMESET) {
    if (open.currentKey !== TAG.frameset) return;
    open.pop(build.tokenEnd);
    if (open.currentKey !== TAG.frameset) build.mode = AFTER_FRAMESET;
  } else if (tag === TAG.html && mode === AFTER_FRAMESET) {
    build.htmlEnd = build.tokenEnd;
    build.mode = AFTER_AFTER_FRAMESET;
  }
}
