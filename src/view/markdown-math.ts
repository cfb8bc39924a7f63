/**
 * Formulas in Markdown. A reader with an extension for math takes what is between dollars as it is; a reader without one
 * takes it as text, where TeX could be HTML, a link or emphasis. So TeX is written in a way that both read as intended:
 * `<` and `&` get a space after them, which TeX ignores, other signs become commands. What cannot be
 * written so is code: commands that make links or attributes, dollars, bare addresses.
 */
import { cleanTex } from './find-math.ts';

/** Commands that make links, attributes or HTML, or build names of commands. */
const MAKES_MARKUP =
  /\\(?:href|url|html[A-Z]?|includegraphics|class|cssId|style|data|mmlToken|require|csname)(?![a-z])/;
/** What GFM makes a link of. */
const ADDRESS = /:\/\/|www\.|[\w.+-]@\w/i;
/** Bars inside these are no delimiters, so that no command can be written for them. */
const HAS_LITERAL_BARS = /\\(?:begin ?\{(?:array|tabular)|text|[hmf]box)/;
/** The star of an environment; a command or an escaped sign; a sign that may be markup. */
const TOKEN = /\\(?:begin|end) ?\{[a-zA-Z]+\*\}|\\(?:[a-zA-Z]+|[\s\S])|[<&*_~`[\]|]/g;

/** Where a formula is written: in a line of text, in a cell of a table, on a line of its own. */
export type FormulaPlace = 'line' | 'cell' | 'block';

/** Writes TeX so that no reader of Markdown takes it for markup; undefined when that is not possible. */
export function safeTex(raw: string, place: FormulaPlace): string | undefined {
  const tex = raw.includes('$') ? raw.replace(/(?<!\\)\$([^$]*[^$\\])\$/g, '\\($1\\)') : raw;
  if (tex.includes('$') || MAKES_MARKUP.test(tex) || ADDRESS.test(tex)) return undefined;
  const inCell = place === 'cell';
  if (inCell && tex.includes('|') && HAS_LITERAL_BARS.test(tex)) return undefined;
  // its star could end the emphasis around the formula
  if (place !== 'block' && /\\begin ?\{[a-zA-Z]+\*\}/.test(tex)) return undefined;
  const single = unpaired(tex);
  return tex
    .replace(TOKEN, (token, at: number) => {
      const isSingle = single.has(at);
      if (token === '<' || token === '&') return `${token} `;
      if (token === '*') return ' * ';
      // after a letter it cannot begin emphasis
      if (token === '_') return LETTER.test(tex[at - 1] ?? '') ? token : '_ ';
      if (token === '~') return '\\ ';
      if (token === '`') return '\\lq ';
      if (inCell && token === '|') return '\\vert ';
      if (inCell && token === '\\|') return '\\Vert ';
      if (token === '[' && isSingle) return '\\lbrack ';
      if (token === ']' && isSingle) return '\\rbrack ';
      if (token.endsWith(']') && /[([:]/.test(tex[at + token.length] ?? '')) return `${token} `;
      return token;
    })
    .replace(/ {2,}/g, ' ')
    .trim()
    .replace(/^\*|\*$/g, '\\ast')
    .replace(/[<&_]$/, '$& {}');
}

const LETTER = /[\p{L}\p{N}]/u;

/** Offsets of the brackets without a counterpart. */
function unpaired(tex: string): Set<number> {
  const open: number[] = [];
  const single = new Set<number>();
  for (const { 0: token, index } of tex.matchAll(/\\[\s\S]|[[\]]/g)) {
    if (token === '[') open.push(index);
    else if (token === ']' && open.pop() === undefined) single.add(index);
  }
  for (const at of open) single.add(at);
  return single;
}

/** TeX in a text, between marks. */
export interface TexInText {
  tex: string;
  isDisplay: boolean;
}

/** Marks of TeX in escaped text, `\(` `\)` `\[` `\]` and `$$`. After a backslash, a bracket is part of TeX. */
const MARK = /\\{4}|\\\\(?:[()]|\\?[[\]])|\\\$\\\$/g;
const LONGEST_TEX = 2000;

/** Splits escaped text into texts and the TeX between the marks of MathJax in it. Linear in the text. */
export function splitTex(text: string): (string | TexInText)[] {
  if (!text.includes('\\\\') && !text.includes('\\$\\$')) return [text];
  const marks = Array.from(text.matchAll(MARK), ({ 0: mark, index }) => ({
    kind: mark.at(-1) as string,
    start: index,
    end: index + mark.length,
  }));
  const pieces: (string | TexInText)[] = [];
  let at = 0;
  for (let k = 0; k < marks.length; k++) {
    const { kind, start, end } = marks[k];
    const closing = CLOSING[kind];
    if (closing === undefined) continue;
    let other = k + 1;
    while (other < marks.length && marks[other].kind !== closing && marks[other].kind !== kind) other++;
    if (marks[other]?.kind !== closing || marks[other].start - end > LONGEST_TEX) continue;
    const tex = cleanTex(unescapeText(text.slice(end, marks[other].start)));
    // between dollars that are not prices
    if (tex === '' || tex.includes('$') || (kind === '$' && !/[\\^_=]/.test(tex))) continue;
    if (start > at) pieces.push(text.slice(at, start));
    pieces.push({ tex, isDisplay: kind !== '(' });
    at = marks[other].end;
    k = other;
  }
  if (at < text.length) pieces.push(text.slice(at));
  return pieces;
}

const CLOSING: Readonly<Record<string, string>> = { '(': ')', '[': ']', $: '$' };

/** Removes the escapes of a text. */
export function unescapeText(text: string): string {
  return text.includes('\\') ? text.replace(/\\([!-/:-@[-`{-~])/g, '$1') : text;
}
