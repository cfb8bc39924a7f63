/** Extracts author names from what pages give for them: bylines with `By`, lists, URLs, the name of the site. */
import { titleKey } from './clean-title.ts';
import { findDates } from './dates.ts';
import { monthNumber } from './month-names.ts';

/** Maximum characters and words of a name. */
const MAX_CHARACTERS = 60;
const MAX_WORDS = 6;
const MAX_NAMES = 12;
/** Maximum letters of an article before the name of a site. */
const ARTICLE_LENGTH = 3;

/** Words before a name, in the languages that we have seen. They are removed; they do not prove a name. */
const BEFORE =
  /^(?:(?:written|posted|published|reported|reviewed|created|submitted|added|edited|photos?|text|story|words|ein artikel|artikel|article|publi[ée]|geschrieben|verfasst|veröffentlicht|gepostet|scritto|pubblicato|escrito|publicado|door|napisa[łl]|opublikowa[łl])\s+)?(?:by|von|vom|par|por|di|da|van|av|af|przez|od|door|autor(?:in|en|a|e|es|i)?|author(?:s|ed by)?|auteure?|autore|verfasser(?:in)?|автор(?:ы)?|συντάκτης|του|της|γράφει(?: ο| η)?|作者|记者|本报记者|撰文)\s*[:：|/]?\s+/iu;
/** The same words followed by a colon. */
const LABEL = /^\p{L}{2,14}(?: \p{L}{2,10}){0,2}\s?[:：]\s*/u;
/** The text of a link to all texts of an author. */
const ALL_BY =
  /^(?:all(?:es?)?|view all|see all|tous|toutes|todos|tutti|mehr|weitere|more)(?: \p{L}+){0,2} (?:by|von|par|por|di|de)\s+/iu;
/** Signs and words between names. The spaces beside them are removed with other signs. */
const BETWEEN =
  /(?:[;|•·»›\n]|\s[-–—]\s|,(?!\s*(?:jr|sr|dr|phd|md|ph\.d)\b)|\s&\s|\s\+\s|\s(?:and|und|et|y|e|i|och|og|en|и|και)\s|、)/iu;
/** The weekday right before a day, after a sign that separates it from the name. */
const WEEKDAY = /(?<=[»|,·•–-]) ?\p{L}{2,12}[.,]? ?$/u;
const NO_NAME = /https?:|www\.|@|\.(?:com|de|org|net|fr|ru|pl)\b|[<>{}[\]=\\]|\d{3,}/i;
/** A user name of an account. */
const HANDLE = /^\p{L}[\p{L}\d_-]*$/u;
/** Texts that name no person: the rest of `Posted on 5 May 2019` without the day, and generic account names. */
const NO_PERSON =
  /^(?:(?:posted|published|updated|veröffentlicht|erstellt|publi[ée]|pubblicato|publicad[oa]|geplaatst|opublikowan[oye])(?: \p{L}{1,3})?|admin(?:istrator)?|root|webmaster)$/iu;
const HAS_LETTERS = /\p{L}{2}|\p{Script=Han}|^\p{Lu}\. ?\p{Lu}\.$/u;

/**
 * The names in a text, in order; empty if it has none. `siteKeys` are keys of names that are the site's. `Ada1984` is a
 * name only with `handles`.
 */
export function readAuthors(text: string, siteKeys: readonly string[], { handles = false } = {}): string[] {
  let rest = text.slice(0, 400).replace(/\s+/g, ' ').trim();
  // text after a day is not a name, and a day or a weekday before a name is not part of it
  for (const { start, end } of findDates(rest).reverse())
    rest = `${rest.slice(0, start).replace(WEEKDAY, ' ')};${rest.slice(end)}`;
  rest = rest.replace(/\d{1,2}:\d\d.*/, '').trim();
  for (let k = 0; k < 2; k++) rest = rest.replace(BEFORE, '').replace(LABEL, '').replace(ALL_BY, '');
  const names: string[] = [];
  const parts = rest.split(BETWEEN);
  for (let at = 0; at < parts.length; at++) {
    const name = parts[at]
      .replace(/^[^\p{L}\p{N}]+|(?<=[\p{L}\p{N}.)])[^\p{L}\p{N}.)]+$/gu, '')
      .replace(BEFORE, '');
    const isSite = isSiteKey(titleKey(name), siteKeys);
    // an address: Example News, Berlin, Germany
    if (isSite && at === 0 && parts.length > 2) return [];
    if (isSite || !(isName(name) || (handles && HANDLE.test(name)))) continue;
    if (!names.some((known) => titleKey(known) === titleKey(name))) names.push(name);
    if (names.length === MAX_NAMES) break;
  }
  return names;
}

/** Whether a key is that of the site, perhaps with an article: `Die Furche`. */
function isSiteKey(key: string, siteKeys: readonly string[]): boolean {
  return siteKeys.some(
    (site) =>
      key === site || (site.length > 4 && key.endsWith(site) && key.length - site.length <= ARTICLE_LENGTH),
  );
}

function isName(text: string): boolean {
  if (text.length < 2 || text.length > MAX_CHARACTERS || NO_NAME.test(text) || NO_PERSON.test(text))
    return false;
  if (!HAS_LETTERS.test(text)) return false;
  const words = text.split(' ');
  if (words.length > MAX_WORDS) return false;
  // a handle may have digits (`bo2man`), but `September 17` and `3 comments` are not names
  return (
    words.length === 1 ||
    !words.some((word) => /^\d/.test(word) || (monthNumber(word) !== undefined && /\d/.test(text)))
  );
}
