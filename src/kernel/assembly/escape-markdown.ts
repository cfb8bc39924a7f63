/**
 * Copies text so that Markdown reads it as text: a backslash before what would be markup inside a line. What is markup at
 * the start of a line only is left to view/markdown.ts, which knows the lines.
 */
import { LONGEST_REFERENCE } from '../text-layout.ts';
import { endWords, passOther, separateAdjacent } from './copy-text';
import * as Text from './text-state';

/**
 * Bytes that need a look, by their low four bits: bit n is set when the byte with the high bits n does. These are the
 * controls and $ & ( * : ; < [ \ ] _ ` ~.
 */
const LOW: v128 = i8x16(
  0x43,
  0x03,
  0x03,
  0x03,
  0x07,
  0x03,
  0x07,
  0x03,
  0x07,
  0x03,
  0x0f,
  0x2b,
  0x2b,
  0x23,
  <i8>0x83,
  <i8>0xa3,
);
const LOW_BYTES: u32 = <u32>(
  memory.data<u8>([
    0x43, 0x03, 0x03, 0x03, 0x07, 0x03, 0x07, 0x03, 0x07, 0x03, 0x0f, 0x2b, 0x2b, 0x23, 0x83, 0xa3,
  ])
);

function needsLook(byte: u32): bool {
  return byte < 0x80 ? ((load<u8>(LOW_BYTES + (byte & 15)) >> (byte >> 4)) & 1) !== 0 : byte === 0xc2;
}

/** Copies the bytes between two addresses up to the byte `stop`; returns its address, or `to`. */
export function copyEscaped(from: u32, to: u32, stop: u32): u32 {
  const low = LOW;
  const bits = i8x16(1, 2, 4, 8, 16, 32, 64, <i8>0x80, 0, 0, 0, 0, 0, 0, 0, 0);
  const spaces = i8x16.splat(0x20);
  const none = i8x16.splat(0);
  while (from < to) {
    const byte: u32 = load<u8>(from);
    if (byte > 0x20 && !needsLook(byte)) {
      if (Text.get(Text.IS_ADJACENT) !== 0) separateAdjacent(byte);
      Text.flush(true);
      let out = Text.get(Text.OUT);
      let count: u32;
      do {
        const sixteen = v128.load(from);
        const looks = v128.and(
          i8x16.swizzle(low, v128.and(sixteen, i8x16.splat(0x0f))),
          i8x16.swizzle(bits, i8x16.shr_u(sixteen, 4)),
        );
        const ends = v128.or(
          i8x16.ne(looks, none),
          v128.or(
            v128.and(i8x16.eq(sixteen, spaces), i8x16.eq(v128.load(from - 1), spaces)),
            i8x16.eq(sixteen, i8x16.splat(<i8>0xc2)),
          ),
        );
        count = ctz<u32>(i8x16.bitmask(ends) | 0x10000);
        if (to - from < count) count = to - from;
        v128.store(out, sixteen);
        from += count;
        out += count;
      } while (count === 16);
      endWords(out);
    } else if (byte === stop) {
      return from;
    } else if (byte <= 0x20 || byte >= 0x7f || byte === 0x26) {
      from = passOther(byte, from);
    } else {
      Text.flush(true);
      const next: u32 = from + 1 < to ? <u32>load<u8>(from, 1) : Text.get(Text.NEXT_BYTE);
      writeMarkup(byte, next);
      from++;
    }
  }
  return to;
}

/** Writes one byte that may be markup, after a backslash if it is. */
function writeMarkup(byte: u32, next: u32): void {
  let escapes = true;
  if (byte === 0x5c /* \ */) {
    // what is dropped may come between it and the next sign
    escapes = !Text.isLetterOrDigit(next) && (next < 0x80 || next === 0xc2);
  } else if (byte === 0x5f /* _ */) {
    // inside a word
    escapes =
      !Text.isLetterOrDigit(load<u8>(Text.get(Text.OUT) - 1)) ||
      !Text.isLetterOrDigit(next) ||
      Text.get(Text.OUT) === Text.get(Text.OUT_START);
  } else if (byte === 0x3c /* < */) {
    escapes = next !== 0x20;
  } else if (byte === 0x5b /* [ */) {
    escapes = next === 0x5e /* ^ */ || Text.get(Text.LINK_DEPTH) !== 0;
  } else if (byte === 0x5d /* ] */) {
    escapes = Text.get(Text.LINK_DEPTH) !== 0;
  } else if (byte === 0x28 /* ( */ || byte === 0x3a /* : */) {
    // ends of what could be the text of a link, or a definition; inside a link, marked removes the escapes of brackets
    escapes = escapeEarlierBracket() === true && byte === 0x28 && Text.get(Text.LINK_DEPTH) !== 0;
  } else if (byte === 0x3b /* ; */) {
    escapeReference();
    escapes = false;
  }
  if (escapes) Text.writeByte(0x5c);
  Text.writeByte(byte);
}

/** Puts a backslash before a closing bracket at the end of the output, unless it has one; returns whether there is a bracket. */
function escapeEarlierBracket(): bool {
  const at = Text.get(Text.OUT) - 1;
  if (Text.get(Text.OUT) === Text.get(Text.OUT_START) || load<u8>(at) !== 0x5d) return false;
  // two backslashes are a backslash of the text
  let before = at;
  while (before > Text.get(Text.OUT_START) && load<u8>(before - 1) === 0x5c) before--;
  if (((at - before) & 1) === 0) Text.insertByte(at, 0x5c);
  return true;
}

/** Puts a backslash before the ampersand of a reference whose semicolon is next. */
function escapeReference(): void {
  const start = Text.get(Text.OUT_START);
  const out = Text.get(Text.OUT);
  let at = out;
  while (at > start && out - at < <u32>LONGEST_REFERENCE && Text.isReferenceByte(load<u8>(at - 1))) at--;
  if (at < out && at > start && load<u8>(at - 1) === 0x26) Text.insertByte(at - 1, 0x5c);
}
