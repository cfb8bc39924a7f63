/**
 * Tags that were met before. A page, and even more a site, writes the same tags over and over, letter for letter:
 * `<td>`, `<li class="item">`, `</div>`. What was found in such a tag the first time (name, hashes of the attributes,
 * where the href stands) holds each time, so it is looked up (`next` of next-code.ts) instead of scanned. A hash
 * says only where to look and the bytes are compared, so a tag that is found is never a guess. Tags that have
 * a `>` in a value, very long ones and those of the page's own names are not remembered.
 *
 * A place is 64 integers; one that is taken is given to the next:
 *
 *    0  size in bytes, of all but the `>`; 0 when nothing is remembered here
 *    1  tag, SELF_CLOSING, END_TAG
 *    2  sums over the attributes: values, two lanes, and names, two lanes
 *    6  start and 7 end of the href, from the start of the tag; -1 when there is none
 *    8  the bytes between `<` and `>`, sixteen at a time, zeros after the last
 */
import type { Construction } from './construction.ts';
import { TAG_END } from './kernel-layout.ts';

const TAG = 0xffff;
export const SELF_CLOSING = 1 << 16;
export const END_TAG = 1 << 17;

/** Places of the tag, of the sums and of the href, in bytes. */
export const KNOWN_TAG = 4;
export const SUMS_AT = 8;
export const HREF_AT = 24;

/** Makes the tag at a place, which starts at `start`, the one at hand; gives whether it is a start tag. */
export function recallTag(words: Int32Array, place: number, start: number, build: Construction): boolean {
  const tag = words[(place >> 2) + 1];
  build.tag = tag & TAG;
  build.tokenStart = start;
  build.tokenEnd = words[TAG_END] + 1;
  if ((tag & END_TAG) !== 0) return false;
  recallAttributes(words, place, start, build);
  return true;
}

/** The attributes alone. */
export function recallAttributes(words: Int32Array, place: number, start: number, build: Construction): void {
  const at = place >> 2;
  build.selfClosing = (words[at + 1] & SELF_CLOSING) !== 0;
  build.attributesLow = words[at + 2];
  build.attributesHigh = words[at + 3];
  build.attributeNamesLow = words[at + 4];
  build.attributeNamesHigh = words[at + 5];
  const href = words[at + 6];
  build.hrefStart = href < 0 ? -1 : start + href;
  build.hrefEnd = start + words[at + 7];
}
