/**
 * Words of a text in any language, without dictionaries or stop-word lists: a run of letters and digits is
 * a word; in scripts written without spaces every letter (with its marks) is one. Case and compatibility
 * forms are folded, so that full-width digits and ligatures equal the plain ones. Linear.
 */

// scripts whose words are not set apart by spaces
const UNSPACED = '\\p{scx=Han}\\p{scx=Hira}\\p{scx=Kana}\\p{scx=Thai}\\p{scx=Laoo}\\p{scx=Khmr}\\p{scx=Mymr}';
const WORD = new RegExp(
  `(?=[${UNSPACED}])[\\p{L}\\p{N}]\\p{M}*|(?:(?![${UNSPACED}])[\\p{L}\\p{N}\\p{M}])+`,
  'gu',
);

export function segmentWords(text: string): string[] {
  return text.normalize('NFKC').toLowerCase().match(WORD) ?? [];
}
