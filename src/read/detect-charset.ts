/**
 * Guesses the charset of a page that declares none and is not UTF-8, from how often its letters follow one
 * another. Markup is ASCII in every charset and drowns that signal, so only words with letters beyond ASCII
 * are shown to the detector. What it proposes is then read in that charset: the more of the text no language would
 * write (odd-text.ts), the less the proposal counts.
 */
import { labelToName, TextDecoder } from '@exodus/bytes/encoding.js';
import { analyse } from 'chardet';

/** Enough for a sure guess; the detector's cost grows with it. */
const SAMPLE_BYTES = 8 * 1024;
/** Below this many bytes beyond ASCII a guess is little more than a throw of dice. */
const FEW_WIDE_BYTES = 16;
/** Below this many in Latin script it is nothing more. */
const FEWEST_WIDE_BYTES = 4;
/** The detector's confidence, in percent, of a multi-byte charset that it has seen nothing of but valid pairs. */
const MULTI_BYTE_CHANCE = 10;
/** How fast a proposal loses weight: one odd position in 15 characters leaves a third of it. */
const ODDITY_WEIGHT = 15;
/** A proposal of less weight, in percent, says nothing. */
const LEAST_WEIGHT = 1;
const FALLBACK = 'windows-1252';
/** A few words in another script: most undeclared pages of that kind are Cyrillic. */
const OTHER_SCRIPT_FALLBACK = 'windows-1251';
const LATIN_CHARSETS = /^(?:windows-125[02478]|ISO-8859-(?:2|3|4|1[0-6])|macintosh)$/;

/** WHATWG name of the likeliest charset; windows-1252, or 1251 for another script, when nothing else is likelier. */
export function detectCharset(body: Uint8Array): string {
  const { sample, wideBytes, runBytes } = sampleWords(body);
  // in Latin script a letter with a mark hardly ever stands beside two others
  const isLatin = runBytes * 2 <= wideBytes;
  if (isLatin && wideBytes < FEWEST_WIDE_BYTES) return FALLBACK;
  if (wideBytes < FEW_WIDE_BYTES && usesWesternEntities(body)) return FALLBACK;
  let best = isLatin ? FALLBACK : OTHER_SCRIPT_FALLBACK;
  let bestWeight = LEAST_WEIGHT;
  for (const { charset, confidence } of proposals(sample, isLatin)) {
    if (confidence <= bestWeight) continue; // it cannot gain
    const text = new TextDecoder(charset).decode(sample);
    const weight = confidence * Math.exp(-ODDITY_WEIGHT * oddShare(text));
    if (weight > bestWeight) {
      best = charset;
      bestWeight = weight;
    }
  }
  return best;
}

interface Proposal {
  charset: string;
  /** In percent. */
  confidence: number;
}

/** The detector's; then what is usual, should it read well, and Cyrillic of DOS, of which the detector knows nothing. */
function proposals(sample: Uint8Array, isLatin: boolean): Proposal[] {
  const found: Proposal[] = [];
  for (const { name, confidence } of analyse(sample)) {
    if (confidence <= MULTI_BYTE_CHANCE) break; // best first
    const charset = labelToName(name);
    if (charset === null || charset === 'replacement' || /^UTF-/.test(charset)) continue;
    if (!isLatin && LATIN_CHARSETS.test(charset)) continue;
    found.push({ charset, confidence });
    // the same but for four Ukrainian letters, instead of lines for drawing boxes
    if (charset === 'KOI8-R') found.push({ charset: 'KOI8-U', confidence: confidence - 1 });
  }
  found.push({ charset: isLatin ? FALLBACK : OTHER_SCRIPT_FALLBACK, confidence: MULTI_BYTE_CHANCE });
  found.push({ charset: OTHER_SCRIPT_FALLBACK, confidence: MULTI_BYTE_CHANCE - 1 });
  found.push({ charset: 'IBM866', confidence: MULTI_BYTE_CHANCE - 2 });
  return found;
}

/** Whether most letters with marks are written as `&eacute;`: what is not, was typed in the same language. */
function usesWesternEntities(body: Uint8Array): boolean {
  const text = Buffer.from(body.buffer, body.byteOffset, Math.min(body.length, ENTITY_BYTES)).toString(
    'latin1',
  );
  const found = text.match(
    /&(?:[aeiounAEIOUN](?:acute|grave|circ|uml|tilde)|[cC]cedil|szlig|[aA]ring|[oO]slash|[aA]elig);/g,
  );
  return found !== null && found.length >= 5;
}

const ENTITY_BYTES = 64 * 1024;

interface WordSample {
  sample: Uint8Array;
  /** Bytes beyond ASCII in the sample. */
  wideBytes: number;
  /** Those in runs of three or more. */
  runBytes: number;
}

/** The words of a page that hold a byte beyond ASCII, with a blank between. */
function sampleWords(body: Uint8Array): WordSample {
  const sample = Buffer.allocUnsafe(SAMPLE_BYTES);
  let length = 0;
  let wordStart = 0;
  let wide = 0; // bytes beyond ASCII in this word
  let wideBytes = 0;
  let run = 0; // bytes beyond ASCII up to here without another between
  let runBytes = 0;
  for (let i = 0; i <= body.length && length < SAMPLE_BYTES; i++) {
    const byte = i < body.length ? body[i] : 0x20;
    if (byte >= 0x80) {
      wide++;
      run++;
      runBytes += run < 3 ? 0 : run === 3 ? 3 : 1;
    } else run = 0;
    // words end at blanks, digits and punctuation; from 0x40 on a byte may be the second of a character
    if (byte >= 0x40) continue;
    if (wide > 0) {
      const end = Math.min(i, wordStart + SAMPLE_BYTES - length);
      sample.set(body.subarray(wordStart, end), length);
      length += end - wordStart;
      if (length < SAMPLE_BYTES) sample[length++] = 0x20;
    }
    wideBytes += wide;
    wide = 0;
    wordStart = i + 1;
  }
  return { sample: sample.subarray(0, length), wideBytes, runBytes };
}

/** Characters that no text contains: replacement and control characters, unassigned and private code points. */
const IMPOSSIBLE = /[\ufffd\u0080-\u009f\p{Co}\p{Cn}]/gu;

/** Sequences that no language has; each contains a character beyond ASCII. */
const ODD_SEQUENCES = [
  // a capital behind a small letter: one of them, at least, beyond ASCII
  /\p{Ll}(?=\p{Lu})(?:(?<=[^\0-\x7f])|(?=[^\0-\x7f]))/gu,
  // a sign or a raised figure between letters
  /(?<=\p{L})(?=[^\0-\x7f])[\p{S}\p{No}ªº](?=\p{L})/gu,
  // two alphabets in one word; Chinese and Japanese are written beside Latin letters
  /\p{Script=Latin}(?=[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Thai}])/gu,
  /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Thai}](?=\p{Script=Latin})/gu,
  // an accent or vowel sign without a letter
  /(?<![\p{L}\p{M}])\p{M}/gu,
];

/**
 * Impossible characters and odd sequences per character beyond ASCII: high when bytes were decoded in a wrong charset.
 * Judges by properties of Unicode, not by languages: text has no control characters, no capital after a small letter, no
 * mathematical symbol inside a word, no word in two scripts and no accent without a letter.
 */
export function oddShare(text: string): number {
  let odd = countMatches(text, IMPOSSIBLE);
  for (const sequence of ODD_SEQUENCES) odd += countMatches(text, sequence);
  return odd / Math.max(1, countMatches(text, /[^\0-\x7f]/gu));
}

function countMatches(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
