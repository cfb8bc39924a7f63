/**
 * The words of a detagged text, one hash each, by the rule of words.ts. Most words are plain ASCII and are
 * hashed where they stand; a run of others is decoded once: references, compatibility forms, case. White
 * space ends every such run, and nothing in Unicode's folding looks across a space, so both ways agree.
 */
import type { Range } from '../model/range.ts';
import { decodeReferences } from '../parse/character-references.ts';
import { TextCursor } from '../parse/text.ts';
import type { Tree } from '../parse/tree.ts';
import { mix32 } from './byte-hash.ts';
import { segmentWords } from './words.ts';

/** Takes the two lanes of each word's hash, in order. */
export type WordTaker = (low: number, high: number) => void;

const SPACE = 0x20;
const AMPERSAND = 0x26;
/** Lower case of each ASCII letter and digit; 0 for what stands between words. */
const LETTER = Uint8Array.from({ length: 128 }, (_, byte) => {
  if ((byte >= 0x30 && byte <= 0x39) || (byte >= 0x61 && byte <= 0x7a)) return byte;
  return byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : 0;
});
/** Bytes after which a run of other words is cut at the next space, so that no run is decoded in one piece. */
const LONG_RUN_BYTES = 1 << 15;
const SEED_A = 0x3c6ef372;
const SEED_B = 0x1f83d9ab;

const decoder = new TextDecoder();

/** Hands over the words of a page's detagged text; with ranges, of what is not template. */
export function scanTreeWords(tree: Tree, ranges: readonly Range[] | undefined, take: WordTaker): void {
  if (!ranges) {
    scanWords(tree.text, 0, tree.textLength, take);
    return;
  }
  const cursor = new TextCursor(tree);
  for (let i = 0; i < ranges.length; ) {
    if (ranges[i].label === 'template') {
      i++;
      continue;
    }
    // kept ranges side by side are one: a word may stand in both
    const first = i;
    while (i < ranges.length && ranges[i].label !== 'template') i++;
    const start = cursor.positionOf(ranges[first].start);
    scanWords(tree.text, start, cursor.positionOf(ranges[i - 1].end), take);
  }
}

/** Hands over the words of text[start, end), UTF-8 with references as written. */
export function scanWords(text: Uint8Array, start: number, end: number, take: WordTaker): void {
  let at = start;
  while (at < end) {
    if (text[at] === SPACE) {
      at++;
      continue;
    }
    const tokenEnd = plainTokenEnd(text, at, end);
    if (tokenEnd >= 0) {
      takePlain(text, at, tokenEnd, take);
      at = tokenEnd;
      continue;
    }
    const runEnd = otherRunEnd(text, at, end);
    takeWordsOf(decodeReferences(decoder.decode(text.subarray(at, runEnd))), take);
    at = runEnd;
  }
}

/** Hands over the words of a string, references taken for what they look like. */
export function takeWordsOf(text: string, take: WordTaker): void {
  for (const word of segmentWords(text)) {
    let a = SEED_A;
    let b = SEED_B;
    for (let i = 0; i < word.length; i++) {
      const unit = word.charCodeAt(i);
      a = Math.imul(a ^ unit, 0x01000193);
      b = Math.imul(b + unit, 0x5bd1e995);
      b ^= b >>> 13;
    }
    take(mix32(a ^ Math.imul(b, 0x9e3779b1)), mix32(b ^ word.length));
  }
}

/** Where the token at `start` ends when it is plain ASCII without references, else -1. */
function plainTokenEnd(text: Uint8Array, start: number, end: number): number {
  let at = start;
  for (; at < end; at++) {
    const byte = text[at];
    if (byte === SPACE) return at;
    if (byte >= 0x80 || byte === AMPERSAND) return -1;
  }
  return at;
}

/** The end of the last of some neighbouring tokens that are not plain. */
function otherRunEnd(text: Uint8Array, start: number, end: number): number {
  let runEnd = start;
  let isPlain = true;
  for (let at = start; at <= end; at++) {
    const byte = at < end ? text[at] : SPACE;
    if (byte === SPACE) {
      if (isPlain && at > runEnd + 1) return runEnd;
      runEnd = at;
      if (at - start > LONG_RUN_BYTES) return runEnd;
      isPlain = true;
    } else if (byte >= 0x80 || byte === AMPERSAND) isPlain = false;
  }
  return runEnd;
}

/** The same hash as of strings: code units of ASCII are its bytes. */
function takePlain(text: Uint8Array, start: number, end: number, take: WordTaker): void {
  let a = SEED_A;
  let b = SEED_B;
  let length = 0;
  for (let at = start; at <= end; at++) {
    const unit = at < end ? LETTER[text[at]] : 0;
    if (unit !== 0) {
      a = Math.imul(a ^ unit, 0x01000193);
      b = Math.imul(b + unit, 0x5bd1e995);
      b ^= b >>> 13;
      length++;
    } else if (length > 0) {
      take(mix32(a ^ Math.imul(b, 0x9e3779b1)), mix32(b ^ length));
      a = SEED_A;
      b = SEED_B;
      length = 0;
    }
  }
}
