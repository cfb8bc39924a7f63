/**
 * Slides a window of W characters over a text and hashes what stands in it (Gibson et al. §3.2). A
 * character is a code point of the UTF-8 bytes, so a window over Greek or Chinese is wider in bytes.
 *
 * Two polynomial hashes, each with its own base and its own scrambled value per character. The low bits of
 * such a hash are weak, so each is mixed before it is used. Only the first rolls over every character. Most
 * windows are wanted by nobody: a filter on the low lane says which may be, and with D > 0 only those whose
 * low lane is a multiple of D are given, the same on every page. The second hash is worked out for these
 * alone. The test for a multiple is one multiplication, a rotation and a comparison (Granlund and Montgomery
 * 1994, section 9).
 *
 * About 7 ns a character, a third of it for decoding; a window given costs several times that.
 */
import { mix32 } from './byte-hash.ts';
import { ALL_HASHES, type HashFilter } from './hash-filter.ts';

const BASE_A = 0x2c1b3c6d;
const BASE_B = 0x5851f42d;
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
  // divisibility by the density: D = odd · 2^twos
  readonly #inverse: number;
  readonly #twos: number;
  readonly #limit: number;
  // the text's characters, and where each starts; one more start for the end
  #characters = new Int32Array(0);
  #offsets = new Int32Array(1);
  #length = 0;
  #position = 0; // of the next character to enter
  #a = 0;
  // of each window in the columns: its last character and its first hash, not mixed
  readonly #lasts = new Int32Array(BATCH);
  readonly #rawA = new Int32Array(BATCH);
  // the last character that entered the second hash; far before the text at its start
  #lastB = 0;
  #b = 0;

  /** `width` in characters; `density` 0 gives every window, D > 0 one in D. */
  constructor(width: number, density: number) {
    this.density = density;
    this.#width = width;
    this.#powerA = power(BASE_A, width);
    this.#powerB = power(BASE_B, width);
    let odd = Math.max(1, density);
    let twos = 0;
    while (odd % 2 === 0) {
      odd /= 2;
      twos++;
    }
    this.#twos = twos;
    this.#inverse = inverseOf(odd);
    this.#limit = Math.floor(0xffffffff / Math.max(1, density));
  }

  /** Starts on text[0, length). */
  open(text: Uint8Array, length: number): void {
    if (this.#characters.length < length) {
      this.#characters = new Int32Array(length * 2);
      this.#offsets = new Int32Array(length * 2 + 1);
    }
    this.#length = decode(text, length, this.#characters, this.#offsets);
    // all but the last character of the first window enter
    const characters = this.#characters;
    const stop = Math.min(this.#width - 1, this.#length);
    let a = 0;
    for (let i = 0; i < stop; i++) a = (Math.imul(a, BASE_A) + valueA(characters[i])) | 0;
    this.#position = stop;
    this.#a = a;
    this.#lastB = -this.#width;
  }

  /** Fills the columns with the next windows that the filter lets through, in order; 0 when there are no more. */
  next(filter: HashFilter = ALL_HASHES): number {
    const count = this.nextLows(filter);
    const { starts, ends } = this;
    const lasts = this.#lasts;
    const offsets = this.#offsets;
    const width = this.#width;
    for (let i = 0; i < count; i++) {
      starts[i] = offsets[lasts[i] + 1 - width];
      ends[i] = offsets[lasts[i] + 1];
    }
    this.#fillHighs(count);
    return count;
  }

  /** The same with `lows` alone. */
  nextLows(filter: HashFilter = ALL_HASHES): number {
    let count = 0;
    while (count === 0 && this.#position < this.#length) count = this.#roll(filter);
    return count;
  }

  /**
   * Rolls the first hash over up to BATCH characters. Short runs of a loop with nothing else in it: V8
   * compiles that best.
   */
  #roll({ words, shift }: HashFilter): number {
    const { lows } = this;
    const lasts = this.#lasts;
    const rawA = this.#rawA;
    const characters = this.#characters;
    const width = this.#width;
    const powerA = this.#powerA;
    const inverse = this.#inverse;
    const twos = this.#twos;
    const limit = this.#limit;
    const stop = Math.min(this.#length, this.#position + BATCH);
    let a = this.#a;
    let count = 0;
    for (let position = this.#position; position < stop; position++) {
      let change = valueA(characters[position]);
      if (position >= width) change = (change - Math.imul(valueA(characters[position - width]), powerA)) | 0;
      a = (Math.imul(a, BASE_A) + change) | 0;
      const low = laneOf(a);
      const bit = low >>> shift;
      if (((words[bit >>> 5] >>> (bit & 31)) & 1) === 0) continue;
      const quotient = Math.imul(low, inverse);
      if (((quotient >>> twos) | (quotient << (32 - twos))) >>> 0 > limit) continue;
      lasts[count] = position;
      lows[count] = low;
      rawA[count++] = a;
    }
    this.#position = stop;
    this.#a = a;
    return count;
  }

  /** The second hash of each window in the columns: rolled on from the one before when they overlap. */
  #fillHighs(count: number): void {
    const { highs } = this;
    const lasts = this.#lasts;
    const rawA = this.#rawA;
    const characters = this.#characters;
    const width = this.#width;
    const powerB = this.#powerB;
    let last = this.#lastB;
    let b = this.#b;
    for (let i = 0; i < count; i++) {
      if (last + width <= lasts[i]) {
        b = 0;
        for (last = lasts[i] - width + 1; last <= lasts[i]; last++) {
          b = (Math.imul(b, BASE_B) + valueB(characters[last])) | 0;
        }
        last--;
      }
      while (last < lasts[i]) {
        last++;
        const change = (valueB(characters[last]) - Math.imul(valueB(characters[last - width]), powerB)) | 0;
        b = (Math.imul(b, BASE_B) + change) | 0;
      }
      highs[i] = mix32(b ^ rawA[i]);
    }
    this.#lastB = last;
    this.#b = b;
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
  return Math.imul(a ^ (a >>> 15), 0x85ebca6b);
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
