/**
 * Finds the fragments of a text, which are the frequent windows of a site, with known texts: texts of the
 * site that contain all frequent windows.
 *
 * - They show which 16 bytes can be in a frequent window at all. A window of at least 31 bytes contains a
 *   whole aligned block of 16 bytes; if no frequent window contains that block, no window around it is
 *   frequent.
 * - They show what follows a frequent window. A text that continues like a known text has the same windows
 *   there.
 *
 * So changing text is skipped 16 bytes at a time, repeated text is compared, and only the text between is
 * rolled over. A window is a fragment if its bytes are equal; its hash only selects the bytes to compare
 * with.
 */
import { INDEX_FILTER, INDEX_SHIFT } from '../key-layout.ts';
import * as Windows from '../window-layout.ts';
import { characterAt, characterBytes, isInsideCharacter, skipBack, skipCharacters } from './characters';
import { addToFilter, findKey, isInFilter, NONE } from './keys';
import { lowLane, nextWindow, openRoll, valueA } from './windows';

const GRAM: u32 = Windows.KNOWN_GRAM;

function get(base: u32, word: u32): u32 {
  return load<u32>(base + (word << 2));
}

function set(base: u32, word: u32, value: u32): void {
  store<u32>(base + (word << 2), value);
}

/** Hashes 16 bytes; the leading bits are used. */
function gramHash(at: u32): u32 {
  const sum =
    load<u32>(at) * 0x2c1b3c6d +
    load<u32>(at, 4) * 0x85ebca6b +
    load<u32>(at, 8) * 0x9e3779b1 +
    load<u32>(at, 12) * 0x5851f42d;
  return (sum ^ (sum >> 15)) * 0x846ca68b;
}

/** Whether 16 bytes may be in a fragment. */
function mayHold(known: u32, at: u32): bool {
  return isInFilter(get(known, Windows.KNOWN_GRAMS), get(known, Windows.KNOWN_GRAM_SHIFT), gramHash(at));
}

/** Adds one of the known texts, given by offsets in their bytes: finds its windows and joins them to runs. */
export function addKnownText(known: u32, roll: u32, from: u32, end: u32): void {
  const bytes = get(known, Windows.KNOWN_BYTES);
  const runs = get(known, Windows.KNOWN_RUNS);
  const firsts = get(known, Windows.KNOWN_FIRST);
  const index = get(known, Windows.KNOWN_INDEX);
  openRoll(roll, bytes + from, bytes + end);
  while (nextWindow(roll)) {
    const position = findKey(index, get(roll, Windows.ROLL_LOW), get(roll, Windows.ROLL_HIGH));
    if (position === NONE) continue;
    const start = get(roll, Windows.ROLL_START) - bytes;
    set(runs, start, position + 1);
    if (get(firsts, position) === NONE) set(firsts, position, start);
  }
  const width = get(known, Windows.KNOWN_WIDTH);
  if (end >= from + width) makeRuns(known, from, end - width);
}

/**
 * Joins windows that start at adjacent characters from `from` to `last`, and are on equally many pages, to
 * runs. Every byte of a character gets its run.
 */
function makeRuns(known: u32, from: u32, last: u32): void {
  const bytes = get(known, Windows.KNOWN_BYTES);
  const runs = get(known, Windows.KNOWN_RUNS);
  const pagesOf = get(known, Windows.KNOWN_PAGES);
  let start = from;
  let pages = NONE; // a text starts with a new run
  for (let at = from; at <= last; at++) {
    if (!isInsideCharacter(bytes + at)) {
      const one = get(runs, at);
      const here = one === 0 ? 0 : get(pagesOf, one - 1);
      if (here !== pages) {
        if (pages !== NONE) endRun(known, start, at, pages);
        pages = here;
        start = at;
      }
    }
    set(runs, at, get(known, Windows.KNOWN_RUN_COUNT));
  }
  if (pages !== NONE) endRun(known, start, last + 1, pages);
}

/** Ends a run before `end`, and adds the grams of its frequent windows to the filter. */
function endRun(known: u32, from: u32, end: u32, pages: u32): void {
  const run = get(known, Windows.KNOWN_RUN_COUNT);
  set(get(known, Windows.KNOWN_RUN_PAGES), run, pages);
  set(get(known, Windows.KNOWN_RUN_ENDS), run, end);
  set(known, Windows.KNOWN_RUN_COUNT, run + 1);
  if (pages === 0) return;
  const bytes = get(known, Windows.KNOWN_BYTES);
  let last = bytes + end - 1;
  while (isInsideCharacter(last)) last--;
  const grams = get(known, Windows.KNOWN_GRAMS);
  const shift = get(known, Windows.KNOWN_GRAM_SHIFT);
  const windowEnd = skipCharacters(last, get(known, Windows.KNOWN_WIDTH));
  for (let at = bytes + from; at + GRAM <= windowEnd; at++) addToFilter(grams, shift, gramHash(at));
}

/**
 * Puts windows with their low lanes and first offsets into empty buckets; returns 0 if one is in no known text.
 */
export function fillKnownBuckets(known: u32, lows: u32, count: u32): u32 {
  const buckets = get(known, Windows.KNOWN_BUCKETS);
  const mask = get(known, Windows.KNOWN_BUCKET_MASK);
  const firsts = get(known, Windows.KNOWN_FIRST);
  for (let i: u32 = 0; i < count; i++) {
    const low = get(lows, i);
    if (get(firsts, i) === NONE) return 0;
    let bucket = low & mask;
    while (get(buckets + (bucket << 3), 1) !== 0) bucket = (bucket + 1) & mask;
    set(buckets + (bucket << 3), 0, low);
    set(buckets + (bucket << 3), 1, get(firsts, i) + 1);
  }
  return 1;
}

/**
 * Returns the address up to which a text and the known text `shift` bytes from it are equal, at most `to`;
 * compares eight bytes at a time.
 */
function equalUpTo(same: u32, shift: u32, to: u32): u32 {
  while (same < to) {
    const unlike = load<u64>(same) ^ load<u64>(same + shift);
    if (unlike !== 0) return min(to, same + (<u32>ctz(unlike) >> 3));
    same += 8;
  }
  return to;
}

/**
 * Returns the offset plus one of the known window with the bytes between two addresses, 0 if it is not found.
 */
function findKnown(known: u32, low: u32, start: u32, end: u32): u32 {
  const buckets = get(known, Windows.KNOWN_BUCKETS);
  const mask = get(known, Windows.KNOWN_BUCKET_MASK);
  const bytes = get(known, Windows.KNOWN_BYTES);
  let bucket = low & mask;
  while (true) {
    const one = get(buckets + (bucket << 3), 1);
    if (one === 0) return 0;
    if (get(buckets + (bucket << 3), 0) === low && equalUpTo(start, bytes + one - 1 - start, end) === end)
      return one;
    bucket = (bucket + 1) & mask;
  }
}

/** Starts the search at the beginning of a text. */
export function openSearch(known: u32, text: u32): void {
  set(known, Windows.KNOWN_SEARCHED, text);
  set(known, Windows.KNOWN_WALL, text);
}

/**
 * Lists more fragments of the text between two addresses, which is UTF-8, as runs: the fragments of a run
 * start at adjacent characters and are on equally many pages. Offsets and blocks of 16 bytes are counted from
 * `text`. Returns the number of runs; 0 at the end of the text.
 */
export function findFragments(known: u32, roll: u32, text: u32, end: u32, list: u32): u32 {
  const width = get(known, Windows.KNOWN_WIDTH);
  if (end - text < width) return 0;
  const index = get(known, Windows.KNOWN_INDEX);
  const filter = get(index, INDEX_FILTER);
  const shift = get(index, INDEX_SHIFT);
  const power = get(roll, Windows.ROLL_POWER_A);
  const bytes = get(known, Windows.KNOWN_BYTES);
  const runs = get(known, Windows.KNOWN_RUNS);
  let at = get(known, Windows.KNOWN_SEARCHED);
  let wall = get(known, Windows.KNOWN_WALL);
  let count: u32 = 0;
  while (at < end && count < <u32>Windows.MAX_FRAGMENTS) {
    if (at >= wall) {
      // skip blocks that are in no fragment
      let block = text + ((at - text + GRAM - 1) & ~(GRAM - 1));
      for (; block + GRAM <= end; block += GRAM) {
        if (mayHold(known, block)) break;
        at = block + 1;
      }
      if (block + GRAM > end) {
        at = end;
        break;
      }
      // find the next such block after one that may be in a fragment: windows after its first byte do not
      // contain it
      block += GRAM;
      for (; block + GRAM <= end; block += GRAM) {
        if (!mayHold(known, block)) break;
      }
      wall = (block + GRAM > end ? end : block) + 1;
    }
    while (isInsideCharacter(at)) at++;
    // the last window ends before it would contain the block
    let limit = wall + GRAM - 2;
    if (limit >= end) limit = end;
    else while (isInsideCharacter(limit)) limit--;

    // roll up to the first fragment, after all but the last character of the first window
    let head = at;
    let tail = at;
    let a: u32 = 0;
    let leaving: u32 = 0;
    for (let left = width - 1; left > 0 && head < limit; left--) {
      a = a * Windows.WINDOW_BASE_A + valueA(characterAt(head, end));
      head += characterBytes(load<u8>(head));
    }
    let one: u32 = 0;
    let start = at;
    while (head < limit) {
      const first: u32 = load<u8>(head);
      a = a * Windows.WINDOW_BASE_A + valueA(first < 0x80 ? first : characterAt(head, end)) - leaving;
      head += first < 0x80 ? 1 : characterBytes(first);
      start = tail;
      const last: u32 = load<u8>(tail);
      leaving = valueA(last < 0x80 ? last : characterAt(tail, end)) * power;
      tail += last < 0x80 ? 1 : characterBytes(last);
      const low = lowLane(a);
      if (!isInFilter(filter, shift, low)) continue;
      one = findKnown(known, low, start, head);
      if (one !== 0) break;
    }
    if (one === 0) {
      at = wall;
      continue;
    }

    // the text continues like the known one up to `same`; the last window that ends there starts at `last`
    const known0 = bytes + one - 1 - start;
    let same = equalUpTo(head, known0, end);
    while (same < end && isInsideCharacter(same)) same--;
    const last = skipBack(same, width);
    while (start <= last) {
      const run = get(runs, start + known0 - bytes);
      at = bytes + get(get(known, Windows.KNOWN_RUN_ENDS), run) - known0;
      if (last < at) at = last + 1;
      const pages = get(get(known, Windows.KNOWN_RUN_PAGES), run);
      if (pages !== 0) {
        const final = skipBack(at, 1);
        const fragment = list + count++ * (Windows.FRAGMENT_WORDS << 2);
        set(fragment, 0, start - text);
        set(fragment, 1, (final === last ? same : skipCharacters(final, width)) - text);
        set(fragment, 2, pages);
      }
      start = at;
    }

    // windows from here on contain the first different byte; if the gram that ends there is in no fragment,
    // neither are they
    at = last + characterBytes(load<u8>(last));
    const gram = same + 1 - GRAM;
    if (same < end && gram >= at && !mayHold(known, gram)) at = gram + 1;
  }
  set(known, Windows.KNOWN_SEARCHED, at);
  set(known, Windows.KNOWN_WALL, wall);
  return count;
}
