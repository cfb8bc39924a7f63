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

const LESS = 0x3c;
const GREATER = 0x3e;
const SLASH = 0x2f;
const EQUALS = 0x3d;
const SPACE = 0x20;
/** `href`, as four lower-case bytes read little-endian. */
const HREF = 0x66657268;
const LOWER_CASE_WORD = 0x20202020;

// classes of bytes in text
const WORD = 0;
const WHITE = 1;
const STOP = 2; // `<` and zero
const textClass = byteTable((byte) => (isSpace(byte) ? WHITE : byte === LESS || byte === 0 ? STOP : WORD));

/** Lower case of a byte in a name; 0 when it ends a tag's name, and likewise for an attribute's. */
const inTagName = byteTable((byte) =>
  isSpace(byte) || byte === SLASH || byte === GREATER ? 0 : lowerCase(byte),
);
const inAttributeName = byteTable((byte) => (byte === EQUALS ? 0 : inTagName[byte]));
/** Whether a byte ends an attribute's value without quotes. */
const endsValue = byteTable((byte) => (isSpace(byte) || byte === GREATER || byte === 0 ? 1 : 0));
const isWhite = byteTable((byte) => (isSpace(byte) ? 1 : 0));
/** Whether `<` and this byte start markup. */
const startsMarkup = byteTable((byte) =>
  isLetter(byte) || byte === SLASH || byte === 0x21 || byte === 0x3f ? 1 : 0,
);

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
      if (bytes[p] !== LESS || startsMarkup[bytes[p + 1]] === 0) {
        p = this.#scanText(p, size, true);
        continue;
      }
      const next = bytes[p + 1];
      if (next === SLASH) p = this.#scanEndTag(p);
      else if (next === 0x21 || next === 0x3f) p = this.#scanDeclaration(p);
      else p = this.#scanStartTag(p);
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
   * collapsed, and hashed from there. The space before a word is written with the word.
   */
  #scanText(start: number, limit: number, stopAtMarkup: boolean): number {
    const build = this.#build;
    const { columns, open } = build;
    const bytes = this.#bytes;
    const text = columns.text;
    const textStart = columns.textLength;

    let p = start;
    while (isWhite[bytes[p]] === 1 && p < limit) p++;
    const wordsFrom = p;
    const spaced = p > start || open.wordEnded;
    const wordsStart = spaced && textStart > 0 ? textStart + 1 : textStart;
    let t = wordsStart;
    let pending = false;
    while (p < limit) {
      let byte = bytes[p];
      const kind = textClass[byte];
      if (kind === WORD) {
        if (pending) {
          text[t++] = SPACE;
          pending = false;
        }
        do {
          text[t++] = byte;
          byte = bytes[++p];
        } while (textClass[byte] === WORD && p < limit);
      } else if (kind === WHITE) {
        pending = true;
        p++;
      } else if (byte === 0) {
        p++; // dropped
      } else if (
        stopAtMarkup &&
        startsMarkup[bytes[p + 1]] === 1 &&
        !(bytes[p + 1] === SLASH && p + 2 >= limit)
      ) {
        break;
      } else {
        if (pending) text[t++] = SPACE;
        pending = false;
        text[t++] = LESS;
        p++;
      }
    }

    if (t === wordsStart) {
      if (spaced || p > start) {
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
      open.wordEnded = pending;
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
    const bytes = this.#bytes;
    let hash = NAME_BASIS;
    let p = start;
    for (; ; p++) {
      const byte = inTagName[bytes[p]];
      if (byte === 0 && (bytes[p] !== 0 || p >= this.#size)) break;
      hash = Math.imul(hash ^ byte, NAME_PRIME);
    }
    this.#build.tag = this.#build.names.find(bytes, start, p, hash);
    return p;
  }

  /** Sums up the attributes of the tag at hand and returns where the tag ends; -1 when the source ends in it. */
  #scanAttributes(start: number): number {
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
      while (isWhite[byte] === 1 || byte === SLASH) byte = bytes[++p];
      if (byte === GREATER) break;
      if (p >= size) return -1;

      // its name, of which an equals sign may be the first byte
      const nameStart = p;
      let hash = Math.imul(NAME_BASIS ^ lowerCase(byte), NAME_PRIME);
      for (p++; ; p++) {
        byte = inAttributeName[bytes[p]];
        if (byte === 0 && (bytes[p] !== 0 || p >= size)) break;
        hash = Math.imul(hash ^ byte, NAME_PRIME);
      }
      const sizeBytes = p - nameStart;
      const ofNameLow = nameLow(hash);
      const ofNameHigh = nameHigh(hash, sizeBytes);
      namesLow = (namesLow + ofNameLow) | 0;
      namesHigh = (namesHigh + ofNameHigh) | 0;

      // its value
      let q = p;
      while (isWhite[bytes[q]] === 1) q++;
      lanes.low = 0;
      lanes.high = 0;
      if (bytes[q] === EQUALS) {
        for (q++; isWhite[bytes[q]] === 1; ) q++;
        const quote = bytes[q];
        let valueStart = q;
        if (quote === 0x22 || quote === 0x27) {
          valueStart = ++q;
          for (;;) {
            while (bytes[q] !== quote && bytes[q] !== 0) q++;
            if (bytes[q] === quote) break;
            if (q >= size) return -1;
            q++;
          }
          p = q + 1;
        } else {
          while (endsValue[bytes[q]] === 0 || (bytes[q] === 0 && q < size)) q++;
          p = q;
        }
        hashBytes(view, valueStart, q, lanes);
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

  #hasWords(start: number, end: number): boolean {
    let p = start;
    while (p < end && isWhite[this.#bytes[p]] === 1) p++;
    return p < end;
  }

  /** What starts with `<!` or `<?`. */
  #scanDeclaration(start: number): number {
    const bytes = this.#bytes;
    const build = this.#build;
    if (bytes[start + 1] === 0x3f) return this.#scanBogusComment(start, DECLARATION);
    if (bytes[start + 2] === 0x2d && bytes[start + 3] === 0x2d) {
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
      this.#scanText(start + 9, end, false);
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

function byteTable(of: (byte: number) => number): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, byte) => of(byte));
}

function isSpace(byte: number): boolean {
  return byte === SPACE || (byte >= 0x09 && byte <= 0x0d && byte !== 0x0b);
}

function isLetter(byte: number): boolean {
  return (byte >= 0x61 && byte <= 0x7a) || (byte >= 0x41 && byte <= 0x5a);
}

function lowerCase(byte: number): number {
  return byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte;
}
