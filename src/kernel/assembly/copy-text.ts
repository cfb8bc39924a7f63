/** Copies text to the output of the text renderer: white space collapsed, or as it is where it counts. */
import { MODE_JSON, MODE_MARKDOWN } from '../text-layout.ts';
import { copyEscaped } from './escape-markdown';
import * as Text from './text-state';

/** Second byte of U+00AD, a place where a word may be broken. */
const SOFT_HYPHEN: u32 = 0xad;

/** Copies the bytes between two addresses up to the byte `stop`; returns its address, or `to`. */
export function copy(from: u32, to: u32, stop: u32): u32 {
  if (Text.get(Text.PRE_DEPTH) !== 0) return copyPre(from, to, stop);
  const isEscaped = Text.get(Text.MODE) === MODE_MARKDOWN && Text.get(Text.CODE_DEPTH) === 0;
  return isEscaped ? copyEscaped(from, to, stop) : copyCollapsed(from, to, stop);
}

/** Copies text between two addresses to the output with white space collapsed and JSON escaped where the mode asks for
 * it. Returns the address where it stopped: `to`, or the first character that the caller must handle. */
export function copyCollapsed(from: u32, to: u32, stop: u32): u32 {
  const isJson = Text.get(Text.MODE) === MODE_JSON;
  const spaces = i8x16.splat(0x20);
  const ampersands = i8x16.splat(0x26);
  const quotes = isJson ? i8x16.splat(0x22) : ampersands;
  const backslashes = isJson ? i8x16.splat(0x5c) : ampersands;
  while (from < to) {
    const byte: u32 = load<u8>(from);
    const isEscaped = isJson && (byte === 0x22 || byte === 0x5c);
    if (byte > 0x20 && byte !== 0x26 && byte !== 0x7f && byte !== 0xc2 && !isEscaped) {
      // words: up to white space other than a single space, a control, a reference, a byte to escape
      if (Text.get(Text.IS_ADJACENT) !== 0) separateAdjacent(byte);
      Text.flush(true);
      let out = Text.get(Text.OUT);
      let count: u32;
      do {
        const sixteen = v128.load(from);
        const ends = v128.or(
          v128.or(
            v128.or(
              i8x16.lt_u(sixteen, spaces),
              v128.and(i8x16.eq(sixteen, spaces), i8x16.eq(v128.load(from - 1), spaces)),
            ),
            v128.or(i8x16.eq(sixteen, quotes), i8x16.eq(sixteen, ampersands)),
          ),
          v128.or(
            v128.or(i8x16.eq(sixteen, backslashes), i8x16.eq(sixteen, i8x16.splat(0x7f))),
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
      continue;
    }
    if (byte === stop) return from;
    if (isEscaped) {
      Text.flush(true);
      Text.writeByte(0x5c);
      Text.writeByte(byte);
      from++;
    } else {
      from = passOther(byte, from);
    }
  }
  return to;
}

/** Ends the output of words; the last space waits for the next word. */
export function endWords(out: u32): void {
  const endsInSpace = load<u8>(out - 1) === 0x20;
  Text.set(Text.OUT, endsInSpace ? out - 1 : out);
  if (endsInSpace) Text.set(Text.PENDING, Text.SPACE);
}

/** Copies `&` or a character from U+00A1 to U+00BF; collapses white space, drops controls and soft hyphens. Returns the next address. */
export function passOther(byte: u32, from: u32): u32 {
  if (byte === 0x26) {
    Text.flush(true);
    Text.writeByte(byte);
  } else if (byte === 0xc2) {
    const next: u32 = load<u8>(from, 1);
    if (next > 0xa0 && next !== SOFT_HYPHEN) {
      Text.flush(true);
      Text.writeByte(byte);
      return from + 1;
    }
    // U+0080 to U+009F are controls; U+00A0 is a space, and so is U+0085, an old line end
    if (next === 0xa0 || next === 0x85) Text.separate(Text.SPACE);
    return from + 2;
  } else if (Text.isSpace(byte)) {
    Text.separate(Text.SPACE);
  }
  return from + 1;
}

/** Whether the character of this second byte after C2 is a control or a soft hyphen. */
function isDropped(second: u32): bool {
  return second < 0xa0 || second === SOFT_HYPHEN;
}

/** Does the same where white space counts. */
export function copyPre(from: u32, to: u32, stop: u32): u32 {
  const isJson = Text.get(Text.MODE) === MODE_JSON;
  for (; from < to; from++) {
    const byte: u32 = load<u8>(from);
    if (byte === stop) return from;
    if (byte === 0x0a || byte === 0x20 || byte === 0x09) {
      // white space opens no bracket, and the end of a line closes the one that is open
      Text.flush(false);
      if (byte === 0x0a) Text.closeBracket();
      Text.writeSpace(byte);
    } else if (byte === 0xc2 && isDropped(load<u8>(from, 1)) && from + 1 !== Text.get(Text.SOURCE_END)) {
      from++;
    } else if (byte > 0x20 && byte !== 0x7f) {
      Text.flush(true);
      if (isJson && (byte === 0x22 || byte === 0x5c)) Text.writeByte(0x5c);
      Text.writeByte(byte);
      Text.set(Text.PRE_END, Text.get(Text.OUT));
    }
  }
  return to;
}

/**
 * Two links or two times side by side are two words, whatever separates them on the screen. `byte` is the first of the
 * second one. Not in scripts that write words without spaces: there links may be parts of one word.
 */
export function separateAdjacent(byte: u32): void {
  const at = Text.lastTextAt(Text.get(Text.OUT));
  if (at === 0) return;
  const last: u32 = load<u8>(at);
  if ((last & 0xc0) === 0x80) {
    // the first byte of a character of two
    if (<u32>load<u8>(at - 1) - 0xc3 >= 0x1d) return;
  } else if (!Text.isLetterOrDigit(last)) {
    return;
  }
  if (Text.isLetterOrDigit(byte) || byte - 0xc3 < 0x1d) Text.separate(Text.SPACE);
}
