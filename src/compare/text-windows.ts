/**
 * Slides a window of W characters over a text and hashes what stands in it (Gibson et al. §3.2). A
 * character is a code point of the UTF-8 bytes, so a window over Greek or Chinese is wider in bytes.
 *
 * Two polynomial hashes roll independently over the characters, each with its own base and its own
 * scrambled value per character. The low bits of such a hash are weak, so each is mixed before it is
 * used. With D > 0 only windows whose low lane is a multiple of D are given: the same on every page. Then
 * the second lane is worked out for those windows alone. The test for a multiple is one multiplication,
 * a rotation and a comparison (Granlund and Montgomery 1994, section 9).
 *
 * About 3 to 5 ns a byte with D = 40, 5 to 8 ns with D = 0.
 */
import { isAscii } from 'node:buffer';
import { mix32 } from './byte-hash.ts';

const BASE_A = 0x2c1b3c6d;
const BASE_B = 0x5851f42d;
/** Mixes the low lane; odd. One multiplication by it and an inverse does for the test of a multiple. */
const MIX_A = 0x85ebca6b;
const BATCH = 1024;

/** Windows in batches: `open` a text, then call `next` until it gives 0. The columns are refilled. */
export class TextWindows {
  /** Byte offsets in the text; `ends` is one past the window's last byte. */
  readonly starts = new Int32Array(BATCH);
  readonly ends = new Int32Array(BATCH);
  readonly lows = new Int32Array(BATCH);
  readonly highs = new Int32Array(BATCH);

  /** D as it was asked for. */
  readonly density: number;
  readonly #width: number;
  // divisibility by the density: D = odd · 2^shift
  readonly #everything: boolean;
  readonly #multiplier: number;
  readonly #shift: number;
  readonly #limit: number;
  // value of an ASCII character on entering and, times base^width, on leaving the window
  readonly #enterA = new Int32Array(128);
  readonly #enterB = new Int32Array(128);
  readonly #leaveA = new Int32Array(128);
  readonly #leaveB = new Int32Array(128);
  readonly #powerA: number;
  readonly #powerB: number;
  // the characters in the window and where each starts, for text that is not ASCII; a ring
  readonly #ring: Int32Array;
  readonly #ringStart: Int32Array;

  #text: Uint8Array = new Uint8Array(0);
  #length = 0;
  #ascii = true;
  #position = 0; // of the next character to enter
  #entered = 0; // characters in the window, up to width
  #oldest = 0; // ring index of the window's first character
  #a = 0;
  #b = 0;

  /** `width` in characters; `density` 0 gives every window, D > 0 one in D. */
  constructor(width: number, density: number) {
    this.#width = width;
    this.density = density;
    this.#everything = density <= 1;
    let odd = Math.max(1, density);
    let shift = 0;
    while (odd % 2 === 0) {
      odd /= 2;
      shift++;
    }
    this.#shift = shift;
    this.#multiplier = Math.imul(inverseOf(odd), MIX_A);
    this.#limit = Math.floor(0xffffffff / Math.max(1, density));
    this.#powerA = power(BASE_A, width);
    this.#powerB = power(BASE_B, width);
    for (let c = 0; c < 128; c++) {
      this.#enterA[c] = valueA(c);
      this.#enterB[c] = valueB(c);
      this.#leaveA[c] = Math.imul(valueA(c), this.#powerA);
      this.#leaveB[c] = Math.imul(valueB(c), this.#powerB);
    }
    this.#ring = new Int32Array(width);
    this.#ringStart = new Int32Array(width);
  }

  /** Starts on text[0, length). */
  open(text: Uint8Array, length: number): void {
    this.#text = text;
    this.#length = length;
    this.#ascii = isAscii(text.subarray(0, length));
    this.#position = 0;
    this.#entered = 0;
    this.#oldest = 0;
    this.#a = 0;
    this.#b = 0;
  }

  /** Fills the columns with the next windows in order of position; 0 when there are no more. */
  next(): number {
    if (!this.#ascii) return this.#nextOfAny();
    return this.#everything ? this.#nextOfAscii() : this.#nextSampledOfAscii();
  }

  #nextOfAscii(): number {
    const { starts, ends, lows, highs } = this;
    const text = this.#text;
    const length = this.#length;
    const width = this.#width;
    const enterA = this.#enterA;
    const enterB = this.#enterB;
    const leaveA = this.#leaveA;
    const leaveB = this.#leaveB;
    let position = this.#position;
    let a = this.#a;
    let b = this.#b;
    let count = 0;

    // the first window fills up
    for (; position < width && position < length; position++) {
      a = (Math.imul(a, BASE_A) + enterA[text[position]]) | 0;
      b = (Math.imul(b, BASE_B) + enterB[text[position]]) | 0;
    }
    if (this.#entered === 0 && position === width) {
      starts[0] = 0;
      ends[0] = width;
      lows[0] = laneOf(a);
      highs[0] = mix32(b ^ a);
      count = 1;
    }
    this.#entered = width;

    // one character enters, one leaves
    const stop = Math.min(length, position + BATCH - count);
    for (; position < stop; position++) {
      const entering = text[position];
      const leaving = text[position - width];
      a = (Math.imul(a, BASE_A) + enterA[entering] - leaveA[leaving]) | 0;
      b = (Math.imul(b, BASE_B) + enterB[entering] - leaveB[leaving]) | 0;
      starts[count] = position + 1 - width;
      ends[count] = position + 1;
      lows[count] = laneOf(a);
      highs[count] = mix32(b ^ a);
      count++;
    }
    this.#position = position;
    this.#a = a;
    this.#b = b;
    return count;
  }

  #nextSampledOfAscii(): number {
    const { starts, ends, lows, highs } = this;
    const text = this.#text;
    const width = this.#width;
    const enterB = this.#enterB;
    let count = 0;
    let position = this.#position;
    if (position === 0) {
      position = Math.min(width - 1, this.#length);
      for (let i = 0; i < position; i++) this.#a = (Math.imul(this.#a, BASE_A) + this.#enterA[text[i]]) | 0;
    }
    // short runs of a small loop: V8 compiles that best
    while (count === 0 && position < this.#length) {
      const stop = Math.min(this.#length, position + BATCH);
      count = this.#select(position, stop);
      position = stop;
    }
    this.#position = position;
    for (let i = 0; i < count; i++) {
      const end = ends[i];
      let b = 0;
      for (let at = end - width; at < end; at++) b = (Math.imul(b, BASE_B) + enterB[text[at]]) | 0;
      const a = lows[i];
      starts[i] = end - width;
      lows[i] = laneOf(a);
      highs[i] = mix32(b ^ a);
    }
    return count;
  }

  /** Leaves the ends of the windows to keep in `ends` and their first hash, not yet mixed, in `lows`. */
  #select(from: number, to: number): number {
    const { ends, lows } = this;
    const text = this.#text;
    const width = this.#width;
    const enterA = this.#enterA;
    const leaveA = this.#leaveA;
    const multiplier = this.#multiplier;
    const shift = this.#shift;
    const limit = this.#limit;
    let a = this.#a;
    let count = 0;
    for (let position = from; position < to; position++) {
      let change = enterA[text[position]];
      if (position >= width) change = (change - leaveA[text[position - width]]) | 0;
      a = (Math.imul(a, BASE_A) + change) | 0;
      const quotient = Math.imul(a ^ (a >>> 15), multiplier);
      if (((quotient >>> shift) | (quotient << (32 - shift))) >>> 0 <= limit) {
        ends[count] = position + 1;
        lows[count] = a;
        count++;
      }
    }
    this.#a = a;
    return count;
  }

  #nextOfAny(): number {
    const { starts, ends, lows, highs } = this;
    const text = this.#text;
    const length = this.#length;
    const width = this.#width;
    const ring = this.#ring;
    const ringStart = this.#ringStart;
    const everything = this.#everything;
    const powerA = this.#powerA;
    const powerB = this.#powerB;
    let position = this.#position;
    let entered = this.#entered;
    let oldest = this.#oldest;
    let a = this.#a;
    let b = this.#b;
    let count = 0;

    while (position < length && count < BATCH) {
      // the next code point
      const start = position;
      let character = text[position++];
      if (character >= 0xc0) {
        let more = character < 0xe0 ? 1 : character < 0xf0 ? 2 : 3;
        character &= 0x3f >> more;
        for (; more > 0 && position < length; more--)
          character = (character << 6) | (text[position++] & 0x3f);
      }

      // it enters, the oldest leaves
      if (entered === width) {
        const leaving = ring[oldest];
        a = (Math.imul(a, BASE_A) + valueA(character) - Math.imul(valueA(leaving), powerA)) | 0;
        b = (Math.imul(b, BASE_B) + valueB(character) - Math.imul(valueB(leaving), powerB)) | 0;
        ring[oldest] = character;
        ringStart[oldest] = start;
        oldest = oldest + 1 === width ? 0 : oldest + 1;
      } else {
        a = (Math.imul(a, BASE_A) + valueA(character)) | 0;
        b = (Math.imul(b, BASE_B) + valueB(character)) | 0;
        ring[entered] = character;
        ringStart[entered] = start;
        if (++entered < width) continue;
      }

      if (!everything) {
        const quotient = Math.imul(a ^ (a >>> 15), this.#multiplier);
        if (((quotient >>> this.#shift) | (quotient << (32 - this.#shift))) >>> 0 > this.#limit) continue;
      }
      starts[count] = ringStart[oldest];
      ends[count] = position;
      lows[count] = laneOf(a);
      highs[count] = mix32(b ^ a);
      count++;
    }
    this.#position = position;
    this.#entered = entered;
    this.#oldest = oldest;
    this.#a = a;
    this.#b = b;
    return count;
  }
}

/** One window, for the slow twin in the tests and for single look-ups: the characters as code points. */
export function hashWindow(characters: readonly number[]): { low: number; high: number } {
  let a = 0;
  let b = 0;
  for (const character of characters) {
    a = (Math.imul(a, BASE_A) + valueA(character)) | 0;
    b = (Math.imul(b, BASE_B) + valueB(character)) | 0;
  }
  return { low: laneOf(a), high: mix32(b ^ a) };
}

/** The low lane: folded and multiplied, so that its low bits depend on high ones too. */
function laneOf(a: number): number {
  return Math.imul(a ^ (a >>> 15), MIX_A);
}

function valueA(character: number): number {
  const x = Math.imul(character + 1, 0x9e3779b1);
  return x ^ (x >>> 15);
}

function valueB(character: number): number {
  const x = Math.imul(character + 1, 0x85ebca6b);
  return x ^ (x >>> 13);
}

function power(base: number, exponent: number): number {
  let result = 1;
  for (let i = 0; i < exponent; i++) result = Math.imul(result, base);
  return result;
}

/** The inverse of an odd number modulo 2^32, by Newton's iteration: each step doubles the right bits. */
function inverseOf(odd: number): number {
  let inverse = odd;
  for (let i = 0; i < 5; i++) inverse = Math.imul(inverse, 2 - Math.imul(odd, inverse));
  return inverse;
}
