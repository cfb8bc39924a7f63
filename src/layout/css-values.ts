/**
 * Values of CSS properties as numbers, read from bytes without making strings. Lengths that depend on the
 * element they are set on (em, rem, per cent) are lifted to bands of their own until it is known: see
 * `toLength`. What is not understood is NaN and its declaration is dropped, as browsers do.
 */
import { hashName, NAME_BASIS, NAME_PRIME } from '../parse/hashes.ts';
import { WINDOW_HEIGHT, WINDOW_WIDTH } from './boxes.ts';
import { AUTO, percent, pixels } from './lengths.ts';

const EM = 2e5;
const REM = 3e5;
const FRACTION = 4e5;
const HALF_BAND = 5e4;
const MOST = 1e4;
const POINT = 4 / 3;

/** Reads words and numbers of one value, from left to right. */
export class ValueReader {
  source: Uint8Array = new Uint8Array(0);
  position = 0;
  end = 0;

  reset(source: Uint8Array, start: number, end: number): void {
    this.source = source;
    this.position = start;
    this.end = end;
  }

  /** Goes to the next part of the value; false when there is none. */
  skipSpace(): boolean {
    while (this.position < this.end && isCssSpace(this.source[this.position])) this.position++;
    return this.position < this.end;
  }

  /** First byte of the next part, 0 at the end. */
  peek(): number {
    return this.skipSpace() ? this.source[this.position] : 0;
  }

  /** Hash of the next word in lower case; its end is where letters, digits and hyphens end. */
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

  /** The next number; NaN when none stands there. */
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

  /** The next length, in its band; AUTO for `auto`. Of `calc(…)` and its like only the first term is read. */
  length(): number {
    for (let depth = 0; depth < 3; depth++) {
      const value = this.number();
      if (!Number.isNaN(value)) return depth === 0 ? this.#withUnit(value) : this.#product(value);
      const word = this.word();
      if (word === WORD_AUTO) return AUTO;
      if (this.source[this.position] !== 0x28 || this.position >= this.end || word === WORD_VAR) break;
      this.position++;
    }
    return Number.NaN;
  }

  /** Inside `calc(…)`: a term of one length, which may be times or by a number. */
  #product(value: number): number {
    const isBare = this.peek() === TIMES;
    if (isBare) {
      this.position++;
      const factor = this.number();
      return Number.isNaN(factor) ? factor : this.#withUnit(value * factor);
    }
    const unit = this.position;
    const plain = this.#withUnit(value);
    const sign = this.peek();
    if (sign !== TIMES && sign !== BY) return plain;
    this.position++;
    const factor = this.number();
    const after = this.position;
    this.position = unit;
    const scaled = this.#withUnit(sign === TIMES ? value * factor : value / factor);
    this.position = after;
    return scaled;
  }

  #withUnit(value: number): number {
    if (this.position < this.end && this.source[this.position] === 0x25) {
      this.position++;
      return percent(value);
    }
    // a unit follows its number at once
    if (this.position >= this.end || !isWordByte(this.source[this.position])) return pixels(value);
    switch (this.word()) {
      case UNIT_PX:
        return pixels(value);
      case UNIT_EM:
        return EM + clamp(value);
      case UNIT_REM:
        return REM + clamp(value);
      case UNIT_PT:
        return pixels(value * POINT);
      case UNIT_VW:
        return pixels((value * WINDOW_WIDTH) / 100);
      case UNIT_VH:
        return pixels((value * WINDOW_HEIGHT) / 100);
      case UNIT_EX:
      case UNIT_CH:
        return EM + clamp(value / 2);
      case UNIT_FR:
        return FRACTION + clamp(value);
      case UNIT_CM:
        return pixels(value * 37.8);
      case UNIT_MM:
        return pixels(value * 3.78);
      case UNIT_IN:
        return pixels(value * 96);
      default:
        return Number.NaN;
    }
  }
}

/** A length as read, in px or per cent, for an element with these font sizes. */
export function toLength(value: number, font: number, rootFont: number): number {
  if (value < EM - HALF_BAND || value >= FRACTION - HALF_BAND) return value;
  return value < REM - HALF_BAND ? pixels((value - EM) * font) : pixels((value - REM) * rootFont);
}

/** The share of a grid column in `fr`; 0 for every other length. */
export function fractionOf(value: number): number {
  return value >= FRACTION - HALF_BAND && value < AUTO ? value - FRACTION : 0;
}

export function isCssSpace(byte: number): boolean {
  return byte === 0x20 || (byte >= 0x09 && byte <= 0x0d);
}

/** Letters, digits, hyphen, underscore and all that is not ASCII. */
export function isWordByte(byte: number): boolean {
  return (
    (byte >= 0x61 && byte <= 0x7a) ||
    byte === 0x2d ||
    (byte >= 0x41 && byte <= 0x5a) ||
    (byte >= 0x30 && byte <= 0x39) ||
    byte === 0x5f ||
    byte >= 0x80
  );
}

function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39;
}

function clamp(value: number): number {
  return Math.min(MOST, Math.max(-MOST, value));
}

const TIMES = 0x2a;
const BY = 0x2f;
const WORD_AUTO = hashName('auto');
const WORD_VAR = hashName('var');
const UNIT_PX = hashName('px');
const UNIT_EM = hashName('em');
const UNIT_REM = hashName('rem');
const UNIT_PT = hashName('pt');
const UNIT_VW = hashName('vw');
const UNIT_VH = hashName('vh');
const UNIT_EX = hashName('ex');
const UNIT_CH = hashName('ch');
const UNIT_FR = hashName('fr');
const UNIT_CM = hashName('cm');
const UNIT_MM = hashName('mm');
const UNIT_IN = hashName('in');
