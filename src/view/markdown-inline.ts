/**
 * The text of one Markdown block: pieces of text and the marks around them, resolved into a line (or
 * several, at hard breaks) when the block ends. Text is escaped so that no page can write markup; marks
 * that Markdown would not read as meant (`**"a"**b`) are left out rather than shown as stars.
 */
import { scriptCharacters, scriptForm } from './script-text.ts';

type Token =
  | { kind: 'text'; text: string }
  | { kind: 'code'; text: string }
  | { kind: 'break' }
  | { kind: 'open'; mark: string; pair: number }
  | { kind: 'close'; mark: string; pair: number };

export interface InlineOptions {
  /** Inside a table cell: breaks become spaces and bars are escaped. */
  cell?: boolean;
  /** On one line, as in a heading. */
  oneLine?: boolean;
}

/** Collects one block. */
export class InlineText {
  #tokens: Token[] = [];
  #pairs = 0;
  #space = false;
  #inked = false;
  /** Whether words of an image were written last. */
  #afterImage = false;

  /** Whether anything but marks was written. */
  get isEmpty(): boolean {
    return !this.#inked;
  }

  /** Forgets the marks and spaces of a block without text. */
  clear(): void {
    this.#tokens.length = 0;
    this.#space = false;
    this.#afterImage = false;
  }

  /** Text of the page, white space not yet collapsed. */
  text(text: string): void {
    const isPlain = !UNPLAIN.test(text);
    const collapsed = isPlain ? text : text.replace(CONTROLS, '').replace(SPACES, ' ');
    if (collapsed.startsWith(' ')) this.#space = true;
    const words = collapsed.trim();
    if (words === '') return;
    if (this.#afterImage && WORD_START.test(words)) this.#space = true;
    this.#write(isPlain ? words : escapeText(words));
    this.#space = collapsed.endsWith(' ');
  }

  space(): void {
    this.#space = true;
  }

  /** The text of an image: words of its own, but for a single letter, which may begin the word after it. */
  alternative(text: string): void {
    const isWords = text.trim().length > 1;
    if (isWords && WORD_START.test(text) && WORD_END.test(this.#lastText())) this.#space = true;
    this.text(text);
    this.#afterImage = isWords && WORD_END.test(text);
  }

  /** Hard line break; none at the beginning. */
  break(): void {
    if (this.#inked) this.#tokens.push({ kind: 'break' });
    this.#space = false;
  }

  code(text: string): void {
    const collapsed = text.replace(/[\s\u00a0]+/g, ' ');
    if (collapsed.startsWith(' ')) this.#space = true;
    const words = collapsed.trim();
    if (words === '') return;
    // two side by side would share their fences: they become one
    const before = this.#space ? undefined : this.#tokens.at(-1);
    if (before?.kind === 'code') before.text += words;
    else this.#write(words, 'code');
    this.#space = collapsed.endsWith(' ');
  }

  /** Begins emphasis or a link; `close` needs the number it returns. */
  open(mark: string): number {
    this.#flushSpace();
    this.#tokens.push({ kind: 'open', mark, pair: this.#pairs });
    return this.#pairs++;
  }

  close(mark: string, pair: number): void {
    this.#tokens.push({ kind: 'close', mark, pair });
  }

  /** A place in the text, for `script`. */
  get place(): number {
    return this.#tokens.length;
  }

  /** Writes everything from a place on as a superscript or subscript. */
  script(place: number, isSuperscript: boolean): void {
    const tokens = this.#tokens.slice(place);
    if (tokens.some(({ kind }) => kind === 'code' || kind === 'break')) return;
    const texts = tokens.filter((token) => token.kind === 'text');
    const before = this.#tokens[place - 1];
    const isApart = place === 0 || isBlank(before) || texts[0]?.text === ' ';
    if (texts[0]?.text === ' ') texts.shift();
    const form = scriptForm(texts.map(({ text }) => text.replace(ESCAPED, '$1')).join(''), isSuperscript);
    if (form === 'unicode') {
      for (const token of texts) token.text = scriptCharacters(token.text, isSuperscript);
    } else if (form === 'marked' && !isApart) {
      const name = isSuperscript ? 'sup' : 'sub';
      this.#tokens.splice(place, 0, { kind: 'text', text: `<${name}>` });
      this.#tokens.push({ kind: 'text', text: `</${name}>` });
    }
  }

  /** The block as lines; empty when it holds nothing. */
  finish({ cell = false, oneLine = false }: InlineOptions = {}): string[] {
    if (!this.#inked) return [];
    const tokens = this.#pairs === 0 ? moveSpaces(this.#tokens) : dropBadMarks(this.#tokens);
    const parts: string[] = [];
    for (const token of tokens) {
      if (token.kind === 'text') parts.push(token.text);
      else if (token.kind === 'code') parts.push(fenced(token.text));
      else if (token.kind === 'break') parts.push(cell || oneLine ? ' ' : '\n');
      else {
        // before a link the mark would make it an image
        const before = parts.at(-1) ?? '';
        if (token.mark.startsWith('[') && before.endsWith('!'))
          parts[parts.length - 1] = `${before.slice(0, -1)}\\!`;
        parts.push(token.mark);
      }
    }
    let all = parts.join('');
    if (cell) all = all.replaceAll('|', '\\|');
    const lines = all.includes('\n') ? all.split(/ *\n */) : [all];
    return lines.map((line) => line.trim()).filter((line) => line !== '');
  }

  #write(text: string, kind: 'text' | 'code' = 'text'): void {
    this.#flushSpace();
    this.#tokens.push({ kind, text });
    this.#inked = true;
    this.#afterImage = false;
  }

  #lastText(): string {
    const last = this.#tokens.at(-1);
    return last?.kind === 'text' ? last.text : '';
  }

  #flushSpace(): void {
    if (this.#space && this.#inked) this.#tokens.push({ kind: 'text', text: ' ' });
    this.#space = false;
  }
}

/** What is left out of every text. */
export const CONTROLS = /[\x00-\x08\x0b\x0e-\x1f\x7f-\x84\x86-\x9f]/g;
/** What may have to be left out, collapsed or escaped: most texts have nothing of it. */
const UNPLAIN = /[\x00-\x1f\x7f-\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff\\`*[\]~_<&]| {2}/;
/** White space that is not one space already. */
const SPACES = / [\s\u0085]+|[^\S ][\s\u0085]*|\u0085[\s\u0085]*/g;
const WORD_START = /^[\p{L}\p{N}]/u;
const WORD_END = /[\p{L}\p{N}]$/u;
const ESCAPED = /\\([^\p{L}\p{N}\s])/gu;

function fenced(code: string): string {
  const fence = '`'.repeat(longestRun(code, '`') + 1);
  const pad = code.startsWith('`') || code.endsWith('`') ? ' ' : '';
  return `${fence}${pad}${code}${pad}${fence}`;
}

/** Escapes what Markdown would read as markup inside a line. */
function escapeText(text: string): string {
  return text
    .replace(/[\\`*[\]~]/g, '\\$&')
    .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\_')
    .replace(/<(?=[\p{L}/!?]|[^\s<>@]{1,99}@)|&(?=[#\w])/gu, '\\$&');
}

const MAY_BEGIN_BLOCK = /^[#>+\-=|:\d]/;

/** Escapes what would make a line a heading, quote, list, rule, table or fence. */
export function escapeLineStart(line: string): string {
  if (!MAY_BEGIN_BLOCK.test(line)) return line;
  return line
    .replace(/^(?:#{1,6}(?=\s|$)|>|[+-](?=\s|$)|-{2,}|=+\s*$|\||:-|\+\+\+)/, '\\$&')
    .replace(/^(\d{1,9})([.)])(?=\s|$)/, '$1\\$2');
}

export function longestRun(text: string, character: string): number {
  let longest = 0;
  for (let at = 0, run = 0; at < text.length; at++) {
    run = text[at] === character ? run + 1 : 0;
    if (run > longest) longest = run;
  }
  return longest;
}

const PUNCTUATION = /[\p{P}\p{S}]/u;

/**
 * Leaves out pairs around nothing and emphasis that CommonMark's flanking rules would not take; moves
 * spaces at the inner edges outside.
 */
function dropBadMarks(tokens: Token[]): Token[] {
  const moved = moveSpaces(tokens);
  const bad = new Set<number>();
  const before = neighbours(moved, 1);
  const after = neighbours([...moved].reverse(), -1).reverse();
  for (let at = 0; at < moved.length; at++) {
    const token = moved[at];
    if (token.kind !== 'open' && token.kind !== 'close') continue;
    const inner = token.kind === 'open' ? after[at] : before[at];
    const outer = token.kind === 'open' ? before[at] : after[at];
    if (token.mark.startsWith('[') || token.mark.startsWith(']')) continue;
    const outerLoose = outer === '' || /\s/.test(outer) || PUNCTUATION.test(outer);
    if (inner === '' || /\s/.test(inner) || (PUNCTUATION.test(inner) && !outerLoose)) bad.add(token.pair);
    // *a***b**: an end and a beginning side by side read as one long mark
    const next = moved[at + 1];
    if (token.kind === 'close' && next?.kind === 'open' && !next.mark.startsWith('[')) bad.add(next.pair);
  }
  return moved.filter((token) => !('pair' in token) || !bad.has(token.pair));
}

/** The character of text or break next to each token, on the side already passed. */
function neighbours(tokens: Token[], side: 1 | -1): string[] {
  let last = '';
  return tokens.map((token) => {
    const mine = last;
    if (token.kind === 'text') last = side === 1 ? (token.text.at(-1) ?? '') : token.text[0];
    else if (token.kind === 'code') last = '`';
    else if (token.kind === 'break') last = '\n';
    else if (token.mark.startsWith('[') || token.mark.startsWith(']')) last = token.mark[0];
    return mine;
  });
}

/** `** a **` with its spaces outside; empty pairs vanish. */
function moveSpaces(tokens: Token[]): Token[] {
  const out: Token[] = [];
  for (const token of tokens) {
    if (token.kind === 'close') {
      const trailing: Token[] = [];
      while (isBlank(out.at(-1))) trailing.push(out.pop() as Token);
      const top = out.at(-1);
      if (top?.kind === 'open' && top.pair === token.pair) out.pop();
      else out.push(token);
      // one by one: as arguments of one call, 100,000 breaks would overflow the stack
      for (const blank of trailing.reverse()) out.push(blank);
    } else if (isBlank(token)) {
      const opened: Token[] = [];
      while (out.at(-1)?.kind === 'open') opened.push(out.pop() as Token);
      if (token.kind === 'break' || !isBlank(out.at(-1))) out.push(token);
      out.push(...opened.reverse());
    } else {
      out.push(token);
    }
  }
  return out;
}

function isBlank(token: Token | undefined): boolean {
  return token !== undefined && (token.kind === 'break' || (token.kind === 'text' && token.text === ' '));
}
