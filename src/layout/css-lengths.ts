/**
 * Represents CSS lengths as single numbers, so that they fit in columns: pixels unchanged, per cent shifted
 * to a band of their own, NaN for "not set", and `AUTO`. Lengths that depend on a font size (em, rem) have
 * bands too until the element is known (`toLength`). Values are read from bytes without making strings. A
 * value that is not understood is NaN, and its declaration is dropped, as browsers do.
 */
import { hashName, NAME_BASIS, NAME_PRIME } from '../parse/hashes.ts';
import { WINDOW_HEIGHT, WINDOW_WIDTH } from './boxes.ts';

/** The length `auto`. */
export const AUTO = 1e6;
/** A length of p per cent is stored as PERCENT + p, one of n em as EM + n. */
const PERCENT = 1e5;
const EM = 2e5;
const REM = 3e5;
const HALF_BAND = 5e4;
/** Pages may write any number: pixels are clamped to ±LONGEST_PX, other units to ±LONGEST. */
const LONGEST_PX = 4e4;
const LONGEST = 1e4;

/** Clamps a number of pixels to the range of lengths. */
export function pixels(value: number): number {
  return Math.min(LONGEST_PX, Math.max(-LONGEST_PX, value));
}

/** Stores a percentage as a length in the band of percentages. */
export function percentLength(value: number): number {
  return PERCENT + clamp(value);
}

/** Returns a length in px, with percentages taken of `base`; NaN when it is not set or `AUTO`. */
export function resolve(length: number, base: number): number {
  if (length < HALF_BAND) return length;
  return length >= AUTO ? Number.NaN : ((length - PERCENT) / 100) * base;
}

/** Returns a length in px, with percentages taken of `base`; `otherwise` when it is not set or `AUTO`. */
export function resolveOr(length: number, base: number, otherwise: number): number {
  const value = resolve(length, base);
  return Number.isNaN(value) ? otherwise : value;
}

/** Returns a length in px when it does not depend on the parent's width, else NaN. */
export function fixedPixels(length: number): number {
  return length < HALF_BAND ? length : Number.NaN;
}

/** Returns whether a length is a percentage. */
export function isPercent(length: number): boolean {
  return length >= HALF_BAND && length < AUTO;
}

/**
 * Converts a length as read (em and rem included) to px or per cent, for an element with these font sizes in
 * px.
 */
export function toLength(value: number, font: number, rootFont: number): number {
  if (value < EM - HALF_BAND || value >= AUTO) return value;
  return value < REM - HALF_BAND ? pixels((value - EM) * font) : pixels((value - REM) * rootFont);
}

/** Reads words and numbers of one value from left to right. */
export class ValueReader {
  source: Uint8Array = new Uint8Array(0);
  position = 0;
  end = 0;

  /** Begins the value at `[start, end)` of the source. */
  reset(source: Uint8Array, start: number, end: number): void {
    this.source = source;
    this.position = start;
    this.end = end;
  }

  /** Moves to the next part of the value; false at the end of the value. */
  skipSpace(): boolean {
    while (this.position < this.end && isCssSpace(this.source[this.position])) this.position++;
    return this.position < this.end;
  }

  /** Returns the first byte of the next part; 0 at the end. */
  peek(): number {
    return this.skipSpace() ? this.source[this.position] : 0;
  }

  /** Returns the hash of the next word (letters, digits and hyphens) in lower case. */
  word(): number {
    this.skipSpace();
    let hash = NAME_BASIS;
    for (; this.position < this.end; this.position++) {
      const byte = this.source[this.position];
      if (!isWordByte(byte)) break;
      hash = Math.imul(hash ^ (byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte), NAME_PRIME);
    }
    return hash;
  }

  /** Returns the next number, or NaN. */
  number(): number {
    this.skipSpace();
    const { source, end } = this;
    let p = this.position;
    let sign = 1;
    if (source[p] === 0x2d || source[p] === 0x2b) sign = source[p++] === 0x2d ? -1 : 1;
    let value = 0;
    let digits = 0;
    for (; p < end && isDigit(source[p]); p++, digits++) value = value * 10 + source[p] - 0x30;
    if (p < end && source[p] === 0x2e) {
      let unit = 0.1;
      for (p++; p < end && isDigit(source[p]); p++, digits++, unit /= 10) value += (source[p] - 0x30) * unit;
    }
    if (digits === 0) return Number.NaN;
    this.position = p;
    return sign * value;
  }

  /**
   * Returns the next length in its band, or AUTO. Of `calc(…)` and other functions only the first term is
   * read.
   */
  length(): number {
    // at most two functions, one inside the other
    for (let depth = 0; depth < 3; depth++) {
      const value = this.number();
      if (!Number.isNaN(value)) return this.#withUnit(value);
      const word = this.word();
      if (word === WORD_AUTO) return AUTO;
      if (this.source[this.position] !== 0x28 || this.position >= this.end || word === WORD_VAR) break;
      this.position++;
    }
    return Number.NaN;
  }

  #withUnit(value: number): number {
    if (this.position < this.end && this.source[this.position] === 0x25) {
      this.position++;
      return percentLength(value);
    }
    // a unit follows its number without a space
    if (this.position >= this.end || !isWordByte(this.source[this.position])) return pixels(value);
    const unit = this.word();
    if (unit === UNIT_EM) return EM + clamp(value);
    if (unit === UNIT_REM) return REM + clamp(value);
    return pixels(value * (PIXELS_OF_UNIT.get(unit) ?? Number.NaN));
  }
}

/** Returns whether a byte is white space in CSS. */
export function isCssSpace(byte: number): boolean {
  return byte === 0x20 || (byte >= 0x09 && byte <= 0x0d);
}

/** Returns whether a byte is a letter, digit, hyphen or underscore, or not ASCII. */
export function isWordByte(byte: number): boolean {
  return (
    (byte >= 0x61 && byte <= 0x7a) ||
    byte === 0x2d ||
    (byte >= 0x41 && byte <= 0x5a) ||
    isDigit(byte) ||
    byte === 0x5f ||
    byte >= 0x80
  );
}

function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39;
}

function clamp(value: number): number {
  return Math.min(LONGEST, Math.max(-LONGEST, value));
}

const WORD_AUTO = hashName('auto');
const WORD_VAR = hashName('var');
const UNIT_EM = hashName('em');
const UNIT_REM = hashName('rem');
/** Pixels of one unit; `ex` and `ch` are half of the usual font size of 16 px. */
const PIXELS_OF_UNIT = new Map(
  Object.entries({
    px: 1,
    pt: 4 / 3,
    vw: WINDOW_WIDTH / 100,
    vh: WINDOW_HEIGHT / 100,
    ex: 8,
    ch: 8,
    in: 96,
  }).map(([unit, size]) => [hashName(unit), size]),
);
