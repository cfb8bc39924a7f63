/**
 * Computes the width of a text from its bytes: each byte that begins a character has a width in em; bytes
 * that continue one have none. East Asian characters allow a line break after them. One table lookup per
 * byte; nothing is decoded.
 */
import { PAGE_KIND, PAGE_NODE_COUNT, PAGE_TEXT, PAGE_TEXT_START, TEXT_WIDTH_BREAKS } from '../layout.ts';
import { TEXT } from './builder.ts';
import { word } from './feature-records';

/** Longest character reference that counts as one character, in bytes. */
const LONGEST_REFERENCE_BYTES: u32 = 12;
const REFERENCE_EM: f64 = 0.4;
const SPACE_EM: f64 = 0.25;
const SPACE: u32 = 0x20;
const AMPERSAND: u32 = 0x26;
const SEMICOLON: u32 = 0x3b;

/**
 * Writes two f64 to `widths` for each text node of a page: the width of its text in one line, in em, and that
 * of its longest part without a line break. Other nodes are left out. `tables` has the width of the character
 * that each byte begins (f32), and from TEXT_WIDTH_BREAKS on a byte for each, 1 if it allows a break.
 */
export function measureTexts(tables: u32, page: u32, widths: u32): void {
  const kinds = word(page, PAGE_KIND);
  const text = word(page, PAGE_TEXT);
  const textStarts = word(page, PAGE_TEXT_START);
  const nodeCount = word(page, PAGE_NODE_COUNT);
  for (let node: u32 = 0; node < nodeCount; node++) {
    if (load<u8>(kinds + node) !== TEXT) continue;
    measureText(
      tables,
      text + word(textStarts, node),
      text + word(textStarts, node + 1),
      widths + (node << 4),
    );
  }
}

function measureText(tables: u32, start: u32, end: u32, widths: u32): void {
  let whole: f64 = 0;
  let wordStart: f64 = 0;
  let longest: f64 = 0;
  for (let at = start; at < end; at++) {
    const byte: u32 = load<u8>(at);
    if (load<u8>(tables + byte, TEXT_WIDTH_BREAKS)) {
      longest = max<f64>(longest, whole - wordStart);
      wordStart = byte === SPACE ? whole + SPACE_EM : whole;
    } else if (byte === AMPERSAND) {
      const limit = min(end, at + LONGEST_REFERENCE_BYTES);
      let close = at + 1;
      while (close < limit && load<u8>(close) !== SEMICOLON && load<u8>(close) !== SPACE) close++;
      if (close < limit && load<u8>(close) === SEMICOLON) {
        at = close;
        whole += REFERENCE_EM;
        continue;
      }
    }
    whole += <f64>load<f32>(tables + (byte << 2));
  }
  store<f64>(widths, whole);
  store<f64>(widths, max<f64>(longest, whole - wordStart), 8);
}
