/** Copies text with its white space collapsed. */
import { b } from './builder.ts';
import { hashBytes } from './hash.ts';
import { isLetter, isSpace, LESS, SLASH, SPACE, skipSpace } from './scan-bytes.ts';

/** Whether the `<` at a position starts markup. */
export function isMarkup(at: u32, limit: u32): bool {
  const next = load<u8>(at, 1);
  return isLetter(next) || next === 0x21 || next === 0x3f || (next === SLASH && at + 2 < limit);
}

function endsInWord(from: u32, to: u32): bool {
  return to !== from && load<u8>(to - 1) !== SPACE;
}

/**
 * Copies text to the address `to`, with white space collapsed and zeros dropped. Returns its end in the
 * source: `limit`, or with `stop` the next markup. The byte at `limit` is a `<` or a zero. The text does not
 * begin with white space. Fills `wordsEnd` and `spaceFollows`, and returns the hash of the copy in the result
 * words.
 */
export function collapse(start: u32, to: u32, limit: u32, stop: bool): u32 {
  const from = to;
  const spaces = i8x16.splat(0x20);
  while (true) {
    // stop at bytes that are not copied as they are: `<`, control characters, a space after a space
    const sixteen = v128.load(start);
    const stops = i8x16.bitmask(
      v128.or(
        v128.or(i8x16.eq(sixteen, i8x16.splat(0x3c)), i8x16.lt_u(sixteen, spaces)),
        v128.and(i8x16.eq(sixteen, spaces), i8x16.eq(v128.load(start - 1), spaces)),
      ),
    );
    v128.store(to, sixteen);
    if (!stops) {
      start += 16;
      to += 16;
      continue;
    }
    const copied = ctz(stops);
    start += copied;
    to += copied;
    const byte: u32 = load<u8>(start);
    if (byte === LESS) {
      if (start >= limit || (stop && isMarkup(start, limit))) break;
      store<u8>(to++, LESS);
      start++;
      continue;
    }
    if (isSpace(byte)) {
      if (endsInWord(from, to)) store<u8>(to++, SPACE);
      start = skipSpace(start);
      continue;
    }
    if (start >= limit) break;
    start++;
    if (byte) store<u8>(to++, byte);
    // white space before and after a zero is one space
    else if (!endsInWord(from, to)) start = skipSpace(start);
  }
  const spaceFollows = u32(to !== from && load<u8>(to - 1) === SPACE);
  to -= spaceFollows;
  b.wordsEnd = to;
  b.spaceFollows = spaceFollows;
  hashBytes(from, to);
  return start;
}
