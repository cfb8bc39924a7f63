/**
 * Texts of which is known where the frequent windows begin, and what they tell about other texts of the site:
 *
 * - which 16 bytes can stand in a frequent window at all. A window of 31 bytes or more holds one of every 16th
 *   byte's next 16 in whole; when no frequent window holds those, none of the windows around them is frequent;
 * - what follows a frequent window. A text that goes on as a known one does has the same windows there.
 *
 * So changing text is passed over 16 bytes at a time, repeated text is compared, and only what lies between is
 * rolled over. Five bytes of memory for each of the texts; built in about 2 ns a byte.
 */
import { isUtf8 } from 'node:buffer';
import { HashFilter } from './hash-filter.ts';
import { characterAfter } from './text-windows.ts';

/** Bytes of a gram. */
export const GRAM = 16;
/** No text has this byte: what ends each of the known ones is unlike any other. */
const END = 0xff;
/** As in the table of fragments: bits of the filter per gram, and its size at most. */
const FILTER_BITS = 64;
const MAX_FILTER_BITS = 23;

export class KnownTexts {
  /** The texts one after the other, each with a byte that is in no text after it. */
  readonly bytes: Uint8Array;
  /** By byte: one more than the number of the frequent window that begins there; 0 when none does. */
  readonly windows: Int32Array;
  /** By number of a frequent window: where one begins. */
  firstAt = new Int32Array(0);
  /** The grams of all frequent windows. */
  grams = new HashFilter(5);
  readonly #ends: Int32Array;

  /** Room for texts; `windows` is still to be filled. */
  constructor(texts: readonly Uint8Array[]) {
    const total = texts.reduce((sum, text) => sum + text.length + 1, 0);
    this.bytes = new Uint8Array(total);
    this.windows = new Int32Array(total);
    this.#ends = new Int32Array(texts.length);
    let at = 0;
    for (let i = 0; i < texts.length; i++) {
      this.bytes.set(texts[i], at);
      at += texts[i].length;
      this.#ends[i] = at;
      this.bytes[at++] = END;
    }
  }

  /** A text, and what is said of its bytes. */
  text(index: number): Uint8Array {
    return this.bytes.subarray(this.#start(index), this.#ends[index]);
  }

  windowsOf(index: number): Int32Array {
    return this.windows.subarray(this.#start(index), this.#ends[index]);
  }

  /**
   * Looks at the texts once their windows are filled in: `count` different ones, of `width` characters. False
   * when the texts are of no use: characters cannot be told in them, or windows need not hold a gram.
   */
  index(count: number, width: number): boolean {
    const { bytes, windows } = this;
    if (width < 2 * GRAM - 1) return false;
    for (let i = 0; i < this.#ends.length; i++) if (!isUtf8(this.text(i))) return false;
    let bits = 5;
    while (bits < MAX_FILTER_BITS && 2 ** bits < count * FILTER_BITS) bits++;
    const grams = new HashFilter(bits);
    const firstAt = new Int32Array(count).fill(-1);
    const view = new DataView(bytes.buffer);
    let next = 0; // the gram after those already taken
    let beside = -1; // the window after the last frequent one, and where it ends
    let end = 0;
    for (let at = 0; at < bytes.length; at++) {
      const number = windows[at] - 1;
      if (number < 0) continue;
      end = at === beside ? characterAfter(bytes, end) : windowEnd(bytes, at, width);
      beside = characterAfter(bytes, at);
      if (firstAt[number] < 0) {
        firstAt[number] = at;
        for (let gram = Math.max(at, next); gram + GRAM <= end; gram++) grams.add(gramHash(view, gram));
      }
      next = end - GRAM + 1;
    }
    this.grams = grams;
    this.firstAt = firstAt;
    return true;
  }

  #start(index: number): number {
    return index === 0 ? 0 : this.#ends[index - 1] + 1;
  }
}

/** A hash of 16 bytes, of which the leading bits count. */
export function gramHash(view: DataView, at: number): number {
  const sum =
    Math.imul(view.getInt32(at, true), 0x2c1b3c6d) +
    Math.imul(view.getInt32(at + 4, true), 0x85ebca6b) +
    Math.imul(view.getInt32(at + 8, true), 0x9e3779b1) +
    Math.imul(view.getInt32(at + 12, true), 0x5851f42d);
  return Math.imul(sum ^ (sum >>> 15), 0x846ca68b);
}

function windowEnd(text: Uint8Array, start: number, width: number): number {
  let end = start;
  for (let i = 0; i < width; i++) end = characterAfter(text, end);
  return end;
}
