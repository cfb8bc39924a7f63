/** The languages the generator speaks, and the charsets their sites have been stored in. */
import { Language, type LanguageCode } from './language.ts';
import { chinese, japanese } from './languages-east-asian.ts';
import { greek, russian } from './languages-greek-cyrillic.ts';
import { english, german } from './languages-latin.ts';

const TABLES = { en: english, de: german, el: greek, ru: russian, zh: chinese, ja: japanese };
const made = new Map<LanguageCode, Language>();

export const LANGUAGE_CODES = Object.keys(TABLES) as LanguageCode[];

/** Charsets each language can be stored in, as WHATWG names; the first is the language's own of old. */
export const CHARSETS: Record<LanguageCode, readonly string[]> = {
  en: ['windows-1252', 'utf-8'],
  de: ['windows-1252', 'utf-8'],
  el: ['windows-1253', 'iso-8859-7', 'utf-8'],
  ru: ['windows-1251', 'koi8-r', 'utf-8'],
  zh: ['gb18030', 'gbk', 'utf-8'],
  ja: ['shift_jis', 'euc-jp', 'utf-8'],
};

export function languageFor(code: LanguageCode): Language {
  const table = TABLES[code];
  if (!table) throw new RangeError(`language must be one of ${LANGUAGE_CODES.join(', ')}, not "${code}"`);
  let language = made.get(code);
  if (!language) made.set(code, (language = new Language(table)));
  return language;
}
