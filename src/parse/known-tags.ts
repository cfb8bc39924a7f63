/**
 * Tags met before, by their bytes. Nine of ten tags of a site stand in it many times over, letter for letter:
 * `<td>`, `<li class="item">`, `</div>`. What was found in such a tag the first time (name, hashes of the attributes,
 * where the href stands) holds each time, so it is looked up (`next` of scan-code.ts) instead of scanned. A hash
 * says only where to look and the bytes are compared, so a tag that is found is never a guess. Tags that have
 * a `>` in a value, very long ones and those of the page's own names are not remembered.
 *
 * A place is 64 integers; one that is taken is given to the next:
 *
 *    0  size in bytes, of all but the `>`; 0 when the place is free
 *    1  tag, SELF_CLOSING, END_TAG
 *    2  sums over the attributes: values, two lanes, and names, two lanes
 *    6  start and 7 end of the href, from the start of the tag; -1 when there is none
 *    8  the bytes between `<` and `>`, eight zeros or more after the last
 */
import type { Construction } from './construction.ts';
import { TAG_END, TAG_PLACE } from './kernel-layout.ts';
import { FIRST_FOREIGN_TAG } from './tag-names.ts';

const TAG = 0xffff;
const SELF_CLOSING = 1 << 16;
export const END_TAG = 1 << 17;

/** Places of the sums and of the href, in bytes. */
export const SUMS_AT = 8;
export const HREF_AT = 24;

/** Makes the tag at a place, which starts at `start`, the one at hand; gives whether it is a start tag. */
export function recallTag(words: Int32Array, place: number, start: number, build: Construction): boolean {
  const at = place >> 2;
  const tag = words[at + 1];
  build.tag = tag & TAG;
  build.tokenStart = start;
  build.tokenEnd = words[TAG_END] + 1;
  if ((tag & END_TAG) !== 0) return false;
  build.selfClosing = (tag & SELF_CLOSING) !== 0;
  build.attributesLow = words[at + 2];
  build.attributesHigh = words[at + 3];
  build.attributeNamesLow = words[at + 4];
  build.attributeNamesHigh = words[at + 5];
  const href = words[at + 6];
  build.hrefStart = href < 0 ? -1 : start + href;
  build.hrefEnd = start + words[at + 7];
  return true;
}

/** Remembers the tag at hand, which `next` has just not found. */
export function rememberTag(words: Int32Array, view: DataView, build: Construction, isEndTag: boolean): void {
  const { tokenStart, tokenEnd, hrefStart, hrefEnd } = build;
  const last = tokenEnd - 1;
  if (last !== words[TAG_END] || build.tag >= FIRST_FOREIGN_TAG) return;
  const at = words[TAG_PLACE] >> 2;
  words[at] = last - tokenStart;
  words[at + 1] = build.tag | (build.selfClosing ? SELF_CLOSING : 0) | (isEndTag ? END_TAG : 0);
  words[at + 2] = build.attributesLow;
  words[at + 3] = build.attributesHigh;
  words[at + 4] = build.attributeNamesLow;
  words[at + 5] = build.attributeNamesHigh;
  words[at + 6] = hrefStart < 0 ? -1 : hrefStart - tokenStart;
  words[at + 7] = hrefEnd - tokenStart;
  let to = at + 8;
  let p = tokenStart + 1;
  for (; p + 4 <= last; p += 4) words[to++] = view.getInt32(p, true);
  words[to++] = view.getInt32(p, true) & ((1 << ((last - p) << 3)) - 1);
  words[to++] = 0;
  words[to] = 0;
}
