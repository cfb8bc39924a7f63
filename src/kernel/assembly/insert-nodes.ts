/**
 * Operations that all insertion modes share: adding nodes, opening elements, and closing them by an end tag
 * or by implication.
 */
import { ELEMENT_BYTES, RESULTS_AT } from '../layout.ts';
import { b, COMMENT, ELEMENT, TEXT } from './builder.ts';
import * as Mode from './insertion-modes.ts';
import { fold, TEXT_SHAPE_HIGH, TEXT_SHAPE_LOW } from './node-hashes.ts';
import {
  CHILDREN,
  currentFlags,
  currentKey,
  holder,
  inButtonScope,
  keyOf,
  nodeOf,
  pop,
  popThrough,
  push,
  TAG_HASH,
} from './open-elements.ts';
import { attributeLane, hrefEnd, hrefStart } from './scan-tags.ts';
import * as Tags from './tag-table.ts';

/** Appends a node and returns its id; the caller sets `last`, `end` and the hashes. Positions are offsets. */
export function addNode(kind: u32, name: u32, parent: u32, start: u32, openEnd: u32): u32 {
  const node = b.nodeCount;
  b.nodeCount = node + 1;
  store<u8>(b.kind + node, kind);
  store<u16>(b.name + (node << 1), name);
  const at = node << 2;
  store<u32>(b.parent + at, parent);
  store<u32>(b.start + at, start);
  store<u32>(b.openEnd + at, openEnd);
  store<u32>(b.textStart + at, b.textEnd - b.text);
  return node;
}

/** Appends a text, comment or declaration whose hash is in the result words. */
function addLeaf(kind: u32, parent: u32, start: u32, end: u32, shapeLow: u32, shapeHigh: u32): void {
  const offset = end - b.source;
  const node = addNode(kind, 0, parent, start - b.source, offset);
  const at = node << 2;
  store<u32>(b.last + at, node + 1);
  store<u32>(b.end + at, offset);
  store<u32>(b.contentLow + at, load<u32>(RESULTS_AT));
  store<u32>(b.contentHigh + at, load<u32>(RESULTS_AT, 4));
  store<u32>(b.shapeLow + at, shapeLow);
  store<u32>(b.shapeHigh + at, shapeHigh);
}

/** Opens an HTML element for the current start tag. */
export function insertElement(): void {
  insertWithFlags(Tags.flagsOf(b.tag), b.tag);
}

/** Opens an element with the attributes of the current start tag and with the given flags and key. */
export function insertWithFlags(flags: u32, key: u32): void {
  const tag = b.tag;
  const bucket = b.bucket;
  b.wordEnded |= flags & Tags.BREAK;
  if (b.fostering && currentFlags() & Tags.TABLE_PART) b.fosteredCount++;
  const start = b.tokenStart - b.source;
  const node = addNode(ELEMENT, tag, nodeOf(holder()), start, b.tokenEnd - b.source);
  if (Tags.flagsOf(tag) & Tags.LINK && hrefStart(bucket) >= 0)
    addLink(node, start + hrefStart(bucket), start + hrefEnd(bucket));
  const element = b.top + ELEMENT_BYTES;
  store<u32>(element, Tags.tagLow(tag) + attributeLane(bucket, 0), TAG_HASH);
  store<u32>(element, Tags.tagHigh(tag) + attributeLane(bucket, 1), TAG_HASH + 4);
  store<u32>(element, Tags.tagLow(tag) + attributeLane(bucket, 2), TAG_HASH + 8);
  store<u32>(element, Tags.tagHigh(tag) + attributeLane(bucket, 3), TAG_HASH + 12);
  push(node, key, flags);
}

function addLink(node: u32, start: u32, end: u32): void {
  const at = b.linkCount++ << 2;
  store<u32>(b.linkNode + at, node);
  store<u32>(b.linkStart + at, start);
  store<u32>(b.linkEnd + at, end);
}

/** Adds an element without content for the current start tag. */
export function insertVoid(): void {
  insertElement();
  pop(b.tokenEnd);
}

/** Opens an element whose content is text up to its end tag. */
export function insertRaw(): void {
  insertElement();
  b.rawTag = b.tag;
}

/** Opens an element without a start tag, at a position. */
export function insertImplied(tag: u32, at: u32): void {
  const flags = Tags.flagsOf(tag);
  b.wordEnded |= flags & Tags.BREAK;
  if (b.fostering && currentFlags() & Tags.TABLE_PART) b.fosteredCount++;
  const offset = at - b.source;
  const node = addNode(ELEMENT, tag, nodeOf(holder()), offset, offset);
  const element = b.top + ELEMENT_BYTES;
  store<u32>(element, Tags.tagLow(tag), TAG_HASH);
  store<u32>(element, Tags.tagHigh(tag), TAG_HASH + 4);
  store<u32>(element, Tags.tagLow(tag), TAG_HASH + 8);
  store<u32>(element, Tags.tagHigh(tag), TAG_HASH + 12);
  push(node, tag, flags);
}

/** Adds a text whose hash is in the result words; the caller appends its words to the page's text. */
export function insertText(start: u32, end: u32): void {
  const element = holder();
  addLeaf(TEXT, nodeOf(element), start, end, TEXT_SHAPE_LOW, TEXT_SHAPE_HIGH);
  fold(element + CHILDREN, load<u32>(RESULTS_AT), load<u32>(RESULTS_AT, 4));
  fold(element + CHILDREN + 8, TEXT_SHAPE_LOW, TEXT_SHAPE_HIGH);
}

/**
 * Adds a comment or declaration. It is not part of its parent's hashes, because comments often hold build
 * times.
 */
export function insertComment(kind: u32, start: u32, end: u32): void {
  let element = holder();
  // a comment after the end tag of head, body or html is outside of the element, unless more content follows
  if (b.mode === Mode.AFTER_HEAD || b.mode === Mode.AFTER_BODY) {
    if (!b.lateComment) b.lateComment = b.nodeCount;
    element = b.bottom + ELEMENT_BYTES;
  } else if (b.mode === Mode.AFTER_AFTER_BODY || b.mode === Mode.AFTER_AFTER_FRAMESET) {
    if (!b.lateComment) b.lateComment = b.nodeCount;
    if (!b.lastComment) b.lastComment = b.nodeCount;
    element = b.bottom;
  }
  const shape: u32 = kind === COMMENT ? 1 : 2;
  addLeaf(kind, nodeOf(element), start, end, shape, shape);
}

/**
 * Moves the comments since an end tag of head, body or html into the current element, because content follows
 * them.
 */
export function adoptLateComments(): void {
  if (b.lateComment) {
    const parent = nodeOf(holder());
    for (let node = b.lateComment; node < b.nodeCount; node++) store<u32>(b.parent + (node << 2), parent);
  }
  b.lateComment = 0;
  b.lastComment = 0;
}

/**
 * Opens the body again for content after its end tag. To be called before the content closes or adds an
 * element, because the comments since the end tag move into the current one.
 */
export function resumeBody(): void {
  if (b.mode !== Mode.AFTER_BODY && b.mode !== Mode.AFTER_AFTER_BODY) return;
  adoptLateComments();
  b.bodyEnd = 0;
  b.htmlEnd = 0;
  b.mode = Mode.IN_BODY;
}

/** Closes elements whose end tag may be omitted, except those with the key `except`. */
export function generateImpliedEndTags(except: u32): void {
  while (currentFlags() & Tags.IMPLIED_END && currentKey() !== except) pop(b.tokenStart);
}

/** Closes the elements up to the innermost one of a tag, to which the current end tag belongs. */
export function closeByEndTag(tag: u32): void {
  popThrough(Tags.innermost(tag), b.tokenStart, b.tokenEnd);
}

/** Closes the elements up to the innermost one of a tag, whose end tag is implied. */
export function closeByImplication(tag: u32): void {
  popThrough(Tags.innermost(tag), b.tokenStart, b.tokenStart);
}

/** Closes an open p before a block. */
export function closeParagraph(): void {
  if (Tags.innermost(Tags.Tag.p) && inButtonScope(Tags.Tag.p)) closeByImplication(Tags.Tag.p);
}

/** Sets the mode that fits the open elements, after a table, select or template has closed. */
export function resetMode(): void {
  let element = b.bottom;
  element = max(element, max(Tags.innermost(Tags.Tag.html), Tags.innermost(Tags.Tag.head)));
  element = max(element, max(Tags.innermost(Tags.Tag.body), Tags.innermost(Tags.Tag.frameset)));
  element = max(element, max(Tags.innermost(Tags.Tag.template), Tags.innermost(Tags.Tag.table)));
  element = max(element, max(Tags.innermost(Tags.Tag.caption), Tags.innermost(Tags.Tag.colgroup)));
  element = max(element, max(Tags.innermost(Tags.Tag.tbody), Tags.innermost(Tags.Tag.thead)));
  element = max(element, max(Tags.innermost(Tags.Tag.tfoot), Tags.innermost(Tags.Tag.tr)));
  element = max(element, max(Tags.innermost(Tags.Tag.td), Tags.innermost(Tags.Tag.th)));
  element = max(element, Tags.innermost(Tags.Tag.select));
  b.mode = modeInside(element);
}

function modeInside(element: u32): u32 {
  switch (keyOf(element)) {
    case Tags.Tag.td:
    case Tags.Tag.th:
      return Mode.IN_CELL;
    case Tags.Tag.tr:
      return Mode.IN_ROW;
    case Tags.Tag.tbody:
    case Tags.Tag.thead:
    case Tags.Tag.tfoot:
      return Mode.IN_TABLE_BODY;
    case Tags.Tag.table:
      return Mode.IN_TABLE;
    case Tags.Tag.caption:
      return Mode.IN_CAPTION;
    case Tags.Tag.colgroup:
      return Mode.IN_COLUMN_GROUP;
    case Tags.Tag.select: {
      const table = Tags.innermost(Tags.Tag.table);
      const isInTable = table && table < element && table > Tags.innermost(Tags.Tag.template);
      return isInTable ? Mode.IN_SELECT_IN_TABLE : Mode.IN_SELECT;
    }
    case Tags.Tag.template:
      return load<u8>(b.newestTemplate);
    case Tags.Tag.head:
      return Mode.IN_HEAD;
    case Tags.Tag.frameset:
      return Mode.IN_FRAMESET;
    case Tags.Tag.html:
      return b.hasHead ? Mode.AFTER_HEAD : Mode.BEFORE_HEAD;
    default:
      return Mode.IN_BODY;
  }
}
