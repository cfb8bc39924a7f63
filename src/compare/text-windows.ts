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
 * About 6 ns a character with D = 40, 9 ns with D = 0.
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
  /** D as it was asked for. */
  readonly density: number;
  /** Byte offsets in the text; `ends` is one past the window's last byte. */
  readonly starts = new Int32Array(BATCH);
  readonly ends = new Int32Array(BATCH);
  readonly lows = new Int32Array(BATCH);
  readonly highs = new Int32Array(BATCH);

  readonly #width: number;
  readonly #powerA: number;
  readonly #powerB: number;
  // divisibility by the density: D = odd · 2^shift
  readonly #multiplier: number;
  readonly #shift: number;
  readonly #limit: number;
  // the text's characters, and where each starts; one more start for the end
  #characters = new Int32Array(0);
  #offsets = new Int32Array(1);
  #plainOffsets = this.#offsets; // 0, 1, 2, … for ASCII
  #mixedOffsets = this.#offsets; // filled anew for other text
  #length = 0;
  #position = 0; // of the next character to enter
  #a = 0;
  #b = 0;

  /** `width` in characters; `density` 0 gives every window, D > 0 one in D. */
  constructor(width: number, density: number) {
    this.density = density;
    this.#width = width;
    this.#powerA = power(BASE_A, width);
    this.#powerB = power(BASE_B, width);
    let odd = Math.max(1, density);
    let shift = 0;
    while (odd % 2 === 0) {
      odd /= 2;
      shift++;
    }
    this.#shift = shift;
    this.#multiplier = Math.imul(inverseOf(odd), MIX_A);
    this.#limit = Math.floor(0xffffffff / Math.max(1, density));
  }

  /** Starts on text[0, length). */
  open(text: Uint8Array, length: number): void {
    if (this.#characters.length < length) {
      const capacity = length * 2;
      this.#characters = new Int32Array(capacity);
      this.#mixedOffsets = new Int32Array(capacity + 1);
      this.#plainOffsets = new Int32Array(capacity + 1);
      for (let i = 0; i <= capacity; i++) this.#plainOffsets[i] = i;
    }
    const bytes = text.subarray(0, length);
    if (isAscii(bytes)) {
      this.#characters.set(bytes);
      this.#offsets = this.#plainOffsets;
      this.#length = length;
    } else {
      this.#offsets = this.#mixedOffsets;
      this.#length = decode(text, length, this.#characters, this.#offsets);
    }
    this.#position = 0;
    this.#a = 0;
    this.#b = 0;
  }

  /** Fills the columns with the next windows in order of position; 0 when there are no more. */
  next(): number {
    if (this.#position === 0) this.#fillFirst();
    let count = 0;
    while (count === 0 && this.#position < this.#length) {
      count = this.density <= 1 ? this.#nextAll() : this.#nextSampled();
    }
    return count;
  }

  /** All but the last character of the first window enter. */
  #fillFirst(): void {
    const characters = this.#characters;
    const stop = Math.min(this.#width - 1, this.#length);
    for (let i = 0; i < stop; i++) {
      this.#a = (Math.imul(this.#a, BASE_A) + valueA(characters[i])) | 0;
      this.#b = (Math.imul(this.#b, BASE_B) + valueB(characters[i])) | 0;
    }
    this.#position = stop;
  }

  #nextAll(): number {
    const { starts, ends, lows, highs } = this;
    const characters = this.#characters;
    const offsets = this.#offsets;
    const width = this.#width;
    const powerA = this.#powerA;
    const powerB = this.#powerB;
    const stop = Math.min(this.#length, this.#position + BATCH);
    let a = this.#a;
    let b = this.#b;
    let count = 0;
    for (let position = this.#position; position < stop; position++) {
      const entering = characters[position];
      let changeA = valueA(entering);
      let changeB = valueB(entering);
      if (position >= width) {
        const leaving = characters[position - width];
        changeA = (changeA - Math.imul(valueA(leaving), powerA)) | 0;
        changeB = (changeB - Math.imul(valueB(leaving), powerB)) | 0;
      }
      a = (Math.imul(a, BASE_A) + changeA) | 0;
      b = (Math.imul(b, BASE_B) + changeB) | 0;
      starts[count] = offsets[position + 1 - width];
      ends[count] = offsets[position + 1];
      lows[count] = laneOf(a);
      highs[count] = mix32(b ^ a);
      count++;
    }
    this.#position = stop;
    this.#a = a;
    this.#b = b;
    return count;
  }

  #nextSampled(): number {
    const { starts, ends, lows, highs } = this;
    const characters = this.#characters;
    const offsets = this.#offsets;
    const width = this.#width;
    const count = this.#select();
    for (let i = 0; i < count; i++) {
      const position = ends[i];
      const first = position + 1 - width;
      let b = 0;
      for (let at = first; at <= position; at++) b = (Math.imul(b, BASE_B) + valueB(characters[at])) | 0;
      const a = lows[i];
      starts[i] = offsets[first];
      ends[i] = offsets[position + 1];
      lows[i] = laneOf(a);
      highs[i] = mix32(b ^ a);
    }
    return count;
  }

  /**
   * Leaves the last positions of the windows to keep in `ends` and their first hash, not yet mixed, in
   * `lows`. Short runs of a loop with nothing else in it: V8 compiles that best.
   */
  #select(): number {
    const { ends, lows } = this;
    const characters = this.#characters;
    const width = this.#width;
    const powerA = this.#powerA;
    const multiplier = this.#multiplier;
    const shift = this.#shift;
    const limit = this.#limit;
    const stop = Math.min(this.#length, this.#position + BATCH);
    let a = this.#a;
    let count = 0;
    for (let position = this.#position; position < stop; position++) {
      let change = valueA(characters[position]);
      if (position >= width) change = (change - Math.imul(valueA(characters[position - width]), powerA)) | 0;
      a = (Math.imul(a, BASE_A) + change) | 0;
      const quotient = Math.imul(a ^ (a >>> 15), multiplier);
      if (((quotient >>> shift) | (quotient << (32 - shift))) >>> 0 <= limit) {
        ends[count] = position;
        lows[count] = a;
        count++;
      }
    }
    this.#position = stop;
    this.#a = a;
    return count;
  }
}

/** UTF-8 to code points with their offsets; a byte that is none of a code point's stands for itself. */
function decode(text: Uint8Array, length: number, characters: Int32Array, offsets: Int32Array): number {
  let count = 0;
  let position = 0;
  while (position < length) {
    offsets[count] = position;
    let character = text[position++];
    if (character >= 0xc0) {
      let more = character < 0xe0 ? 1 : character < 0xf0 ? 2 : 3;
      character &= 0x3f >> more;
      for (; more > 0 && position < length; more--) character = (character << 6) | (text[position++] & 0x3f);
    }
    characters[count++] = character;
  }
  offsets[count] = length;
  return count;
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
