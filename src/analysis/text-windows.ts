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
 * Nothing is decoded beforehand: the byte that enters and the byte that leaves are looked up, and only
 * characters beyond ASCII are put together where they stand.
 */
import { mix32, power } from './byte-hash.ts';
import { ALL_HASHES, type HashFilter } from './hash-filter.ts';

export const BASE_A = 0x2c1b3c6d;
const BASE_B = 0x5851f42d;
const BATCH = 1024;
// the values of ASCII characters
export const ENTER_A = Int32Array.from({ length: 128 }, (_, character) => valueA(character));
const ENTER_B = Int32Array.from({ length: 128 }, (_, character) => valueB(character));

/** Windows in batches: `open` a text, then call `next` until it gives 0. The columns are refilled. */
export class TextWindows {
  /** W and D as they were asked for. */
  readonly width: number;
  readonly density: number;
  /** Byte offsets in the text; `ends` is one past the window's last byte. */
  readonly starts = new Int32Array(BATCH);
  readonly ends = new Int32Array(BATCH);
  readonly lows = new Int32Array(BATCH);
  readonly highs = new Int32Array(BATCH);

  readonly #powerA: number;
  readonly #powerB: number;
  // what an ASCII character takes along as it leaves
  readonly #leaveA: Int32Array;
  readonly #leaveB: Int32Array;
  // divisibility by the density: D = odd · 2^twos
  readonly #inverse: number;
  readonly #twos: number;
  readonly #limit: number;
  #text: Uint8Array = new Uint8Array(0);
  #length = 0;
  // the first hash: the window's last and first byte that are to come, what leaves with the next character
  #head = 0;
  #tail = 0;
  #leaving = 0;
  #a = 0;
  // of each window in the columns its first hash, not mixed
  readonly #rawA = new Int32Array(BATCH);
  // the second hash and the window it is of
  #startB = 0;
  #endB = 0;
  #b = 0;

  /** `width` in characters; `density` 0 gives every window, D > 0 one in D. */
  constructor(width: number, density: number) {
    this.density = density;
    this.width = width;
    this.#powerA = power(BASE_A, width);
    this.#powerB = power(BASE_B, width);
    this.#leaveA = ENTER_A.map((value) => Math.imul(value, this.#powerA));
    this.#leaveB = ENTER_B.map((value) => Math.imul(value, this.#powerB));
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

  /** Starts on text[from, length), which must stay as it is until the last window is given. */
  open(text: Uint8Array, length: number, from = 0): void {
    this.#text = text;
    this.#length = length;
    // all but the last character of the first window enter
    let head = from;
    let a = 0;
    for (let i = 1; i < this.width && head < length; i++) {
      const first = text[head];
      const value = first < 0x80 ? ENTER_A[first] : valueA(characterAt(text, head, length));
      a = (Math.imul(a, BASE_A) + value) | 0;
      head = characterEnd(first, head, length);
    }
    this.#head = head;
    this.#tail = from;
    this.#leaving = 0;
    this.#a = a;
    this.#startB = 0;
    this.#endB = 0;
  }

  /** Fills the columns with the next windows that the filter lets through, in order; 0 when there are no more. */
  next(filter: HashFilter = ALL_HASHES): number {
    const count = this.nextLows(filter);
    this.#fillHighs(count);
    return count;
  }

  /** The same without `highs`. */
  nextLows(filter: HashFilter = ALL_HASHES): number {
    let count = 0;
    while (count === 0 && this.#head < this.#length) count = this.#roll(filter, BATCH);
    return count;
  }

  /** The next windows, every one, at most so many of them. */
  nextFew(most: number): number {
    const count = this.#roll(ALL_HASHES, most);
    this.#fillHighs(count);
    return count;
  }

  /**
   * Rolls the first hash over up to BATCH characters, and no further than to the window that is the `most`-th
   * let through. Short runs of a loop with nothing else in it: V8 compiles that best.
   */
  #roll({ words, shift }: HashFilter, most: number): number {
    const { starts, ends, lows } = this;
    const rawA = this.#rawA;
    const text = this.#text;
    const length = this.#length;
    const powerA = this.#powerA;
    const leaveA = this.#leaveA;
    const inverse = this.#inverse;
    const twos = this.#twos;
    const limit = this.#limit;
    let head = this.#head;
    let tail = this.#tail;
    let leaving = this.#leaving;
    let a = this.#a;
    let count = 0;
    for (let rest = BATCH; rest > 0 && head < length; rest--) {
      const first = text[head];
      if (first < 0x80) {
        a = (Math.imul(a, BASE_A) + ((ENTER_A[first] - leaving) | 0)) | 0;
        head++;
      } else {
        a = (Math.imul(a, BASE_A) + ((valueA(characterAt(text, head, length)) - leaving) | 0)) | 0;
        head = characterEnd(first, head, length);
      }
      const start = tail;
      const last = text[start];
      if (last < 0x80) {
        leaving = leaveA[last];
        tail++;
      } else {
        leaving = Math.imul(valueA(characterAt(text, start, length)), powerA);
        tail = characterEnd(last, start, length);
      }
      const low = laneOf(a);
      const bit = low >>> shift;
      if (((words[bit >>> 5] >>> (bit & 31)) & 1) === 0) continue;
      const quotient = Math.imul(low, inverse);
      if (((quotient >>> twos) | (quotient << (32 - twos))) >>> 0 > limit) continue;
      starts[count] = start;
      ends[count] = head;
      lows[count] = low;
      rawA[count++] = a;
      if (count === most) break;
    }
    this.#head = head;
    this.#tail = tail;
    this.#leaving = leaving;
    this.#a = a;
    return count;
  }

  /** The second hash of each window in the columns: rolled on from the one before when they overlap. */
  #fillHighs(count: number): void {
    const { starts, ends, highs } = this;
    const rawA = this.#rawA;
    const text = this.#text;
    const length = this.#length;
    const powerB = this.#powerB;
    const leaveB = this.#leaveB;
    let start = this.#startB;
    let end = this.#endB;
    let b = this.#b;
    for (let i = 0; i < count; i++) {
      if (starts[i] >= end) {
        b = 0;
        start = starts[i];
        for (end = start; end < ends[i]; end = characterEnd(text[end], end, length)) {
          const value = text[end] < 0x80 ? ENTER_B[text[end]] : valueB(characterAt(text, end, length));
          b = (Math.imul(b, BASE_B) + value) | 0;
        }
      }
      while (end < ends[i]) {
        const first = text[end];
        const last = text[start];
        const entering = first < 0x80 ? ENTER_B[first] : valueB(characterAt(text, end, length));
        const leaving =
          last < 0x80 ? leaveB[last] : Math.imul(valueB(characterAt(text, start, length)), powerB);
        b = (Math.imul(b, BASE_B) + ((entering - leaving) | 0)) | 0;
        end = characterEnd(first, end, length);
        start = characterEnd(last, start, length);
      }
      highs[i] = mix32(b ^ rawA[i]);
    }
    this.#startB = start;
    this.#endB = end;
    this.#b = b;
  }
}

/** The code point that starts at a byte; a byte that starts none stands for itself. */
function characterAt(text: Uint8Array, at: number, length: number): number {
  const first = text[at];
  if (first < 0xc0) return first;
  const end = characterEnd(first, at, length);
  let character = first & (first < 0xe0 ? 0x1f : first < 0xf0 ? 0x0f : 0x07);
  for (let i = at + 1; i < end; i++) character = (character << 6) | (text[i] & 0x3f);
  return character;
}

/** Where the character that starts with this byte ends; a byte that starts none is one by itself. */
export function characterEnd(first: number, at: number, length: number): number {
  if (first < 0xc0) return at + 1;
  return Math.min(length, at + (first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4));
}

/** The same in a text that is known to be UTF-8, where no character is cut off. */
export function characterAfter(text: Uint8Array, at: number): number {
  const first = text[at];
  if (first < 0xc0) return at + 1;
  return at + (first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4);
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

/** The inverse of an odd number modulo 2^32, by Newton's iteration: each step doubles the right bits. */
function inverseOf(odd: number): number {
  let inverse = odd;
  for (let i = 0; i < 5; i++) inverse = Math.imul(inverse, 2 - Math.imul(odd, inverse));
  return inverse;
}
