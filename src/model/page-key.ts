/**
 * What captures of one page agree in, however its URL was written that day: the key of pywb-key.ts (no scheme, `www.`,
 * case, needless escapes or order of parameters) without what servers add for a visit. An index must keep to what other
 * players look up, and so keeps ids of lengths they do not know; a history must not take each visit for a page.
 */
import { pywbKey, sortQuery } from './pywb-key.ts';
import { reverseHost } from './surt.ts';

/** Longest key that is searched; a longer one is data rather than an address, and is kept as it is. */
const MAX_KEY_CHARS = 8192;
/** Names of parameters whose long values are visits, and vBulletin's short one; keys are in lower case. */
const SESSION_PARAMETER =
  /^(?:(?:(?:j|php|asp)?sess(?:ion)?_?id[a-z]{0,8}|sid|zenid|oscsid|cftoken)=[0-9a-z,.!_-]{16,}|s=[0-9a-f]{32})$/;
/** ColdFusion's two short ones, which come together, and `;jsessionid=` and `/(s(…))` in paths. */
const COLDFUSION = /^cf(?:id|token)=[0-9a-z-]+$/;
const IN_PATH = /;jsessionid=[0-9a-z.!_-]{16,}|\/\((?:[a-z]\([0-9a-z]{20,}\)){1,3}\)/g;

/** A URL without a port, with nothing that would be escaped or resolved, and nothing in its path that may be a visit. */
const PLAIN_URL =
  /^https?:\/\/(?:www\d*\.)?((?:[a-z0-9][a-z0-9-]*\.)*[a-z][a-z0-9-]*)(\/[a-z0-9_.~/@=&,:+!*$-]*)?(?:\?([a-z0-9_.~/@=&,:+!*$-]+))?$/i;
/** What is looked at more closely: `.` and empty names in a path, encoded hosts, long values, ids of ColdFusion, empty parameters. */
const NOT_PLAIN = /\/[./]|xn--|\?[^?]*=[0-9a-z,.!_-]{16}|cf(?:id|token)=|[?&](?:&|$)/i;
/** Behind the slashes of the scheme, or behind all but the last of `https://`. */
const AFTER_SCHEME = 'http://'.length;

/** The key of a page's URL. */
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

/** The same by all the rules, of which a plain URL needs few. */
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

/** Keys of URLs that are kept, some 200 bytes each; when there are more all are made anew. */
const MOST_KEPT = 8192;

/** The keys of URLs of which most come again, with the next capture. */
export class PageKeys {
  readonly #keys = new Map<string, string>();

  of(url: string): string {
    let key = this.#keys.get(url);
    if (key === undefined) {
      if (this.#keys.size >= MOST_KEPT) this.#keys.clear();
      key = pageKey(url);
      this.#keys.set(url, key);
    }
    return key;
  }
}
