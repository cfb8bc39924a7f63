/**
 * Whether a link stays on its page or site, told from its bytes. The same answer as `siteOf` by host gives for
 * all but odd addresses, without making a URL of each: an address that names no host is relative and stays.
 */

export const ELSEWHERE = 0;
export const SAME_SITE = 1;
export const SAME_PAGE = 2;

const COLON = 0x3a;
const SLASH = 0x2f;
const HASH = 0x23;
const QUESTION = 0x3f;
const BACKSLASH = 0x5c;

export class LinkKinds {
  #site: Uint8Array = new Uint8Array(0);

  /** Starts on a page of this site, a host without `www.`. */
  open(site: string): void {
    this.#site = new TextEncoder().encode(site);
  }

  kindOf(source: Uint8Array, start: number, end: number): number {
    let p = start;
    while (p < end && source[p] <= 0x20) p++;
    if (p === end || source[p] === HASH) return SAME_PAGE;

    // a colon before any slash ends a scheme
    let q = p;
    while (q < end && source[q] !== COLON && !endsHost(source[q])) q++;
    if (q < end && source[q] === COLON) {
      const isWeb =
        q - p >= 4 && q - p <= 5 && (source[p] | 0x20) === 0x68 && (source[p + 3] | 0x20) === 0x70;
      if (!isWeb) return ELSEWHERE;
      p = q + 1;
    }
    if (!(p + 1 < end && isSlash(source[p]) && isSlash(source[p + 1]))) return SAME_SITE;
    return this.#isSite(source, p + 2, end) ? SAME_SITE : ELSEWHERE;
  }

  /** Whether the host at `start` is the site's. */
  #isSite(source: Uint8Array, start: number, end: number): boolean {
    const site = this.#site;
    let p = start;
    if (end - p > 4 && source[p + 3] === 0x2e) {
      const isWww =
        (source[p] | 0x20) === 0x77 && (source[p + 1] | 0x20) === 0x77 && (source[p + 2] | 0x20) === 0x77;
      if (isWww) p += 4;
    }
    for (let i = 0; i < site.length; i++, p++) {
      if (p >= end) return false;
      const byte = source[p];
      if ((byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte) !== site[i]) return false;
    }
    return p === end || source[p] === COLON || endsHost(source[p]);
  }
}

function isSlash(byte: number): boolean {
  return byte === SLASH || byte === BACKSLASH;
}

function endsHost(byte: number): boolean {
  return byte === SLASH || byte === QUESTION || byte === HASH || byte === BACKSLASH;
}
