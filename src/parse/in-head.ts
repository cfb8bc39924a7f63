/**
 * Insertion modes before the body: initial, before html, before head, in head, in head noscript, after head.
 * A head stays on the stack after its end tag, under no name, because scripts and links that follow still
 * belong to it; it closes when the body starts.
 */
import {
  AFTER_HEAD,
  BEFORE_HEAD,
  BEFORE_HTML,
  type Construction,
  IN_BODY,
  IN_FRAMESET,
  IN_HEAD,
  IN_HEAD_NOSCRIPT,
  IN_TEMPLATE,
  INITIAL,
} from './construction.ts';
import { TAG } from './tag-names.ts';

/** Brings the page to the body for content at offset `at`: html, head and body are implied as needed. */
export function startBody(build: Construction, at: number): void {
  const { open } = build;
  if (build.mode <= BEFORE_HTML) {
    if (build.mode === INITIAL) build.quirks = true;
    open.wordEnded = true;
    build.insertImplied(TAG.html, at);
    build.mode = BEFORE_HEAD;
  }
  if (build.mode === BEFORE_HEAD) {
    build.insertImplied(TAG.head, at);
    build.hasHead = true;
    build.mode = IN_HEAD;
  }
  if (build.mode === IN_HEAD_NOSCRIPT) open.pop(at);
  leaveHead(build, at);
  build.insertImplied(TAG.body, at);
  build.mode = IN_BODY;
}

/** Start tags in these modes; false when the tag belongs to the body, which is then open. */
export function startInHeadModes(build: Construction): boolean {
  const { tag } = build;
  if (build.mode <= BEFORE_HTML) {
    if (build.mode === INITIAL) build.quirks = true;
    build.mode = BEFORE_HEAD;
    if (tag === TAG.html) {
      build.insertElement();
      return true;
    }
    build.insertImplied(TAG.html, build.tokenStart);
  }
  // a second html tag only adds attributes to the first
  if (tag === TAG.html) return true;
  if (build.mode === BEFORE_HEAD) {
    build.hasHead = true;
    build.mode = IN_HEAD;
    if (tag === TAG.head) {
      build.insertElement();
      return true;
    }
    build.insertImplied(TAG.head, build.tokenStart);
  }
  if (build.mode === IN_HEAD_NOSCRIPT) {
    if (isNoscriptContent(tag)) {
      startInHead(build);
      return true;
    }
    if (tag === TAG.noscript || tag === TAG.head) return true;
    build.open.pop(build.tokenStart);
    build.mode = IN_HEAD;
  }
  if (tag === TAG.head) return true;
  if (build.mode === IN_HEAD) {
    if (startInHead(build)) return true;
  } else if (isHeadContent(tag)) {
    build.adoptLateComments();
    startInHead(build);
    build.headEnd = build.tokenEnd;
    return true;
  }

  leaveHead(build, build.tokenStart);
  if (tag === TAG.body) {
    build.insertElement();
    build.framesetOk = false;
    build.mode = IN_BODY;
    return true;
  }
  if (tag === TAG.frameset) {
    build.insertElement();
    build.mode = IN_FRAMESET;
    return true;
  }
  build.insertImplied(TAG.body, build.tokenStart);
  build.mode = IN_BODY;
  return false;
}

/** Start tags that the head takes, wherever they are met; false for all others. */
export function startInHead(build: Construction): boolean {
  const { tag } = build;
  switch (tag) {
    case TAG.meta:
    case TAG.link:
    case TAG.base:
    case TAG.basefont:
    case TAG.bgsound:
      build.insertVoid();
      return true;
    case TAG.script:
    case TAG.style:
    case TAG.title:
    case TAG.noframes:
      build.insertRaw();
      return true;
    case TAG.noscript:
      build.insertElement();
      build.mode = IN_HEAD_NOSCRIPT;
      return true;
    case TAG.template:
      build.insertElement();
      build.formatting.insertMarker();
      build.framesetOk = false;
      build.mode = IN_TEMPLATE;
      build.templateModes.push(IN_TEMPLATE);
      return true;
    default:
      return false;
  }
}

/** End tags in these modes; false when the tag belongs to the body, which is then open. */
export function endInHeadModes(build: Construction): boolean {
  const { tag, open } = build;
  const opensBody = tag === TAG.body || tag === TAG.html || tag === TAG.br;
  if (tag === TAG.head && build.mode <= IN_HEAD) {
    if (build.mode <= BEFORE_HTML) {
      if (build.mode === INITIAL) build.quirks = true;
      build.insertImplied(TAG.html, build.tokenStart);
      build.mode = BEFORE_HEAD;
    }
    if (build.mode === BEFORE_HEAD) {
      build.insertImplied(TAG.head, build.tokenStart);
      build.hasHead = true;
    }
    open.park(open.depth - 1);
    build.headEnd = build.tokenEnd;
    build.mode = AFTER_HEAD;
    return true;
  }
  if (tag === TAG.noscript && build.mode === IN_HEAD_NOSCRIPT) {
    open.pop(build.tokenEnd);
    build.mode = IN_HEAD;
    return true;
  }
  if (tag === TAG.template && build.mode >= IN_HEAD) {
    endTemplate(build);
    return true;
  }
  if (!opensBody || (build.mode === IN_HEAD_NOSCRIPT && tag !== TAG.br)) return true;
  startBody(build, build.tokenStart);
  return false;
}

/** The end tag of a template, in any mode. */
export function endTemplate(build: Construction): void {
  if (build.open.innermost[TAG.template] >= 0) closeTemplate(build);
}

/** Closes the innermost template with all it holds. */
export function closeTemplate(build: Construction): void {
  build.closeByEndTag(TAG.template);
  build.formatting.clearToMarker();
  build.templateModes.pop();
  build.resetMode();
  // after the head's end tag it still belongs to the head
  if (build.mode === AFTER_HEAD) build.headEnd = build.tokenEnd;
}

/** Closes the head, at its end tag when it had one. */
function leaveHead(build: Construction, at: number): void {
  const { open, columns } = build;
  const last = build.lateComment >= 0 ? build.lateComment : columns.nodeCount;
  open.popBefore(build.headEnd >= 0 ? build.headEnd : at, last);
  build.lateComment = -1;
}

function isHeadContent(tag: number): boolean {
  return (
    tag === TAG.script ||
    tag === TAG.style ||
    tag === TAG.link ||
    tag === TAG.meta ||
    tag === TAG.title ||
    tag === TAG.base ||
    tag === TAG.template ||
    tag === TAG.noframes ||
    tag === TAG.basefont ||
    tag === TAG.bgsound
  );
}

function isNoscriptContent(tag: number): boolean {
  return (
    tag === TAG.link ||
    tag === TAG.meta ||
    tag === TAG.style ||
    tag === TAG.noframes ||
    tag === TAG.basefont ||
    tag === TAG.bgsound
  );
}
