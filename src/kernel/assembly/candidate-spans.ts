/**
 * Finds the spans of some texts that can hold a window on enough texts, before any window is hashed. All
 * parts of a window on F texts are on F texts, so a window cannot contain a gram, twelve bytes, that is on
 * fewer. Only grams whose first four bytes hash to a small value are counted: one in four, the same ones in
 * every text. The sketch of counts may count too many texts, never too few.
 */
import { CANDIDATE_WORDS, SPAN_GRAM, SPAN_GRAM_BITS, TEXT_END } from '../window-layout.ts';
import { isInsideCharacter } from './characters';

const GRAM: u32 = SPAN_GRAM;
/** A bucket of the sketch: the last text, from 1, above this shift; the number of texts, at most 255, below. */
const TEXT_SHIFT: u32 = 8;
const MAX_COUNT: u32 = 255;
/** Positions that are examined together, because the end of a loop is hard for the processor to predict. */
const STEP: u32 = 64;

/** Returns a bit for each of sixteen addresses: whether the gram there counts. */
function countedGrams(at: u32): u32 {
  const factor = i32x4.splat(0x9e3779b1);
  const limit = i32x4.splat(1 << (32 - SPAN_GRAM_BITS));
  // word k of four belongs to addresses k, k + 4, k + 8, k + 12: its byte k is kept
  const q0 = v128.and(i32x4.lt_u(i32x4.mul(v128.load(at), factor), limit), i32x4.splat(0xff));
  const q1 = v128.and(i32x4.lt_u(i32x4.mul(v128.load(at, 1), factor), limit), i32x4.splat(0xff00));
  const q2 = v128.and(i32x4.lt_u(i32x4.mul(v128.load(at, 2), factor), limit), i32x4.splat(0xff0000));
  const q3 = v128.and(i32x4.lt_u(i32x4.mul(v128.load(at, 3), factor), limit), i32x4.splat(0xff000000));
  return i8x16.bitmask(v128.or(v128.or(q0, q1), v128.or(q2, q3)));
}

/** Returns bits for the grams that count among the 64 addresses from `at` on; the text ends at `end`. */
function countedAmong64(at: u32, end: u32): u64 {
  const counted =
    <u64>countedGrams(at) |
    ((<u64>countedGrams(at + 16)) << 16) |
    ((<u64>countedGrams(at + 32)) << 32) |
    ((<u64>countedGrams(at + 48)) << 48);
  const left = end - at - (GRAM - 1);
  return left < STEP ? counted & (((1 as u64) << left) - 1) : counted;
}

function bucketOf(gram: u32, shift: u32): u32 {
  const sum =
    load<u32>(gram) * 0x9e3779b1 + load<u32>(gram, 4) * 0x85ebca6b + load<u32>(gram, 8) * 0x846ca68b;
  return ((sum ^ (sum >> 15)) * 0x2c1b3c6d) >> shift;
}

/** Counts the grams of a text, numbered from 1, in buckets of two bytes, or of four if `isWide` is set. */
export function countGrams(text: u32, end: u32, number: u32, buckets: u32, shift: u32, isWide: u32): void {
  for (let at = text; at + GRAM <= end; at += STEP) {
    for (let counted = countedAmong64(at, end); counted !== 0; counted &= counted - 1) {
      const index = bucketOf(at + <u32>ctz(counted), shift);
      const bucket = buckets + (isWide !== 0 ? index << 2 : index << 1);
      const seen: u32 = isWide !== 0 ? load<u32>(bucket) : load<u16>(bucket);
      if (seen >> TEXT_SHIFT === number) continue;
      const count = seen & MAX_COUNT;
      const next = (number << TEXT_SHIFT) | (count + u32(count < MAX_COUNT));
      if (isWide !== 0) store<u32>(bucket, next);
      else store<u16>(bucket, next);
    }
  }
}

/**
 * Writes the spans of at least `width` bytes between grams on fewer than `enough` texts; returns their
 * number.
 */
export function cutSpans(
  text: u32,
  end: u32,
  buckets: u32,
  shift: u32,
  isWide: u32,
  width: u32,
  enough: u32,
  spans: u32,
): u32 {
  let start = text;
  let count: u32 = 0;
  for (let at = text; at + GRAM <= end; at += STEP) {
    for (let counted = countedAmong64(at, end); counted !== 0; counted &= counted - 1) {
      const gram = at + <u32>ctz(counted);
      const index = bucketOf(gram, shift);
      const seen: u32 = isWide !== 0 ? load<u32>(buckets + (index << 2)) : load<u16>(buckets + (index << 1));
      if ((seen & MAX_COUNT) >= enough) continue;
      // a window without the gram ends before its last byte or starts after its first
      count = addSpan(spans, count, start, gram + GRAM - 1, end, width);
      start = gram + 1;
    }
  }
  return addSpan(spans, count, start, end, end, width);
}

/** Adds the whole characters of a span if they have `width` bytes; returns the number of spans. */
function addSpan(spans: u32, count: u32, start: u32, end: u32, textEnd: u32, width: u32): u32 {
  // compared without subtraction, because a span may be empty and the numbers are unsigned
  if (end < start + width) return count;
  while (start < end && isInsideCharacter(start)) start++;
  if (end < textEnd) while (end > start && isInsideCharacter(end)) end--;
  if (end - start < width) return count;
  const span = spans + count * (CANDIDATE_WORDS << 2);
  store<u32>(span, start);
  store<u32>(span, end, 4);
  return count + 1;
}

/**
 * Copies spans one after the other to `out`, each followed by a byte that is in no text, and writes their
 * starts as offsets.
 */
export function joinSpans(spans: u32, count: u32, out: u32, starts: u32): void {
  let to = out;
  for (let i: u32 = 0; i < count; i++) {
    const span = spans + i * (CANDIDATE_WORDS << 2);
    const start = load<u32>(span);
    const sizeBytes = load<u32>(span, 4) - start;
    store<u32>(starts + (i << 2), to - out);
    memory.copy(to, start, sizeBytes);
    to += sizeBytes;
    store<u8>(to++, TEXT_END);
  }
  store<u32>(starts + (count << 2), to - out);
}
