/**
 * SVG and MathML inside HTML: their elements nest by name alone, some of them contain HTML again, and many
 * HTML tags end them.
 */
import { ELEMENT_BYTES } from '../layout.ts';
import { b } from './builder.ts';
import { attributeEquals, hasAttribute } from './find-attribute.ts';
import { insertWithFlags, resumeBody } from './insert-nodes.ts';
import { currentFlags, flagsAt, nodeOf, pop, popThrough } from './open-elements.ts';
import { isSelfClosing } from './scan-tags.ts';
import {
  BREAK,
  BREAKOUT,
  FOREIGN,
  flagsOf,
  HIDDEN,
  HTML_INTEGRATION,
  ITEM_BOUNDARY,
  MATH,
  MATH_INTEGRATION,
  NOT_HTML,
  SCOPE,
  SPECIAL,
  Tag,
} from './tag-table.ts';

/**
 * Depth up to which end tags search for their SVG or MathML element, in bytes of the stack; deeper ones close
 * implicitly.
 */
const MAX_LOOK: u32 = 64 * ELEMENT_BYTES;

function nameOf(element: u32): u32 {
  return load<u16>(b.name + (nodeOf(element) << 1));
}

/**
 * Whether the rules of foreign content apply to the current start tag; called only if the current element is
 * foreign.
 */
export function isForeignStart(): bool {
  const flags = currentFlags();
  if (flags & HTML_INTEGRATION) return false;
  if (flags & MATH_INTEGRATION) return b.tag === Tag.mglyph || b.tag === Tag.malignmark;
  return !(b.tag === Tag.svg && flags & MATH && nameOf(b.top) === Tag.annotationXml);
}

/** Whether the rules of foreign content apply to text. */
export function isForeignText(): bool {
  return (currentFlags() & (FOREIGN | HTML_INTEGRATION | MATH_INTEGRATION)) === FOREIGN;
}

/** Handles a start tag in foreign content; false if the tag ends foreign content and HTML's rules apply. */
export function startInForeign(): bool {
  resumeBody();
  if (isBreakout()) {
    leaveForeign();
    return false;
  }
  insertForeign((currentFlags() & MATH) !== 0);
  return true;
}

/** Handles an end tag while the current element is foreign; false if HTML's rules apply to the tag. */
export function endInForeign(): bool {
  const tag = b.tag;
  if (tag === Tag.br || tag === Tag.p) {
    resumeBody();
    leaveForeign();
    return false;
  }
  const outermost = max(b.bottom + ELEMENT_BYTES, b.top + ELEMENT_BYTES - MAX_LOOK);
  for (let element = b.top; element > outermost; element -= ELEMENT_BYTES) {
    if (!(flagsAt(element) & FOREIGN)) return false;
    if (nameOf(element) !== tag) continue;
    resumeBody();
    popThrough(element, b.tokenStart, b.tokenEnd);
    return true;
  }
  return true;
}

/** Opens an SVG or MathML element for the current start tag. */
export function insertForeign(isMath: bool): void {
  const tag = b.tag;
  let flags = FOREIGN | (flagsOf(tag) & HIDDEN);
  if (isMath) {
    flags |= MATH;
    if (tag === Tag.mi || tag === Tag.mo || tag === Tag.mn || tag === Tag.ms || tag === Tag.mtext) {
      flags |= MATH_INTEGRATION | SCOPE | SPECIAL | ITEM_BOUNDARY;
    } else if (tag === Tag.annotationXml) {
      flags |= SCOPE | SPECIAL | ITEM_BOUNDARY;
      if (hasHtmlEncoding()) flags |= HTML_INTEGRATION;
    }
  } else if (tag === Tag.foreignobject || tag === Tag.desc || tag === Tag.title) {
    flags |= HTML_INTEGRATION | SCOPE | SPECIAL | ITEM_BOUNDARY;
  }
  if (tag === Tag.text || tag === Tag.tspan) flags |= BREAK;
  insertWithFlags(flags, NOT_HTML);
  if (isSelfClosing(b.bucket)) pop(b.tokenEnd);
}

/** Closes foreign elements up to an HTML element or one that contains HTML. */
function leaveForeign(): void {
  while (isForeignText()) pop(b.tokenStart);
}

function isBreakout(): bool {
  if (flagsOf(b.tag) & BREAKOUT) return true;
  return b.tag === Tag.font && (hasAttribute('color') || hasAttribute('face') || hasAttribute('size'));
}

function hasHtmlEncoding(): bool {
  return attributeEquals('encoding', 'text/html') || attributeEquals('encoding', 'application/xhtml+xml');
}
