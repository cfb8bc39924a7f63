/** Loops over bytes of the source. Zeros after the source stop them; positions are addresses. */
import { b } from './builder.ts';
import { nameBytes, nameSize, Tag } from './tag-table.ts';

const SPACES: u64 = 0x100003600;
/** Set of the characters below 64, as bits: white space and the slash. */
export const SLASH_OR_SPACE: u64 = SPACES | (1 << 0x2f);
const TAG_NAME_END: u64 = SLASH_OR_SPACE | (1 << 0x3e);
/** Set of the characters that end the name of an attribute. */
export const NAME_END: u64 = TAG_NAME_END | (1 << 0x3d);
/** Set of the characters that end a value without quotes. */
export const VALUE_END: u64 = SPACES | (1 << 0x3e);

/** The byte `<`. */
export const LESS: u32 = 0x3c;
/** The byte `>`. */
export const GREATER: u32 = 0x3e;
/** The byte `/`. */
export const SLASH: u32 = 0x2f;
/** The byte `-`. */
export const DASH: u32 = 0x2d;
/** The space. */
export const SPACE: u32 = 0x20;

/** Whether a byte is in a set of characters below 64. */
export function isOneOf(byte: u32, set: u64): bool {
  return <bool>(u32(byte < 64) & <u32>((set >> byte) & 1));
}
/** Whether a byte is white space in HTML. */
export function isSpace(byte: u32): bool {
  return isOneOf(byte, SPACES);
}
/** Whether a byte ends the name of a tag. */
export function endsTagName(byte: u32): bool {
  return isOneOf(byte, TAG_NAME_END);
}
/**
 * Whether a byte is in a set, or is the zero after the source; zeros inside the source are ordinary bytes.
 */
export function endsAt(byte: u32, at: u32, set: u64): bool {
  return isOneOf(byte, set) || (byte === 0 && at >= b.sourceEnd);
}
/** Whether a byte is an ASCII letter. */
export function isLetter(byte: u32): bool {
  return (byte | 0x20) - 0x61 < 26;
}
/** Turns an ASCII capital into its small letter. */
export function lowerCase(byte: u32): u32 {
  return byte + (u32(byte - 0x41 < 26) << 5);
}

/** Whether two vectors are equal. */
export function same(one: v128, other: v128): bool {
  return !v128.any_true(v128.xor(one, other));
}
/** Keeps the first bytes of a vector and sets the others to zero. */
export function firstBytes(bytes: v128, count: u32): v128 {
  const positions = i8x16(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  return v128.and(bytes, i8x16.lt_u(positions, i8x16.splat(<i8>count)));
}
/** Returns one bit for each of sixteen bytes that equals the given one. */
export function bitsOf(sixteen: v128, byte: u32): u32 {
  return i8x16.bitmask(i8x16.eq(sixteen, i8x16.splat(<i8>byte)));
}

/** Returns the first position of a byte from `at` on; the end of the source if it is not found. */
export function findByte(at: u32, byte: u32): u32 {
  return findByteBefore(at, b.sourceEnd, byte);
}

/**
 * Returns the first position of a byte from `at` on; `end` if it does not occur before. Reads up to 15 bytes
 * beyond the end.
 */
export function findByteBefore(at: u32, end: u32, byte: u32): u32 {
  for (; at < end; at += 16) {
    const found = bitsOf(v128.load(at), byte);
    if (found) return min(at + ctz(found), end);
  }
  return end;
}

/** Returns the first position from `at` on that is not white space. */
export function skipSpace(at: u32): u32 {
  while (isSpace(load<u8>(at))) at++;
  return at;
}

/**
 * Whether a lower-case word is at a position, in any case; the characters of the word have two bytes each.
 */
export function startsWith(at: u32, word: string): bool {
  for (let i = 0; i < word.length; i++) {
    if (lowerCase(load<u8>(at + i)) !== <u32>word.charCodeAt(i)) return false;
  }
  return true;
}

/** Returns the position after the next `>`, or the end of the source. */
export function declarationEnd(start: u32): u32 {
  return min(findByte(start, GREATER) + 1, b.sourceEnd);
}

/** Returns the position after a comment whose content starts at `start`. */
export function commentEnd(start: u32): u32 {
  if (load<u8>(start) === GREATER) return start + 1;
  if (load<u8>(start) === DASH && load<u8>(start, 1) === GREATER) return start + 2;
  let at = start;
  while (true) {
    at = findByte(at, GREATER);
    if (at >= b.sourceEnd) return b.sourceEnd;
    const dash = at - 1 - u32(load<u8>(at - 1) === 0x21); // `--!>` ends a comment, too
    at++;
    if (start < dash && load<u16>(dash - 1) === 0x2d2d) return at;
  }
}

function isNameAt(at: u32, name: v128, sizeBytes: u32): bool {
  const there = v128.or(v128.load(at), i8x16.splat(0x20));
  return same(firstBytes(there, sizeBytes), name) && endsTagName(load<u8>(at + sizeBytes));
}

/**
 * Returns the position of the end tag that ends a raw element; the end of the source if it is not found.
 * After `<!--`, a `<script` makes the next `</script` part of the comment, until `-->`.
 */
export function rawEnd(start: u32, tag: u32): u32 {
  const name = nameBytes(tag);
  const sizeBytes = nameSize(tag);
  let end: u32 = 0; // end of the comment
  let isNested = false;
  let at = start;
  while (true) {
    at = findByte(at, LESS);
    if (at >= b.sourceEnd) return b.sourceEnd;
    if (end < at) {
      end = 0;
      isNested = false;
    }
    if (load<u8>(at, 1) === SLASH) {
      if (isNameAt(at + 2, name, sizeBytes)) {
        if (!isNested) return at;
        isNested = false;
      }
    } else if (tag === Tag.script) {
      if (end) {
        if (isNameAt(at + 1, name, sizeBytes)) isNested = true;
      } else if (load<u32>(at) === 0x2d2d213c) {
        end = at + 3;
        do end = findByte(end + 1, GREATER);
        while (end < b.sourceEnd && load<u16>(end - 2) !== 0x2d2d);
      }
    }
    at++;
  }
}
