/**
 * Addresses that are relative to another, made absolute as the URL standard has it. A parser takes some microseconds
 * for each; most links are written so plainly that to put two texts together gives the same.
 */

/** Characters that stay as they are in every part of an address. */
const PLAIN = /^[A-Za-z0-9\-._~/?=&%;,+!$()*@#:]+$/;
/** A step up in a path, or to where it is. */
const DOTS = /(?:^|\/)(?:\.|%2e){1,2}(?:[/?#]|$)/i;
/** A host of letters in lower case that ends in a name, not a number; and a path. */
const ABSOLUTE = /^https?:\/\/(?!.*xn--)(?:[a-z0-9-]+\.)+[a-z][a-z0-9-]*\//;
/** A path that begins with a name; with a colon in it, that would be a scheme. */
const RELATIVE = /^[^:/?#]+(?:[/?#]|$)/;

/**
 * Longest base, in characters. Each relative address repeats its base, so a page with a long base and many links would
 * cost the product of both: 400 kB of HTML could ask for 2 GB of addresses.
 */
const LONGEST_BASE = 8192;

/** An address, or undefined for nonsense. (`URL.canParse` of Node 20 takes `http://é.fr` for it once it is compiled.) */
export function parseUrl(text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}

export class BaseUrl {
  readonly #base: string | undefined;
  /** Of a base on the web: its host, its folder, its path and its query, each with all before it. */
  readonly #host: string = '';
  readonly #folder: string = '';
  readonly #path: string = '';
  readonly #query: string = '';

  /** The base address. Without a valid one of bounded length, only absolute addresses are resolved. */
  constructor(base: string) {
    const url = parseUrl(base);
    if (url === undefined || url.href.length > LONGEST_BASE) return;
    const { protocol, host, username, password, pathname, search, href } = url;
    this.#base = href;
    if ((protocol !== 'http:' && protocol !== 'https:') || username !== '' || password !== '') return;
    this.#host = `${protocol}//${host}`;
    this.#path = this.#host + pathname;
    this.#folder = this.#path.slice(0, this.#path.lastIndexOf('/') + 1);
    this.#query = this.#path + search;
  }

  /** `href` as an absolute address; undefined for nonsense. */
  resolve(href: string): string | undefined {
    const joined = this.#join(href);
    if (joined !== undefined) return joined;
    // without a base nothing but an address with a scheme is one, and what throws is slow
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

  /** A path that begins with `./` or `../`, any number of times; steps further on are for the parser. */
  #climb(href: string): string | undefined {
    let folder = this.#folder;
    let at = 0;
    for (;;) {
      if (href.startsWith('./', at)) at += 2;
      else if (href.startsWith('../', at)) {
        at += 3;
        // above the top there is nothing
        folder = folder.slice(0, Math.max(this.#host.length, folder.lastIndexOf('/', folder.length - 2)) + 1);
      } else break;
    }
    const rest = href.slice(at);
    return at === 0 || rest.startsWith('/') || DOTS.test(rest) ? undefined : folder + rest;
  }
}
