/**
 * The state of the text renderer (render-text.ts), and what writes its output: bytes, separators, brackets, events. The
 * state holds between two calls for one page.
 */
import * as Texts from '../text-layout.ts';

// separators that may be pending, the stronger ones last
/** Separator: a space. */
export const SPACE: u32 = 1;
/** Separator: a tab between two cells. */
export const TAB: u32 = 2;
/** Separator: a line break inside a paragraph, in Markdown only. */
export const BREAK: u32 = 3;
/** Separator: the end of a line or, in Markdown, of a paragraph. */
export const NEWLINE: u32 = 4;
/** At the start of a block: nothing separates its first character. */
export const BEGINNING: u32 = 5;

/** Size of the state in bytes. */
export const STATE_BYTES: u32 = 136;
/** Address of the state; the fields below are offsets in it, in bytes. */
export const STATE: u32 = <u32>memory.data(136, 16);
/** The separator before the next character. */
export const PENDING: u32 = 0;
/** Address of the next byte of the output. */
export const OUT: u32 = 4;
/** Address of the first byte of the output. */
export const OUT_START: u32 = 8;
/** Number of open elements that keep white space, such as `pre`. */
export const PRE_DEPTH: u32 = 12;
/** Address in the output of the text of the outermost of them. */
export const PRE_START: u32 = 16;
/** End of the output if that element ends here, without its trailing white space. */
export const PRE_END: u32 = 20;
/** The range that was looked up last. */
export const RANGE: u32 = 24;
/** Address after the last byte of the source. */
export const SOURCE_END: u32 = 28;
/** What is written: plain text, JSON or Markdown (text-layout.ts). */
export const MODE: u32 = 32;
/** The bracket that is open; 0: no bracket. */
export const OPEN_BRACKET: u32 = 36;
/** The bracket that the current text needs; 0: no bracket. */
export const BRACKET: u32 = 40;
/** The node at which the walk goes on after an unknown reference. */
export const NODE: u32 = 44;
/** The innermost open element there. */
export const OPEN: u32 = 48;
/** Address in the source there. */
export const POSITION: u32 = 52;
/** Address of the tables of the renderer. */
export const TABLES: u32 = 56;
/** The next replacement. */
export const REPLACEMENT: u32 = 60;
/** Tag of the link or time that ended last, if no text came after it. */
export const ENDED_TAG: u32 = 64;
/** Whether another element of that tag begins. */
export const IS_ADJACENT: u32 = 68;
/** For Markdown: address at which the next event is listed. */
export const EVENTS: u32 = 72;
/** For Markdown: number of inline elements that begin right at the end of the output. */
export const OPENED: u32 = 76;
/** For Markdown: number of open elements of code. */
export const CODE_DEPTH: u32 = 80;
/** For Markdown: number of open links. */
export const LINK_DEPTH: u32 = 84;
/** For Markdown: the byte after the current text. */
export const NEXT_BYTE: u32 = 88;
/** Number of open superscripts and subscripts. */
export const SCRIPT_DEPTH: u32 = 92;
/** Addresses in the output of the first `DEEPEST_SCRIPT` of them. */
export const SCRIPT_STARTS: u32 = 96;
/** Deepest script that is written as one; deeper scripts are plain text. */
export const DEEPEST_SCRIPT: u32 = 8;
/** For Markdown: address in the output of the first event of the last run of events without text between them. */
export const RUN_START: u32 = 128;
/** For Markdown: address after the last event of that run. */
export const RUN_END: u32 = 132;

/** Returns a field of the state. */
export function get(field: u32): u32 {
  return load<u32>(STATE + field);
}

/** Sets a field of the state. */
export function set(field: u32, value: u32): void {
  store<u32>(STATE + field, value);
}

/** Whether a byte is white space of HTML: space, tab, line feed, form feed or carriage return. */
export function isSpace(byte: u32): bool {
  return byte === 0x20 || (byte - 9 < 5 && byte !== 0x0b);
}

/** Letters, digits and `#`: the bytes of a reference between `&` and `;`. */
export function isReferenceByte(byte: u32): bool {
  return isLetterOrDigit(byte) || byte === 0x23;
}

/** Whether a byte is an ASCII letter or digit. */
export function isLetterOrDigit(byte: u32): bool {
  return (byte | 0x20) - 0x61 < 26 || byte - 0x30 < 10;
}

/** Makes a separator pending unless a stronger one is. */
export function separate(separator: u32): void {
  if (get(PENDING) < separator) set(PENDING, separator);
}

/** Ends the line; a second `<br>` in Markdown ends the paragraph. */
export function breakLine(): void {
  if (get(MODE) !== Texts.MODE_MARKDOWN) separate(NEWLINE);
  else separate(get(PENDING) === BREAK ? NEWLINE : BREAK);
}

/** Appends a byte to the output. */
export function writeByte(byte: u32): void {
  const out = get(OUT);
  store<u8>(out, byte);
  set(OUT, out + 1);
}

/** Writes a space, a tab or a line feed. */
export function writeSpace(byte: u32): void {
  if (get(MODE) === Texts.MODE_JSON && byte !== 0x20) {
    writeByte(0x5c);
    writeByte(byte === 0x0a ? 0x6e /* n */ : 0x74 /* t */);
  } else {
    writeByte(byte);
  }
}

/** Writes a character that is not in the source. */
export function writeAdded(byte: u32): void {
  flush(true);
  if (get(MODE) === Texts.MODE_JSON && byte === 0x22) writeByte(0x5c);
  writeByte(byte);
  set(PRE_END, get(OUT));
}

/** Writes the end of the open bracket, if there is one. */
export function closeBracket(): void {
  if (get(OPEN_BRACKET) === 0) return;
  writeByte(Texts.CLOSING_BRACKET);
  set(PRE_END, get(OUT));
  set(OPEN_BRACKET, 0);
}

/** Writes what belongs before the next character: the end of a bracket, the separator, a new bracket. */
export function flush(opensBracket: bool): void {
  const pending = get(PENDING);
  if (get(OPEN_BRACKET) !== get(BRACKET) || pending === NEWLINE) closeBracket();
  if (pending !== 0) {
    // the first character has no separator before it
    if (pending !== BEGINNING && get(OUT) !== get(OUT_START)) writeSeparator(pending);
    set(PENDING, 0);
  }
  set(OPENED, 0);
  if (!opensBracket) return;
  set(ENDED_TAG, 0);
  set(IS_ADJACENT, 0);
  if (get(OPEN_BRACKET) === get(BRACKET)) return;
  set(OPEN_BRACKET, get(BRACKET));
  writeByte(get(BRACKET));
}

function writeSeparator(pending: u32): void {
  if (get(MODE) !== Texts.MODE_MARKDOWN) {
    writeSpace(pending === NEWLINE ? 0x0a : pending === TAB ? 0x09 : 0x20);
  } else if (pending === NEWLINE) {
    writeByte(Texts.PARAGRAPH_BYTE);
  } else {
    // before the inline elements that begin here, unless there is white space already
    const out = get(OUT);
    const at = out - get(OPENED);
    const lastAt = lastTextAt(at);
    const last: u32 = lastAt === 0 ? 0x20 : load<u8>(lastAt);
    if (last === 0x20 || last === Texts.BREAK_BYTE || last === Texts.PARAGRAPH_BYTE) return;
    insertByte(at, pending === BREAK ? Texts.BREAK_BYTE : 0x20);
  }
}

/** Inserts a byte at an earlier address of the output. */
export function insertByte(at: u32, byte: u32): void {
  const out = get(OUT);
  memory.copy(at + 1, at, out - at);
  store<u8>(at, byte);
  set(OUT, out + 1);
  if (get(RUN_END) > at) {
    set(RUN_START, max(get(RUN_START), at) + 1);
    set(RUN_END, get(RUN_END) + 1);
  }
}

/** Returns the address of the last byte of text in the output before `before`, passing over events; 0 when no text comes before. */
export function lastTextAt(before: u32): u32 {
  const start = get(OUT_START);
  const runStart = get(RUN_START);
  for (let at = before; at > start; ) {
    // steps over a run at once; else a page of empty elements takes quadratic time
    if (at > runStart && at <= get(RUN_END)) at = runStart;
    else if (load<u8>(--at) !== Texts.EVENT_BYTE) return at;
  }
  return 0;
}

function listEvent(word: u32): void {
  const events = get(EVENTS);
  store<u32>(events, word);
  set(EVENTS, events + 4);
  if (get(RUN_END) !== get(OUT)) set(RUN_START, get(OUT));
  writeByte(Texts.EVENT_BYTE);
  set(RUN_END, get(OUT));
  set(PRE_END, get(OUT));
}

/** Lists that a block begins or ends: it separates what is on its sides. */
export function listBlock(word: u32): void {
  listEvent(word);
  set(OPENED, 0);
  set(PENDING, BEGINNING);
}

/** Lists that an inline element begins, after the white space before it. */
export function listOpening(word: u32): void {
  const pending = get(PENDING);
  const opened = get(OPENED);
  if (pending !== 0 && pending !== BEGINNING) {
    writeSeparator(pending);
    set(PENDING, pending === NEWLINE ? BEGINNING : 0);
  }
  listEvent(word);
  set(OPENED, pending === NEWLINE ? 1 : opened + 1);
}

/** Lists that an inline element ends, before the white space after it. */
export function listEnding(word: u32): void {
  listEvent(word);
  set(OPENED, 0);
}

/** Lists an image: it is like a word. */
export function listImage(word: u32): void {
  flush(true);
  listEvent(word);
}

/** Lists a formula, which is a word. */
export function listFormula(word: u32): void {
  listImage(word);
  writeByte(Texts.FORMULA_BYTE);
  set(PRE_END, get(OUT));
}
