/**
 * Insertion modes before the body: initial, before html, before head, in head, in head noscript, after head.
 * A head stays on the stack after its end tag, without a name, because scripts and links that follow still
 * belong to it; it closes when the body starts.
 */
import { b } from './builder.ts';
import { clearToMarker, insertMarker } from './formatting-list.ts';
import {
  adoptLateComments,
  closeByEndTag,
  insertElement,
  insertImplied,
  insertRaw,
  insertVoid,
  resetMode,
} from './insert-nodes.ts';
import * as Mode from './insertion-modes.ts';
import { hideCurrent, pop, popBefore } from './open-elements.ts';
import { innermost, Tag } from './tag-table.ts';

/** Opens the body for content at a position; html and head are implied as needed. */
export function startBody(at: u32): void {
  if (b.mode <= Mode.BEFORE_HTML) {
    b.wordEnded = 1;
    insertHtml(at);
  }
  if (b.mode === Mode.BEFORE_HEAD) insertHead(at);
  if (b.mode === Mode.IN_HEAD_NOSCRIPT) pop(at);
  leaveHead(at);
  insertImplied(Tag.body, at);
  b.mode = Mode.IN_BODY;
}

function insertHtml(at: u32): void {
  if (b.mode === Mode.INITIAL) b.quirks = 1;
  insertImplied(Tag.html, at);
  b.mode = Mode.BEFORE_HEAD;
}
function insertHead(at: u32): void {
  insertImplied(Tag.head, at);
  b.hasHead = 1;
  b.mode = Mode.IN_HEAD;
}

/** Handles a start tag in these modes; false if the tag belongs to the body, which is then open. */
export function startInHeadModes(): bool {
  const tag = b.tag;
  if (b.mode <= Mode.BEFORE_HTML) {
    if (tag === Tag.html) {
      if (b.mode === Mode.INITIAL) b.quirks = 1;
      b.mode = Mode.BEFORE_HEAD;
      insertElement();
      return true;
    }
    insertHtml(b.tokenStart);
  }
  // a second html tag only adds attributes to the first
  if (tag === Tag.html) return true;
  if (b.mode === Mode.BEFORE_HEAD) {
    if (tag === Tag.head) {
      b.hasHead = 1;
      b.mode = Mode.IN_HEAD;
      insertElement();
      return true;
    }
    insertHead(b.tokenStart);
  }
  if (b.mode === Mode.IN_HEAD_NOSCRIPT) {
    if (isNoscriptContent(tag)) {
      startInHead();
      return true;
    }
    if (tag === Tag.noscript || tag === Tag.head) return true;
    pop(b.tokenStart);
    b.mode = Mode.IN_HEAD;
  }
  if (tag === Tag.head) return true;
  if (b.mode === Mode.IN_HEAD) {
    if (startInHead()) return true;
  } else if (isHeadContent(tag)) {
    adoptLateComments();
    startInHead();
    b.headEnd = b.tokenEnd;
    return true;
  }

  leaveHead(b.tokenStart);
  if (tag === Tag.body) {
    insertElement();
    b.framesetOk = 0;
    b.mode = Mode.IN_BODY;
    return true;
  }
  if (tag === Tag.frameset) {
    insertElement();
    b.mode = Mode.IN_FRAMESET;
    return true;
  }
  insertImplied(Tag.body, b.tokenStart);
  b.mode = Mode.IN_BODY;
  return false;
}

/** Handles a start tag that the head accepts, in any mode; false for all others. */
export function startInHead(): bool {
  switch (b.tag) {
    case Tag.meta:
    case Tag.link:
    case Tag.base:
    case Tag.basefont:
    case Tag.bgsound:
      insertVoid();
      return true;
    case Tag.script:
    case Tag.style:
    case Tag.title:
    case Tag.noframes:
      insertRaw();
      return true;
    case Tag.noscript:
      insertElement();
      b.mode = Mode.IN_HEAD_NOSCRIPT;
      return true;
    case Tag.template:
      insertElement();
      insertMarker();
      b.framesetOk = 0;
      b.mode = Mode.IN_TEMPLATE;
      store<u8>(++b.newestTemplate, Mode.IN_TEMPLATE);
      return true;
    default:
      return false;
  }
}

/** Handles an end tag in these modes; false if the tag belongs to the body, which is then open. */
export function endInHeadModes(): bool {
  const tag = b.tag;
  if (tag === Tag.head && b.mode <= Mode.IN_HEAD) {
    if (b.mode <= Mode.BEFORE_HTML) insertHtml(b.tokenStart);
    if (b.mode === Mode.BEFORE_HEAD) insertHead(b.tokenStart);
    hideCurrent();
    b.headEnd = b.tokenEnd;
    b.mode = Mode.AFTER_HEAD;
    return true;
  }
  if (tag === Tag.noscript && b.mode === Mode.IN_HEAD_NOSCRIPT) {
    pop(b.tokenEnd);
    b.mode = Mode.IN_HEAD;
    return true;
  }
  if (tag === Tag.template && b.mode >= Mode.IN_HEAD) {
    endTemplate();
    return true;
  }
  const opensBody = tag === Tag.body || tag === Tag.html || tag === Tag.br;
  if (!opensBody || (b.mode === Mode.IN_HEAD_NOSCRIPT && tag !== Tag.br)) return true;
  startBody(b.tokenStart);
  return false;
}

/** Handles the end tag of a template, in any mode. */
export function endTemplate(): void {
  if (innermost(Tag.template)) closeTemplate();
}

/** Closes the innermost template with its content. */
export function closeTemplate(): void {
  closeByEndTag(Tag.template);
  clearToMarker();
  b.newestTemplate--;
  resetMode();
  // a template after the head's end tag still belongs to the head
  if (b.mode === Mode.AFTER_HEAD) b.headEnd = b.tokenEnd;
}

/** Closes the head, at its end tag if it had one. */
function leaveHead(at: u32): void {
  popBefore(b.headEnd ? b.headEnd : at, b.lateComment ? b.lateComment : b.nodeCount);
  b.lateComment = 0;
}

/** Whether a tag belongs to the head, also after its end tag and in a template. */
export function isHeadContent(tag: u32): bool {
  switch (tag) {
    case Tag.base:
    case Tag.basefont:
    case Tag.bgsound:
    case Tag.link:
    case Tag.meta:
    case Tag.noframes:
    case Tag.script:
    case Tag.style:
    case Tag.template:
    case Tag.title:
      return true;
    default:
      return false;
  }
}

function isNoscriptContent(tag: u32): bool {
  switch (tag) {
    case Tag.basefont:
    case Tag.bgsound:
    case Tag.link:
    case Tag.meta:
    case Tag.noframes:
    case Tag.style:
      return true;
    default:
      return false;
  }
}
