/**
 * Finds whether a link stays on its page or site, from its bytes. The result is that of `siteOf` of its host
 * for all but odd addresses, without making a URL: an address without a host is relative and stays on the
 * site.
 */
import { FEATURES_SITE, FEATURES_SITE_BYTES } from '../feature-layout.ts';
import { word } from './feature-records';

/** Kind of a link: leads to another site. */
export const ELSEWHERE: u32 = 0;
/** Kind of a link: leads to another page of the site. */
export const SAME_SITE: u32 = 1;
/** Kind of a link: leads to the same page. */
export const SAME_PAGE: u32 = 2;

const COLON: u32 = 0x3a;
const HASH: u32 = 0x23;

/** Returns the kind of the link whose address is between two memory addresses. */
export function linkKind(features: u32, start: u32, end: u32): u32 {
  let p = start;
  while (p < end && load<u8>(p) <= 0x20) p++;
  if (p === end || load<u8>(p) === HASH) return SAME_PAGE;

  // a colon before any slash ends a scheme
  let q = p;
  while (q < end && load<u8>(q) !== COLON && !endsHost(load<u8>(q))) q++;
  if (q < end && load<u8>(q) === COLON) {
    const sizeBytes = q - p;
    if (sizeBytes < 4 || sizeBytes > 5) return ELSEWHERE;
    const isWeb = (load<u8>(p) | 0x20) === 0x68 && (load<u8>(p, 3) | 0x20) === 0x70;
    if (!isWeb) return ELSEWHERE;
    p = q + 1;
  }
  if (!(p + 1 < end && isSlash(load<u8>(p)) && isSlash(load<u8>(p, 1)))) return SAME_SITE;
  return isSite(features, p + 2, end) ? SAME_SITE : ELSEWHERE;
}

/** Whether the host at `start` is the site of the page, with or without `www.`. */
function isSite(features: u32, start: u32, end: u32): bool {
  const site = word(features, FEATURES_SITE);
  const sizeBytes = word(features, FEATURES_SITE_BYTES);
  let p = start;
  if (end > p + 4 && (load<u32>(p) | 0x00202020) === 0x2e777777) p += 4; // www.
  for (let i: u32 = 0; i < sizeBytes; i++, p++) {
    if (p >= end) return false;
    const byte: u32 = load<u8>(p);
    if ((byte - 0x41 < 26 ? byte | 0x20 : byte) !== load<u8>(site + i)) return false;
  }
  return p === end || load<u8>(p) === COLON || endsHost(load<u8>(p));
}

function isSlash(byte: u32): bool {
  return byte === 0x2f || byte === 0x5c;
}

/** Whether a byte ends a host: / ? # \ */
function endsHost(byte: u32): bool {
  return isSlash(byte) || byte === 0x3f || byte === HASH;
}
