/**
 * Elements that readers do not see, as far as their own attributes say: `hidden`, `display: none`, `visibility: hidden`, the
 * class names of texts for screen readers, and `noscript`. Style sheets are not read. Also the signs at the end of headings
 * that link to them, which manuals show to a mouse only, and the signs by which footnotes link back.
 *
 * Only elements with little text count. A long hidden text is an accordion, a tab or a page that a script shows when it has
 * loaded: on modern pages three quarters of such words are main text, so the detector's verdict decides on them.
 */
import * as Page from '../layout.ts';
import { word } from './block-records';
import { endOfName, hides, isSpace } from './read-names';
import { findByteBefore } from './scan-bytes';

const TAG_A: u32 = 8;
const TAG_IMG: u32 = 12;
const TAG_H1: u32 = 24;
const TAG_NOSCRIPT: u32 = 49;
/** Minimum bytes of text of an element that readers see in any case: 16 to 20 words of English. */
const MIN_SEEN_BYTES: u32 = 100;
/** The sign of a permalink or of a link back to the text, with white space. */
const LONGEST_SIGN: u32 = 20;
/** `<p hidden>` */
const SHORTEST_TAG: u32 = 10;
/** Maximum number of nodes of a `noscript` that readers do not see. */
const MAX_NODES: u32 = 16;

/** Whether an element with text is left out of what readers see. */
export function isUnseen(page: u32, node: u32): bool {
  const last = load<u32>(word(page, Page.PAGE_LAST) + (node << 2));
  const textStarts = word(page, Page.PAGE_TEXT_START);
  const textBytes = load<u32>(textStarts + (last << 2)) - load<u32>(textStarts + (node << 2));
  if (textBytes === 0 || textBytes >= MIN_SEEN_BYTES) return false;
  const names = word(page, Page.PAGE_NAME);
  const tag: u32 = load<u16>(names + (node << 1));
  if (tag === TAG_NOSCRIPT) {
    if (last - node > MAX_NODES) return false;
    for (let inner = node + 1; inner < last; inner++) {
      const innerTag: u32 = load<u16>(names + (inner << 1));
      if (innerTag === TAG_IMG) return false;
    }
    return true;
  }
  if (tag === TAG_A && textBytes <= LONGEST_SIGN && isPermalink(page, node, textStarts)) return true;
  const source = word(page, Page.PAGE_SOURCE);
  const start = source + load<u32>(word(page, Page.PAGE_START) + (node << 2));
  const end = source + load<u32>(word(page, Page.PAGE_OPEN_END) + (node << 2));
  return end - start >= SHORTEST_TAG && hidesByAttribute(start, end);
}

/** Whether a text is ↩, ⤴, ↑ or ^, by which footnotes link back to their marks. */
function isBackSign(at: u32, size: u32): bool {
  if (size === 1) return load<u8>(at) === 0x5e;
  if (size < 3) return false;
  const first = load<u32>(at) & 0xffffff;
  // U+FE0E or U+FE0F after it asks for the sign as text or as picture
  if (first === 0xa986e2 || first === 0xb4a4e2 || first === 0x9186e2)
    return size === 3 || (size === 6 && (load<u32>(at, 3) & 0xfeffff) === 0x8eb8ef);
  if (size < 7 || load<u8>(at) !== 0x26) return false;
  // &#8617; &#8593;
  const four = load<u32>(at, 1);
  const two: u32 = load<u16>(at, 5);
  if ((four !== 0x31363823 || two !== 0x3b37) && (four !== 0x39353823 || two !== 0x3b33)) return false;
  return size === 7 || (size <= 15 && load<u16>(at, 7) === 0x2326);
}

/** Whether the text of a link is ¶ or the picture of a chain, or, in a heading, # or §. */
function isPermalink(page: u32, node: u32, textStarts: u32): bool {
  const text = word(page, Page.PAGE_TEXT);
  let at = text + load<u32>(textStarts + (node << 2));
  let end = text + load<u32>(textStarts + (load<u32>(word(page, Page.PAGE_LAST) + (node << 2)) << 2));
  while (at < end && isSpace(load<u8>(at))) at++;
  while (end > at && isSpace(load<u8>(end - 1))) end--;
  const size = end - at;
  if (isBackSign(at, size)) return true;
  const two: u32 = size < 2 ? 0 : <u32>load<u16>(at);
  if (size === 2 && two === 0xb6c2 /* ¶ */) return true;
  if (size === 4 && load<u32>(at) === 0x97949ff0 /* 🔗 */) return true;
  // &para; &#182;
  if (size === 6 && two === 0x7026 && load<u32>(at, 2) === 0x3b617261) return true;
  if (size === 6 && two === 0x2326 && load<u32>(at, 2) === 0x3b323831) return true;
  const isSign = (size === 1 && load<u8>(at) === 0x23) || (size === 2 && two === 0xa7c2) /* § */;
  if (!isSign) return false;
  const parent = load<u32>(word(page, Page.PAGE_PARENT) + (node << 2));
  const parentTag: u32 = load<u16>(word(page, Page.PAGE_NAME) + (parent << 1));
  return parentTag - TAG_H1 < 6;
}

function hidesByAttribute(start: u32, end: u32): bool {
  let at = start + 1;
  while (at < end && !isSpace(load<u8>(at)) && load<u8>(at) !== 0x2f && load<u8>(at) !== 0x3e) at++;
  while (at < end) {
    while (at < end && (isSpace(load<u8>(at)) || load<u8>(at) === 0x2f)) at++;
    if (at >= end || load<u8>(at) === 0x3e) return false;
    const name = at;
    at = endOfName(at + 1, end);
    const size = at - name;
    const four = load<u32>(name) | 0x20202020;
    if (size === 6 && four === 0x64646968 /* hidd */ && (load<u16>(name, 4) | 0x2020) === 0x6e65) return true;
    let value = at;
    while (value < end && isSpace(load<u8>(value))) value++;
    if (value >= end || load<u8>(value) !== 0x3d) continue;
    for (value++; value < end && isSpace(load<u8>(value)); ) value++;
    const quote: u32 = load<u8>(value);
    const isQuoted = quote === 0x22 || quote === 0x27;
    if (isQuoted) value++;
    at = value;
    if (isQuoted) at = findByteBefore(at, end, quote);
    else while (at < end && !isSpace(load<u8>(at)) && load<u8>(at) !== 0x3e) at++;
    if (size === 5 && four === 0x6c797473 /* styl */ && hides(value, at)) return true;
    if (size === 5 && four === 0x73616c63 /* clas */ && isForScreenReaders(value, at)) return true;
    if (isQuoted) at++;
  }
  return false;
}

/** Whether a class begins like those of texts that are spoken and not shown. */
function isForScreenReaders(start: u32, end: u32): bool {
  let wasSpace: bool = true;
  for (let at = start; at + 7 <= end; at++) {
    if (wasSpace) {
      const four = load<u32>(at);
      // sr-only, screen-reader-text, screenreader, visually-hidden, visuallyhidden, element-invisible
      if (four === 0x6f2d7273 && (load<u32>(at, 4) & 0xffffff) === 0x796c6e) return true;
      if (at + 12 <= end) {
        if (four === 0x65726373 && holdsReader(at, end)) return true;
        if (four === 0x75736976 && load<u32>(at, 4) === 0x796c6c61 && holdsHidden(at + 8, end)) return true;
        if (four === 0x6d656c65 && load<u64>(at, 8) === 0x6c62697369766e69) return true;
      }
    }
    wasSpace = isSpace(load<u8>(at));
  }
  return false;
}

/** `screen-reader` or `screenreader`. */
function holdsReader(at: u32, end: u32): bool {
  const dash = u32(load<u8>(at, 6) === 0x2d);
  return load<u16>(at, 4) === 0x6e65 && at + 12 + dash <= end && load<u32>(at + 6 + dash) === 0x64616572;
}

/** `hidden`, `Hidden` or `-hidden`. */
function holdsHidden(at: u32, end: u32): bool {
  const dash = u32(load<u8>(at) === 0x2d);
  if (at + 6 + dash > end) return false;
  const four = load<u32>(at + dash) | 0x20202020;
  return four === 0x64646968;
}
