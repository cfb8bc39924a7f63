/**
 * The sort-friendly form of a URL that indexes of web archives are keyed by: host labels reversed, scheme,
 * `www.`, user and default port dropped, lower case, query sorted: `http://www.example.com/a?c=1&b=2` is
 * `com,example)/a?b=2&c=1`. Gives what warcio gives, and reads the scheme in either case.
 */

/** The key of a URL; what is no http(s) URL stays as it is, one that cannot be parsed loses its `www.` only. */
export function surt(url: string): string {
  // most URLs need no parser: nothing in them would be escaped, resolved or dropped
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

/** Lower case, a host whose last label starts with a letter (no address), and a path without escapes. */
const PLAIN_URL = /^https?:\/\/(?:www\d*\.)?((?:[a-z0-9][a-z0-9-]*\.)*[a-z][a-z0-9-]*)(\/[a-z0-9_.~/-]*)?$/;

export function withoutWww(url: string): string {
  return url.replace(/^(https?:\/\/)www\d*\./i, '$1');
}

/** `com,example` of `example.com`. */
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
