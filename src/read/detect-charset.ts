/**
 * Guesses the charset of a page that declares none and is not UTF-8, from the frequencies of letter
 * sequences. Markup is ASCII in every charset and hides that signal, so the detector sees only words with
 * letters beyond ASCII. Each proposed charset is then used to read the text: the more sequences it gives that
 * no language has (`oddShare`), the less the proposal counts.
 */
import { labelToName, TextDecoder } from '@exodus/bytes/encoding.js';
import { analyse } from 'chardet';

/** Bytes of text for the detector, enough for a sure guess; its cost grows with them. */
const SAMPLE_BYTES = 8 * 1024;
/** With fewer bytes beyond ASCII than this, a guess is hardly better than chance. */
const FEW_WIDE_BYTES = 16;
/** With fewer bytes beyond ASCII than this, a guess for Latin script is chance. */
const MIN_WIDE_BYTES = 4;
/** The detector's confidence, in percent, in a multi-byte charset of which it has only seen valid pairs. */
const MULTI_BYTE_CHANCE = 10;
/** Exponential loss of weight per odd position: one in 15 characters leaves a third of the weight. */
const ODDITY_WEIGHT = 15;
/** Smallest weight, in percent, of a proposal that counts. */
const MIN_WEIGHT = 1;
const FALLBACK = 'windows-1252';
/** The charset of most undeclared pages with a few words in another script, which are Cyrillic. */
const OTHER_SCRIPT_FALLBACK = 'windows-1251';
const LATIN_CHARSETS = /^(?:windows-125[02478]|ISO-8859-(?:2|3|4|1[0-6])|macintosh)$/;

/**
 * Returns the WHATWG name of the likeliest charset; by default windows-1252, or windows-1251 for another
 * script.
 */
export function detectCharset(body: Uint8Array): string {
  const { sample, wideBytes, runBytes } = sampleWords(body);
  // in Latin script a letter with a mark hardly ever has two others beside it
  const isLatin = runBytes * 2 <= wideBytes;
  if (isLatin && wideBytes < MIN_WIDE_BYTES) return FALLBACK;
  if (wideBytes < FEW_WIDE_BYTES && usesWesternEntities(body)) return FALLBACK;
  let best = isLatin ? FALLBACK : OTHER_SCRIPT_FALLBACK;
  let bestWeight = MIN_WEIGHT;
  for (const { charset, confidence } of proposals(sample, isLatin)) {
    if (confidence <= bestWeight) continue; // the weight cannot exceed the confidence
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
  /** Confidence in percent. */
  confidence: number;
}

/**
 * Returns the proposals of the detector, then the usual charset, and IBM866 (Cyrillic of DOS), which the
 * detector does not know.
 */
function proposals(sample: Uint8Array, isLatin: boolean): Proposal[] {
  const found: Proposal[] = [];
  for (const { name, confidence } of analyse(sample)) {
    if (confidence <= MULTI_BYTE_CHANCE) break; // proposals are sorted by confidence
    const charset = labelToName(name);
    if (charset === null || charset === 'replacement' || /^UTF-/.test(charset)) continue;
    if (!isLatin && LATIN_CHARSETS.test(charset)) continue;
    found.push({ charset, confidence });
    // KOI8-U equals KOI8-R but for four Ukrainian letters in place of box-drawing characters
    if (charset === 'KOI8-R') found.push({ charset: 'KOI8-U', confidence: confidence - 1 });
  }
  found.push({ charset: isLatin ? FALLBACK : OTHER_SCRIPT_FALLBACK, confidence: MULTI_BYTE_CHANCE });
  found.push({ charset: OTHER_SCRIPT_FALLBACK, confidence: MULTI_BYTE_CHANCE - 1 });
  found.push({ charset: 'IBM866', confidence: MULTI_BYTE_CHANCE - 2 });
  return found;
}

/**
 * Whether most letters with marks are written as `&eacute;`; the few other bytes are then of the same Western
 * language.
 */
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
  /** Number of bytes beyond ASCII in the sample. */
  wideBytes: number;
  /** Number of these bytes in runs of three or more. */
  runBytes: number;
}

/** Copies the words of a page that hold a byte beyond ASCII, with a blank between two words. */
function sampleWords(body: Uint8Array): WordSample {
  const sample = Buffer.allocUnsafe(SAMPLE_BYTES);
  let length = 0;
  let wordStart = 0;
  let wide = 0; // number of bytes beyond ASCII in this word
  let wideBytes = 0;
  let run = 0; // length of the current run of bytes beyond ASCII
  let runBytes = 0;
  for (let i = 0; i <= body.length && length < SAMPLE_BYTES; i++) {
    const byte = i < body.length ? body[i] : 0x20;
    if (byte >= 0x80) {
      wide++;
      run++;
      runBytes += run < 3 ? 0 : run === 3 ? 3 : 1;
    } else run = 0;
    // words end at blanks, digits and punctuation; a byte from 0x40 on may be the second of a character
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

/**
 * Characters that no text contains: replacement and control characters, private and unassigned code points.
 */
const IMPOSSIBLE = /[\ufffd\u0080-\u009f\p{Co}\p{Cn}]/gu;

/** Sequences that no language has; each contains a character beyond ASCII. */
const ODD_SEQUENCES = [
  // a capital after a small letter, at least one of them beyond ASCII
  /\p{Ll}(?=\p{Lu})(?:(?<=[^\0-\x7f])|(?=[^\0-\x7f]))/gu,
  // a sign or a raised figure between letters
  /(?<=\p{L})(?=[^\0-\x7f])[\p{S}\p{No}ªº](?=\p{L})/gu,
  // two alphabets in one word; Chinese and Japanese are excluded because they occur beside Latin letters
  /\p{Script=Latin}(?=[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Thai}])/gu,
  /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Thai}](?=\p{Script=Latin})/gu,
  // an accent or vowel sign without a letter
  /(?<![\p{L}\p{M}])\p{M}/gu,
];

/**
 * Returns the number of impossible characters and odd sequences per character beyond ASCII. The share is high
 * if bytes were decoded in a wrong charset. It relies on properties of Unicode, not of languages: text has no
 * control characters, no capital after a small letter, no mathematical symbol inside a word, no word in two
 * scripts and no accent without a letter.
 */
export function oddShare(text: string): number {
  let odd = countMatches(text, IMPOSSIBLE);
  for (const sequence of ODD_SEQUENCES) odd += countMatches(text, sequence);
  return odd / Math.max(1, countMatches(text, /[^\0-\x7f]/gu));
}

function countMatches(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
