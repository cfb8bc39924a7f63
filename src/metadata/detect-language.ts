/**
 * Detects the language of a page by its words. The script comes first: Greek or Thai is one language, Han with Kana is
 * Japanese. Trigrams separate the languages of one script. The declared language is only evidence: it decides between
 * close languages, and for texts with too few words.
 */
import type { MetadataSource } from '../model/metadata.ts';
import { languageCode } from './language-codes.ts';
import { scoreLanguages } from './language-trigrams.ts';

/** Scripts: the first character, the one after the last, and the script or its only language. */
const SCRIPTS: [start: number, end: number, script: string][] = [
  [0x41, 0x5b, 'Latin'],
  [0x61, 0x7b, 'Latin'],
  [0xc0, 0x250, 'Latin'],
  [0x370, 0x400, 'el'],
  [0x400, 0x530, 'Cyrillic'],
  [0x531, 0x590, 'hy'],
  [0x591, 0x600, 'Hebrew'],
  [0x600, 0x780, 'Arabic'],
  [0x900, 0x980, 'Devanagari'],
  [0x980, 0xa00, 'bn'],
  [0xa00, 0xa80, 'pa'],
  [0xa80, 0xb00, 'gu'],
  [0xb00, 0xb80, 'or'],
  [0xb80, 0xc00, 'ta'],
  [0xc00, 0xc80, 'te'],
  [0xc80, 0xd00, 'kn'],
  [0xd00, 0xd80, 'ml'],
  [0xd80, 0xe00, 'si'],
  [0xe00, 0xe80, 'th'],
  [0xe80, 0xf00, 'lo'],
  [0xf00, 0x1000, 'bo'],
  [0x1000, 0x10a0, 'my'],
  [0x10a0, 0x1100, 'ka'],
  [0x1100, 0x1200, 'ko'],
  [0x1200, 0x1380, 'am'],
  [0x1780, 0x1800, 'km'],
  [0x1e00, 0x1f00, 'Latin'],
  [0x1f00, 0x2000, 'el'],
  [0x3041, 0x3100, 'Kana'],
  [0x3400, 0xa000, 'Han'],
  [0xac00, 0xd7b0, 'ko'],
];
const SCRIPT_NAMES = [...new Set(SCRIPTS.map(([, , script]) => script))];
const SCRIPT_OF = new Uint8Array(0x10000);
for (const [start, end, script] of SCRIPTS) SCRIPT_OF.fill(SCRIPT_NAMES.indexOf(script) + 1, start, end);
/** Scripts in which one character counts as several letters. */
const HEAVY = new Set(['Han', 'Kana', 'ko', 'th', 'lo', 'km', 'my']);
const SCRIPT_WEIGHTS = SCRIPT_NAMES.map((name) => (HEAVY.has(name) ? 3 : 1));
/** Minimum share of Kana among Han and Kana for Japanese. */
const KANA_SHARE = 0.05;

/** Minimum number of letters for a verdict. */
const MIN_LETTERS = 20;
/** Log-odds that the declared language gains per trigram, up to a bound. */
const DECLARED_ODDS = 0.12;
const DECLARED_TRIGRAMS = 120;
/** Minimum score per trigram; a text with a lower one is in no known language. */
const MIN_SCORE = 0.34;

/** A language as a short code, with the source of the verdict. */
export interface FoundLanguage {
  language: string;
  source: MetadataSource;
}

/** Finds the language of a text as a short code; `declared` lists what the page declares, most trusted first. */
export function findLanguage(sample: string, declared: readonly string[]): FoundLanguage | undefined {
  const codes = declared.map(languageCode).filter((code) => code !== '');
  const [own] = codes;
  const { script, letters } = scriptOf(sample);
  const fallback = own === undefined ? undefined : ({ language: own, source: 'declared' } as const);
  if (script === '' || letters < MIN_LETTERS) return fallback;
  if (!GROUPS.has(script)) return { language: script, source: 'text' };
  const scored = scoreLanguages(script, sample);
  if (!scored || scored.trigrams === 0) return fallback;
  const { languages, scores, trigrams } = scored;
  let best = -1;
  for (let k = 0; k < languages.length; k++) {
    const index = codes.indexOf(languages[k]);
    if (index >= 0) scores[k] += (DECLARED_ODDS * Math.min(trigrams, DECLARED_TRIGRAMS)) / (index + 1);
    if (best < 0 || scores[k] > scores[best]) best = k;
  }
  if (best < 0 || scores[best] < MIN_SCORE * trigrams) return fallback;
  // a language without a list cannot win, so the declaration is accepted
  if (
    own !== undefined &&
    !languages.includes(own) &&
    !HAS_LIST.has(own) &&
    scores[best] < 1.6 * MIN_SCORE * trigrams
  )
    return fallback;
  return { language: languages[best], source: 'text' };
}

/** Scripts of several languages; other scripts are named by their language. */
const GROUPS = new Set(['Latin', 'Cyrillic', 'Arabic', 'Devanagari', 'Hebrew']);
/** Languages with their own script: a page in Latin letters that declares one of them is in another language. */
const HAS_LIST = new Set(['zh', 'ja', 'ko', ...SCRIPT_NAMES]);

/** The script of most letters, or its language if it has only one. */
function scriptOf(text: string): { script: string; letters: number } {
  const counts = new Int32Array(SCRIPT_NAMES.length + 1);
  for (let at = 0; at < text.length; at++) counts[SCRIPT_OF[text.charCodeAt(at)]]++;
  let script = '';
  let most = 0;
  let letters = 0;
  const of = (name: string) => counts[SCRIPT_NAMES.indexOf(name) + 1];
  for (let k = 0; k < SCRIPT_NAMES.length; k++) {
    const weighted = SCRIPT_WEIGHTS[k] * counts[k + 1];
    if (weighted <= most) continue;
    most = weighted;
    script = SCRIPT_NAMES[k];
    letters = weighted;
  }
  if (script !== 'Han' && script !== 'Kana') return { script, letters };
  const kana = of('Kana');
  return { script: kana > KANA_SHARE * (kana + of('Han')) ? 'ja' : 'zh', letters };
}
