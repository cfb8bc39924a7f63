/**
 * The sort-friendly form of a URL (SURT), the key of web archive indexes: host labels reversed, without
 * scheme, `www.`, user and default port, in lower case, with a sorted query. The key of
 * `http://www.example.com/a?c=1&b=2` is `com,example)/a?b=2&c=1`. The keys equal those of warcio, except that
 * the scheme may be in either case.
 */

/**
 * Returns the key of a URL. A URL that is not http(s) is returned unchanged; one that cannot be parsed only
 * loses its `www.`.
 */
export function surt(url: string): string {
  // most URLs need no parser: they hold nothing to escape, resolve or drop
  const plain = PLAIN_URL.exec(url);
  if (plain && !url.includes('/.') && !url.includes('xn--'))
    return `${reverseHost(plain[1])})${plain[2] ?? '/'}`;

  if (!/^https?:/i.test(url)) return url;
  const bare = withoutWww(url);
  const parsed = parseUrl(bare.toLowerCase());
  if (parsed === null) return bare;
  const { hostname, port, pathname, search } = parsed;
  const key = `${reverseHost(hostname)}${port === '' ? '' : `:${port}`})${pathname}`;
  return search === '' ? key : `${key}?${search.slice(1).split('&').sort().join('&')}`;
}

/**
 * A URL in lower case, with a host whose last label starts with a letter (so it is not an IP address) and a
 * path without escapes.
 */
const PLAIN_URL = /^https?:\/\/(?:www\d*\.)?((?:[a-z0-9][a-z0-9-]*\.)*[a-z][a-z0-9-]*)(\/[a-z0-9_.~/-]*)?$/;

/** Removes `www.`, or `www` with a number, from the start of the host of an http(s) URL. */
function withoutWww(url: string): string {
  return url.replace(/^(https?:\/\/)www\d*\./i, '$1');
}

/** Reverses the labels of a host: `com,example` for `example.com`. */
export function reverseHost(host: string): string {
  let reversed = '';
  let end = host.length;
  for (let dot = host.lastIndexOf('.'); dot >= 0; dot = dot === 0 ? -1 : host.lastIndexOf('.', dot - 1)) {
    reversed += `${host.slice(dot + 1, end)},`;
    end = dot;
  }
  return reversed + host.slice(0, end);
}

function parseUrl(url: string): URL | null {
  try {
    return new URL(url);
  } catch {
    return null;
  }
}
