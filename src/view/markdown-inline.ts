/**
 * The text of one Markdown block: escaped pieces of text and the marks around them, resolved into a line (or several,
 * at hard breaks) when the block ends. Marks that Markdown would not parse as intended (`**"a"**b`) are left out, so
 * that they do not appear as stars.
 */
import { LONGEST_SCRIPT } from '../kernel/text-layout.ts';
import { safeTex, unescapeText } from './markdown-math.ts';
import { scriptCharacters, scriptForm } from './script-text.ts';

type Token =
  | { kind: 'text'; text: string }
  | { kind: 'image'; text: string }
  | { kind: 'code'; text: string }
  | { kind: 'math'; text: string }
  | { kind: 'break' }
  | { kind: 'open'; mark: string; pair: number }
  | { kind: 'close'; mark: string; pair: number };

/** Where a block's text is placed. */
export interface InlineOptions {
  /** Inside a table cell, where formulas cannot have bars. */
  cell?: boolean;
  /** On one line, as in a heading. */
  oneLine?: boolean;
}

/** Collects the text of one block. */
export class InlineText {
  readonly #tokens: Token[] = [];
  #pairs = 0;
  #inked = false;

  /** Whether only marks were written so far. */
  get isEmpty(): boolean {
    return !this.#inked;
  }

  /** Discards the marks and spaces of a block without text. */
  clear(): void {
    this.#tokens.length = 0;
  }

  /** Escaped text on one line, with single spaces. */
  text(text: string): void {
    if (text === ' ' && !this.#inked) return;
    // spaces go outside of marks
    if (text.startsWith(' ') && this.#tokens.at(-1)?.kind === 'open') {
      let at = this.#tokens.length;
      while (at > 0 && this.#tokens[at - 1].kind === 'open') at--;
      this.#tokens.splice(at, 0, { kind: 'text', text: ' ' });
      if (text === ' ') return;
      this.#tokens.push({ kind: 'text', text: text.slice(1) });
    } else {
      this.#tokens.push({ kind: 'text', text });
    }
    this.#inked ||= text !== ' ';
  }

  image(markdown: string): void {
    this.#tokens.push({ kind: 'image', text: markdown });
    this.#inked = true;
  }

  /** Writes a hard line break, except at the beginning. */
  break(): void {
    if (this.#inked) this.#tokens.push({ kind: 'break' });
  }

  /** Code on one line, not escaped. */
  code(text: string): void {
    const words = text.trim();
    if (words === '') return;
    // two adjacent code spans would share their fences: they become one
    const before = this.#tokens.at(-1);
    if (before?.kind === 'code') before.text += words;
    else this.#tokens.push({ kind: 'code', text: words });
    this.#inked = true;
  }

  /** Writes TeX, as a formula where that is safe, else as code. */
  math(tex: string): void {
    this.#tokens.push({ kind: 'math', text: tex });
    this.#inked = true;
  }

  /** Begins emphasis or a link; pass the returned number to `close`. */
  open(mark: string): number {
    this.#tokens.push({ kind: 'open', mark, pair: this.#pairs });
    return this.#pairs++;
  }

  /** Ends emphasis or a link; an empty pair is removed. */
  close(mark: string, pair: number): void {
    const blanks: Token[] = [];
    while (isBlank(this.#tokens.at(-1))) blanks.push(this.#tokens.pop() as Token);
    const last = this.#tokens.at(-1);
    let trailing = '';
    if (last?.kind === 'text' && last.text.endsWith(' ')) {
      last.text = last.text.slice(0, -1);
      trailing = ' ';
    }
    if (last?.kind === 'open' && last.pair === pair) this.#tokens.pop();
    else this.#tokens.push({ kind: 'close', mark, pair });
    if (trailing !== '') this.#tokens.push({ kind: 'text', text: trailing });
    // one push each: as arguments of one call, 100,000 breaks would overflow the stack
    for (const blank of blanks.reverse()) this.#tokens.push(blank);
  }

  /** The current place in the text, for `script`. */
  get place(): number {
    return this.#tokens.length;
  }

  /** Writes everything after a place as a superscript or subscript. */
  script(place: number, isSuperscript: boolean): void {
    // a longer text is plain; without this, nested scripts would be read once per level
    if (this.#tokens.length - place > 4 * LONGEST_SCRIPT) return;
    const tokens = this.#tokens.slice(place);
    if (tokens.some(({ kind }) => kind === 'code' || kind === 'math' || kind === 'break')) return;
    const texts = tokens.filter((token) => token.kind === 'text');
    const form = scriptForm(
      texts
        .map(({ text }) => unescapeText(text))
        .join('')
        .trim(),
      isSuperscript,
    );
    if (form === 'unicode') {
      for (const token of texts) token.text = scriptCharacters(unescapeText(token.text), isSuperscript);
    } else if (form === 'marked' && !this.#isApart(place)) {
      const name = isSuperscript ? 'sup' : 'sub';
      this.#tokens.splice(place, 0, { kind: 'text', text: `<${name}>` });
      this.#tokens.push({ kind: 'text', text: `</${name}>` });
    }
  }

  /** Whether there is white space before a place, or nothing. */
  #isApart(place: number): boolean {
    for (let at = place - 1; at >= 0; at--) {
      const token = this.#tokens[at];
      if (token.kind === 'break') return true;
      if (token.kind === 'text') return token.text.endsWith(' ');
      if (token.kind === 'code' || token.kind === 'math' || token.kind === 'image') return false;
    }
    return true;
  }

  /** The block as lines; no line when the block is empty. */
  finish({ cell = false, oneLine = false }: InlineOptions = {}): string[] {
    if (!this.#inked) return [];
    const tokens = this.#pairs === 0 ? this.#tokens : dropBadMarks(this.#tokens);
    const pieces: string[] = [];
    for (let at = 0; at < tokens.length; at++) {
      const token = tokens[at];
      const before = tokens[at - 1]?.kind;
      const last = pieces.at(-1) ?? '';
      let piece = '';
      if (token.kind === 'text') {
        piece = token.text;
        const first = at;
        for (let next = tokens[at + 1]; next?.kind === 'text'; next = tokens[++at + 1]) piece += next.text;
        if (at > first) piece = escapeAcross(piece);
        if (ADDRESS.test(piece)) piece = breakAddresses(piece, isJoined(tokens, at + 1));
        // a dollar before a digit ends no formula
        if (before === 'math') piece = piece.replace(/^\d/, (digit) => `&#${digit.charCodeAt(0)};`);
      } else if (token.kind === 'break') piece = oneLine ? ' ' : '\n';
      else if (token.kind === 'image') piece = token.text;
      else if (token.kind === 'code' || token.kind === 'math') {
        piece = token.kind === 'code' ? codeSpan(token.text, cell) : formula(token.text, cell);
        // two fences side by side would be one
        if (last !== '' && last.endsWith(piece[0]) && (before === 'code' || before === 'math'))
          piece = ` ${piece}`;
      } else {
        piece = token.mark;
        // before a link an exclamation mark would make it an image
        if (piece.startsWith('[') && last.endsWith('!')) pieces.push(`${pieces.pop()!.slice(0, -1)}\\!`);
      }
      pieces.push(piece);
    }
    let all = pieces.join('');
    if (all.includes('  ')) all = all.replace(/ {2,}/g, ' ');
    // a single dollar before a price begins no formula
    const dollar = all.indexOf('$');
    if (dollar !== -1 && all.indexOf('$', dollar + 1) === -1 && PRICE.test(all)) {
      const isText = tokens.some((token) => token.kind === 'text' && token.text.includes('$'));
      if (isText) all = all.replace(PRICE, '$');
    }
    if (!all.includes('\n')) return [all.trim()];
    return all
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '');
  }
}

const PRICE = /\\\$(?=\d)/;

const ADDRESS = /https?:\/\/|www\./i;

/**
 * Escapes the beginnings of the bare addresses that a backslash or, `isJoined`, markup follows, so that GFM makes no links of
 * them. A link would take the backslash or the mark for a part of the address, and what they keep from being markup would be
 * markup.
 */
function breakAddresses(text: string, isJoined: boolean): string {
  return text.replace(/\S+/g, (word, at: number) => {
    const isBroken = word.includes('\\') || (isJoined && at + word.length === text.length);
    return isBroken ? word.replace(/(http|https)(?=:\/\/)|(www)(?=\.)/gi, '$&\\') : word;
  });
}

/** Whether something else than the end of emphasis or of a link comes before the next white space. */
function isJoined(tokens: readonly Token[], from: number): boolean {
  let at = from;
  while (tokens[at]?.kind === 'close') at++;
  const next = tokens[at];
  if (at > from && (tokens[at - 1] as { mark: string }).mark.startsWith(']')) return false;
  return next !== undefined && next.kind !== 'break' && !(next.kind === 'text' && next.text.startsWith(' '));
}

/** Escapes references and ends of links whose parts were in several texts. */
function escapeAcross(text: string): string {
  return text.replace(/\\[\s\S]|&(?=#?[a-zA-Z0-9]+;)|\](?=[(:])/g, (token) =>
    token.startsWith('\\') ? token : `\\${token}`,
  );
}

function formula(tex: string, inCell: boolean): string {
  const safe = safeTex(tex, inCell ? 'cell' : 'line');
  return safe === undefined ? codeSpan(tex, inCell) : `$${safe}$`;
}

function codeSpan(code: string, inCell: boolean): string {
  // a backslash before a bar would end the cell there
  return inCell && code.includes('\\|') ? escapeText(code) : fenced(code);
}

function fenced(code: string): string {
  const fence = '`'.repeat(longestRun(code, '`') + 1);
  const pad = code.startsWith('`') || code.endsWith('`') ? ' ' : '';
  return `${fence}${pad}${code}${pad}${fence}`;
}

/** Escapes text that does not come from the kernel, such as attribute values. */
export function escapeText(text: string): string {
  return text
    .replace(/[\x00-\x1f\x7f-\x9f\s]+/g, ' ')
    .trim()
    .replace(/[\\`*[\]~_<&$]/g, '\\$&');
}

const MAY_BEGIN_BLOCK = /^[#>+\-=|:\d]/;

/** Escapes a line start that would make it a heading, quote, list, rule, table or fence. */
export function escapeLineStart(line: string): string {
  if (!MAY_BEGIN_BLOCK.test(line)) return line;
  return line
    .replace(/^(?:#{1,6}(?=\s|$)|>|[+-](?=\s|$)|-{2,}|=+\s*$|\||:-|\+\+\+)/, '\\$&')
    .replace(/^(\d{1,9})([.)])(?=\s|$)/, '$1\\$2');
}

/** Length of the longest run of a character in a text. */
export function longestRun(text: string, character: string): number {
  let longest = 0;
  for (let at = 0, run = 0; at < text.length; at++) {
    run = text[at] === character ? run + 1 : 0;
    if (run > longest) longest = run;
  }
  return longest;
}

const PUNCTUATION = /[\p{P}\p{S}]/u;
const FIRST = /^./su;
const LAST = /.$/su;

/** Leaves out emphasis that CommonMark's flanking rules would not accept. */
function dropBadMarks(tokens: Token[]): Token[] {
  const bad = new Set<number>();
  const before = neighbours(tokens, 1);
  const after = neighbours([...tokens].reverse(), -1).reverse();
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at];
    if (token.kind !== 'open' && token.kind !== 'close') continue;
    if (token.mark.startsWith('[') || token.mark.startsWith(']')) continue;
    const inner = token.kind === 'open' ? after[at] : before[at];
    const outer = token.kind === 'open' ? before[at] : after[at];
    // an emoji, of two code units, is a letter to some readers and a sign to others
    const outerLoose = outer === '' || /\s/.test(outer) || (outer.length === 1 && PUNCTUATION.test(outer));
    if (inner === '' || /\s/.test(inner) || (PUNCTUATION.test(inner) && !outerLoose)) bad.add(token.pair);
    // *a***b**: an adjacent end and beginning would parse as one long mark
    const next = tokens[at + 1];
    if (token.kind === 'close' && next?.kind === 'open' && !next.mark.startsWith('[')) bad.add(next.pair);
  }
  return bad.size === 0 ? tokens : tokens.filter((token) => !('pair' in token) || !bad.has(token.pair));
}

/** The character of text or break next to each token, on the side already passed. */
function neighbours(tokens: Token[], side: 1 | -1): string[] {
  let last = '';
  return tokens.map((token) => {
    const mine = last;
    if (token.kind === 'text' || token.kind === 'image')
      last = (side === 1 ? LAST.exec(token.text.slice(-2)) : FIRST.exec(token.text))?.[0] ?? '';
    else if (token.kind === 'code' || token.kind === 'math') last = '`';
    else if (token.kind === 'break') last = '\n';
    else if (token.mark.startsWith('[') || token.mark.startsWith(']')) last = token.mark[0];
    return mine;
  });
}

function isBlank(token: Token | undefined): boolean {
  return token !== undefined && (token.kind === 'break' || (token.kind === 'text' && token.text === ' '));
}
