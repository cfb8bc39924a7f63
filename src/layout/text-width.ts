/**
 * The width of a text, from its bytes: each byte that begins a character has the width of a serif face, in em; bytes that
 * continue it have none. East Asian characters are a full em wide and allow a line break after them. One table look-up
 * per byte; nothing is decoded.
 */

/** Width of the character that a byte begins, in em. */
const WIDTHS = new Float32Array(256);
/** Bytes that allow a line break: a space, or the first byte of a wide character. */
const BREAKS = new Uint8Array(256);

const LATIN: readonly [characters: string, em: number][] = [
  ['ijlt;:/\\', 0.278],
  ['frI-()[]!|`', 0.333],
  ['sJ', 0.389],
  ['acez?', 0.444],
  ['bdghknopquvxy0123456789$_#', 0.5],
  ['FPS', 0.556],
  ['+<=>~^', 0.564],
  ['ELTZ', 0.611],
  ['BCR', 0.667],
  ['ADGHKNOQUVXYw', 0.722],
  ['m&%@', 0.8],
  ['M', 0.889],
  ['W', 0.944],
  ["'", 0.2],
  ['"*{}', 0.42],
  [' .,', 0.25],
];

WIDTHS.fill(0.5, 0x21, 0x80);
for (const [characters, em] of LATIN) {
  for (const character of characters) WIDTHS[character.charCodeAt(0)] = em;
}
// two bytes: Latin with accents, Greek, Cyrillic, Hebrew, Arabic; three: Indic scripts and Thai, signs
WIDTHS.fill(0.5, 0xc2, 0xe2);
WIDTHS.fill(0.55, 0xd0, 0xd2);
WIDTHS[0xe2] = 0.5;
// kana, Han, Hangul, full-width forms, pictures
WIDTHS.fill(1, 0xe3, 0xf5);
BREAKS.fill(1, 0xe3, 0xf5);
BREAKS[0x20] = 1;

/** Longest character reference that stands for one character. */
const LONGEST_REFERENCE_BYTES = 12;
const AMPERSAND = 0x26;
const SEMICOLON = 0x3b;
const REFERENCE_EM = 0.4;

export class TextWidth {
  /** Of the text measured last, in em: all in one line, and its longest part without a break. */
  whole = 0;
  longestWord = 0;

  measure(text: Uint8Array, start: number, end: number): void {
    let whole = 0;
    let wordStart = 0;
    let longest = 0;
    for (let i = start; i < end; i++) {
      const byte = text[i];
      if (BREAKS[byte] === 1) {
        if (whole - wordStart > longest) longest = whole - wordStart;
        wordStart = byte === 0x20 ? whole + 0.25 : whole;
      } else if (byte === AMPERSAND) {
        const limit = Math.min(end, i + LONGEST_REFERENCE_BYTES);
        let close = i + 1;
        while (close < limit && text[close] !== SEMICOLON && text[close] !== 0x20) close++;
        if (close < limit && text[close] === SEMICOLON) {
          i = close;
          whole += REFERENCE_EM;
          continue;
        }
      }
      whole += WIDTHS[byte];
    }
    if (whole - wordStart > longest) longest = whole - wordStart;
    this.whole = whole;
    this.longestWord = longest;
  }
}
