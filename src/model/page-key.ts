/**
 * The key of a page: equal for all URLs under which one page was captured. The key is that of pywb-key.ts
 * (without scheme, `www.`, case, needless escapes and order of parameters) without the session ids that
 * servers add to links. An index keeps session ids of unusual lengths, because other players look up the same
 * key; a history leaves them out, since otherwise each visit would count as another page.
 */
import { pywbKey, sortQuery } from './pywb-key.ts';
import { reverseHost } from './surt.ts';

/**
 * Longest key that is searched for session ids, in characters. A longer key is data rather than an address,
 * and is left as it is.
 */
const MAX_KEY_CHARS = 8192;
/** Session parameters with long values, and vBulletin's short `s`; keys are in lower case. */
const SESSION_PARAMETER =
  /^(?:(?:(?:j|php|asp)?sess(?:ion)?_?id[a-z]{0,8}|sid|zenid|oscsid|cftoken)=[0-9a-z,.!_-]{16,}|s=[0-9a-f]{32})$/;
/**
 * ColdFusion's two short parameters, which occur together, and the ids `;jsessionid=` and `/(s(…))` in paths.
 */
const COLDFUSION = /^cf(?:id|token)=[0-9a-z-]+$/;
const IN_PATH = /;jsessionid=[0-9a-z.!_-]{16,}|\/\((?:[a-z]\([0-9a-z]{20,}\)){1,3}\)/g;

/** A URL without a port and without characters to escape; its path holds no `;` or `(`, so no session id. */
const PLAIN_URL =
  /^https?:\/\/(?:www\d*\.)?((?:[a-z0-9][a-z0-9-]*\.)*[a-z][a-z0-9-]*)(\/[a-z0-9_.~/@=&,:+!*$-]*)?(?:\?([a-z0-9_.~/@=&,:+!*$-]+))?$/i;
/**
 * Features that need all the rules: `.` and empty names in a path, encoded hosts, long values, ColdFusion
 * ids, empty parameters.
 */
const NOT_PLAIN = /\/[./]|xn--|\?[^?]*=[0-9a-z,.!_-]{16}|cf(?:id|token)=|[?&](?:&|$)/i;
/**
 * The search for empty names in the path starts here, after the slashes of `http://`; for `https://` it
 * starts at the last slash.
 */
const AFTER_SCHEME = 'http://'.length;

/**
 * Returns the key of a page's URL. Plain URLs take a fast path that gives the same key as `pageKeyInFull`.
 */
export function pageKey(url: string): string {
  const plain = PLAIN_URL.exec(url);
  if (plain === null || NOT_PLAIN.test(url.slice(AFTER_SCHEME))) return pageKeyInFull(url);
  const [, host, path = '/', query] = plain;
  const end = path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
  const key = `${reverseHost(host)})${end}`.toLowerCase();
  if (query === undefined) return key;
  const lower = query.toLowerCase();
  return `${key}?${lower.includes('&') ? sortQuery(lower) : lower}`;
}

/** Returns the key of a page's URL by applying all the rules. */
export function pageKeyInFull(url: string): string {
  const key = pywbKey(url);
  if (key.length > MAX_KEY_CHARS) return key;
  const at = key.indexOf('?');
  const path = (at < 0 ? key : key.slice(0, at)).replace(IN_PATH, '');
  if (at < 0) return path;
  const parameters = key.slice(at + 1).split('&');
  const hasBoth = parameters.filter((parameter) => COLDFUSION.test(parameter)).length > 1;
  const own = parameters.filter(
    (parameter) =>
      parameter !== '' && !SESSION_PARAMETER.test(parameter) && !(hasBoth && COLDFUSION.test(parameter)),
  );
  return own.length === 0 ? path : `${path}?${own.join('&')}`;
}

/** Largest number of cached keys, of about 200 bytes each; a full cache is emptied. */
const MAX_CACHED_KEYS = 8192;

/** Caches page keys of URLs, since most URLs come again with the next capture. */
export class PageKeys {
  readonly #keys = new Map<string, string>();

  /** Returns the page key of a URL, from the cache if possible. */
  of(url: string): string {
    let key = this.#keys.get(url);
    if (key === undefined) {
      if (this.#keys.size >= MAX_CACHED_KEYS) this.#keys.clear();
      key = pageKey(url);
      this.#keys.set(url, key);
    }
    return key;
  }
}
