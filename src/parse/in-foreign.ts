/**
 * SVG and MathML inside HTML: their elements nest by name alone, some of them let HTML back in, and a good
 * many HTML tags end them.
 */
import { attributeEquals, hasAttribute } from './attributes.ts';
import type { Construction } from './construction.ts';
import {
  BREAK,
  BREAKOUT,
  FOREIGN,
  HIDDEN,
  HTML_INTEGRATION,
  ITEM_BOUNDARY,
  MATH,
  MATH_INTEGRATION,
  NOT_HTML,
  SCOPE,
  SPECIAL,
  TAG,
  TAG_FLAGS,
} from './tag-names.ts';

/** End tags look this far for their element among SVG and MathML; deeper ones are left to close by themselves. */
const MAX_LOOK = 64;

/** Whether a start tag met now is under the rules of foreign content; ask only when the current node is foreign. */
export function isForeignStart(build: Construction): boolean {
  const flags = build.open.currentFlags;
  if ((flags & HTML_INTEGRATION) !== 0) return false;
  if ((flags & MATH_INTEGRATION) !== 0) return build.tag === TAG.mglyph || build.tag === TAG.malignmark;
  const node = build.open.node(build.open.depth - 1);
  return !(
    build.tag === TAG.svg &&
    (flags & MATH) !== 0 &&
    build.columns.name[node] === TAG['annotation-xml']
  );
}

/** Whether text met now is under the rules of foreign content. */
export function isForeignText(build: Construction): boolean {
  const flags = build.open.currentFlags;
  return (flags & FOREIGN) !== 0 && (flags & (HTML_INTEGRATION | MATH_INTEGRATION)) === 0;
}

/** The start tag of an svg or math element in HTML. */
export function insertForeignRoot(build: Construction): void {
  insertForeign(build, build.tag === TAG.math);
}

/** Start tags in foreign content; false when the tag ends it and is to be handled as HTML. */
export function startInForeign(build: Construction): boolean {
  build.resumeBody();
  if (isBreakout(build)) {
    leaveForeign(build);
    return false;
  }
  insertForeign(build, (build.open.currentFlags & MATH) !== 0);
  return true;
}

/** End tags while the current node is foreign; false when the tag is to be handled as HTML. */
export function endInForeign(build: Construction): boolean {
  const { open, columns, tag } = build;
  if (tag === TAG.br || tag === TAG.p) {
    build.resumeBody();
    leaveForeign(build);
    return false;
  }
  const outermost = Math.max(1, open.depth - MAX_LOOK);
  for (let i = open.depth - 1; i > outermost; i--) {
    if ((open.flags(i) & FOREIGN) === 0) return false;
    if (columns.name[open.node(i)] !== tag) continue;
    build.resumeBody();
    open.popThrough(i, build.tokenStart, build.tokenEnd);
    return true;
  }
  return true;
}

function insertForeign(build: Construction, isMath: boolean): void {
  const { tag } = build;
  let flags = FOREIGN | (TAG_FLAGS[tag] & HIDDEN);
  if (isMath) {
    flags |= MATH;
    if (tag === TAG.mi || tag === TAG.mo || tag === TAG.mn || tag === TAG.ms || tag === TAG.mtext) {
      flags |= MATH_INTEGRATION | SCOPE | SPECIAL | ITEM_BOUNDARY;
    } else if (tag === TAG['annotation-xml']) {
      flags |= SCOPE | SPECIAL | ITEM_BOUNDARY;
      if (hasHtmlEncoding(build)) flags |= HTML_INTEGRATION;
    }
  } else if (tag === TAG.foreignobject || tag === TAG.desc || tag === TAG.title) {
    flags |= HTML_INTEGRATION | SCOPE | SPECIAL | ITEM_BOUNDARY;
  }
  if (tag === TAG.text || tag === TAG.tspan) flags |= BREAK;
  build.insertWithFlags(tag, flags, NOT_HTML);
  if (build.selfClosing) build.open.pop(build.tokenEnd);
}

/** Closes foreign elements down to HTML or to one that lets HTML in. */
function leaveForeign(build: Construction): void {
  const { open } = build;
  while (isForeignText(build)) open.pop(build.tokenStart);
}

function isBreakout(build: Construction): boolean {
  if ((TAG_FLAGS[build.tag] & BREAKOUT) !== 0) return true;
  if (build.tag !== TAG.font) return false;
  const { source } = build.columns;
  const { tokenStart, tokenEnd } = build;
  return (
    hasAttribute(source, tokenStart, tokenEnd, 'color') ||
    hasAttribute(source, tokenStart, tokenEnd, 'face') ||
    hasAttribute(source, tokenStart, tokenEnd, 'size')
  );
}

function hasHtmlEncoding(build: Construction): boolean {
  const { source } = build.columns;
  const { tokenStart, tokenEnd } = build;
  return (
    attributeEquals(source, tokenStart, tokenEnd, 'encoding', 'text/html') ||
    attributeEquals(source, tokenStart, tokenEnd, 'encoding', 'application/xhtml+xml')
  );
}
