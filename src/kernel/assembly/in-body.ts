/** The insertion mode "in body", the mode of most of a page, to which the other modes fall back. */
import { ELEMENT_BYTES } from '../layout.ts';
import { runAdoptionAgency } from './adoption.ts';
import { b } from './builder.ts';
import { isHiddenInput } from './find-attribute.ts';
import {
  appendFormat,
  clearToMarker,
  elementOf,
  findFormat,
  formatTag,
  insertMarker,
  removeFormat,
  reopenFormats,
} from './formatting-list.ts';
import { insertForeign } from './in-foreign.ts';
import { endTemplate, startInHead } from './in-head.ts';
import {
  closeByEndTag,
  closeByImplication,
  closeParagraph,
  generateImpliedEndTags,
  insertElement,
  insertImplied,
  insertRaw,
  insertVoid,
} from './insert-nodes.ts';
import * as Mode from './insertion-modes.ts';
import {
  CHILDREN,
  currentFlags,
  currentKey,
  hasItemBoundaryAbove,
  hasSpecialAbove,
  inButtonScope,
  inItemScope,
  inScope,
  keyOf,
  nodeOf,
  pop,
  popThrough,
  removeElement,
} from './open-elements.ts';
import { endGroup, Group, HEADING, innermost, startGroup, Tag } from './tag-table.ts';

/** Handles a start tag in body. */
export function startInBody(): void {
  switch (startGroup(b.tag)) {
    case Group.other:
      reopenFormats(b.tokenStart);
      insertElement();
      return;
    case Group.blocks:
      closeParagraph();
      insertElement();
      return;
    case Group.formatting:
      reopenFormats(b.tokenStart);
      insertElement();
      appendFormat();
      return;
    case Group.anchor:
      startAnchor();
      return;
    case Group.items:
      startItem();
      return;
    case Group.voids:
      reopenFormats(b.tokenStart);
      insertVoid();
      b.framesetOk = 0;
      return;
    case Group.headings:
      closeParagraph();
      if (currentFlags() & HEADING) pop(b.tokenStart);
      insertElement();
      return;
    case Group.headContent:
      startInHead();
      return;
    case Group.table:
      if (!b.quirks) closeParagraph();
      insertElement();
      b.framesetOk = 0;
      b.mode = Mode.IN_TABLE;
      return;
    case Group.rule:
      closeParagraph();
      insertVoid();
      b.framesetOk = 0;
      return;
    case Group.input:
      reopenFormats(b.tokenStart);
      insertVoid();
      // on most pages visible content precedes the input, so the attribute is rarely read
      if (b.framesetOk && !isHiddenInput()) b.framesetOk = 0;
      return;
    case Group.options:
      if (currentKey() === Tag.option) pop(b.tokenStart);
      reopenFormats(b.tokenStart);
      insertElement();
      return;
    case Group.preformatted:
      closeParagraph();
      insertElement();
      b.framesetOk = 0;
      return;
    case Group.form:
      startForm();
      return;
    case Group.button:
      if (inScope(Tag.button)) closeByImplication(Tag.button);
      reopenFormats(b.tokenStart);
      insertElement();
      b.framesetOk = 0;
      return;
    case Group.select:
      startSelect();
      return;
    case Group.textarea:
      insertRaw();
      b.framesetOk = 0;
      return;
    case Group.raw:
      startRaw();
      return;
    default:
      startRare();
      return;
  }
}

/** Handles an end tag in body. */
export function endInBody(): void {
  const tag = b.tag;
  switch (endGroup(tag)) {
    case Group.other:
      endOtherTag(tag);
      return;
    case Group.blocks:
    case Group.items:
      if (inScope(tag)) closeByEndTag(tag);
      return;
    case Group.formatting:
      runAdoptionAgency(tag);
      return;
    case Group.paragraph:
      if (inButtonScope(Tag.p)) closeByEndTag(Tag.p);
      else {
        insertImplied(Tag.p, b.tokenStart);
        pop(b.tokenEnd);
      }
      return;
    case Group.listItem:
      if (inItemScope(Tag.li)) closeByEndTag(Tag.li);
      return;
    case Group.headings:
      endHeading();
      return;
    case Group.breaks:
      reopenFormats(b.tokenStart);
      insertImplied(Tag.br, b.tokenStart);
      pop(b.tokenEnd);
      b.framesetOk = 0;
      return;
    case Group.form:
      endForm();
      return;
    case Group.objects:
      if (!inScope(tag)) return;
      closeByEndTag(tag);
      clearToMarker();
      return;
    case Group.body:
      if (!inScope(Tag.body)) return;
      b.bodyEnd = b.tokenEnd;
      b.mode = Mode.AFTER_BODY;
      return;
    case Group.html:
      if (!inScope(Tag.body)) return;
      b.bodyEnd = b.tokenStart;
      b.htmlEnd = b.tokenEnd;
      b.mode = Mode.AFTER_AFTER_BODY;
      return;
    default:
      endTemplate();
      return;
  }
}

/**
 * Handles an end tag without rules of its own: closes the innermost element of its name unless a special
 * element is inside.
 */
export function endOtherTag(tag: u32): void {
  const element = innermost(tag);
  if (element <= b.bottom + ELEMENT_BYTES || hasSpecialAbove(element)) return;
  popThrough(element, b.tokenStart, b.tokenEnd);
}

function startAnchor(): void {
  const format = findFormat(Tag.a);
  if (format) {
    const element = elementOf(format);
    const node = element ? nodeOf(element) : 0;
    endBeforeTag(Tag.a);
    removeAnchor(format, node);
  }
  reopenFormats(b.tokenStart);
  insertElement();
  appendFormat();
}

/** Ends, before the current start tag, an open formatting element that cannot contain the tag. */
function endBeforeTag(tag: u32): void {
  const end = b.tokenEnd;
  b.tokenEnd = b.tokenStart;
  runAdoptionAgency(tag);
  b.tokenEnd = end;
}

/**
 * Removes an a element from the stack and the list that a following a could not close because it was out of
 * scope.
 */
function removeAnchor(format: u32, node: u32): void {
  if (format > b.newestFormat || formatTag(format) !== Tag.a) return;
  const element = elementOf(format);
  if (element && nodeOf(element) !== node) return;
  removeFormat(format);
  if (element) removeElement(element, b.tokenStart);
}

function startItem(): void {
  b.framesetOk = 0;
  const element = b.tag === Tag.li ? innermost(Tag.li) : max(innermost(Tag.dd), innermost(Tag.dt));
  if (element && !hasItemBoundaryAbove(element)) popThrough(element, b.tokenStart, b.tokenStart);
  closeParagraph();
  insertElement();
}

function startForm(): void {
  const isInTemplate = innermost(Tag.template) !== 0;
  if (b.hasForm && !isInTemplate) return;
  closeParagraph();
  insertElement();
  if (!isInTemplate) b.hasForm = 1;
}

function endForm(): void {
  if (innermost(Tag.template)) {
    if (inScope(Tag.form)) closeByEndTag(Tag.form);
    return;
  }
  const hadForm = b.hasForm;
  b.hasForm = 0;
  if (!hadForm || !inScope(Tag.form)) return;
  generateImpliedEndTags(0);
  // elements opened in the form and not closed in it keep it open
  removeElement(innermost(Tag.form), b.tokenEnd);
}

function startSelect(): void {
  reopenFormats(b.tokenStart);
  insertElement();
  b.framesetOk = 0;
  switch (b.mode) {
    case Mode.IN_TABLE:
    case Mode.IN_CAPTION:
    case Mode.IN_TABLE_BODY:
    case Mode.IN_ROW:
    case Mode.IN_CELL:
      b.mode = Mode.IN_SELECT_IN_TABLE;
      return;
    default:
      b.mode = Mode.IN_SELECT;
      return;
  }
}

function startRaw(): void {
  const tag = b.tag;
  if (tag === Tag.xmp || tag === Tag.plaintext) closeParagraph();
  if (tag === Tag.xmp) reopenFormats(b.tokenStart);
  if (tag === Tag.xmp || tag === Tag.iframe) b.framesetOk = 0;
  insertRaw();
}

/** Handles start tags too rare for the first switch. */
function startRare(): void {
  switch (startGroup(b.tag)) {
    case Group.objects:
      reopenFormats(b.tokenStart);
      insertElement();
      insertMarker();
      b.framesetOk = 0;
      return;
    case Group.sources:
      insertVoid();
      return;
    case Group.rubyBase:
      if (inScope(Tag.ruby)) generateImpliedEndTags(0);
      insertElement();
      return;
    case Group.rubyText:
      if (inScope(Tag.ruby)) generateImpliedEndTags(Tag.rtc);
      insertElement();
      return;
    case Group.nobr:
      reopenFormats(b.tokenStart);
      if (inScope(Tag.nobr)) {
        endBeforeTag(Tag.nobr);
        reopenFormats(b.tokenStart);
      }
      insertElement();
      appendFormat();
      return;
    case Group.foreignRoot:
      reopenFormats(b.tokenStart);
      insertForeign(b.tag === Tag.math);
      return;
    case Group.body:
      // a second body tag only adds attributes to the first
      if (hasBody()) b.framesetOk = 0;
      return;
    case Group.frameset:
      startFramesetInBody();
      return;
    case Group.image:
      b.tag = Tag.img;
      startInBody();
      return;
    default:
      return; // html adds attributes to the first one; table parts outside a table are ignored
  }
}

/** Whether the third open element is a body. */
function hasBody(): bool {
  const third = b.bottom + 2 * ELEMENT_BYTES;
  return b.top >= third && keyOf(third) === Tag.body;
}

/** Replaces a body without visible content by a frameset. */
function startFramesetInBody(): void {
  if (!b.framesetOk || !hasBody()) return;
  const html = b.bottom + ELEMENT_BYTES;
  const element = html + ELEMENT_BYTES;
  const body = nodeOf(element);
  const children = v128.load(html, CHILDREN);
  popThrough(element, b.tokenStart, b.tokenStart);
  b.nodeCount = body;
  b.textEnd = b.text + load<u32>(b.textStart + (body << 2));
  while (b.linkCount > 0 && load<u32>(b.linkNode + ((b.linkCount - 1) << 2)) >= body) b.linkCount--;
  // restore the children of html, so that the removed body is not part of its hash
  v128.store(html, children, CHILDREN);
  b.newestFormat = b.oldestFormat;
  insertElement();
  b.mode = Mode.IN_FRAMESET;
}

function endHeading(): void {
  let element: u32 = 0;
  for (let tag = Tag.h1; tag <= Tag.h6; tag++) if (inScope(tag)) element = max(element, innermost(tag));
  popThrough(element, b.tokenStart, b.tokenEnd);
}
