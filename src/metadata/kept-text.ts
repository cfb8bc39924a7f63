/**
 * The kept text of a page as spans of its detagged text: number of words, words in links, and a sample for the
 * language. One pass over the bytes.
 */
import { isInTemplate, type Range } from '../model/range.ts';
import { decodeReferences } from '../parse/character-references.ts';
import { TextCursor } from '../parse/source-map.ts';
import type { Tree } from '../parse/tree.ts';

/** Counts and places of the text that a verdict keeps. */
export interface KeptText {
  words: number;
  linkWords: number;
  /** Text from which the language is detected. */
  sample: string;
  /** Spans of the detagged text with a role that describes the page, in order. */
  parts: TextPart[];
  /** Start and end of the kept text in the detagged text. */
  start: number;
  end: number;
}

/** A span of the detagged text with a role that describes the page. */
export interface TextPart {
  role: 'title' | 'byline' | 'date';
  start: number;
  end: number;
  isKept: boolean;
}

/** Bytes of each of the two pieces of a sample. */
const PIECE_BYTES = 240;
/** If a page keeps fewer bytes, the language is detected from all of its text. */
const MIN_BYTES = 80;

const decoder = new TextDecoder();

/** Measures the kept text of a page in one pass over its bytes. */
export function measureKeptText(tree: Tree, ranges: readonly Range[]): KeptText {
  const parts: TextPart[] = [];
  const spans = keptSpans(tree, ranges, parts);
  let words = 0;
  let linkWords = 0;
  let largest = 0;
  let kept = 0;
  let link = 0;
  const { text, textStart, last, linkNode, linkCount } = tree;
  for (let k = 0; k < spans.length; k += 2) {
    const start = spans[k];
    const end = spans[k + 1];
    words += countWords(text, start, end);
    kept += end - start;
    if (end - start > spans[largest + 1] - spans[largest]) largest = k;
    for (; link < linkCount; link++) {
      const from = textStart[linkNode[link]];
      const to = textStart[last[linkNode[link]]];
      if (to <= start) continue;
      if (from >= end) break;
      linkWords += countWords(text, Math.max(from, start), Math.min(to, end));
      if (to > end) break;
    }
  }
  const isEnough = kept >= MIN_BYTES;
  const from = isEnough ? spans[largest] : 0;
  const to = isEnough ? spans[largest + 1] : tree.textLength;
  return {
    words,
    linkWords: Math.min(words, linkWords),
    sample: sampleOf(text, from, to),
    parts,
    start: spans.length > 0 ? spans[0] : 0,
    end: spans.length > 0 ? spans[spans.length - 1] : 0,
  };
}

/** Starts and ends of the kept text in the detagged text, adjacent spans joined; also adds to `parts`. */
function keptSpans(tree: Tree, ranges: readonly Range[], parts: TextPart[]): number[] {
  const spans: number[] = [];
  const cursor = new TextCursor(tree);
  let isOpen = false;
  for (const range of ranges) {
    const isKept = !isCut(range);
    const isPart = range.role === 'title' || range.role === 'byline' || range.role === 'date';
    if (isKept !== isOpen || isPart) {
      const start = cursor.positionOf(range.start);
      if (isKept && !isOpen) spans.push(start);
      else if (isOpen && !isKept) spans.push(start);
      isOpen = isKept;
      if (isPart) {
        const end = cursor.positionOf(range.end);
        if (end > start) parts.push({ role: range.role as TextPart['role'], start, end, isKept });
      }
    }
  }
  if (isOpen) spans.push(tree.textLength);
  return spans;
}

function isCut({ label }: Range): boolean {
  return isInTemplate(label) && label !== 'slot';
}

/** Two pieces of a span, at its quarter and its middle; all of a short span. */
function sampleOf(text: Uint8Array, start: number, end: number): string {
  if (end - start <= 2 * PIECE_BYTES) return decodeReferences(decoder.decode(text.subarray(start, end)));
  const pieces = [0.25, 0.5].map((share) => {
    const from = wordStart(text, start + Math.floor(share * (end - start)));
    return decoder.decode(text.subarray(from, wordStart(text, Math.min(end, from + PIECE_BYTES))));
  });
  return decodeReferences(pieces.join(' '));
}

/** The start of a word or character near an offset. */
function wordStart(text: Uint8Array, offset: number): number {
  let at = offset;
  const limit = Math.min(text.length, offset + 40);
  while (at < limit && text[at] !== 0x20) at++;
  if (at < limit) return at;
  for (at = offset; at < text.length && (text[at] & 0xc0) === 0x80; ) at++;
  return at;
}

/** Classes of bytes: between words (0), in a word, first of a longer character. */
const LETTER = 1;
const LONG = 2;
const REFERENCE = 3;
const BYTES = new Uint8Array(256);
for (let byte = 0; byte < 256; byte++) {
  const isDigit = byte >= 0x30 && byte <= 0x39;
  const isAscii = (byte >= 0x41 && byte <= 0x5a) || (byte >= 0x61 && byte <= 0x7a);
  if (isDigit || isAscii) BYTES[byte] = LETTER;
  if (byte >= 0xc2) BYTES[byte] = byte >= 0xc3 && byte <= 0xdf ? LETTER : LONG;
  if (byte >= 0x80 && byte < 0xc0) BYTES[byte] = LETTER; // continuation byte of UTF-8
}
BYTES[0x26] = REFERENCE;

/** Counts the words of text[start, end): runs of letters and digits; single characters in scripts without spaces. */
function countWords(text: Uint8Array, start: number, end: number): number {
  let words = 0;
  let isInside = false;
  for (let at = start; at < end; at++) {
    const kind = BYTES[text[at]];
    if (kind === LETTER) {
      if (!isInside) words++;
      isInside = true;
    } else if (kind === 0) isInside = false;
    else if (kind === LONG) {
      const lead = text[at];
      const second = text[at + 1];
      const size = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
      if (isUnspaced(lead, second)) {
        words++;
        isInside = false;
      } else if (isSign(lead, second, text[at + 2])) isInside = false;
      else {
        if (!isInside) words++;
        isInside = true;
      }
      at += size - 1;
    } else {
      const length = referenceLength(text, at, end);
      // most longer characters inside words are letters with accents
      const isInWord = length > 6 && isInside;
      if (!isInWord) isInside = false;
      at += Math.max(0, length - 1);
    }
  }
  return words;
}

/** Length in bytes of a reference such as `&eacute;`; 0 for a bare ampersand. */
function referenceLength(text: Uint8Array, start: number, end: number): number {
  const limit = Math.min(end, start + 10);
  for (let at = start + 1; at < limit; at++) {
    if (text[at] === 0x3b) return at - start + 1;
    if (text[at] === 0x20) return 0;
  }
  return 0;
}

/** Han, Kana, Thai, Lao, Khmer, Myanmar. */
function isUnspaced(lead: number, second: number): boolean {
  if (lead >= 0xe4 && lead <= 0xe9) return true;
  if (lead === 0xe3) return second >= 0x81;
  if (lead === 0xe0) return second >= 0xb8 && second <= 0xbb;
  if (lead === 0xe1) return second <= 0x82 || second === 0x9e || second === 0x9f;
  return lead === 0xf0 && second >= 0xa0;
}

/** Punctuation and pictures: U+0080–BF, U+2000–2BFF, U+3000–303F, full-width signs, emoji. */
function isSign(lead: number, second: number, third: number): boolean {
  if (lead === 0xc2) return second !== 0xaa && second !== 0xb5 && second !== 0xba;
  if (lead === 0xe2) return second <= 0xaf;
  if (lead === 0xe3) return second === 0x80;
  if (lead === 0xef) return !(second === 0xbc && third >= 0x90 && third <= 0x99);
  return lead === 0xf0 && second === 0x9f;
}
