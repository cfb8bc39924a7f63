/**
 * Describes the URLs of a group by a pattern for people, such as `/forum/viewtopic.php?f=*&t=*`. The
 * commonest shape (number of path segments, names in the query) decides. Within it, a segment that nearly all
 * URLs share is written out; of other segments only a shared beginning and ending are. Linear in the URLs;
 * only a sample of a large group is used.
 */

/** Minimum share of URLs with the same segment for it to be written out. */
const LITERAL_SHARE = 0.8;
/** Maximum number of URLs used. URLs are ordered by hash, so the first ones are a random sample. */
const MAX_URLS = 2000;
const MAX_SEGMENTS = 12;
const MAX_CHARACTERS = 120;

/** Returns the common pattern of the paths and queries of `urls`, with `*` for parts that differ. */
export function urlPattern(urls: readonly string[]): string {
  const shapes = new Map<string, string[][]>();
  for (const url of urls.slice(0, MAX_URLS)) {
    const local = url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '');
    const hash = local.indexOf('#');
    const [path, query = ''] = (hash < 0 ? local : local.slice(0, hash)).split('?', 2);
    const segments = path === '' ? [''] : path.split('/', MAX_SEGMENTS + 1).slice(1);
    const names = query === '' ? [] : query.split('&', MAX_SEGMENTS).map((part) => part.split('=', 1)[0]);
    const key =
      names.length === 0 ? `[${segments.length},[]]` : JSON.stringify([segments.length, names.sort()]);
    const known = shapes.get(key);
    if (known) known.push(segments);
    else shapes.set(key, [segments]);
  }

  // the commonest shape; ties go to the first in alphabetical order, whatever the order of URLs
  let best = '';
  for (const [key, paths] of shapes) {
    const most = shapes.get(best)?.length ?? 0;
    if (paths.length > most || (paths.length === most && key < best)) best = key;
  }
  const paths = shapes.get(best);
  if (!paths) return '';
  const names = (JSON.parse(best) as [number, string[]])[1];
  const pattern = paths[0].map((_, k) => commonSegment(paths.map((path) => path[k])));
  const query = names.length === 0 ? '' : `?${names.map((name) => `${name}=*`).join('&')}`;
  const whole = `/${pattern.join('/')}${query}`;
  return whole.length <= MAX_CHARACTERS ? whole : `${whole.slice(0, MAX_CHARACTERS - 1)}…`;
}

function commonSegment(segments: string[]): string {
  const literal = commonest(segments);
  if (literal !== undefined) return literal;
  const ending = commonest(segments.map((segment) => /\.[a-z0-9]{1,5}$/i.exec(segment)?.[0] ?? ''));
  // the common part before the first number: `viewtopic.php@t=` of a saved forum
  const beginning = commonest(segments.map((segment) => /^\D*[-_.@=]/.exec(segment)?.[0] ?? ''));
  return `${beginning === ending ? '' : (beginning ?? '')}*${ending ?? ''}`;
}

/** Returns the text that nearly all `texts` equal, or undefined. */
function commonest(texts: string[]): string | undefined {
  // the majority text remains when each pair of different texts is struck out (Boyer and Moore)
  let candidate = '';
  let lead = 0;
  for (const text of texts) {
    if (lead === 0) candidate = text;
    lead += text === candidate ? 1 : -1;
  }
  let count = 0;
  for (const text of texts) if (text === candidate) count++;
  return count >= LITERAL_SHARE * texts.length ? candidate : undefined;
}
