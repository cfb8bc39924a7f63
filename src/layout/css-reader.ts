/**
 * Text of style elements into a style sheet: rules are found, `@media` that does not hold for a screen as wide
 * as the window is passed over, comments and strings are not taken for rules. One pass, nothing nested on a
 * stack: blocks that hold are counted only.
 */
import { hashName } from '../parse/hashes.ts';
import { WINDOW_HEIGHT, WINDOW_WIDTH } from './boxes.ts';
import { endOfComment } from './css-declarations.ts';
import { isCssSpace, toLength, ValueReader } from './css-values.ts';
import { type StyleSheet, wordHash } from './style-sheet.ts';
import { BASE_FONT } from './tag-styles.ts';

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
    if (source[head] === AT) {
      // a statement without a block, or one whose rules do not hold here, or one whose rules do
      if (headEnd >= end || source[headEnd] === SEMICOLON) p = headEnd + 1;
      else p = holds(source, head + 1, headEnd) ? headEnd + 1 : endOfBlock(source, headEnd + 1, end);
      continue;
    }
    if (headEnd >= end) return;
    if (source[headEnd] === SEMICOLON) {
      p = headEnd + 1;
      continue;
    }
    const bodyEnd = endOfBlock(source, headEnd + 1, end);
    const { declarations } = sheet;
    const from = declarations.count;
    declarations.read(source, headEnd + 1, Math.max(headEnd + 1, bodyEnd - 1));
    if (declarations.count > from) sheet.addSelectors(source, head, headEnd, from, declarations.count);
    p = bodyEnd;
  }
}

/** Whether the media attribute of a style element, or the words after `@media`, hold for the window. */
export function mediaHolds(source: Uint8Array, start: number, end: number): boolean {
  let from = start;
  let any = false;
  for (let p = start; p <= end; p++) {
    if (p < end && source[p] !== COMMA) continue;
    any ||= queryHolds(source, from, p);
    from = p + 1;
  }
  return any;
}

function holds(source: Uint8Array, start: number, end: number): boolean {
  const name = wordHash(source, start, end);
  if (name === SUPPORTS || name === LAYER) return true;
  if (name !== MEDIA) return false;
  return mediaHolds(source, start + 'media'.length, end);
}

/** One query: words and conditions joined by `and`; what is not known does not hold. */
function queryHolds(source: Uint8Array, start: number, end: number): boolean {
  let isEmpty = true;
  for (let p = start; p < end; ) {
    const byte = source[p];
    if (isCssSpace(byte)) {
      p++;
    } else if (byte === PARENTHESIS) {
      let close = p + 1;
      while (close < end && source[close] !== PARENTHESIS + 1) close++;
      if (!conditionHolds(source, p + 1, close)) return false;
      isEmpty = false;
      p = close + 1;
    } else {
      const word = wordHash(source, p, end);
      if (word !== SCREEN && word !== ALL && word !== AND && word !== ONLY) return false;
      isEmpty = false;
      while (p < end && !isCssSpace(source[p]) && source[p] !== PARENTHESIS) p++;
    }
  }
  return !isEmpty || start >= end - 1;
}

/** `min-width: 600px`, `width >= 600px` and their like. */
function conditionHolds(source: Uint8Array, start: number, end: number): boolean {
  const reader = new ValueReader();
  reader.reset(source, start, end);
  const feature = reader.word();
  const sign = reader.peek();
  if (sign === 0) return false;
  reader.position++;
  if (reader.peek() === EQUALS) reader.position++;
  const length = toLength(reader.length(), BASE_FONT, BASE_FONT);
  switch (feature) {
    case MIN_WIDTH:
      return WINDOW_WIDTH >= length;
    case MAX_WIDTH:
      return WINDOW_WIDTH <= length;
    case MIN_HEIGHT:
      return WINDOW_HEIGHT >= length;
    case MAX_HEIGHT:
      return WINDOW_HEIGHT <= length;
    case WIDTH:
      return sign === GREATER ? WINDOW_WIDTH >= length : sign === LESS && WINDOW_WIDTH <= length;
    default:
      return false;
  }
}

/** To the next rule: past white space, comments and the marks of HTML comments. */
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

/** The brace that opens a rule's block, or the semicolon that ends a statement without one. */
function endOfHead(source: Uint8Array, start: number, end: number): number {
  for (let p = start; p < end; p++) {
    const byte = source[p];
    if (byte === OPEN || byte === SEMICOLON) return p;
    if (byte === SLASH && source[p + 1] === STAR) p = endOfComment(source, p + 2, end) - 1;
  }
  return end;
}

/** One past the brace that closes the block begun before `start`. */
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

/** The closing quote; a string does not go beyond its line. */
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
const SCREEN = hashName('screen');
const ALL = hashName('all');
const AND = hashName('and');
const ONLY = hashName('only');
const MIN_WIDTH = hashName('min-width');
const MAX_WIDTH = hashName('max-width');
const MIN_HEIGHT = hashName('min-height');
const MAX_HEIGHT = hashName('max-height');
const WIDTH = hashName('width');
