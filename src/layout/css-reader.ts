/**
 * Reads the style elements of a page into a style sheet. Blocks of `@media` apply when they are for screens
 * as wide as the window. One pass without a stack: blocks that apply are entered, other blocks are skipped.
 * Pages of a site often carry the same sheet, so the last few are cached by the hashes of their elements.
 */
import { hashName } from '../parse/hashes.ts';
import { TAG } from '../parse/tag-names.ts';
import type { Tree } from '../parse/tree.ts';
import { WINDOW_WIDTH } from './boxes.ts';
import { endOfComment } from './css-declarations.ts';
import { isCssSpace, toLength, ValueReader } from './css-lengths.ts';
import { ATTRIBUTE, StartTag } from './layout-attributes.ts';
import { StyleSheet, wordHash } from './style-sheet.ts';
import { BASE_FONT } from './tag-styles.ts';

/** Maximum bytes of style sheets read per page; the rest is ignored. */
const MAX_CSS_BYTES = 1 << 18;
const CACHED_SHEETS = 8;

/** Reads the style sheets of pages and caches the last few. */
export class PageSheets {
  readonly #tag = new StartTag();
  /** By key, least recently used first. */
  readonly #cache = new Map<string, StyleSheet>();

  /** Returns the page's style sheet, or null when it has no rule that the estimate uses. */
  sheetOf(tree: Tree): StyleSheet | null {
    const { nodeCount, name, contentLow, contentHigh, start, end } = tree;
    let key = '';
    for (let node = 0; node < nodeCount; node++) {
      if (name[node] === TAG.style)
        key += `${contentLow[node]},${contentHigh[node]},${end[node] - start[node]};`;
    }
    if (key === '') return null;
    let sheet = this.#cache.get(key);
    if (sheet === undefined) {
      sheet = this.#read(tree);
      if (this.#cache.size === CACHED_SHEETS) this.#cache.delete(this.#cache.keys().next().value!);
    } else this.#cache.delete(key);
    this.#cache.set(key, sheet);
    return sheet.selectorCount === 0 ? null : sheet;
  }

  #read({ nodeCount, name, start, openEnd, end, source }: Tree): StyleSheet {
    const sheet = new StyleSheet();
    const tag = this.#tag;
    let bytesLeft = MAX_CSS_BYTES;
    for (let node = 0; node < nodeCount && bytesLeft > 0; node++) {
      if (name[node] !== TAG.style) continue;
      tag.read(source, start[node], openEnd[node]);
      const [from, to] = [tag.start[ATTRIBUTE.media], tag.end[ATTRIBUTE.media]];
      if (tag.has(ATTRIBUTE.media) && from < to && !mediaHolds(source, from, to)) continue;
      const stop = Math.min(end[node], openEnd[node] + bytesLeft);
      readCss(source, openEnd[node], stop, sheet);
      bytesLeft -= stop - openEnd[node];
    }
    return sheet;
  }
}

/** Adds the rules of the style sheet at `[start, end)` of the source to `sheet`. */
export function readCss(source: Uint8Array, start: number, end: number, sheet: StyleSheet): void {
  for (let p = start; p < end; ) {
    p = skipBetween(source, p, end);
    if (p >= end) return;
    if (source[p] === CLOSE) {
      p++;
      continue;
    }
    const head = p;
    const headEnd = endOfHead(source, p, end);
    if (source[headEnd] === SEMICOLON || (source[head] === AT && headEnd >= end)) {
      p = headEnd + 1;
      continue;
    }
    if (source[head] === AT) {
      p = blockHolds(source, head + 1, headEnd) ? headEnd + 1 : endOfBlock(source, headEnd + 1, end);
      continue;
    }
    if (headEnd >= end) return;
    const bodyEnd = endOfBlock(source, headEnd + 1, end);
    const { declarations } = sheet;
    const from = declarations.count;
    declarations.read(source, headEnd + 1, Math.max(headEnd + 1, bodyEnd - 1));
    if (declarations.count > from) sheet.addSelectors(source, head, headEnd, from, declarations.count);
    p = bodyEnd;
  }
}

function blockHolds(source: Uint8Array, start: number, end: number): boolean {
  const name = wordHash(source, start, end);
  if (name === MEDIA) return mediaHolds(source, start + 'media'.length, end);
  return name === SUPPORTS || name === LAYER;
}

/** Returns whether one of the media queries, separated by commas, holds for the window. */
function mediaHolds(source: Uint8Array, start: number, end: number): boolean {
  for (let from = start, p = start; p <= end; p++) {
    if (p < end && source[p] !== COMMA) continue;
    if (queryHolds(source, from, p)) return true;
    from = p + 1;
  }
  return false;
}

/**
 * Returns whether one query holds: words and conditions joined by `and`. An unknown word or condition does
 * not hold.
 */
function queryHolds(source: Uint8Array, start: number, end: number): boolean {
  let isEmpty = true;
  for (let p = start; p < end; ) {
    if (isCssSpace(source[p])) {
      p++;
      continue;
    }
    isEmpty = false;
    if (source[p] === PARENTHESIS) {
      let close = p + 1;
      while (close < end && source[close] !== PARENTHESIS + 1) close++;
      if (!conditionHolds(source, p + 1, close)) return false;
      p = close + 1;
    } else {
      if (!MEDIA_WORDS.has(wordHash(source, p, end))) return false;
      while (p < end && !isCssSpace(source[p]) && source[p] !== PARENTHESIS) p++;
    }
  }
  return !isEmpty || start >= end - 1;
}

/** Returns whether `min-width: 600px`, `max-width: 600px` or `width >= 600px` holds for the window. */
function conditionHolds(source: Uint8Array, start: number, end: number): boolean {
  const reader = new ValueReader();
  reader.reset(source, start, end);
  const feature = reader.word();
  const sign = reader.peek();
  if (sign === 0) return false;
  reader.position++;
  if (reader.peek() === EQUALS) reader.position++;
  const length = toLength(reader.length(), BASE_FONT, BASE_FONT);
  if (feature === MIN_WIDTH || (feature === WIDTH && sign === GREATER)) return WINDOW_WIDTH >= length;
  if (feature === MAX_WIDTH || (feature === WIDTH && sign === LESS)) return WINDOW_WIDTH <= length;
  return false;
}

/** Skips white space, comments and the marks of HTML comments before the next rule. */
function skipBetween(source: Uint8Array, start: number, end: number): number {
  let p = start;
  for (;;) {
    while (p < end && (isCssSpace(source[p]) || source[p] === SEMICOLON)) p++;
    if (source[p] === SLASH && source[p + 1] === STAR) p = endOfComment(source, p + 2, end);
    else if (source[p] === LESS && source[p + 1] === 0x21) p += 4;
    else if (source[p] === 0x2d && source[p + 1] === 0x2d && source[p + 2] === GREATER) p += 3;
    else return Math.min(p, end);
  }
}

/**
 * Returns the position of the brace that opens a rule's block, or of the semicolon that ends a statement
 * without one.
 */
function endOfHead(source: Uint8Array, start: number, end: number): number {
  for (let p = start; p < end; p++) {
    const byte = source[p];
    if (byte === OPEN || byte === SEMICOLON) return p;
    if (byte === SLASH && source[p + 1] === STAR) p = endOfComment(source, p + 2, end) - 1;
  }
  return end;
}

/** Returns the position after the brace that closes the block opened before `start`. */
function endOfBlock(source: Uint8Array, start: number, end: number): number {
  let depth = 1;
  for (let p = start; p < end; p++) {
    const byte = source[p];
    if (byte === CLOSE) {
      if (--depth === 0) return p + 1;
    } else if (byte === OPEN) depth++;
    else if (byte === 0x22 || byte === 0x27) p = endOfString(source, p, end);
    else if (byte === SLASH && source[p + 1] === STAR) p = endOfComment(source, p + 2, end) - 1;
  }
  return end;
}

/** Returns the position of the closing quote; a string ends with its line at the latest. */
function endOfString(source: Uint8Array, start: number, end: number): number {
  const quote = source[start];
  for (let p = start + 1; p < end; p++) {
    if (source[p] === quote || source[p] === 0x0a) return p;
    if (source[p] === BACKSLASH) p++;
  }
  return end;
}

const OPEN = 0x7b;
const CLOSE = 0x7d;
const AT = 0x40;
const SEMICOLON = 0x3b;
const SLASH = 0x2f;
const BACKSLASH = 0x5c;
const STAR = 0x2a;
const COMMA = 0x2c;
const PARENTHESIS = 0x28;
const EQUALS = 0x3d;
const GREATER = 0x3e;
const LESS = 0x3c;
const MEDIA = hashName('media');
const SUPPORTS = hashName('supports');
const LAYER = hashName('layer');
const MEDIA_WORDS = new Set(['screen', 'all', 'and', 'only'].map(hashName));
const MIN_WIDTH = hashName('min-width');
const MAX_WIDTH = hashName('max-width');
const WIDTH = hashName('width');
