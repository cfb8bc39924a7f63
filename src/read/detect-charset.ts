/**
 * Guesses the charset of a page that declares none and is not UTF-8, from how often its letters follow one
 * another. Markup is ASCII in every charset and drowns that signal, so only words with letters beyond ASCII
 * are shown to the detector.
 */
import { labelToName } from '@exodus/bytes/encoding.js';
import { analyse } from 'chardet';

/** Enough for a sure guess; the detector's cost grows with it. */
const SAMPLE_BYTES = 8 * 1024;
const FALLBACK = 'windows-1252';

/** WHATWG name of the likeliest charset; windows-1252 when nothing speaks for another. */
export function detectCharset(body: Uint8Array): string {
  const sample = sampleWords(body);
  for (const { name } of analyse(sample)) {
    const known = labelToName(name);
    if (known !== null && known !== 'replacement' && known !== 'UTF-8' && !known.startsWith('UTF-16'))
      return known;
  }
  return FALLBACK;
}

/** The words of a page that hold a byte beyond ASCII, with a blank between. */
function sampleWords(body: Uint8Array): Uint8Array {
  const sample = Buffer.allocUnsafe(SAMPLE_BYTES);
  let length = 0;
  let wordStart = 0;
  let wide = false;
  for (let i = 0; i <= body.length && length < SAMPLE_BYTES; i++) {
    const byte = i < body.length ? body[i] : 0x20;
    if (byte >= 0x80) wide = true;
    // words end at ASCII characters that are no letter; double-byte charsets use letters as second byte
    if (byte > 0x40 && byte !== 0x5b && byte !== 0x5d) continue;
    if (wide) {
      const end = Math.min(i, wordStart + SAMPLE_BYTES - length);
      sample.set(body.subarray(wordStart, end), length);
      length += end - wordStart;
      if (length < SAMPLE_BYTES) sample[length++] = 0x20;
    }
    wide = false;
    wordStart = i + 1;
  }
  return sample.subarray(0, length);
}
