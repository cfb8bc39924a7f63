/**
 * Computes the least and the largest value of a column's rows in Parquet's encoding; readers skip row groups
 * outside the bounds they look for.
 */

import { boundsOf, type Integers } from './packed-numbers.ts';
import type { Bounds } from './parquet-metadata.ts';

/** Longest text in bytes for a bound; longer ones would make the metadata as large as the values. */
const MAX_TEXT_BYTES = 1024;

/** Returns the bounds of integers in `[from, to)`, each written in `bytes` bytes; undefined without rows. */
export function integerBounds(numbers: Integers, from: number, to: number, bytes: 1 | 4): Bounds | undefined {
  if (from === to) return undefined;
  const { least, largest } = boundsOf(numbers, from, to);
  const [first, last] = [least, largest].map((number) => new Uint8Array(Uint32Array.of(number).buffer));
  return { least: first.subarray(0, bytes), largest: last.subarray(0, bytes) };
}

/** Returns the bounds of floats in `[from, to)`; undefined when a value is NaN. Zero counts as both -0 and +0. */
export function floatBounds(numbers: Float32Array, from: number, to: number): Bounds | undefined {
  if (from === to) return undefined;
  let least = Number.POSITIVE_INFINITY;
  let largest = Number.NEGATIVE_INFINITY;
  for (let row = from; row < to; row++) {
    const number = numbers[row];
    if (Number.isNaN(number)) return undefined;
    if (number < least) least = number;
    if (number > largest) largest = number;
  }
  const bytesOf = (number: number) => new Uint8Array(Float32Array.of(number).buffer);
  return { least: bytesOf(least === 0 ? -0 : least), largest: bytesOf(largest === 0 ? 0 : largest) };
}

/** Returns the bounds of 64-bit integers, compared by their halves to avoid one BigInt object per value. */
export function longBounds(
  numbers: BigInt64Array | BigUint64Array,
  from: number,
  to: number,
): Bounds | undefined {
  if (from === to) return undefined;
  const { buffer, byteOffset, length } = numbers;
  const lows = new Uint32Array(buffer, byteOffset, 2 * length);
  const highs =
    numbers instanceof BigInt64Array
      ? new Int32Array(buffer, byteOffset, 2 * length)
      : new Uint32Array(buffer, byteOffset, 2 * length);
  let least = from;
  let largest = from;
  for (let row = from + 1; row < to; row++) {
    const high = highs[2 * row + 1];
    const low = lows[2 * row];
    const leastHigh = highs[2 * least + 1];
    const largestHigh = highs[2 * largest + 1];
    if (high < leastHigh || (high === leastHigh && low < lows[2 * least])) least = row;
    if (high > largestHigh || (high === largestHigh && low > lows[2 * largest])) largest = row;
  }
  const bytesOf = (row: number) => new Uint8Array(numbers.slice(row, row + 1).buffer);
  return { least: bytesOf(least), largest: bytesOf(largest) };
}

/**
 * Returns the bounds of texts in the order of their UTF-8 bytes; undefined without texts, or when a bound is very
 * long.
 */
export function textBounds(texts: readonly (string | null)[], from: number, to: number): Bounds | undefined {
  let least: string | null = null;
  let largest: string | null = null;
  for (let row = from; row < to; row++) {
    const text = texts[row];
    if (text === null) continue;
    if (least === null || isBefore(text, least)) least = text;
    if (largest === null || isBefore(largest, text)) largest = text;
  }
  if (least === null || largest === null) return undefined;
  const bounds = { least: Buffer.from(least), largest: Buffer.from(largest) };
  return Math.max(bounds.least.length, bounds.largest.length) <= MAX_TEXT_BYTES ? bounds : undefined;
}

/** True when the UTF-8 of text `a` sorts before that of `b`. */
function isBefore(a: string, b: string): boolean {
  const shorter = Math.min(a.length, b.length);
  let at = 0;
  while (at < shorter && a.charCodeAt(at) === b.charCodeAt(at)) at++;
  if (at === shorter) return a.length < b.length;
  const [unit, other] = [a.charCodeAt(at), b.charCodeAt(at)];
  if (unit < SURROGATES || other < SURROGATES) return unit < other;
  return Buffer.compare(Buffer.from(a), Buffer.from(b)) < 0;
}

/**
 * From this unit on, UTF-16 sorts differently from UTF-8: surrogate pairs come before U+E000, but their characters
 * after it.
 */
const SURROGATES = 0xd800;
