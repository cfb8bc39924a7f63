/**
 * The title of a page without the name of its site. Other pages of the site show what its titles share. On a page
 * alone, a part at either end is the site's if it equals the name of the site, its publisher or its host, or if the
 * rest is the page's headline.
 */
import type { SiteNames } from '../model/metadata.ts';

/** Separators between a title and the name of a site; white space in titles is single spaces. */
const SEPARATOR = / (?:[|\-–—‒―·•∙»«›‹:~/<>→★]|::|\|\||--|- -) | ?[|｜¦] ?| ?(?:_|—|－) ?/g;
/** Separator after the first part of `Site: Title`. */
const COLON = /: +/g;
const MAX_PARTS = 12;

/** What is known about the names of a page's site. */
export interface TitleContext {
  site: SiteNames;
  /** Names of the site that the page gives, and its host. */
  names: readonly string[];
  /** The headline that the page shows, or empty. */
  headline: string;
}

/** Removes the name of the site from a page's title. */
export function cleanTitle(title: string, { site, names, headline }: TitleContext): string {
  let rest = title;
  for (const end of site.titleEnds) {
    if (rest.length > end.length && rest.endsWith(end)) {
      rest = rest.slice(0, -end.length);
      break;
    }
  }
  for (const start of site.titleStarts) {
    if (rest.length > start.length && rest.startsWith(start)) {
      rest = rest.slice(start.length);
      break;
    }
  }
  const keys = names.map(titleKey).filter((key) => key.length > 1);
  const headlineKey = titleKey(headline);
  for (;;) {
    // a headline may name the site: "A year of Example News – all stories"
    if (titleKey(rest) === headlineKey) return rest.trim();
    const cut = cutPart(rest, keys, headlineKey);
    if (cut === rest) return rest.trim();
    rest = cut;
  }
}

/** Removes the first or last part if it is the site's. */
function cutPart(title: string, names: readonly string[], headline: string): string {
  const breaks = breaksOf(title);
  if (breaks.length === 0) return title;
  if (headline.length > 3) {
    // the headline that the page shows is the title, whatever follows it
    for (const { start, end } of breaks) {
      if (titleKey(title.slice(0, start)) === headline) return title.slice(0, start);
      if (titleKey(title.slice(end)) === headline) return title.slice(end);
    }
  }
  const last = breaks[breaks.length - 1];
  if (isSiteName(titleKey(title.slice(last.end)), names) && last.start > 0) return title.slice(0, last.start);
  const [first] = breaks;
  if (isSiteName(titleKey(title.slice(0, first.start)), names) && first.end < title.length)
    return title.slice(first.end);
  const colon = breaksOf(title, COLON)[0];
  if (colon && isSiteName(titleKey(title.slice(0, colon.start)), names)) return title.slice(colon.end);
  return title;
}

/** Places where a title may be cut, in order. */
export function breaksOf(title: string, separator = SEPARATOR): { start: number; end: number }[] {
  const breaks: { start: number; end: number }[] = [];
  separator.lastIndex = 0;
  for (let match = separator.exec(title); match; match = separator.exec(title)) {
    if (match[0] === '') separator.lastIndex++;
    else if (match.index > 0) breaks.push({ start: match.index, end: match.index + match[0].length });
    if (breaks.length >= MAX_PARTS) break;
  }
  return breaks.filter(({ end }) => end < title.length);
}

/** Whether a part names the site: both are equal, or one begins or ends with the other. */
function isSiteName(part: string, names: readonly string[]): boolean {
  if (part.length < 2) return false;
  return names.some((name) => {
    if (name === part) return true;
    const [short, long] = part.length < name.length ? [part, name] : [name, part];
    return (
      short.length >= 4 && 3 * short.length >= long.length && (long.startsWith(short) || long.endsWith(short))
    );
  });
}

const ASCII = /^[\x20-\x7e]*$/;

/** Letters and digits in lower case, without accents. */
export function titleKey(text: string): string {
  if (ASCII.test(text))
    return text
      .slice(0, 400)
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '');
  return text
    .slice(0, 400)
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '');
}
