/**
 * Resolves relative addresses against a base, as the URL standard defines it. A URL parser takes some
 * microseconds per address; most links are so simple that joining two texts gives the same result.
 */

/** Characters that no part of an address needs to escape. */
const PLAIN = /^[A-Za-z0-9\-._~/?=&%;,+!$()*@#:]+$/;
/** A path segment `.` or `..`, plain or escaped. */
const DOTS = /(?:^|\/)(?:\.|%2e){1,2}(?:[/?#]|$)/i;
/** A host of lower-case letters whose last label is a name, not a number, and a path. */
const ABSOLUTE = /^https?:\/\/(?!.*xn--)(?:[a-z0-9-]+\.)+[a-z][a-z0-9-]*\//;
/** A path that begins with a name; a name with a colon would be a scheme. */
const RELATIVE = /^[^:/?#]+(?:[/?#]|$)/;

/**
 * Longest base, in characters. Each relative address repeats its base, so the cost of a page with a long base
 * and many links would be the product of both: 400 kB of HTML could ask for 2 GB of addresses.
 */
const LONGEST_BASE = 8192;
/** Maximum characters added to the addresses of a page: a long base and many short links would fill the memory. */
const MAX_ADDED = 32 * 1024 * 1024;

/**
 * Parses an address and returns undefined if it is invalid. (`URL.canParse` of Node 20 refuses `http://é.fr`
 * once it has been compiled by V8.)
 */
export function parseUrl(text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}

/** A base address, split once so that simple addresses are resolved against it without a URL parser. */
export class BaseUrl {
  readonly #base: string | undefined;
  /**
   * Prefixes of an http(s) base that end with its host, its folder, its path and its query; empty for other
   * bases.
   */
  readonly #host: string = '';
  readonly #folder: string = '';
  readonly #path: string = '';
  readonly #query: string = '';
  /** Characters that may still be added to relative addresses. */
  #addable = MAX_ADDED;

  /** Parses the base. With an invalid base, or one that is too long, only absolute addresses are resolved. */
  constructor(base: string) {
    const url = parseUrl(base);
    if (url === undefined || url.href.length > LONGEST_BASE) return;
    const { protocol, host, username, password, pathname, href } = url;
    this.#base = href;
    if ((protocol !== 'http:' && protocol !== 'https:') || username !== '' || password !== '') return;
    this.#host = `${protocol}//${host}`;
    this.#path = this.#host + pathname;
    this.#folder = this.#path.slice(0, this.#path.lastIndexOf('/') + 1);
    // `search` leaves out an empty query, which the address keeps
    this.#query = href.replace(/#.*/, '');
  }

  /** Returns `href` as an absolute address; undefined if it is invalid, or if the base was added too often. */
  resolve(href: string): string | undefined {
    const address = this.#join(href) ?? this.#parse(href);
    this.#addable -= Math.max(0, (address?.length ?? 0) - href.length);
    return this.#addable < 0 ? undefined : address;
  }

  #parse(href: string): string | undefined {
    // without a base, only an address with a scheme can be resolved, and a parser that throws is slow
    if (this.#base === undefined && !href.includes(':')) return undefined;
    return parseUrl(href, this.#base)?.href;
  }

  #join(href: string): string | undefined {
    if (this.#host === '' || !PLAIN.test(href)) return undefined;
    if (href.startsWith('.')) return this.#climb(href);
    if (DOTS.test(href)) return undefined;
    if (href.startsWith('/')) return href.startsWith('//') ? undefined : this.#host + href;
    if (href.startsWith('#')) return this.#query + href;
    if (href.startsWith('?')) return this.#path + href;
    if (RELATIVE.test(href)) return this.#folder + href;
    return ABSOLUTE.test(href) ? href : undefined;
  }

  /**
   * Resolves a path that begins with `./` or `../` segments; undefined if such segments follow later in the
   * path.
   */
  #climb(href: string): string | undefined {
    let folder = this.#folder;
    let at = 0;
    for (;;) {
      if (href.startsWith('./', at)) at += 2;
      else if (href.startsWith('../', at)) {
        at += 3;
        // the root has no parent
        folder = folder.slice(0, Math.max(this.#host.length, folder.lastIndexOf('/', folder.length - 2)) + 1);
      } else break;
    }
    const rest = href.slice(at);
    return at === 0 || rest.startsWith('/') || DOTS.test(rest) ? undefined : folder + rest;
  }
}
