/**
 * The tokenizer: one pass over a page's bytes that calls the tree builder for each tag, text and comment, in
 * order. It works on its own copy of the bytes, followed by zeros: loops run until a byte stops them and
 * look at the size only when that byte is a zero, and words are hashed four bytes at a time past the end.
 * Nothing is allocated per token. HTML standard, section 13.2.5; about 1 ns per byte of text and markup,
 * less inside scripts.
 */
import type { Construction } from './construction.ts';
import {
  hashBytes,
  type Lanes,
  mixHigh,
  mixLow,
  NAME_BASIS,
  NAME_PRIME,
  nameHigh,
  nameLow,
} from './hashes.ts';
import { findCommentEnd, findRawEnd } from './raw-text.ts';
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

// the hot loops below name the bytes they compare with once more: a constant of a module is a load each time
const LESS = 0x3c;
const GREATER = 0x3e;
const SLASH = 0x2f;
/** `href`, as four lower-case bytes read little-endian. */
const HREF = 0x66657268;
const LOWER_CASE_WORD = 0x20202020;

const DASH = 0x2d;
const BANG = 0x21;
const QUESTION = 0x3f;

/** Zeros after the source. */
const PADDING = 16;

export class Scanner {
  #build: Construction;
  #bytes = new Uint8Array(0);
  #view = new DataView(this.#bytes.buffer);
  #textView = new DataView(this.#bytes.buffer);
  /** The source alone, for the native search. */
  #buffer = Buffer.alloc(0);
  #size = 0;
  #lanes: Lanes = { low: 0, high: 0 };

  constructor(build: Construction) {
    this.#build = build;
  }

  /** Scans a page from its first byte to its last. */
  scan(source: Uint8Array): void {
    this.#take(source);
    const build = this.#build;
    const bytes = this.#bytes;
    const size = this.#size;
    startDocument(build);

    // a byte order mark is no text
    let p = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
    while (p < size) {
      const next = bytes[p + 1];
      if (bytes[p] !== LESS) p = this.#scanText(p, size, true);
      else if (next === SLASH) p = this.#scanEndTag(p);
      else if (isLetter(next)) p = this.#scanStartTag(p);
      else if (next === BANG || next === QUESTION) p = this.#scanDeclaration(p);
      else p = this.#scanText(p, size, true);
    }
    endDocument(build, size);
  }

  #take(source: Uint8Array): void {
    const size = source.length;
    const { columns } = this.#build;
    if (this.#bytes.length < size + PADDING) {
      const capacity = Math.max(size + PADDING, this.#bytes.length * 2, 65_536);
      this.#bytes = new Uint8Array(capacity);
      this.#view = new DataView(this.#bytes.buffer);
      columns.text = new Uint8Array(capacity);
      this.#textView = new DataView(columns.text.buffer);
    }
    this.#bytes.set(source);
    this.#bytes.fill(0, size, size + PADDING);
    this.#buffer = Buffer.from(this.#bytes.buffer, 0, size);
    this.#size = size;
  }

  /**
   * A run of text up to `limit`, or up to the next markup: copied to the page's text with white space
   * collapsed, and hashed from there. The space before a word is written with the word. At `limit` stands a
   * byte that stops a stretch: `<` or zero.
   */
  #scanText(start: number, limit: number, stopAtMarkup: boolean): number {
    const LESS = 0x3c;
    const SPACE = 0x20;
    const build = this.#build;
    const { columns, open } = build;
    const bytes = this.#bytes;
    const text = columns.text;
    const textStart = columns.textLength;

    let p = start;
    while (isSpace(bytes[p])) p++;
    const wordsFrom = p;
    const spaced = p > start || open.wordEnded;
    const wordsStart = spaced && textStart > 0 ? textStart + 1 : textStart;
    let t = wordsStart;
    let previous = SPACE;
    for (;;) {
      // words and spaces; a space after a space is written and then overwritten: no branch that depends on
      // the text, and such branches cost more than all the rest
      let byte = bytes[p];
      while (byte >= SPACE && byte !== LESS) {
        text[t] = byte;
        t += -((byte ^ SPACE) | (previous ^ SPACE)) >>> 31;
        previous = byte;
        byte = bytes[++p];
      }

      // what stopped it
      if (byte === LESS) {
        if (p >= limit || (stopAtMarkup && this.#isMarkup(p))) break;
        text[t++] = previous = LESS;
        p++;
      } else if (isSpace(byte)) {
        if (previous !== SPACE) text[t++] = previous = SPACE;
        do p++;
        while (isSpace(bytes[p]));
      } else {
        if (p >= limit) break;
        // a control character; zeros are dropped
        if (byte !== 0) text[t++] = previous = byte;
        p++;
      }
    }
    const trailing = previous === SPACE && t > wordsStart;
    if (trailing) t--;

    if (t === wordsStart) {
      if (p > start) {
        open.wordEnded = true;
        whiteSpace(build, start);
      }
      return p;
    }
    const nodeCount = columns.nodeCount;
    if (!prepareText(build, wordsFrom)) return p;
    hashBytes(this.#textView, wordsStart, t, this.#lanes);
    // elements implied by the text start with its first word
    const from = columns.nodeCount === nodeCount ? start : wordsFrom;
    build.insertText(from, p, this.#lanes.low, this.#lanes.high);
    if (open.hiddenDepth === 0) {
      if (wordsStart > textStart) text[textStart] = SPACE;
      columns.textLength = t;
      open.wordEnded = trailing;
    }
    return p;
  }

  #scanStartTag(start: number): number {
    const build = this.#build;
    const nameEnd = this.#scanTagName(start + 1);
    const end = this.#scanAttributes(nameEnd);
    // a tag the source ends in is no tag
    if (end < 0) return this.#size;
    build.tokenStart = start;
    build.tokenEnd = end;
    startTag(build);
    return build.rawTag === 0 ? end : this.#scanRaw(end);
  }

  #scanEndTag(start: number): number {
    const build = this.#build;
    const size = this.#size;
    if (!isLetter(this.#bytes[start + 2])) {
      if (this.#bytes[start + 2] === GREATER) return start + 3;
      if (start + 2 >= size) return this.#scanText(start, size, true);
      return this.#scanBogusComment(start, COMMENT);
    }
    const nameEnd = this.#scanTagName(start + 2);
    const end = this.#bytes[nameEnd] === GREATER ? nameEnd + 1 : this.#scanAttributes(nameEnd);
    if (end < 0 || end > size) return size;
    build.tokenStart = start;
    build.tokenEnd = end;
    endTag(build);
    return end;
  }

  /** Sets the tag at hand from the name at `start` and returns where it ends. */
  #scanTagName(start: number): number {
    const GREATER = 0x3e;
    const SLASH = 0x2f;
    const bytes = this.#bytes;
    let hash = NAME_BASIS;
    let p = start;
    for (; ; p++) {
      const byte = bytes[p];
      if (byte <= GREATER && (byte === GREATER || byte === SLASH || this.#endsName(p))) break;
      hash = Math.imul(hash ^ lowerCase(byte), NAME_PRIME);
    }
    this.#build.tag = this.#build.names.find(bytes, start, p, hash);
    return p;
  }

  /** Sums up the attributes of the tag at hand and returns where the tag ends; -1 when the source ends in it. */
  #scanAttributes(start: number): number {
    const GREATER = 0x3e;
    const SLASH = 0x2f;
    const EQUALS = 0x3d;
    const SPACE = 0x20;
    const build = this.#build;
    const bytes = this.#bytes;
    const view = this.#view;
    const lanes = this.#lanes;
    const size = this.#size;
    build.selfClosing = false;
    build.hrefStart = -1;
    let low = 0;
    let high = 0;
    let namesLow = 0;
    let namesHigh = 0;
    let p = start;
    for (;;) {
      // to the next name
      let byte = bytes[p];
      while (byte === SPACE || byte === SLASH || isSpace(byte)) byte = bytes[++p];
      if (byte === GREATER) break;
      if (p >= size) return -1;

      // its name, of which an equals sign may be the first byte
      const nameStart = p;
      let hash = Math.imul(NAME_BASIS ^ lowerCase(byte), NAME_PRIME);
      for (p++; ; p++) {
        byte = bytes[p];
        if (byte <= GREATER && (byte === EQUALS || byte === GREATER || byte === SLASH || this.#endsName(p)))
          break;
        hash = Math.imul(hash ^ lowerCase(byte), NAME_PRIME);
      }
      const sizeBytes = p - nameStart;
      const ofNameLow = nameLow(hash);
      const ofNameHigh = nameHigh(hash, sizeBytes);
      namesLow = (namesLow + ofNameLow) | 0;
      namesHigh = (namesHigh + ofNameHigh) | 0;

      // its value
      let q = p;
      while (isSpace(bytes[q])) q++;
      lanes.low = 0;
      lanes.high = 0;
      if (bytes[q] === EQUALS) {
        for (q++; isSpace(bytes[q]); ) q++;
        const quote = bytes[q];
        let valueStart = q;
        if (quote === 0x22 || quote === 0x27) {
          valueStart = q + 1;
          q = this.#scanQuoted(valueStart, quote);
          if (q < 0) return -1;
          p = q + 1;
        } else {
          for (byte = bytes[q]; byte !== GREATER && !isSpace(byte); byte = bytes[++q])
            if (byte === 0 && q >= size) break;
          hashBytes(view, valueStart, q, lanes);
          p = q;
        }
        if (
          sizeBytes === 4 &&
          build.hrefStart < 0 &&
          (view.getInt32(nameStart, true) | LOWER_CASE_WORD) === HREF
        ) {
          build.hrefStart = valueStart;
          build.hrefEnd = q;
        }
      }
      const ofHigh = (ofNameHigh + lanes.high) | 0;
      const ofLow = mixLow(ofNameLow ^ lanes.low, ofHigh);
      low = (low + ofLow) | 0;
      high = (high + mixHigh(ofLow, ofHigh)) | 0;
    }
    build.selfClosing = bytes[p - 1] === SLASH && p > start;
    build.attributesLow = low;
    build.attributesHigh = high;
    build.attributeNamesLow = namesLow;
    build.attributeNamesHigh = namesHigh;
    return p + 1;
  }

  /**
   * Hashes a value up to its closing quote, as `hashBytes` does, and returns where that is; -1 when the source
   * ends first. Four bytes at a time: a word has a zero byte where it held the quote and is xored with quotes.
   */
  #scanQuoted(start: number, quote: number): number {
    const view = this.#view;
    const size = this.#size;
    const quotes = Math.imul(quote, 0x01010101);
    let low = 0x2545f491;
    let high = 0x51ed270b;
    for (let q = start; q < size; q += 4) {
      let word = view.getInt32(q, true);
      const unlike = word ^ quotes;
      const zeros = (unlike - 0x01010101) & ~unlike & 0x80808080;
      // the last word ends before the quote
      if (zeros !== 0) word &= ((zeros & -zeros) >>> 7) - 1;
      low = Math.imul(low ^ word, 0x85ebca6b);
      low = (low << 13) | (low >>> 19);
      high = Math.imul((high + word) | 0, 0xc2b2ae35);
      high = (high << 17) | (high >>> 15);
      if (zeros !== 0) {
        const end = q + ((31 - Math.clz32(zeros & -zeros)) >> 3);
        this.#lanes.low = low;
        this.#lanes.high = high ^ (end - start);
        return end < size ? end : -1;
      }
    }
    return -1;
  }

  /** The content of the raw element just opened, up to the end of its end tag. */
  #scanRaw(start: number): number {
    const build = this.#build;
    const size = this.#size;
    const tag = build.rawTag;
    const contentEnd = tag === TAG.plaintext ? size : findRawEnd(this.#bytes, this.#buffer, start, tag);
    if ((TAG_FLAGS[tag] & HIDDEN) === 0) this.#scanText(start, contentEnd, false);
    else if (this.#hasWords(start, contentEnd)) {
      hashBytes(this.#view, start, contentEnd, this.#lanes);
      build.insertText(start, contentEnd, this.#lanes.low, this.#lanes.high);
    }

    // the end tag, or the end of the source
    let end = contentEnd;
    if (contentEnd < size) {
      end = this.#scanAttributes(this.#scanTagName(contentEnd + 2));
      if (end < 0) end = size;
    }
    endRaw(build, contentEnd, end);
    return end;
  }

  /** Whether the byte at `p` is white space or the end of the source; a name goes on over all others. */
  #endsName(p: number): boolean {
    return isSpace(this.#bytes[p]) || (this.#bytes[p] === 0 && p >= this.#size);
  }

  /** Whether the `<` at `p` starts markup. */
  #isMarkup(p: number): boolean {
    const next = this.#bytes[p + 1];
    if (next === SLASH) return p + 2 < this.#size;
    return isLetter(next) || next === BANG || next === QUESTION;
  }

  #hasWords(start: number, end: number): boolean {
    let p = start;
    while (p < end && isSpace(this.#bytes[p])) p++;
    return p < end;
  }

  /** What starts with `<!` or `<?`. */
  #scanDeclaration(start: number): number {
    const bytes = this.#bytes;
    const build = this.#build;
    if (bytes[start + 1] === QUESTION) return this.#scanBogusComment(start, DECLARATION);
    if (bytes[start + 2] === DASH && bytes[start + 3] === DASH) {
      const end = findCommentEnd(bytes, this.#buffer, start + 4);
      this.#insertComment(COMMENT, start, end);
      return end;
    }
    if (this.#startsWith(start + 2, 'doctype')) {
      const found = this.#buffer.indexOf(GREATER, start);
      const end = found < 0 ? this.#size : found + 1;
      hashBytes(this.#view, start, end, this.#lanes);
      doctype(build, start, end, this.#lanes.low, this.#lanes.high);
      return end;
    }
    if (build.inForeign && this.#startsWith(start + 2, '[cdata[')) {
      const found = this.#buffer.indexOf(']]>', start + 9, 'latin1');
      const end = found < 0 ? this.#size : found;
      // in our copy a zero stands for the bracket that ends it
      const bracket = bytes[end];
      bytes[end] = 0;
      this.#scanText(start + 9, end, false);
      bytes[end] = bracket;
      return Math.min(end + 3, this.#size);
    }
    return this.#scanBogusComment(start, COMMENT);
  }

  #scanBogusComment(start: number, kind: number): number {
    const found = this.#buffer.indexOf(GREATER, start);
    const end = found < 0 ? this.#size : found + 1;
    this.#insertComment(kind, start, end);
    return end;
  }

  #insertComment(kind: number, start: number, end: number): void {
    hashBytes(this.#view, start, end, this.#lanes);
    this.#build.insertComment(kind, start, end, this.#lanes.low, this.#lanes.high);
  }

  #startsWith(start: number, lower: string): boolean {
    for (let i = 0; i < lower.length; i++) {
      if (lowerCase(this.#bytes[start + i]) !== lower.charCodeAt(i)) return false;
    }
    return true;
  }
}

function isSpace(byte: number): boolean {
  return byte <= 0x20 && (byte === 0x20 || (byte >= 0x09 && byte <= 0x0d && byte !== 0x0b));
}

function isLetter(byte: number): boolean {
  return (byte >= 0x61 && byte <= 0x7a) || (byte >= 0x41 && byte <= 0x5a);
}

function lowerCase(byte: number): number {
  return byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte;
}
