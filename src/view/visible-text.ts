/**
 * A page as clean text: what a reader sees, without its templates.
 *
 * Every block (paragraph, heading, list item, table row, `<br>`) is a line; no line is blank outside
 * `<pre>`; cells of a row are parted by a tab. White space is collapsed (no-break spaces too) except in
 * `<pre>` and `<textarea>`, character references are decoded, control characters are left out; nothing of
 * script, style, template, head and image alternatives. A page of which all is dropped gives ''.
 *
 * With `mark` nothing is dropped; on every line, what is not content stands in brackets with its label:
 * `⟦template: Home · About⟧`, `⟦unsure: …⟧`. The page's own ⟦ and ⟧ become [ and ] then.
 *
 * Bytes are copied into one buffer that is decoded once; only texts with a `&` take a detour over strings.
 */
import type { Label, Range } from '../model/range.ts';
import { decodeReferences } from '../parse/text.ts';
import type { Tree } from '../parse/tree.ts';
import { APART, BLOCK, BREAK, CELL, displayOf, HIDDEN, isRawText, PRE } from './display.ts';
import { isSpace, sliceText, type Visitor, walkPage } from './walk.ts';

export interface TextOptions {
  /** Labels whose text is kept. @default ['content', 'unsure'] */
  keep?: readonly Label[];
  /** Keep everything and mark what is not content. @default false */
  mark?: boolean;
}

export const KEPT_LABELS: readonly Label[] = ['content', 'unsure'];

export function renderText(tree: Tree, ranges: readonly Range[], options: TextOptions = {}): string {
  const { keep = KEPT_LABELS, mark = false } = options;
  const writer = new TextWriter(tree, keep, mark);
  walkPage(tree, ranges, writer);
  return writer.finish();
}

const SPACE = 1;
const TAB = 2;
const NEWLINE = 3;
const SEPARATORS = [0, 0x20, 0x09, 0x0a];

/** Control bytes that stand for the brackets until the end; no text can hold them. */
const OPEN_TEMPLATE = 1;
const OPEN_UNSURE = 2;
const CLOSE = 3;

const LINE_FEED = Uint8Array.of(0x0a);

class TextWriter implements Visitor {
  readonly #tree: Tree;
  readonly #keep: readonly Label[];
  readonly #mark: boolean;
  #out: Uint8Array;
  #length = 0;
  /** What must come before the next character: nothing, SPACE, TAB or NEWLINE. */
  #pending = 0;
  /** Open elements whose white space counts, and where the outermost begins here and in the source. */
  #preDepth = 0;
  #preStart = 0;
  #preSourceStart = -1;
  /** The bracket that is open, the one the current text wants (0 is none), and whether to look at them. */
  #marked = 0;
  #wanted = 0;
  #stale = false;

  constructor(tree: Tree, keep: readonly Label[], mark: boolean) {
    this.#tree = tree;
    this.#keep = keep;
    this.#mark = mark;
    this.#out = new Uint8Array(2 * tree.textLength + 256);
  }

  enter(node: number): boolean {
    const display = displayOf(this.#tree, node);
    if (display === HIDDEN) return false;
    if (display === BREAK && this.#preDepth > 0) this.#writePre(LINE_FEED, 0, 1);
    else this.#part(display);
    if (display === PRE && this.#preDepth++ === 0) {
      this.#preStart = this.#length;
      this.#preSourceStart = this.#tree.openEnd[node];
    }
    return true;
  }

  leave(node: number): void {
    const display = displayOf(this.#tree, node);
    if (display === PRE && --this.#preDepth === 0) this.#trimPre();
    if (display !== BREAK) this.#part(display);
  }

  text(start: number, end: number, range: Range, parent: number): void {
    if (!this.#mark && !this.#keep.includes(range.label)) {
      // what stood on both sides of something dropped was never one word
      this.#pending = Math.max(this.#pending, SPACE);
      return;
    }
    const { source } = this.#tree;
    this.#want(range.label);
    const from = this.#afterFirstLineFeed(start);
    if (isRawText(this.#tree, parent) || !holdsReference(source, from, end)) {
      this.#write(source, from, end);
    } else {
      const decoded = Buffer.from(decodeReferences(sliceText(source, from, end)));
      this.#write(decoded, 0, decoded.length);
    }
  }

  space(start: number, end: number, range: Range): void {
    if (this.#preDepth > 0 && (this.#mark || this.#keep.includes(range.label))) {
      this.#want(range.label);
      this.#writePre(this.#tree.source, this.#afterFirstLineFeed(start), end);
    } else {
      this.#pending = Math.max(this.#pending, SPACE);
    }
  }

  finish(): string {
    if (this.#marked !== 0) this.#out[this.#length++] = CLOSE;
    const text = sliceText(this.#out, 0, this.#length);
    return this.#mark ? text.replace(/[⟦⟧\x01-\x03]/g, (character) => BRACKETS[character]) : text;
  }

  #part(display: number): void {
    if (display === BLOCK || display === BREAK || display === PRE) this.#pending = NEWLINE;
    else if (display === CELL) this.#pending = Math.max(this.#pending, TAB);
    else if (display === APART) this.#pending = Math.max(this.#pending, SPACE);
  }

  #want(label: Label): void {
    if (!this.#mark) return;
    this.#wanted = label === 'template' ? OPEN_TEMPLATE : label === 'unsure' ? OPEN_UNSURE : 0;
    this.#stale = this.#wanted !== this.#marked;
  }

  #write(bytes: Uint8Array, start: number, end: number): void {
    if (this.#preDepth > 0) this.#writePre(bytes, start, end);
    else this.#writeCollapsed(bytes, start, end);
  }

  #writeCollapsed(bytes: Uint8Array, start: number, end: number): void {
    this.#reserve(end - start + 4);
    for (let at = start; at < end; at++) {
      const byte = bytes[at];
      if (byte <= 0x20) {
        // NUL and its like are dropped, white space becomes one space before the next character
        if (this.#pending === 0 && isSpace(byte)) this.#pending = SPACE;
      } else if (byte === 0xc2 && bytes[at + 1] <= 0xa0) {
        // U+0080 to U+009F are controls; U+00A0 is a space, and so is U+0085, a line end of old
        at++;
        if (this.#pending === 0 && (bytes[at] === 0xa0 || bytes[at] === 0x85)) this.#pending = SPACE;
      } else if (byte !== 0x7f) {
        if (this.#pending !== 0 || this.#stale) this.#flush(true);
        this.#out[this.#length++] = byte;
      }
    }
  }

  #writePre(bytes: Uint8Array, start: number, end: number): void {
    this.#reserve(this.#mark ? 3 * (end - start) + 4 : end - start + 4);
    for (let at = start; at < end; at++) {
      const byte = bytes[at];
      if (byte === 0x0a || byte === 0x20 || byte === 0x09) {
        // white space opens no bracket, and a line's end closes the one that is open
        this.#flush(false);
        if (byte === 0x0a) this.#closeMark();
        this.#out[this.#length++] = byte;
      } else if (byte === 0xc2 && bytes[at + 1] < 0xa0) {
        at++;
      } else if (byte > 0x20 && byte !== 0x7f) {
        if (this.#pending !== 0 || this.#stale) this.#flush(true);
        this.#out[this.#length++] = byte;
      }
    }
  }

  /** Writes what must stand before the next character: the end of a bracket, a separator, a new bracket. */
  #flush(opens: boolean): void {
    if (this.#marked !== this.#wanted || this.#pending === NEWLINE) this.#closeMark();
    if (this.#pending !== 0 && this.#length > 0) this.#out[this.#length++] = SEPARATORS[this.#pending];
    this.#pending = 0;
    if (!opens || this.#wanted === this.#marked) return;
    this.#out[this.#length++] = this.#marked = this.#wanted;
    this.#stale = false;
  }

  #closeMark(): void {
    if (this.#marked !== 0) this.#out[this.#length++] = CLOSE;
    this.#marked = 0;
    this.#stale = this.#wanted !== 0;
  }

  /** The line feed right after `<pre>` is markup. */
  #afterFirstLineFeed(start: number): number {
    if (this.#preDepth === 0 || start !== this.#preSourceStart) return start;
    const { source } = this.#tree;
    if (source[start] === 0x0a) return start + 1;
    return source[start] === 0x0d && source[start + 1] === 0x0a ? start + 2 : start;
  }

  #trimPre(): void {
    while (this.#length > this.#preStart) {
      const byte = this.#out[this.#length - 1];
      if (byte !== 0x20 && byte !== 0x0a && byte !== 0x09) break;
      this.#length--;
    }
  }

  #reserve(byteCount: number): void {
    if (this.#length + byteCount <= this.#out.length) return;
    const larger = new Uint8Array(2 * (this.#length + byteCount));
    larger.set(this.#out.subarray(0, this.#length));
    this.#out = larger;
  }
}

const BRACKETS: Record<string, string> = {
  '\x01': '⟦template: ',
  '\x02': '⟦unsure: ',
  '\x03': '⟧',
  '⟦': '[',
  '⟧': ']',
};

function holdsReference(source: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (source[at] === 0x26) return true;
  return false;
}
