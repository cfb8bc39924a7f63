/**
 * Superscripts and subscripts as plain text: `2<sup>32</sup>` is not "232". Unicode's own characters where it has one for
 * each (2³², H₂O, 10⁻³, xⁿ). Words stay as they are (5th, 1er, xmax), and so do bracketed notes ([1]) and signs (®, *).
 * What is left and follows a character directly is marked by the caller: `^(2,3)` in text, `<sup>` in Markdown.
 *
 * The kernel has the same rules for text (kernel/assembly/render-text.ts).
 */
import { LONGEST_SCRIPT } from '../kernel/text-layout.ts';

const SUPERSCRIPTS = new Map(zip('0123456789+-−–=()in', '⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁻⁼⁽⁾ⁱⁿ'));
const SUBSCRIPTS = new Map(zip('0123456789+-−–=()inaehjklmoprstuvx', '₀₁₂₃₄₅₆₇₈₉₊₋₋₋₌₍₎ᵢₙₐₑₕⱼₖₗₘₒₚᵣₛₜᵤᵥₓ'));

function zip(characters: string, scripts: string): [string, string][] {
  return Array.from(characters, (character, k) => [character, scripts[k]]);
}

/** How a script is written: with Unicode's characters, as it is, or marked where it follows a character directly. */
export type ScriptForm = 'unicode' | 'plain' | 'marked';

export function scriptForm(text: string, isSuperscript: boolean): ScriptForm {
  if (text === '' || Buffer.byteLength(text) > LONGEST_SCRIPT || /[\n\t]/.test(text)) return 'plain';
  const characters = Array.from(text);
  if (characters.length > 1 && characters.every((character) => WORD.test(character))) return 'plain';
  const scripts = isSuperscript ? SUPERSCRIPTS : SUBSCRIPTS;
  if (characters.every((character) => scripts.has(character))) return 'unicode';
  const isWritten = characters.length > 1 && characters.some((character) => LETTER_OR_DIGIT.test(character));
  return isWritten && !/^\[.*\]$/.test(text) ? 'marked' : 'plain';
}

/** Text of the form 'unicode' in Unicode's scripts. */
export function scriptCharacters(text: string, isSuperscript: boolean): string {
  const scripts = isSuperscript ? SUPERSCRIPTS : SUBSCRIPTS;
  return Array.from(text, (character) => scripts.get(character) ?? character).join('');
}

/** Characters from U+00C0 on are letters here, but for U+2000 to U+2FFF, which are signs: as the kernel tells them apart. */
const WORD = /^[A-Za-z .,'\u00c0-\u1fff\u3000-\u{10ffff}]$/u;
const LETTER_OR_DIGIT = /^[A-Za-z0-9\u00c0-\u1fff\u3000-\u{10ffff}]$/u;
