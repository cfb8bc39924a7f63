/**
 * Identifiers and strings as CSS wants them (CSS Syntax 3, section 4.3; CSSOM, "serialize an identifier"),
 * so that whatever a page calls its elements stands in a selector as what it is. Beyond what CSS asks for,
 * characters that steer a terminal or the direction of text, and those that end a comment or a tag, are
 * written as numbers: a selector can stand in a style sheet, a YAML file, a script and on a screen.
 */

/** Letters, digits and the other visible characters of any language; no spaces, controls, marks of direction. */
const VISIBLE = /[\p{L}\p{N}\p{M}\p{P}\p{S}]/u;
/** What may stand in a CSS string as it is, of ASCII. */
const PLAIN_IN_STRING = /[A-Za-z0-9 _.,:;=?&%#@!~^|+$/()[\]-]/;

/** A name, id or class as an identifier: `1x` becomes `\31 x`. */
export function cssIdentifier(text: string): string {
  const characters = [...text];
  let escaped = '';
  for (let i = 0; i < characters.length; i++) {
    const character = characters[i];
    const isDigit = character >= '0' && character <= '9';
    if (isDigit && (i === 0 || (i === 1 && characters[0] === '-'))) escaped += asNumber(character);
    else if (character === '-' && characters.length === 1) escaped += '\\-';
    else if (/[A-Za-z0-9_-]/.test(character)) escaped += character;
    else if (character < '\u0080')
      escaped +=
        /[!-~]/.test(character) && !'*/<>'.includes(character) ? `\\${character}` : asNumber(character);
    else escaped += VISIBLE.test(character) ? character : asNumber(character);
  }
  return escaped;
}

/** A value as a quoted string. */
export function cssString(text: string): string {
  let escaped = '"';
  for (const character of text) {
    if (character === '"' || character === '\\') escaped += `\\${character}`;
    else if (character < '\u0080')
      escaped += PLAIN_IN_STRING.test(character) ? character : asNumber(character);
    else escaped += VISIBLE.test(character) ? character : asNumber(character);
  }
  return `${escaped}"`;
}

/** The space ends the number, whatever follows. */
function asNumber(character: string): string {
  return `\\${character.codePointAt(0)!.toString(16)} `;
}
