/**
 * The tokenizer: one pass over a page's bytes that calls the tree builder for each tag, text and comment, in
 * order. It works on a copy of the bytes, followed by zeros: loops run until a byte stops them and
 * look at the size only when that byte is a zero, and words are hashed four bytes at a time past the end.
 * The bytes of text, tags and raw content are gone over in WebAssembly (scan-kernel.ts), and where tags are plain their nodes
 * are built there too (plain-code.ts); what is rarer is scanned here.
 * Nothing is allocated per token. HTML standard, section 13.2.5.
 *
 * Here and in hashes.ts `| 0` tells V8 that an offset is an integer: a loop that starts from a parameter would
 * otherwise box and unbox it at every byte.
 */
import { isLetter, isSpace, lowerCase } from '../model/byte-kinds.ts';
import type { Construction } from './construction.ts';
import { NAME_BASIS, NAME_PRIME } from './hashes.ts';
import {
  BUILT_TO,
  HASH_HIGH,
  HASH_LOW,
  LOOSE_PLACE,
  SOURCE_AT,
  SPACE_FOLLOWS,
  TAG_BITS,
  TAG_START,
  TAGS_AT,
  TEXT_END,
} from './kernel-layout.ts';
import { recallAttributes, recallTag } from './known-tags.ts';
import { isPlain, leaveState, takeState } from './plain-state.ts';
import { TAG_SIZE_AT } from './plain-tags.ts';
import { type ScanKernel, scanKernel } from './scan-kernel.ts';
import { HIDDEN, TAG, TAG_FLAGS } from './tag-names.ts';
import { COMMENT, DECLARATION } from './tree.ts';
import {
  doctype,
  endDocument,
  endRaw,
  endTag,
  prepareText,
  startDocument,
  startTag,
  whiteSpace,
} from './tree-builder.ts';

const GREATER = 0x3e;
const SLASH = 0x2f;
const DASH = 0x2d;
const BANG = 0x21;
const QUESTION = 0x3f;

export class Scanner {
  #build: Construction;
  #kernel: ScanKernel = scanKernel(0);
  #bytes = this.#kernel.bytes;
  #size = 0;
  readonly #byRules: boolean;

  /** `byRules` has every tag taken by the rules in full, plain or not: what a test holds plain tags against. */
  constructor(build: Construction, { byRules = false } = {}) {
    this.#build = build;
    this.#byRules = byRules;
  }

  /** Scans a page from its first byte to its last. */
  scan(source: Uint8Array): void {
    this.#take(source);
    const build = this.#build;
    const bytes = this.#bytes;
    startDocument(build);
    // a byte order mark is no text
    this.#scanTokens(bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0);
    endDocument(build, this.#size);
    const { columns } = build;
    columns.text.set(this.#kernel.text.subarray(0, columns.textLength));
    columns.keep();
    this.#kernel.release();
  }

  #take(source: Uint8Array): void {
    const size = source.length;
    const kernel = scanKernel(size);
    kernel.take(source);
    this.#kernel = kernel;
    this.#bytes = kernel.bytes;
    this.#size = size;
    const { columns } = this.#build;
    columns.reset(source, kernel.columns);
    this.#build.reset(size, kernel);
    if (columns.text.length < size) {
      columns.text = new Uint8Array(Math.max(size, columns.text.length * 2, 65_536));
    }
  }

  // a loop of its own: V8 enters compiled code in the middle of the first, and what follows it was not met then
  #scanTokens(start: number): void {
    const build = this.#build;
    const size = this.#size;
    const kernel = this.#kernel;
    const { words } = kernel;
    const byRules = this.#byRules;
    let p = start | 0;
    while (p < size) {
      let place: number;
      if (!byRules && isPlain(build, kernel)) {
        leaveState(build, kernel);
        place = kernel.build(p, size) | 0;
        takeState(build, words);
        p = words[BUILT_TO];
        if (p >= size) return;
      } else place = kernel.next(p, size) | 0;
      const at = words[TAG_START];
      if (place < 0 || (place === 0 && !this.#isMarkup(at))) {
        p = this.#scanText(p, at, size, true) | 0;
        continue;
      }
      if (at > p) {
        build.open.wordEnded = true;
        whiteSpace(build, p);
      }
      p = (place > 0 ? this.#takeKnownTag(place, at) : this.#scanMarkup(at)) | 0;
    }
  }

  /**
   * A run of text up to `limit`, or up to the next markup: copied to the page's text with white space
   * collapsed, and hashed from there. The space before a word is written with the word. At `limit` stands a
   * byte that stops a stretch: `<` or zero. From `start` to `wordsFrom` there is white space only.
   */
  #scanText(start: number, wordsFrom: number, limit: number, stopAtMarkup: boolean): number {
    const build = this.#build;
    const { columns, open } = build;
    const { words, text, textAt } = this.#kernel;
    const textStart = columns.textLength;
    const spaced = wordsFrom > start || open.wordEnded;
    const wordsStart = spaced && textStart > 0 ? textStart + 1 : textStart;
    const p = this.#kernel.collapse(wordsFrom, textAt + wordsStart, limit, stopAtMarkup ? 1 : 0) | 0;
    const wordsEnd = words[TEXT_END] - textAt;
    const spaceFollows = words[SPACE_FOLLOWS] !== 0;

    if (wordsEnd === wordsStart) {
      if (p > start) {
        open.wordEnded = true;
        whiteSpace(build, start);
      }
      return p;
    }
    const { nodeCount } = columns;
    const { depth } = open;
    if (!prepareText(build, wordsFrom)) return p;
    // elements implied by the text start with its first word, and a column group ends there
    const from = columns.nodeCount === nodeCount && open.depth === depth ? start : wordsFrom;
    build.insertText(from, p, words[HASH_LOW], words[HASH_HIGH]);
    if (open.hiddenDepth === 0) {
      if (wordsStart > textStart) text[textStart] = 0x20;
      columns.textLength = wordsEnd;
      open.wordEnded = spaceFollows;
    }
    return p;
  }

  #takeKnownTag(place: number, start: number): number {
    const build = this.#build;
    const isStartTag = recallTag(this.#kernel.words, place, start, build);
    const end = build.tokenEnd;
    if (!isStartTag) {
      endTag(build);
      return end;
    }
    startTag(build);
    return build.rawTag === 0 ? end : this.#scanRaw(end);
  }

  /** What starts with the `<` at `start`: a tag of a name that is not HTML's own, a comment or a declaration. */
  #scanMarkup(start: number): number {
    const next = this.#bytes[start + 1];
    if (next === BANG || next === QUESTION) return this.#scanDeclaration(start);
    if (next !== SLASH) {
      if (!this.#scanTag(start, start + 1)) return this.#size;
      startTag(this.#build);
    } else if (isLetter(this.#bytes[start + 2])) {
      if (!this.#scanTag(start, start + 2)) return this.#size;
      endTag(this.#build);
    } else if (this.#bytes[start + 2] === GREATER) return start + 3;
    else return this.#scanBogusComment(start, COMMENT);
    const build = this.#build;
    return build.rawTag === 0 ? build.tokenEnd : this.#scanRaw(build.tokenEnd);
  }

  /** Makes the tag whose name stands at `nameStart` the one at hand; false when the source ends in it. */
  #scanTag(start: number, nameStart: number): boolean {
    const build = this.#build;
    const { words } = this.#kernel;
    const end = this.#kernel.attributes(this.#scanName(nameStart), this.#size, LOOSE_PLACE);
    if (end < 0) return false;
    build.tokenStart = start;
    build.tokenEnd = end;
    recallAttributes(words, LOOSE_PLACE, start, build);
    return true;
  }

  /** Sets the tag at hand from the name at `start` and returns where it ends. */
  #scanName(start: number): number {
    const bytes = this.#bytes;
    let hash = NAME_BASIS;
    let p = start | 0;
    for (; ; p++) {
      const byte = bytes[p];
      if (byte === GREATER || byte === SLASH || isSpace(byte) || (byte === 0 && p >= this.#size)) break;
      hash = Math.imul(hash ^ lowerCase(byte), NAME_PRIME);
    }
    this.#build.tag = this.#build.names.find(bytes, start, p, hash);
    return p;
  }

  /** The content of the raw element just opened, up to the end of its end tag. */
  #scanRaw(start: number): number {
    const build = this.#build;
    const size = this.#size;
    const { words } = this.#kernel;
    const tag = build.rawTag;
    const contentEnd = tag === TAG.plaintext ? size : this.#kernel.rawEnd(start, size, tag);
    if ((TAG_FLAGS[tag] & HIDDEN) === 0) this.#scanText(start, this.#skipSpace(start), contentEnd, false);
    else if (this.#skipSpace(start) < contentEnd) {
      this.#hash(start, contentEnd);
      build.insertText(start, contentEnd, words[HASH_LOW], words[HASH_HIGH]);
    }

    // the end tag, or the end of the source
    let end = contentEnd;
    if (contentEnd < size) {
      const nameSize = words[(TAGS_AT + (tag << TAG_BITS) + TAG_SIZE_AT) >> 2];
      end = this.#kernel.attributes(contentEnd + 2 + nameSize, size, LOOSE_PLACE);
      if (end < 0) end = size;
    }
    endRaw(build, contentEnd, end);
    return end;
  }

  /** Whether the `<` at `p` starts markup. */
  #isMarkup(p: number): boolean {
    const next = this.#bytes[p + 1];
    if (next === SLASH) return p + 2 < this.#size;
    return isLetter(next) || next === BANG || next === QUESTION;
  }

  /** Where the first byte from `start` on stands that is no white space; at the end of raw content there is one. */
  #skipSpace(start: number): number {
    const bytes = this.#bytes;
    let p = start | 0;
    while (isSpace(bytes[p])) p++;
    return p;
  }

  /** What starts with `<!` or `<?`. */
  #scanDeclaration(start: number): number {
    const bytes = this.#bytes;
    const build = this.#build;
    if (bytes[start + 1] === QUESTION) return this.#scanBogusComment(start, DECLARATION);
    if (bytes[start + 2] === DASH && bytes[start + 3] === DASH) {
      const end = this.#kernel.commentEnd(start + 4, this.#size);
      this.#insertComment(COMMENT, start, end);
      return end;
    }
    if (this.#startsWith(start + 2, 'doctype')) {
      const end = this.#findEnd(start);
      this.#hash(start, end);
      doctype(build, start, end, this.#kernel.words[HASH_LOW], this.#kernel.words[HASH_HIGH]);
      return end;
    }
    if (build.inForeign && this.#startsWith(start + 2, '[cdata[')) {
      const source = Buffer.from(bytes.buffer, SOURCE_AT, this.#size);
      const found = source.indexOf(']]>', start + 9, 'latin1');
      const end = found < 0 ? this.#size : found;
      // in our copy a zero stands for the bracket that ends it
      const bracket = bytes[end];
      bytes[end] = 0;
      this.#scanText(start + 9, this.#skipSpace(start + 9), end, false);
      bytes[end] = bracket;
      return Math.min(end + 3, this.#size);
    }
    return this.#scanBogusComment(start, COMMENT);
  }

  #scanBogusComment(start: number, kind: number): number {
    const end = this.#findEnd(start);
    this.#insertComment(kind, start, end);
    return end;
  }

  /** Past the next `>`; one stands behind the source. */
  #findEnd(start: number): number {
    return Math.min(this.#bytes.indexOf(GREATER, start) + 1, this.#size);
  }

  #insertComment(kind: number, start: number, end: number): void {
    this.#hash(start, end);
    const { words } = this.#kernel;
    this.#build.insertComment(kind, start, end, words[HASH_LOW], words[HASH_HIGH]);
  }

  #hash(start: number, end: number): void {
    this.#kernel.hash(SOURCE_AT + start, SOURCE_AT + end);
  }

  #startsWith(start: number, lower: string): boolean {
    for (let i = 0; i < lower.length; i++) {
      if (lowerCase(this.#bytes[start + i]) !== lower.charCodeAt(i)) return false;
    }
    return true;
  }
}
