/**
 * The selectors that are written, and no more of CSS: steps from an element down to its children, each with a tag, an
 * id, classes, attributes with their values, and a position among its siblings: `#wrap > div.side > ul:nth-of-type(2)`.
 * Browsers, Pagefind and other rewriters of HTML support them all. Where these do not suffice, a step may ask for
 * content, `ul:has(a[href="/news"])`, which browsers support.
 *
 * Identifiers and strings are escaped as CSS asks (CSS Syntax 3, section 4.3; CSSOM, "serialize an identifier"). Beyond
 * that, characters that control a terminal or the direction of text, and those that end a comment or a tag, are written
 * as numbers: a selector can be copied into a style sheet, a YAML file, a script or a terminal.
 */

/** One element of a path. */
export interface Step {
  /** Tag in lower case; `*` for any. */
  tag: string;
  id?: string;
  classes?: readonly string[];
  attributes?: readonly AttributeTest[];
  /** From 1. */
  nthOfType?: number;
  nthChild?: number;
  /** Elements that it must hold, at any depth; of the last step only. */
  has?: readonly Step[];
}

export interface AttributeTest {
  name: string;
  value: string;
}

/** From the outermost element to the one that is meant; each is the parent of the next. */
export type Selector = readonly Step[];

export function formatSelector(selector: Selector): string {
  return selector.map(formatStep).join(' > ');
}

export function formatStep({
  tag,
  id,
  classes = [],
  attributes = [],
  nthOfType,
  nthChild,
  has = [],
}: Step): string {
  const tests = [
    id === undefined ? '' : `#${cssIdentifier(id)}`,
    ...classes.map((name) => `.${cssIdentifier(name)}`),
    ...attributes.map(({ name, value }) => `[${cssIdentifier(name)}=${cssString(value)}]`),
    nthOfType === undefined ? '' : `:nth-of-type(${nthOfType})`,
    nthChild === undefined ? '' : `:nth-child(${nthChild})`,
    ...has.map((step) => `:has(${formatStep(step)})`),
  ].join('');
  return tag !== '*' ? `${cssIdentifier(tag)}${tests}` : tests === '' ? '*' : tests;
}

/** Letters, digits and the other visible characters of any language; no spaces, controls, marks of direction. */
const VISIBLE = /[\p{L}\p{N}\p{M}\p{P}\p{S}]/u;
/** ASCII that needs no escape in a CSS string. */
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
