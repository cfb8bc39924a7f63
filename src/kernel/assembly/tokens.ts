/**
 * Adds tokens to the tree: selects the rules for tags, texts and comments by insertion mode. Each call
 * appends to the columns and reads back no further than the open elements.
 */
import { ELEMENT_BYTES, FORMAT_BYTES } from '../layout.ts';
import { b } from './builder.ts';
import { needsOpening, reopenFormats } from './formatting-list.ts';
import { endInBody, startInBody } from './in-body.ts';
import { endInForeign, isForeignStart, isForeignText, startInForeign } from './in-foreign.ts';
import {
  closeTemplate,
  endInHeadModes,
  endTemplate,
  isHeadContent,
  startBody,
  startInHead,
  startInHeadModes,
} from './in-head.ts';
import { endInSelect, startInSelect } from './in-select.ts';
import { closeColumnGroup, endInTableModes, isSection, startInTableModes } from './in-table.ts';
import { adoptLateComments, insertElement, insertRaw, insertVoid, resumeBody } from './insert-nodes.ts';
import * as Mode from './insertion-modes.ts';
import { currentFlags, currentKey, FORMAT, formatOf, pop, popBefore } from './open-elements.ts';
import { FOREIGN, flagsOf, PLAIN_END, TABLE_PART, Tag } from './tag-table.ts';

/** Adds the current start tag. */
export function startTag(): void {
  if (currentFlags() & FOREIGN && isForeignStart() && startInForeign()) return;
  const mode = b.mode;
  if (mode === Mode.IN_BODY) startInBody();
  else if (mode < Mode.IN_BODY) {
    if (!startInHeadModes()) startTag();
  } else if (mode <= Mode.IN_CELL) startInTableModes();
  else if (mode === Mode.IN_SELECT || mode === Mode.IN_SELECT_IN_TABLE) startInSelect();
  else if (mode === Mode.IN_TEMPLATE) startInTemplate();
  else if (mode === Mode.AFTER_BODY || mode === Mode.AFTER_AFTER_BODY) {
    if (b.tag === Tag.html) return;
    resumeBody();
    startInBody();
  } else startInFrameset();
}

/** Adds the current end tag. */
export function endTag(): void {
  const mode = b.mode;
  if ((mode === Mode.IN_BODY || mode === Mode.IN_CELL) && closePlainElement()) return;
  if (currentFlags() & FOREIGN && endInForeign()) return;
  if (mode === Mode.IN_BODY) endInBody();
  else if (mode < Mode.IN_BODY) {
    if (!endInHeadModes()) endTag();
  } else if (mode <= Mode.IN_CELL) endInTableModes();
  else if (mode === Mode.IN_SELECT || mode === Mode.IN_SELECT_IN_TABLE) endInSelect();
  else if (mode === Mode.IN_TEMPLATE) {
    if (b.tag === Tag.template) endTemplate();
  } else if (mode === Mode.AFTER_BODY || mode === Mode.AFTER_AFTER_BODY) endAfterBody();
  else endInFrameset();
}

/**
 * Prepares the tree for text at a position that is not white space; afterwards the current element is the
 * parent of the text. False if the text is dropped.
 */
export function prepareText(at: u32): bool {
  const mode = b.mode;
  if (mode === Mode.IN_BODY && !(currentFlags() & FOREIGN)) {
    reopenFormats(at);
    b.framesetOk = 0;
    return true;
  }
  if (isForeignText()) {
    resumeBody();
    b.framesetOk = 0;
    return true;
  }
  if (mode < Mode.IN_BODY) startBody(at);
  else if (mode === Mode.AFTER_BODY || mode === Mode.AFTER_AFTER_BODY) resumeBody();
  else if (mode === Mode.IN_SELECT || mode === Mode.IN_SELECT_IN_TABLE) return true;
  else if (mode >= Mode.IN_FRAMESET) return false;
  else if (mode === Mode.IN_COLUMN_GROUP) {
    b.tokenStart = at;
    if (!closeColumnGroup(at)) return false;
  }
  const isInTable = isTableMode(b.mode);
  b.fostering = u32(isInTable);
  reopenFormats(at);
  b.fostering = 0;
  b.framesetOk = 0;
  if (isInTable && currentFlags() & TABLE_PART) b.fosteredCount++;
  return true;
}

/** Handles white space, which makes no node but opens formatting elements again. */
export function whiteSpace(at: u32): void {
  if (!needsOpening()) return;
  const mode = b.mode;
  if (mode < Mode.IN_BODY || mode > Mode.IN_TEMPLATE || mode === Mode.IN_COLUMN_GROUP) return;
  if (mode === Mode.IN_SELECT || mode === Mode.IN_SELECT_IN_TABLE || isForeignText()) return;
  if (isTableMode(mode) && currentFlags() & TABLE_PART) return;
  reopenFormats(at);
}

function isTableMode(mode: u32): bool {
  return mode === Mode.IN_TABLE || mode === Mode.IN_TABLE_BODY || mode === Mode.IN_ROW;
}

/** Closes everything at the end of the source. */
export function endDocument(): void {
  const end = b.sourceEnd;
  b.tokenStart = b.tokenEnd = end;
  while (b.newestTemplate >= b.templates) closeTemplate();
  if (b.mode < Mode.IN_BODY) startBody(end);
  const lateComment = b.lateComment ? b.lateComment : b.nodeCount;
  const lastComment = b.lastComment ? b.lastComment : b.nodeCount;
  const bodyEnd = b.bodyEnd ? b.bodyEnd : end;
  const html = b.bottom + ELEMENT_BYTES;
  while (b.top > html) popBefore(bodyEnd, lateComment);
  if (b.top >= html) popBefore(b.htmlEnd ? b.htmlEnd : end, lastComment);
  pop(end);
}

/** Closes the current element if the end tag is its own and has no other effect: the usual case. */
function closePlainElement(): bool {
  if (currentKey() !== b.tag || !(flagsOf(b.tag) & PLAIN_END)) return false;
  const format = formatOf(b.top);
  if (format) {
    if (format !== b.newestFormat) return false;
    b.newestFormat -= FORMAT_BYTES;
    store<u32>(b.top, 0, FORMAT);
  }
  pop(b.tokenEnd);
  return true;
}

function endAfterBody(): void {
  if (b.tag === Tag.html) {
    // after a comment that is already outside, a second end tag does not extend the element
    if (!b.lastComment) b.htmlEnd = b.tokenEnd;
    b.mode = Mode.AFTER_AFTER_BODY;
    return;
  }
  if (b.tag === Tag.body && b.mode === Mode.AFTER_BODY) return;
  resumeBody();
  endInBody();
}

/** Handles a start tag in a template, where the first tag decides about the kind of content. */
function startInTemplate(): void {
  const tag = b.tag;
  if (isHeadContent(tag)) {
    startInHead();
    return;
  }
  let mode = Mode.IN_BODY;
  if (tag === Tag.caption || tag === Tag.colgroup || isSection(tag)) mode = Mode.IN_TABLE;
  else if (tag === Tag.col) mode = Mode.IN_COLUMN_GROUP;
  else if (tag === Tag.tr) mode = Mode.IN_TABLE_BODY;
  else if (tag === Tag.td || tag === Tag.th) mode = Mode.IN_ROW;
  store<u8>(b.newestTemplate, mode);
  b.mode = mode;
  startTag();
}

function startInFrameset(): void {
  if (b.tag === Tag.noframes) {
    if (b.mode === Mode.AFTER_AFTER_FRAMESET) adoptLateComments();
    insertRaw();
  } else if (b.mode !== Mode.IN_FRAMESET) return;
  else if (b.tag === Tag.frameset) insertElement();
  else if (b.tag === Tag.frame) insertVoid();
}

function endInFrameset(): void {
  if (b.tag === Tag.frameset && b.mode === Mode.IN_FRAMESET) {
    if (currentKey() !== Tag.frameset) return;
    pop(b.tokenEnd);
    if (currentKey() !== Tag.frameset) b.mode = Mode.AFTER_FRAMESET;
  } else if (b.tag === Tag.html && b.mode === Mode.AFTER_FRAMESET) {
    b.htmlEnd = b.tokenEnd;
    b.mode = Mode.AFTER_AFTER_FRAMESET;
  }
}
