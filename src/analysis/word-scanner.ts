/**
 * Finds the words of a detagged text, one hash each, by the rule of `segmentWords`. Most words are plain
 * ASCII and are hashed in place. A run of other words is decoded once: references, compatibility forms, case.
 * White space ends every such run, and Unicode's folding does not look across a space, so both ways agree.
 *
 * One pass over the bytes: a token is hashed as if it were plain, and its words are discarded when a byte
 * follows that is not.
 */
import { isInTemplate, type Range } from '../model/range.ts';
import { decodeReferences } from '../parse/character-references.ts';
import { TextCursor } from '../parse/source-map.ts';
import type { Tree } from '../parse/tree.ts';
import { mix32 } from './byte-hash.ts';

/**
 * Hashes of words in order, in two lanes; the first `count` entries are valid. The memory is kept when the
 * list is emptied.
 */
export class WordList {
  low = new Int32Array(1024);
  high = new Int32Array(1024);
  count = 0;

  /** Appends the hash of a word. */
  add(low: number, high: number): void {
    if (this.count === this.low.length) this.grow();
    this.low[this.count] = low;
    this.high[this.count++] = high;
  }

  /** Doubles the columns, which are new arrays afterwards. */
  grow(): void {
    const { low, high } = this;
    this.low = new Int32Array(2 * low.length);
    this.high = new Int32Array(2 * high.length);
    this.low.set(low);
    this.high.set(high);
  }
}

const SPACE = 0x20;
const AMPERSAND = 0x26;
/**
 * Kinds of bytes that are not letters: a separator of words, the end of a token, a byte that is not plain.
 */
const SEPARATOR = 0;
const TOKEN_END = 1;
const NOT_PLAIN = 2;
/** By byte: the lower case of an ASCII letter or digit, the kind of any other byte. */
const UNITS = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte === SPACE) return TOKEN_END;
  if (byte >= 0x80 || byte === AMPERSAND) return NOT_PLAIN;
  if ((byte >= 0x30 && byte <= 0x39) || (byte >= 0x61 && byte <= 0x7a)) return byte;
  return byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : SEPARATOR;
});
/**
 * After this many bytes a run of other words is cut at the next space, so that no large text is decoded in one
 * piece.
 */
const LONG_RUN_BYTES = 1 << 15;
const SEED_A = 0x3c6ef372;
const SEED_B = 0x1f83d9ab;

const decoder = new TextDecoder();

/** Adds the words of a page's detagged text; with ranges, of the text that is not template. */
export function scanTreeWords(tree: Tree, ranges: readonly Range[] | undefined, out: WordList): void {
  if (!ranges) {
    scanWords(tree.text, 0, tree.textLength, out);
    return;
  }
  scanRegions(tree, ranges, { rest: out }, UNCACHED_SCANNER);
}

/** Finds the words of a span of a page's text, with the result of `scanWords`. */
export interface SpanScanner<List> {
  scan(tree: Tree, start: number, end: number, out: List): void;
}

const UNCACHED_SCANNER: SpanScanner<WordList> = {
  scan: ({ text }, start, end, out) => scanWords(text, start, end, out),
};

/**
 * Adds the words inside templates to one list and all other words to another; words without a list are left
 * out.
 */
export function scanRegions<List>(
  tree: Tree,
  ranges: readonly Range[],
  { template, rest }: { template?: List; rest?: List },
  scanner: SpanScanner<List>,
): void {
  const cursor = new TextCursor(tree);
  for (let i = 0; i < ranges.length; ) {
    // adjacent ranges of one region are one, because a word may be in both
    const first = i;
    const isTemplate = isInTemplate(ranges[i].label);
    while (i < ranges.length && isInTemplate(ranges[i].label) === isTemplate) i++;
    const out = isTemplate ? template : rest;
    if (!out) continue;
    const start = cursor.positionOf(ranges[first].start);
    scanner.scan(tree, start, cursor.positionOf(ranges[i - 1].end), out);
  }
}

/** Adds the words of text[start, end), which is UTF-8 with references as written. */
export function scanWords(text: Uint8Array, start: number, end: number, out: WordList): void {
  let { low, high, count } = out;
  let tokenStart = start;
  let countBefore = count; // words before the token
  for (let at = start; at < end; ) {
    let unit = UNITS[text[at]];
    if (unit > NOT_PLAIN) {
      const wordStart = at;
      let a = SEED_A;
      let b = SEED_B;
      do {
        a = Math.imul(a ^ unit, 0x01000193);
        b = Math.imul(b + unit, 0x5bd1e995);
        b ^= b >>> 13;
        at++;
      } while (at < end && (unit = UNITS[text[at]]) > NOT_PLAIN);
      if (count === low.length) {
        out.grow();
        ({ low, high } = out);
      }
      low[count] = mix32(a ^ Math.imul(b, 0x9e3779b1));
      high[count++] = mix32(b ^ (at - wordStart));
    } else if (unit === NOT_PLAIN) {
      out.count = countBefore;
      // a run ends at a space, or at the end
      at = nonPlainRunEnd(text, tokenStart, end);
      addWordsOf(decodeReferences(decoder.decode(text.subarray(tokenStart, at))), out);
      ({ low, high, count } = out);
      tokenStart = at;
      countBefore = count;
    } else {
      at++;
      if (unit === TOKEN_END) {
        tokenStart = at;
        countBefore = count;
      }
    }
  }
  out.count = count;
}

/**
 * Adds the words of a string without decoding references. The hashes equal those of `scanWords`, because code
 * units of ASCII are its bytes.
 */
export function addWordsOf(text: string, out: WordList): void {
  for (const word of segmentWords(text)) {
    let a = SEED_A;
    let b = SEED_B;
    for (let i = 0; i < word.length; i++) {
      const unit = word.charCodeAt(i);
      a = Math.imul(a ^ unit, 0x01000193);
      b = Math.imul(b + unit, 0x5bd1e995);
      b ^= b >>> 13;
    }
    out.add(mix32(a ^ Math.imul(b, 0x9e3779b1)), mix32(b ^ word.length));
  }
}

/** Returns the end of a run of tokens that are not plain. */
function nonPlainRunEnd(text: Uint8Array, start: number, end: number): number {
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

// scripts whose words are not separated by spaces
const UNSPACED = '\\p{scx=Han}\\p{scx=Hira}\\p{scx=Kana}\\p{scx=Thai}\\p{scx=Laoo}\\p{scx=Khmr}\\p{scx=Mymr}';
const WORD = new RegExp(
  `(?=[${UNSPACED}])[\\p{L}\\p{N}]\\p{M}*|(?:(?![${UNSPACED}])[\\p{L}\\p{N}\\p{M}])+`,
  'gu',
);

/**
 * Returns the words of a text in any language, without dictionaries or stop-word lists: a run of letters and
 * digits is a word; in scripts written without spaces every letter (with its marks) is one. Case and
 * compatibility forms are folded, so that full-width digits and ligatures equal the plain ones. Soft hyphens
 * are ignored. Linear.
 */
export function segmentWords(text: string): string[] {
  return text.normalize('NFKC').replaceAll('\u00ad', '').toLowerCase().match(WORD) ?? [];
}
