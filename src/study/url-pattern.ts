/**
 * What the URLs of a group have in common, for people: `/forum/viewtopic.php?f=*&t=*`. The commonest shape (number of
 * path segments, names in the query) decides; within it a segment is written out when nearly all URLs have
 * it, else only its beginning and its ending are. Linear in the URLs; only a sample of a large group is looked at.
 */

/** Share of the URLs that makes a segment worth writing out. */
const LITERAL_SHARE = 0.8;
/** URLs looked at; they come in the order of their hashes, so the first ones are a fair sample. */
const MOST_URLS = 2000;
const MOST_SEGMENTS = 12;
const MOST_CHARACTERS = 120;

export function urlPattern(urls: readonly string[]): string {
  const shapes = new Map<string, string[][]>();
  for (const url of urls.slice(0, MOST_URLS)) {
    const local = url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '');
    const hash = local.indexOf('#');
    const [path, query = ''] = (hash < 0 ? local : local.slice(0, hash)).split('?', 2);
    const segments = path === '' ? [''] : path.split('/', MOST_SEGMENTS + 1).slice(1);
    const names = query === '' ? [] : query.split('&', MOST_SEGMENTS).map((part) => part.split('=', 1)[0]);
    const key =
      names.length === 0 ? `[${segments.length},[]]` : JSON.stringify([segments.length, names.sort()]);
    const known = shapes.get(key);
    if (known) known.push(segments);
    else shapes.set(key, [segments]);
  }

  // the commonest shape; among equals the first by name, whatever came first
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
  return whole.length <= MOST_CHARACTERS ? whole : `${whole.slice(0, MOST_CHARACTERS - 1)}…`;
}

function commonSegment(segments: string[]): string {
  const literal = commonest(segments);
  if (literal !== undefined) return literal;
  const ending = commonest(segments.map((segment) => /\.[a-z0-9]{1,5}$/i.exec(segment)?.[0] ?? ''));
  // what stands before the first number: `viewtopic.php@t=` of a saved forum
  const beginning = commonest(segments.map((segment) => /^\D*[-_.@=]/.exec(segment)?.[0] ?? ''));
  return `${beginning === ending ? '' : (beginning ?? '')}*${ending ?? ''}`;
}

/** The text that nearly all are; undefined when there is none. */
function commonest(texts: string[]): string | undefined {
  // what more than half are is left when each pair that differs is struck out (Boyer and Moore)
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
