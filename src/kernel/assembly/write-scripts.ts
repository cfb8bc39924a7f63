/** Superscripts and subscripts in the output of the text renderer: the rules are in view/script-text.ts. */
import { LONGEST_SCRIPT, MODE_JSON } from '../text-layout.ts';
import * as Text from './text-state';

/** Remembers where the output of a superscript or subscript starts. */
export function openScript(): void {
  const depth = Text.get(Text.SCRIPT_DEPTH);
  if (depth < Text.DEEPEST_SCRIPT) Text.set(Text.SCRIPT_STARTS + (depth << 2), Text.get(Text.OUT));
  Text.set(Text.SCRIPT_DEPTH, depth + 1);
}

/** Characters that were read from a script, in this order: their scripts are in the same places below. */
const SCRIPT_CHARACTERS: u32 = <u32>(
  memory.data<u8>([
    0x30, 0x31, 0x32, 0x33, 0x34, 0x35, 0x36, 0x37, 0x38, 0x39, 0x2b, 0x2d, 0x3d, 0x28, 0x29, 0x69, 0x6e,
    0x61, 0x65, 0x68, 0x6a, 0x6b, 0x6c, 0x6d, 0x6f, 0x70, 0x72, 0x73, 0x74, 0x75, 0x76, 0x78,
  ])
);
const SUPERSCRIPT_COUNT: u32 = 17;
const SUBSCRIPT_COUNT: u32 = 32;
/** 0 to 9 + - = ( ) i n */
const SUPERSCRIPTS: u32 = <u32>(
  memory.data<u16>([
    0x2070, 0x00b9, 0x00b2, 0x00b3, 0x2074, 0x2075, 0x2076, 0x2077, 0x2078, 0x2079, 0x207a, 0x207b, 0x207c,
    0x207d, 0x207e, 0x2071, 0x207f,
  ])
);
/** 0 to 9 + - = ( ) i n a e h j k l m o p r s t u v x */
const SUBSCRIPTS: u32 = <u32>(
  memory.data<u16>([
    0x2080, 0x2081, 0x2082, 0x2083, 0x2084, 0x2085, 0x2086, 0x2087, 0x2088, 0x2089, 0x208a, 0x208b, 0x208c,
    0x208d, 0x208e, 0x1d62, 0x2099, 0x2090, 0x2091, 0x2095, 0x2c7c, 0x2096, 0x2097, 0x2098, 0x2092, 0x209a,
    0x1d63, 0x209b, 0x209c, 0x1d64, 0x1d65, 0x2093,
  ])
);
const SCRIPT_SCRATCH: u32 = <u32>memory.data(128, 16);

/** The code point for a byte in a superscript or subscript; 0 when Unicode has none. */
function scriptOf(byte: u32, isSuperscript: bool): u32 {
  const count = isSuperscript ? SUPERSCRIPT_COUNT : SUBSCRIPT_COUNT;
  for (let k: u32 = 0; k < count; k++) {
    if (load<u8>(SCRIPT_CHARACTERS + k) === byte)
      return load<u16>((isSuperscript ? SUPERSCRIPTS : SUBSCRIPTS) + (k << 1));
  }
  return 0;
}

/** Rewrites the output of the superscript or subscript that ends here; view/script-text.ts has the rules. */
export function closeScript(isSuperscript: bool): void {
  const depth = Text.get(Text.SCRIPT_DEPTH) - 1;
  Text.set(Text.SCRIPT_DEPTH, depth);
  if (depth >= Text.DEEPEST_SCRIPT) return;
  const before = Text.get(Text.SCRIPT_STARTS + (depth << 2));
  const isJson = Text.get(Text.MODE) === MODE_JSON;
  const end = Text.get(Text.OUT);
  // the separator and the bracket before the first character
  let start = before;
  while (start < end && load<u8>(start) <= 0x20) start++;
  if (isJson && start < end && isEscapedSpace(start)) start += 2;
  if (start >= end || end - start > <u32>LONGEST_SCRIPT) return;
  if (Text.get(Text.PRE_DEPTH) !== 0 && Text.get(Text.PRE_END) !== end) return;

  let out = SCRIPT_SCRATCH;
  let characters: u32 = 0;
  let letters: u32 = 0;
  let digits: u32 = 0;
  let others: u32 = 0;
  let hasAll = true;
  for (let at = start; at < end; characters++) {
    let byte: u32 = load<u8>(at);
    if (byte < 0x20 || (isJson && isEscapedSpace(at))) return;
    let size: u32 = 1;
    if (byte >= 0xc0) size = byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
    else if (isJson && byte === 0x5c) size = 2;
    const three = load<u32>(at) & 0xffffff;
    // the minus sign and the en dash
    if (three === 0x9288e2 || three === 0x9380e2) byte = 0x2d;
    at += size;
    // letters, and beyond ASCII all characters but U+0080 to U+00BF and U+2000 to U+2FFF, which are signs
    if (byte - 0x30 < 10) digits++;
    else if ((byte | 0x20) - 0x61 < 26 || (byte >= 0xc3 && byte !== 0xe2)) letters++;
    else if (byte !== 0x20 && byte !== 0x27 && byte !== 0x2c && byte !== 0x2e) others++;
    const code = hasAll ? scriptOf(byte, isSuperscript) : 0;
    if (code === 0) hasAll = false;
    else if (code < 0x100) {
      store<u8>(out, 0xc2);
      store<u8>(out, code, 1);
      out += 2;
    } else {
      store<u8>(out, 0xe0 | (code >> 12));
      store<u8>(out, 0x80 | ((code >> 6) & 0x3f), 1);
      store<u8>(out, 0x80 | (code & 0x3f), 2);
      out += 3;
    }
  }
  // words stay as they are
  if (digits + others === 0 && characters > 1) return;
  if (hasAll) {
    memory.copy(start, SCRIPT_SCRATCH, out - SCRIPT_SCRATCH);
    Text.set(Text.OUT, start + (out - SCRIPT_SCRATCH));
  } else {
    const isApart = start === Text.get(Text.OUT_START) || load<u8>(start - 1) <= 0x20 || start !== before;
    const isBracketed = load<u8>(start) === 0x5b /* [ */ && load<u8>(end - 1) === 0x5d; /* ] */
    if (isApart || isBracketed || characters === 1 || letters + digits === 0) return;
    memory.copy(start + 2, start, end - start);
    store<u8>(start, isSuperscript ? 0x5e : 0x5f);
    store<u8>(start, 0x28, 1);
    store<u8>(end, 0x29, 2);
    Text.set(Text.OUT, end + 3);
  }
  if (Text.get(Text.PRE_DEPTH) !== 0) Text.set(Text.PRE_END, Text.get(Text.OUT));
}

/** Whether the output at an address is a line feed or a tab, escaped for JSON. */
function isEscapedSpace(at: u32): bool {
  const two: u32 = load<u16>(at);
  return two === 0x6e5c || two === 0x745c;
}
