/** The least and the largest value of a column's rows, as Parquet writes them: readers skip rows outside the bounds they look for. */
import type { Bounds } from './metadata.ts';
import { boundsOf, type Integers } from './packed-numbers.ts';

/** Longer texts are no bounds: they would make the metadata as large as the values. */
const MOST_TEXT_BYTES = 1024;

export function integerBounds(numbers: Integers, from: number, to: number, bytes: 1 | 4): Bounds | undefined {
  if (from === to) return undefined;
  const { least, largest } = boundsOf(numbers, from, to);
  const [first, last] = [least, largest].map((number) => new Uint8Array(Uint32Array.of(number).buffer));
  return { least: first.subarray(0, bytes), largest: last.subarray(0, bytes) };
}

/** None where something is not a number; zeros count as both of their kinds. */
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

/** Compared by halves: a BigInt for each would be an object for each. */
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

/** Bounds of texts in the order of their UTF-8 bytes; undefined without texts, or when one of the two is very long. */
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
  return Math.max(bounds.least.length, bounds.largest.length) <= MOST_TEXT_BYTES ? bounds : undefined;
}

/** Whether the UTF-8 of a text comes first. */
function isBefore(a: string, b: string): boolean {
  const shorter = Math.min(a.length, b.length);
  let at = 0;
  while (at < shorter && a.charCodeAt(at) === b.charCodeAt(at)) at++;
  if (at === shorter) return a.length < b.length;
  const [unit, other] = [a.charCodeAt(at), b.charCodeAt(at)];
  if (unit < SURROGATES || other < SURROGATES) return unit < other;
  return Buffer.compare(Buffer.from(a), Buffer.from(b)) < 0;
}

/** From here on UTF-16 has another order: halves of pairs come before U+E000, the characters they stand for after it. */
const SURROGATES = 0xd800;
