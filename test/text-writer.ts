/**
 * A plain twin of the kernel's text renderer: bytes are copied word by word into one buffer, white space collapsed, a
 * separator before the next character and none after the last.
 *
 * For JSON the text is written as it is between the quotes of a string. Of all that JSON escapes it can hold
 * quotes, backslashes, tabs and line feeds only, so that no second pass has to look for the rest.
 */
import {
  DISPLAY_ADJACENT,
  DISPLAY_GONE,
  DISPLAY_QUOTE,
  DISPLAY_RUBY,
  LONGEST_SCRIPT,
} from '../src/kernel/text-layout.ts';
import type { Label, Range } from '../src/model/range.ts';
import { readAttribute } from '../src/parse/attributes.ts';
import { decodeReference, referenceEnd } from '../src/parse/character-references.ts';
import { isHeading, TAG } from '../src/parse/tag-names.ts';
import type { Tree } from '../src/parse/tree.ts';
import { APART, BLOCK, BREAK, CELL, displayOf, HIDDEN, isRawText, PRE } from '../src/view/display.ts';
import { scriptCharacters, scriptForm } from '../src/view/script-text.ts';
import type { Visitor } from '../src/view/walk.ts';

export interface TextWriterOptions {
  /** Labels whose text is kept. */
  keep: readonly Label[];
  /** Keep everything, and put control bytes where the brackets around what is not content begin and end. */
  mark: boolean;
  /** Escape for JSON; not together with `mark`. */
  json: boolean;
}

const SPACE = 1;
const TAB = 2;
const NEWLINE = 3;
/** Nothing separates the first character of the text, and that after a quote. */
const BEGINNING = 4;
const SEPARATORS = [0, 0x20, 0x09, 0x0a];

/** Control bytes that stand for the brackets until the end; no text can hold them. */
const OPEN_TEMPLATE = 1;
const OPEN_UNSURE = 2;
const CLOSE = 8;
const OPEN_SLOT = 4;
/** The opening bracket of each label; 0 for content, which has none. */
const OPENING: Readonly<Record<Label, number>> = {
  template: OPEN_TEMPLATE,
  slot: OPEN_SLOT,
  content: 0,
  unsure: OPEN_UNSURE,
};

const AMPERSAND = 0x26;
/** Second byte of U+00AD. */
const SOFT_HYPHEN = 0xad;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** Superscripts nested deeper stay as they are. */
const DEEPEST_SCRIPT = 8;
/** No byte to stop at. */
const NOWHERE = -1;
const LINE_FEED = Buffer.from('\n');

/**
 * What is written for a byte: itself, a space for white space, 0 where more than the byte must be looked at:
 * controls, the first byte of U+0080 to U+00BF (more controls and two spaces), and `&`; for JSON also `"` and `\\`.
 */
const plainBytes = new Uint8Array(256);
for (let byte = 0x21; byte < 256; byte++) plainBytes[byte] = byte;
for (const space of [0x20, 0x0a, 0x09, 0x0d, 0x0c]) plainBytes[space] = 0x20;
for (const special of [0x7f, 0xc2, AMPERSAND]) plainBytes[special] = 0;
const jsonBytes = plainBytes.slice();
for (const escaped of [QUOTE, BACKSLASH]) jsonBytes[escaped] = 0;

/** Maximum output bytes for a byte of the source: the end of a bracket, a separator, a new bracket and itself. */
const MAX_PER_BYTE = 4;
/** Where all texts are written: as large as the largest page so far asks for. */
let scratch = Buffer.alloc(0);

function scratchFor(sourceBytes: number): Buffer {
  const sizeBytes = MAX_PER_BYTE * (sourceBytes + 1);
  if (scratch.length < sizeBytes) scratch = Buffer.allocUnsafeSlow(2 * sizeBytes);
  return scratch;
}

export class TextWriter implements Visitor {
  readonly #tree: Tree;
  /** The tree's source as a buffer: loops over one kind of array are faster. */
  readonly #source: Buffer;
  readonly #keep: readonly Label[];
  readonly #mark: boolean;
  readonly #json: boolean;
  readonly #written: Uint8Array;
  readonly #out: Buffer;
  #length = 0;
  /** What must come before the next character: nothing, SPACE, TAB or NEWLINE; before the first it is dropped. */
  #pending = BEGINNING;
  /** The range last met, and whether its text is kept. */
  #range: Range | undefined;
  #isKept = true;
  /** Open elements whose white space counts, and where the outermost begins in the source. */
  #preDepth = 0;
  #preSourceStart = -1;
  /** Where its text would end if it ended here, without the white space at its end. */
  #preEnd = 0;
  /** The bracket that is open, the one the current text wants (0: no bracket). */
  #marked = 0;
  #wanted = 0;
  /** Where the output of the open superscripts and subscripts starts. */
  readonly #scripts: number[] = [];
  /** Ranges that quotes and readings start in. */
  readonly #wraps = new Map<number, Range>();
  /** Tag of the link or time that ended last without text after it; whether another one of that tag begins. */
  #endedTag = 0;
  #isAdjacent = false;

  constructor(tree: Tree, { keep, mark, json }: TextWriterOptions) {
    const { source } = tree;
    this.#tree = tree;
    this.#source = Buffer.from(source.buffer, source.byteOffset, source.byteLength);
    this.#keep = keep;
    this.#mark = mark;
    this.#json = json;
    this.#written = json ? jsonBytes : plainBytes;
    this.#out = scratchFor(source.length);
  }

  /** Space matters in the middle of a line and in `<pre>`. */
  get ignoresSpace(): boolean {
    return this.#pending !== 0 && this.#preDepth === 0;
  }

  enter(node: number, range: Range): boolean {
    const display = displayOf(this.#tree, node);
    if (display === HIDDEN) return false;
    if (display === DISPLAY_GONE) {
      this.#pending = Math.max(this.#pending, SPACE);
      return false;
    }
    const isDropped =
      isLine(display) && this.#preDepth === 0 && this.#tree.end[node] <= range.end && !this.#keeps(range);
    if (!isDropped && isUnseen(this.#tree, node)) {
      this.#pending = Math.max(this.#pending, isLine(display) ? NEWLINE : SPACE);
      return false;
    }
    // a block that is dropped whole ends the line, whatever is in it
    if (isDropped) {
      this.#pending = Math.max(this.#pending, NEWLINE);
      return false;
    }
    if (display === BREAK && this.#preDepth > 0) this.#writePre(LINE_FEED, 0, 1, NOWHERE);
    else if (isWrapped(display)) this.#open(node, range, display === DISPLAY_QUOTE ? QUOTE : 0x28);
    else this.#part(display);
    if (display === DISPLAY_ADJACENT) {
      this.#isAdjacent ||= this.#endedTag === this.#tree.name[node] && this.#pending === 0;
      this.#endedTag = 0;
    }
    if (this.#isScript(node)) this.#scripts.push(this.#length);
    if (display === PRE && this.#preDepth++ === 0) {
      this.#preEnd = this.#length;
      this.#preSourceStart = this.#tree.openEnd[node];
    }
    return true;
  }

  leave(node: number): void {
    const display = displayOf(this.#tree, node);
    if (display === PRE && --this.#preDepth === 0) this.#length = this.#preEnd;
    if (isWrapped(display)) this.#close(node, display === DISPLAY_QUOTE ? QUOTE : 0x29);
    else if (display !== BREAK) this.#part(display);
    if (display === DISPLAY_ADJACENT && this.#pending === 0) this.#endedTag = this.#tree.name[node];
    if (!this.#isScript(node)) return;
    const start = this.#scripts.pop() as number;
    if (this.#scripts.length < DEEPEST_SCRIPT) this.#writeScript(start, this.#tree.name[node] === TAG.sup);
  }

  /** Writes the mark before a quote or a reading that is kept where it starts. */
  #open(node: number, range: Range, mark: number): void {
    this.#wraps.set(node, range);
    if (!this.#keeps(range)) return;
    this.#want(range.label);
    this.#writeMark(mark);
    this.#pending = BEGINNING;
  }

  #close(node: number, mark: number): void {
    const range = this.#wraps.get(node) as Range;
    if (!this.#keeps(range)) return;
    this.#want(range.label);
    this.#pending = 0;
    this.#writeMark(mark);
  }

  #writeMark(mark: number): void {
    this.#flush(true);
    if (this.#json && mark === QUOTE) this.#out[this.#length++] = BACKSLASH;
    this.#out[this.#length++] = mark;
    this.#preEnd = this.#length;
  }

  #isScript(node: number): boolean {
    const tag = this.#tree.name[node];
    return tag === TAG.sup || tag === TAG.sub;
  }

  /** Writes the output from `before` on again as a superscript or subscript. */
  #writeScript(before: number, isSuperscript: boolean): void {
    const out = this.#out;
    let start = before;
    while (start < this.#length && out[start] <= 0x20) start++;
    const isEscapedSpace = /^\\[nt]/.test(out.toString('latin1', start, Math.min(start + 2, this.#length)));
    if (this.#json && isEscapedSpace) start += 2;
    if (start >= this.#length || this.#length - start > LONGEST_SCRIPT) return;
    if (this.#preDepth > 0 && this.#preEnd !== this.#length) return;
    const written = out.toString('utf8', start, this.#length);
    const text: string = this.#json ? JSON.parse(`"${written}"`) : written;
    if (/[\x01-\x1f]/.test(text)) return;
    const form = scriptForm(text, isSuperscript);
    const isGlued = start === before && start > 0 && out[start - 1] > 0x20;
    if (form === 'plain' || (form === 'marked' && !isGlued)) return;
    const script =
      form === 'unicode'
        ? scriptCharacters(written, isSuperscript)
        : `${isSuperscript ? '^' : '_'}(${written})`;
    this.#length = start + out.write(script, start);
    if (this.#preDepth > 0) this.#preEnd = this.#length;
  }

  text(start: number, end: number, range: Range, parent: number): void {
    if (!this.#keeps(range)) {
      // texts on both sides of dropped bytes were never one word
      this.#pending = Math.max(this.#pending, SPACE);
      return;
    }
    this.#want(range.label);
    const source = this.#source;
    const stop = isRawText(this.#tree, parent) ? NOWHERE : AMPERSAND;
    let at = this.#write(source, this.#afterFirstLineFeed(start), end, stop);
    while (at < end) {
      const reference = source.toString('latin1', at, (at = referenceEnd(source, at, end)));
      const decoded = decodeReference(reference);
      this.#write(decoded, 0, decoded.length, NOWHERE);
      at = this.#write(source, at, end, stop);
    }
  }

  space(start: number, end: number, range: Range): void {
    if (this.#preDepth > 0 && this.#keeps(range)) {
      this.#want(range.label);
      this.#writePre(this.#source, this.#afterFirstLineFeed(start), end, NOWHERE);
    } else {
      this.#pending = Math.max(this.#pending, SPACE);
    }
  }

  /** What was written, in the memory of the next text. */
  finish(): Buffer {
    if (this.#marked !== 0) this.#out[this.#length++] = CLOSE;
    return this.#out.subarray(0, this.#length);
  }

  #keeps(range: Range): boolean {
    if (range !== this.#range) {
      this.#range = range;
      this.#isKept = this.#mark || this.#keep.includes(range.label);
    }
    return this.#isKept;
  }

  #part(display: number): void {
    if (isLine(display)) this.#pending = Math.max(this.#pending, NEWLINE);
    else if (display === CELL) this.#pending = Math.max(this.#pending, TAB);
    else if (display === APART) this.#pending = Math.max(this.#pending, SPACE);
  }

  #want(label: Label): void {
    if (!this.#mark) return;
    this.#wanted = OPENING[label];
  }

  /** Writes `[start, end)` up to the first byte that is `stop`, and gives its place, else `end`. */
  #write(bytes: Buffer, start: number, end: number, stop: number): number {
    return this.#preDepth > 0
      ? this.#writePre(bytes, start, end, stop)
      : this.#writeCollapsed(bytes, start, end, stop);
  }

  #writeCollapsed(bytes: Buffer, start: number, end: number, stop: number): number {
    const written = this.#written;
    for (let at = start; at < end; ) {
      const byte = bytes[at];
      if (written[byte] > 0x20) {
        if (this.#isAdjacent && this.#endsInWord() && isWordByte(byte))
          this.#pending = Math.max(this.#pending, SPACE);
        this.#flush(true);
        at = this.#copyWords(bytes, at, end);
      } else if (byte === stop) {
        return at;
      } else if (byte === QUOTE || byte === BACKSLASH) {
        this.#flush(true);
        this.#out[this.#length++] = BACKSLASH;
        this.#out[this.#length++] = byte;
        at++;
      } else if (
        byte === AMPERSAND ||
        (byte === 0xc2 && bytes[at + 1] > 0xa0 && bytes[at + 1] !== SOFT_HYPHEN)
      ) {
        this.#flush(true);
        this.#out[this.#length++] = byte;
        at++;
      } else if (byte === 0xc2) {
        // U+0080 to U+009F are controls; U+00A0 is a space, and so is U+0085, a line end of old
        const second = bytes[at + 1];
        if (this.#pending === 0 && (second === 0xa0 || second === 0x85)) this.#pending = SPACE;
        at += 2;
      } else {
        // NUL and its like are dropped, white space becomes one space before the next character
        if (this.#pending === 0 && written[byte] === 0x20) this.#pending = SPACE;
        at++;
      }
    }
    return end;
  }

  /** Copies words up to the next byte that must be looked at, and gives its place; no branch for white space. */
  #copyWords(bytes: Buffer, start: number, end: number): number {
    const out = this.#out;
    const written = this.#written;
    let length = this.#length;
    let afterSpace = 0;
    let at = start;
    for (; at < end; at++) {
      const byte = written[bytes[at]];
      if (byte === 0) break;
      // 1 for a space, else 0; a space after a space is written over
      const isSpace = ((byte ^ 0x20) - 1) >>> 31;
      out[length] = byte;
      length += 1 - (isSpace & afterSpace);
      afterSpace = isSpace;
    }
    // the last space waits for the next word
    if (afterSpace === 1) this.#pending = SPACE;
    this.#length = length - afterSpace;
    return at;
  }

  #writePre(bytes: Buffer, start: number, end: number, stop: number): number {
    for (let at = start; at < end; at++) {
      const byte = bytes[at];
      if (byte === stop) return at;
      if (byte === 0x0a || byte === 0x20 || byte === 0x09) {
        // white space opens no bracket, and a line's end closes the one that is open
        this.#flush(false);
        if (byte === 0x0a) this.#closeMark();
        this.#writeSpace(byte);
      } else if (byte === 0xc2 && (bytes[at + 1] < 0xa0 || bytes[at + 1] === SOFT_HYPHEN)) {
        at++;
      } else if (byte > 0x20 && byte !== 0x7f) {
        this.#flush(true);
        if (this.#json && (byte === QUOTE || byte === BACKSLASH)) this.#out[this.#length++] = BACKSLASH;
        this.#out[this.#length++] = byte;
        this.#preEnd = this.#length;
      }
    }
    return end;
  }

  /** Whether the last character is a letter of ASCII or of two bytes, or a digit. */
  #endsInWord(): boolean {
    const last = this.#out[this.#length - 1];
    return isWordByte((last & 0xc0) === 0x80 ? this.#out[this.#length - 2] : last);
  }

  /** Writes what must come before the next character: the end of a bracket, a separator, a new bracket. */
  #flush(opens: boolean): void {
    if (this.#marked !== this.#wanted || this.#pending === NEWLINE) this.#closeMark();
    if (opens) {
      this.#endedTag = 0;
      this.#isAdjacent = false;
    }
    if (this.#pending !== 0 && this.#pending !== BEGINNING && this.#length > 0)
      this.#writeSpace(SEPARATORS[this.#pending]);
    this.#pending = 0;
    if (!opens || this.#wanted === this.#marked) return;
    this.#out[this.#length++] = this.#marked = this.#wanted;
  }

  #writeSpace(byte: number): void {
    if (this.#json && byte !== 0x20) {
      this.#out[this.#length++] = BACKSLASH;
      this.#out[this.#length++] = byte === 0x0a ? 0x6e /* n */ : 0x74 /* t */;
    } else {
      this.#out[this.#length++] = byte;
    }
  }

  #closeMark(): void {
    if (this.#marked !== 0) {
      this.#out[this.#length++] = CLOSE;
      this.#preEnd = this.#length;
    }
    this.#marked = 0;
  }

  /** The line feed right after `<pre>` is markup. */
  #afterFirstLineFeed(start: number): number {
    if (this.#preDepth === 0 || start !== this.#preSourceStart) return start;
    const source = this.#source;
    if (source[start] === 0x0a) return start + 1;
    return source[start] === 0x0d && source[start + 1] === 0x0a ? start + 2 : start;
  }
}

function isWrapped(display: number): boolean {
  return display === DISPLAY_QUOTE || display === DISPLAY_RUBY;
}

/** Bytes of ASCII letters and digits, and first bytes of characters of two from U+00C0 on. */
function isWordByte(byte: number): boolean {
  return /[0-9A-Za-z]/.test(String.fromCharCode(byte)) || (byte >= 0xc3 && byte < 0xe0);
}

/** Whether an element has lines of its own. */
function isLine(display: number): boolean {
  return display === BLOCK || display === BREAK || display === PRE;
}

const HIDING_STYLE = /display\s*:\s*none|visibility\s*:\s*hidden/i;
const SPOKEN = /(?:^|\s)(?:sr-only|screen-?reader|visually-?hidden|element-invisible)/i;

/** The twin of assembly/unseen-elements.ts. */
function isUnseen(tree: Tree, node: number): boolean {
  const textBytes = tree.textStart[tree.last[node]] - tree.textStart[node];
  if (textBytes === 0 || textBytes >= 100) return false;
  if (tree.name[node] === TAG.noscript) {
    const isLarge = tree.last[node] - node > 16;
    return !isLarge && !tree.name.subarray(node, tree.last[node]).includes(TAG.img);
  }
  if (tree.name[node] === TAG.a) {
    const text = Buffer.from(tree.text.subarray(tree.textStart[node], tree.textStart[tree.last[node]]));
    const sign = text.length > 12 ? '' : text.toString().trim();
    if (['¶', '🔗', '&para;', '&#182;'].includes(sign)) return true;
    if ((sign === '#' || sign === '§') && isHeading(tree.name[tree.parent[node]])) return true;
  }
  return (
    readAttribute(tree, node, 'hidden') !== undefined ||
    HIDING_STYLE.test(readAttribute(tree, node, 'style') ?? '') ||
    SPOKEN.test(readAttribute(tree, node, 'class') ?? '')
  );
}
