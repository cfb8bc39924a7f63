/**
 * Superscripts and subscripts as plain text, so that `2<sup>32</sup>` does not become "232". Unicode characters are
 * used when every character has one (2³², H₂O, 10⁻³, xⁿ). Words stay plain (5th, 1er, xmax), and so do bracketed notes
 * ([1]) and signs (®, *). The caller marks the rest, where it directly follows a character: `^(2,3)` in text, `<sup>`
 * in Markdown.
 *
 * The kernel has the same rules for text (kernel/assembly/render-text.ts).
 */
import { LONGEST_SCRIPT } from '../kernel/text-layout.ts';

const SUPERSCRIPTS = new Map(zip('0123456789+-−–=()in', '⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁻⁼⁽⁾ⁱⁿ'));
const SUBSCRIPTS = new Map(zip('0123456789+-−–=()inaehjklmoprstuvx', '₀₁₂₃₄₅₆₇₈₉₊₋₋₋₌₍₎ᵢₙₐₑₕⱼₖₗₘₒₚᵣₛₜᵤᵥₓ'));

function zip(characters: string, scripts: string): [string, string][] {
  return Array.from(characters, (character, k) => [character, scripts[k]]);
}

/** How a script is written: in Unicode characters, plain, or marked if it directly follows a character. */
export type ScriptForm = 'unicode' | 'plain' | 'marked';

/** Decides how a superscript or subscript is written. */
export function scriptForm(text: string, isSuperscript: boolean): ScriptForm {
  if (text === '' || Buffer.byteLength(text) > LONGEST_SCRIPT || /[\n\t]/.test(text)) return 'plain';
  const characters = Array.from(text);
  if (characters.length > 1 && characters.every((character) => WORD.test(character))) return 'plain';
  const scripts = isSuperscript ? SUPERSCRIPTS : SUBSCRIPTS;
  if (characters.every((character) => scripts.has(character))) return 'unicode';
  const isWritten = characters.length > 1 && characters.some((character) => LETTER_OR_DIGIT.test(character));
  return isWritten && !/^\[.*\]$/.test(text) ? 'marked' : 'plain';
}

/** Converts a text of the form 'unicode' to Unicode superscripts or subscripts. */
export function scriptCharacters(text: string, isSuperscript: boolean): string {
  const scripts = isSuperscript ? SUPERSCRIPTS : SUBSCRIPTS;
  return Array.from(text, (character) => scripts.get(character) ?? character).join('');
}

/**
 * A letter or space. Characters from U+00C0 on count as letters, except the signs U+2000 to U+2FFF, as in the kernel.
 */
const WORD = /^[A-Za-z .,'\u00c0-\u1fff\u3000-\u{10ffff}]$/u;
const LETTER_OR_DIGIT = /^[A-Za-z0-9\u00c0-\u1fff\u3000-\u{10ffff}]$/u;
