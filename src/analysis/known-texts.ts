/**
 * Texts of which is known where the frequent windows begin, and what they tell about other texts of the site:
 *
 * - which 16 bytes can stand in a frequent window at all. A window of 31 bytes or more holds one of every 16th
 *   byte's next 16 in whole; when no frequent window holds those, none of the windows around them is frequent;
 * - what follows a frequent window. A text that goes on as a known one does has the same windows there.
 *
 * So changing text is passed over 16 bytes at a time, repeated text is compared, and only what lies between is
 * rolled over (fragment-code.ts). Only what frequent windows cover is held, five bytes for each byte.
 */
import { HashFilter } from './hash-filter.ts';
import type { LikelyStretches } from './likely-stretches.ts';
import { characterAfter } from './text-windows.ts';

/** Bytes of a gram. */
export const GRAM = 16;
/** Windows of fewer characters need not hold a gram. */
export const LEAST_WIDTH = 2 * GRAM - 1;
/** No text has this byte: what ends each stretch is unlike any other. */
export const END = 0xff;
/** As in the table of fragments: bits of the filter per gram, and its size at most. */
const FILTER_BITS = 64;
export const MAX_FILTER_BITS = 23;

/** Stretches of texts one after the other, each followed by a byte that is in no text. */
export interface JoinedStretches extends LikelyStretches {
  bytes: Uint8Array;
  /** Where each begins among these bytes; one more, for where the last is over. */
  begins: Int32Array;
}

/** Texts one after the other, each followed by a byte that is in no text. */
export interface KnownTexts {
  bytes: Uint8Array;
  /** By byte where a window may begin: its run, which windows side by side that are on as many pages make up. */
  runs: Int32Array;
  /** By run: the pages its windows are on, 0 for those that are not frequent. */
  runPages: Int32Array;
  /** By run: the byte after the character its last window begins with. */
  runEnds: Int32Array;
  /** By place of a frequent window among all: where it begins first. */
  firstAt: Int32Array;
  /** The grams of all frequent windows. */
  grams: HashFilter;
}

/** Nothing when these are more bytes than so many. */
export function joinStretches(
  texts: readonly Uint8Array[],
  { count, starts, ends, upTo }: LikelyStretches,
  mostBytes: number,
): JoinedStretches | undefined {
  const begins = new Int32Array(count + 1);
  for (let i = 0; i < count; i++) {
    begins[i + 1] = begins[i] + ends[i] - starts[i] + 1;
    if (begins[i + 1] > mostBytes) return undefined;
  }
  const bytes = new Uint8Array(begins[count]);
  for (let text = 0, i = 0; text < texts.length; text++) {
    for (; i < upTo[text]; i++) {
      bytes.set(texts[text].subarray(starts[i], ends[i]), begins[i]);
      bytes[begins[i + 1] - 1] = END;
    }
  }
  return { bytes, begins, count, starts, ends, upTo };
}

/** Room for the grams of so many windows. */
export function gramFilter(windows: number): HashFilter {
  let bits = 5;
  while (bits < MAX_FILTER_BITS && 2 ** bits < windows * FILTER_BITS) bits++;
  return new HashFilter(bits);
}

/** Adds the grams of windows side by side: all that lie from where the first begins to where the last ends. */
export function addGrams(grams: HashFilter, view: DataView, from: number, end: number): void {
  for (let at = from; at + GRAM <= end; at++) grams.add(gramHash(view, at));
}

/** A hash of 16 bytes, of which the leading bits count. */
function gramHash(view: DataView, at: number): number {
  const sum =
    Math.imul(view.getInt32(at, true), 0x2c1b3c6d) +
    Math.imul(view.getInt32(at + 4, true), 0x85ebca6b) +
    Math.imul(view.getInt32(at + 8, true), 0x9e3779b1) +
    Math.imul(view.getInt32(at + 12, true), 0x5851f42d);
  return Math.imul(sum ^ (sum >>> 15), 0x846ca68b);
}

/** Where a window of so many characters ends, in a text that is UTF-8. */
export function windowEnd(text: Uint8Array, start: number, width: number): number {
  let end = start;
  for (let i = 0; i < width; i++) end = characterAfter(text, end);
  return end;
}
