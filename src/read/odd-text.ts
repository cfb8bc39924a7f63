/**
 * How much of a text no language would write: the sign that its bytes were read in a wrong charset. Goes by what
 * Unicode says of characters and not by languages: text has no control characters, no capital behind a small letter,
 * no sign of arithmetic inside a word, no word in two scripts and no accent without a letter below it.
 */

/** Characters that no text holds: what could not be decoded, control characters, what Unicode leaves open. */
const IMPOSSIBLE = /[\ufffd\u0080-\u009f\p{Co}\p{Cn}]/gu;

/** Places in words as no language has them; each takes a character beyond ASCII. */
const ODD_PLACES = [
  // a capital behind a small letter: one of them, at least, beyond ASCII
  /\p{Ll}(?=\p{Lu})(?:(?<=[^\0-\x7f])|(?=[^\0-\x7f]))/gu,
  // a sign or a raised figure between letters
  /(?<=\p{L})(?=[^\0-\x7f])[\p{S}\p{No}ªº](?=\p{L})/gu,
  // two alphabets in one word; Chinese and Japanese do stand beside Latin letters
  /\p{Script=Latin}(?=[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Thai}])/gu,
  /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Thai}](?=\p{Script=Latin})/gu,
  // an accent or vowel sign with nothing to stand on
  /(?<![\p{L}\p{M}])\p{M}/gu,
];

/** Characters that cannot be, and odd places in words, for each character beyond ASCII. */
export function oddShare(text: string): number {
  let odd = countMatches(text, IMPOSSIBLE);
  for (const place of ODD_PLACES) odd += countMatches(text, place);
  return odd / Math.max(1, countMatches(text, /[^\0-\x7f]/gu));
}

function countMatches(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
