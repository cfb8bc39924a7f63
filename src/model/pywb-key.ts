/**
 * The key under which pywb looks up a URL. The key starts from the SURT of surt.ts and unites more spellings
 * of one page: it has no slash at the end of a path, no doubled slashes, no needless escapes and no session
 * ids in the query. An index with the keys of surt.ts works in warcio and WACZ players, but pywb would not
 * find any `/folder/` in it.
 */
import { compare } from './order.ts';
import { surt } from './surt.ts';

/** Returns pywb's key of a URL; a URL that is not http(s) is returned unchanged. */
export function pywbKey(url: string): string {
  const bare = url.replace(/^(https?:\/\/)[^/?#@]*@/i, '$1');
  const key = surt(bare);
  const hostEnd = key.indexOf(')/');
  if (hostEnd < 0 || /^https?:/i.test(key) || !/^https?:/i.test(url)) return key;

  // IPv6 addresses lose their brackets, hosts the dot at their end
  const host = key.slice(0, hostEnd).replace(/^,/, '').replace(/[[\]]/g, '');
  const pathEnd = key.indexOf('?', hostEnd);
  const path = normaliseEscapes(key.slice(hostEnd + 1, pathEnd < 0 ? key.length : pathEnd)).replace(
    /\/{2,}/g,
    '/',
  );
  // under another host: surt() has parsed this one in lower case, and as written it may be invalid
  const search = pathEnd < 0 ? '' : new URL(bare.slice(bare.indexOf('?')), 'http://a/').search;
  const query = normaliseQuery(search.slice(1));
  const end = query === '' ? '' : `?${query}`;
  return `${host})${path.length > 1 ? path.replace(/\/$/, '') : path}${end}`.toLowerCase();
}

function normaliseQuery(query: string): string {
  return sortQuery(stripSessionIds(normaliseEscapes(query)).toLowerCase());
}

/** Decodes percent-escapes, also repeated ones, then encodes again the characters that a URL cannot hold. */
function normaliseEscapes(text: string): string {
  if (!text.includes('%')) return text;
  let bytes = text; // one character per byte
  for (let before = '', round = 0; before !== bytes && round < MAX_UNESCAPES; round++) {
    before = bytes;
    bytes = bytes.replace(/%([0-9a-f]{2})/gi, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
  }
  return bytes.replace(
    /[\x00-\x20\x7f-\xff#%]/g,
    (byte) => `%${byte.charCodeAt(0).toString(16).padStart(2, '0')}`,
  );
}

/**
 * Largest number of decoding rounds. Each round is one pass over the text, and a hostile URL can need one per
 * three characters.
 */
const MAX_UNESCAPES = 20;
/** Longest query that is searched for session ids, in characters. */
const MAX_QUERY_CHARS = 8192;

/** Session ids that Java, PHP, forum and ASP servers add to links. */
const SESSION_IDS = [
  /jsessionid=[0-9a-z]{32}(?:&|$)/i,
  /phpsessid=[0-9a-z]{32}(?:&|$)/i,
  /sid=[0-9a-z]{32}(?:&|$)/i,
  /aspsessionid[a-z]{8}=[a-z]{24}(?:&|$)/i,
];
/**
 * ColdFusion's ids, from the first `cfid=` of a parameter on; the part of the parameter before it is kept.
 */
const COLDFUSION_ID = /(^|&)((?:(?!cfid=)[^&])*)cfid=[^&]+&cftoken=[^&]+(?:&|$)/i;

function stripSessionIds(query: string): string {
  if (query.length > MAX_QUERY_CHARS) return query;
  const plain = SESSION_IDS.reduce((rest, id) => rest.replace(id, ''), query);
  return plain.replace(COLDFUSION_ID, '$1$2');
}

/** Sorts the parameters of a query by name, then by value; a name without a value comes first. */
export function sortQuery(query: string): string {
  const rows = query.split('&').map((parameter) => ({ parameter, name: parameter.split('=', 1)[0] }));
  rows.sort((a, b) => compare(a.name, b.name) || compare(a.parameter, b.parameter));
  return rows.map(({ parameter }) => parameter).join('&');
}
