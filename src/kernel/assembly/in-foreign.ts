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
import * as Tags from './tag-table.ts';

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
  if (flags & Tags.HTML_INTEGRATION) return false;
  if (flags & Tags.MATH_INTEGRATION) return b.tag === Tags.Tag.mglyph || b.tag === Tags.Tag.malignmark;
  return !(b.tag === Tags.Tag.svg && flags & Tags.MATH && nameOf(b.top) === Tags.Tag.annotationXml);
}

/** Whether the rules of foreign content apply to text. */
export function isForeignText(): bool {
  return (currentFlags() & (Tags.FOREIGN | Tags.HTML_INTEGRATION | Tags.MATH_INTEGRATION)) === Tags.FOREIGN;
}

/** Handles a start tag in foreign content; false if the tag ends foreign content and HTML's rules apply. */
export function startInForeign(): bool {
  resumeBody();
  if (isBreakout()) {
    leaveForeign();
    return false;
  }
  insertForeign((currentFlags() & Tags.MATH) !== 0);
  return true;
}

/** Handles an end tag while the current element is foreign; false if HTML's rules apply to the tag. */
export function endInForeign(): bool {
  const tag = b.tag;
  if (tag === Tags.Tag.br || tag === Tags.Tag.p) {
    resumeBody();
    leaveForeign();
    return false;
  }
  const outermost = max(b.bottom + ELEMENT_BYTES, b.top + ELEMENT_BYTES - MAX_LOOK);
  for (let element = b.top; element > outermost; element -= ELEMENT_BYTES) {
    if (!(flagsAt(element) & Tags.FOREIGN)) return false;
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
  let flags = Tags.FOREIGN | (Tags.flagsOf(tag) & Tags.HIDDEN);
  if (isMath) {
    flags |= Tags.MATH;
    if (
      tag === Tags.Tag.mi ||
      tag === Tags.Tag.mo ||
      tag === Tags.Tag.mn ||
      tag === Tags.Tag.ms ||
      tag === Tags.Tag.mtext
    ) {
      flags |= Tags.MATH_INTEGRATION | Tags.SCOPE | Tags.SPECIAL | Tags.ITEM_BOUNDARY;
    } else if (tag === Tags.Tag.annotationXml) {
      flags |= Tags.SCOPE | Tags.SPECIAL | Tags.ITEM_BOUNDARY;
      if (hasHtmlEncoding()) flags |= Tags.HTML_INTEGRATION;
    }
  } else if (tag === Tags.Tag.foreignobject || tag === Tags.Tag.desc || tag === Tags.Tag.title) {
    flags |= Tags.HTML_INTEGRATION | Tags.SCOPE | Tags.SPECIAL | Tags.ITEM_BOUNDARY;
  }
  if (tag === Tags.Tag.text || tag === Tags.Tag.tspan) flags |= Tags.BREAK;
  insertWithFlags(flags, Tags.NOT_HTML);
  if (isSelfClosing(b.bucket)) pop(b.tokenEnd);
}

/** Closes foreign elements up to an HTML element or one that contains HTML. */
function leaveForeign(): void {
  while (isForeignText()) pop(b.tokenStart);
}

function isBreakout(): bool {
  if (Tags.flagsOf(b.tag) & Tags.BREAKOUT) return true;
  return b.tag === Tags.Tag.font && (hasAttribute('color') || hasAttribute('face') || hasAttribute('size'));
}

function hasHtmlEncoding(): bool {
  return attributeEquals('encoding', 'text/html') || attributeEquals('encoding', 'application/xhtml+xml');
}
