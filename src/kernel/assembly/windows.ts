/**
 * Moves a window of W characters over a text and hashes it (Gibson et al. §3.2). There are two polynomial
 * hashes, each with its own base and its own scrambled value per character; their low bits are weak, so each
 * is mixed before use. With D > 0 only windows whose low lane is a multiple of D are selected, the same ones
 * on every page. The test for a multiple is one multiplication, a rotation and a comparison (Granlund and
 * Montgomery 1994, section 9).
 */
import { SKETCH_FILTER, SKETCH_SHIFT } from '../key-layout.ts';
import * as Windows from '../window-layout.ts';
import { characterAt, characterBytes, isInsideCharacter, skipBack } from './characters';
import { mix32 } from './hash';
import { countKey, findKey, isInFilter, NONE, sketchKey, sketchOccurrence } from './keys';

const NUMBERED_BYTES: u32 = Windows.NUMBERED_WORDS << 2;
/** Minimum bytes after which following a text that was seen before is faster than rolling. */
const WORTH_FOLLOWING: u32 = 16;

function get(base: u32, word: u32): u32 {
  return load<u32>(base + (word << 2));
}

function set(base: u32, word: u32, value: u32): void {
  store<u32>(base + (word << 2), value);
}

/** Returns the value of a character in the first hash. */
export function valueA(character: u32): u32 {
  const x = (character + 1) * 0x9e3779b1;
  return x ^ (x >> 15);
}

function valueB(character: u32): u32 {
  const x = (character + 1) * 0x85ebca6b;
  return x ^ (x >> 13);
}

/** Returns the low lane: the hash is folded and multiplied, so that its low bits depend on high ones, too. */
export function lowLane(a: u32): u32 {
  return (a ^ (a >> 15)) * 0x85ebca6b;
}

/** Starts a text between two addresses: all but the last character of the first window enter. */
export function openRoll(roll: u32, from: u32, end: u32): void {
  let head = from;
  let a: u32 = 0;
  let b: u32 = 0;
  for (let left = get(roll, Windows.ROLL_WIDTH) - 1; left > 0 && head < end; left--) {
    const character = characterAt(head, end);
    a = a * Windows.WINDOW_BASE_A + valueA(character);
    b = b * Windows.WINDOW_BASE_B + valueB(character);
    head = min(end, head + characterBytes(load<u8>(head)));
  }
  set(roll, Windows.ROLL_END, end);
  set(roll, Windows.ROLL_HEAD, head);
  set(roll, Windows.ROLL_TAIL, from);
  set(roll, Windows.ROLL_A, a);
  set(roll, Windows.ROLL_B, b);
  set(roll, Windows.ROLL_LEAVING_A, 0);
  set(roll, Windows.ROLL_LEAVING_B, 0);
}

/** Moves to the next selected window; false at the end of the text. */
export function nextWindow(roll: u32): bool {
  const end = get(roll, Windows.ROLL_END);
  const powerA = get(roll, Windows.ROLL_POWER_A);
  const powerB = get(roll, Windows.ROLL_POWER_B);
  const inverse = get(roll, Windows.ROLL_INVERSE);
  const twos = get(roll, Windows.ROLL_TWOS);
  const limit = get(roll, Windows.ROLL_LIMIT);
  let head = get(roll, Windows.ROLL_HEAD);
  let tail = get(roll, Windows.ROLL_TAIL);
  let a = get(roll, Windows.ROLL_A);
  let b = get(roll, Windows.ROLL_B);
  let leavingA = get(roll, Windows.ROLL_LEAVING_A);
  let leavingB = get(roll, Windows.ROLL_LEAVING_B);
  let isGiven = false;
  while (head < end && !isGiven) {
    const first: u32 = load<u8>(head);
    const entering = first < 0x80 ? first : characterAt(head, end);
    a = a * Windows.WINDOW_BASE_A + valueA(entering) - leavingA;
    b = b * Windows.WINDOW_BASE_B + valueB(entering) - leavingB;
    head = first < 0x80 ? head + 1 : min(end, head + characterBytes(first));
    const last: u32 = load<u8>(tail);
    const leaving = last < 0x80 ? last : characterAt(tail, end);
    leavingA = valueA(leaving) * powerA;
    leavingB = valueB(leaving) * powerB;
    set(roll, Windows.ROLL_START, tail);
    tail = last < 0x80 ? tail + 1 : min(end, tail + characterBytes(last));
    isGiven = rotr<u32>(lowLane(a) * inverse, twos) <= limit;
  }
  set(roll, Windows.ROLL_HEAD, head);
  set(roll, Windows.ROLL_TAIL, tail);
  set(roll, Windows.ROLL_A, a);
  set(roll, Windows.ROLL_B, b);
  set(roll, Windows.ROLL_LEAVING_A, leavingA);
  set(roll, Windows.ROLL_LEAVING_B, leavingB);
  if (!isGiven) return false;
  set(roll, Windows.ROLL_LOW, lowLane(a));
  set(roll, Windows.ROLL_HIGH, mix32(b ^ a));
  return true;
}

/**
 * Lists up to `most` of the next windows, with offsets from the address `text`. Returns their number; fewer
 * than `most` at the end.
 */
export function listWindows(roll: u32, text: u32, most: u32, list: u32): u32 {
  let count: u32 = 0;
  while (count < most && nextWindow(roll)) {
    const window = list + count++ * (Windows.WINDOW_WORDS << 2);
    set(window, Windows.WINDOW_START, get(roll, Windows.ROLL_START) - text);
    set(window, Windows.WINDOW_END, get(roll, Windows.ROLL_HEAD) - text);
    set(window, Windows.WINDOW_LOW, get(roll, Windows.ROLL_LOW));
    set(window, Windows.WINDOW_HIGH, get(roll, Windows.ROLL_HIGH));
  }
  return count;
}

/**
 * Lists up to `most` of the next windows that are in an index, as fragments: offsets from the address `text`,
 * and the pages at the window's position in the index. Returns their number; fewer than `most` at the end of
 * the text.
 */
export function listFragments(roll: u32, text: u32, index: u32, pages: u32, most: u32, list: u32): u32 {
  let count: u32 = 0;
  while (count < most && nextWindow(roll)) {
    const position = findKey(index, get(roll, Windows.ROLL_LOW), get(roll, Windows.ROLL_HIGH));
    if (position === NONE) continue;
    const fragment = list + count++ * (Windows.FRAGMENT_WORDS << 2);
    set(fragment, 0, get(roll, Windows.ROLL_START) - text);
    set(fragment, 1, get(roll, Windows.ROLL_HEAD) - text);
    set(fragment, 2, get(pages, position));
  }
  return count;
}

/**
 * Reads at most `most` of the next windows and counts those of one part of the hashes; parts are selected by
 * bits that sketches do not use. If `counter` is 0, windows are counted in the sketch: their pages, or with
 * `occurrences` each occurrence. Otherwise those that may be frequent by the sketch are counted in the
 * counter. Returns the number of windows read.
 */
export function countTextWindows(
  roll: u32,
  number: u32,
  sketch: u32,
  counter: u32,
  occurrences: u32,
  part: u32,
  partBits: u32,
  most: u32,
): u32 {
  const filter = get(sketch, SKETCH_FILTER);
  const shift = get(sketch, SKETCH_SHIFT);
  let looked: u32 = 0;
  while (looked < most && nextWindow(roll)) {
    looked++;
    const low = get(roll, Windows.ROLL_LOW);
    if (partBits !== 0 && (low * 0x9e3779b1) >> (32 - partBits) !== part) continue;
    if (counter !== 0) {
      if (isInFilter(filter, shift, low)) countKey(counter, low, get(roll, Windows.ROLL_HIGH), number);
    } else if (occurrences !== 0) {
      sketchOccurrence(sketch, low);
    } else {
      sketchKey(sketch, low, number);
    }
  }
  return looked;
}

// windows by number

/** Returns the number of a window; a new window gets the next number. */
function numberOf(numbers: u32, low: u32, high: u32, offset: u32): u32 {
  const buckets = get(numbers, Windows.NUMBERS_BUCKETS);
  const entries = get(numbers, Windows.NUMBERS_ENTRIES);
  const mask = get(numbers, Windows.NUMBERS_MASK);
  let bucket = high & mask;
  for (; ; bucket = (bucket + 1) & mask) {
    const one = get(buckets, bucket);
    if (one === 0) break;
    const entry = entries + (one - 1) * NUMBERED_BYTES;
    if (get(entry, Windows.NUMBERED_HIGH) === high && get(entry, Windows.NUMBERED_LOW) === low)
      return one - 1;
  }
  const number = get(numbers, Windows.NUMBERS_SIZE);
  set(numbers, Windows.NUMBERS_SIZE, number + 1);
  set(buckets, bucket, number + 1);
  const entry = entries + number * NUMBERED_BYTES;
  set(entry, Windows.NUMBERED_LOW, low);
  set(entry, Windows.NUMBERED_HIGH, high);
  set(entry, Windows.NUMBERED_FIRST, offset);
  set(entry, Windows.NUMBERED_LAST_TEXT, 0);
  set(entry, Windows.NUMBERED_TEXTS, 0);
  set(entry, Windows.NUMBERED_OCCURRENCES, 0);
  return number;
}

/** Puts all numbers into empty buckets. */
export function refillNumbers(numbers: u32): void {
  const buckets = get(numbers, Windows.NUMBERS_BUCKETS);
  const entries = get(numbers, Windows.NUMBERS_ENTRIES);
  const mask = get(numbers, Windows.NUMBERS_MASK);
  const size = get(numbers, Windows.NUMBERS_SIZE);
  for (let number: u32 = 0; number < size; number++) {
    let bucket = get(entries + number * NUMBERED_BYTES, Windows.NUMBERED_HIGH) & mask;
    while (get(buckets, bucket) !== 0) bucket = (bucket + 1) & mask;
    set(buckets, bucket, number + 1);
  }
}

function countNumber(entries: u32, number: u32, text: u32): void {
  const entry = entries + number * NUMBERED_BYTES;
  set(entry, Windows.NUMBERED_OCCURRENCES, get(entry, Windows.NUMBERED_OCCURRENCES) + 1);
  if (get(entry, Windows.NUMBERED_LAST_TEXT) === text) return;
  set(entry, Windows.NUMBERED_LAST_TEXT, text);
  set(entry, Windows.NUMBERED_TEXTS, get(entry, Windows.NUMBERED_TEXTS) + 1);
}

/**
 * Returns the address up to which the text equals the text `shift` bytes away; 0 if hardly any bytes are
 * equal.
 */
function sameUpTo(from: u32, shift: u32, end: u32): u32 {
  let same = from;
  for (; same < end; same++) {
    if (load<u8>(same) !== load<u8>(same + shift)) break;
  }
  while (same > from && isInsideCharacter(same)) same--;
  return same === end || same - from >= WORTH_FOLLOWING ? same : 0;
}

/**
 * Numbers and counts the windows of a span of joined bytes, given by offsets, of a text numbered from 1. The
 * span is rolled over up to the first window that was seen before. From there it is compared with the bytes
 * after the earlier occurrence, and windows of equal bytes are counted by their numbers. There must be room
 * for a number for every byte.
 */
export function numberWindows(numbers: u32, roll: u32, from: u32, end: u32, text: u32): void {
  const bytes = get(numbers, Windows.NUMBERS_BYTES);
  const entries = get(numbers, Windows.NUMBERS_ENTRIES);
  const numberAt = get(numbers, Windows.NUMBERS_AT);
  const width = get(roll, Windows.ROLL_WIDTH);
  const spanEnd = bytes + end;
  openRoll(roll, bytes + from, spanEnd);
  while (nextWindow(roll)) {
    const start = get(roll, Windows.ROLL_START);
    const offset = start - bytes;
    const seen = get(numbers, Windows.NUMBERS_SIZE);
    const number = numberOf(numbers, get(roll, Windows.ROLL_LOW), get(roll, Windows.ROLL_HIGH), offset);
    const shift = get(entries + number * NUMBERED_BYTES, Windows.NUMBERED_FIRST) - offset;
    const same = number === seen ? 0 : sameUpTo(get(roll, Windows.ROLL_HEAD), shift, spanEnd);
    if (same === 0) {
      set(numberAt, offset, number + 1);
      countNumber(entries, number, text);
      continue;
    }
    // all windows from here on that end at `same` or before
    const last = skipBack(same, width);
    for (let at = offset; at <= last - bytes; at++) {
      const one = get(numberAt, at + shift);
      if (one === 0) continue; // inside a character
      set(numberAt, at, one);
      countNumber(entries, one - 1, text);
    }
    if (same === spanEnd) return;
    openRoll(roll, last + characterBytes(load<u8>(last)), spanEnd);
  }
}

/**
 * Selects the keys on at least `minTexts` texts and returns their number. Writes them as u64 to `keys` unless
 * that is 0.
 */
export function selectNumbered(numbers: u32, minTexts: u32, keys: u32): u32 {
  const entries = get(numbers, Windows.NUMBERS_ENTRIES);
  const size = get(numbers, Windows.NUMBERS_SIZE);
  let count: u32 = 0;
  for (let number: u32 = 0; number < size; number++) {
    const entry = entries + number * NUMBERED_BYTES;
    if (get(entry, Windows.NUMBERED_TEXTS) < minTexts) continue;
    if (keys !== 0) store<u64>(keys + (count << 3), load<u64>(entry));
    count++;
  }
  return count;
}

/**
 * Writes five columns of `count` words each for keys: low and high lanes, texts, occurrences, first offsets.
 */
export function readNumbered(numbers: u32, keys: u32, count: u32, columns: u32): void {
  const entries = get(numbers, Windows.NUMBERS_ENTRIES);
  const columnBytes = count << 2;
  for (let i: u32 = 0; i < count; i++) {
    const low = load<u32>(keys + (i << 3));
    const high = load<u32>(keys + (i << 3), 4);
    const entry = entries + numberOf(numbers, low, high, 0) * NUMBERED_BYTES;
    let to = columns + (i << 2);
    store<u32>(to, low);
    store<u32>((to += columnBytes), high);
    store<u32>((to += columnBytes), get(entry, Windows.NUMBERED_TEXTS));
    store<u32>((to += columnBytes), get(entry, Windows.NUMBERED_OCCURRENCES));
    store<u32>(to + columnBytes, get(entry, Windows.NUMBERED_FIRST));
  }
}
