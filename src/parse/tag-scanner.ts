/**
 * The name and the attributes of one tag, byte by byte: what is done for tags that were not met before. Attributes are
 * summed up whatever their order, values hashed where they stand, and the place of the href is kept.
 */
import { isSpace, lowerCase } from '../model/byte-kinds.ts';
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
import type { ScanKernel } from './scan-kernel.ts';

/** `href`, as four lower-case bytes read little-endian. */
const HREF = 0x66657268;
const LOWER_CASE_WORD = 0x20202020;

// the loops below name the bytes they compare with themselves: a constant of a module is a load each time
export class TagScanner {
  readonly #build: Construction;
  #bytes: Uint8Array = new Uint8Array(0);
  #view: DataView = new DataView(this.#bytes.buffer);
  #size = 0;
  readonly #lanes: Lanes = { low: 0, high: 0 };

  constructor(build: Construction) {
    this.#build = build;
  }

  /** Goes on with the page of so many bytes that the kernel has taken. */
  open({ bytes, view }: ScanKernel, size: number): void {
    this.#bytes = bytes;
    this.#view = view;
    this.#size = size;
  }

  /** Sets the tag at hand from the name at `start` and returns where it ends. */
  scanName(start: number): number {
    const GREATER = 0x3e;
    const SLASH = 0x2f;
    const bytes = this.#bytes;
    let hash = NAME_BASIS;
    let p = start | 0;
    for (; ; p++) {
      const byte = bytes[p];
      if (byte <= GREATER && (byte === GREATER || byte === SLASH || this.#endsName(p))) break;
      hash = Math.imul(hash ^ lowerCase(byte), NAME_PRIME);
    }
    this.#build.tag = this.#build.names.find(bytes, start, p, hash);
    return p;
  }

  /** Sums up the attributes of the tag at hand and returns where the tag ends; -1 when the source ends in it. */
  scanAttributes(start: number): number {
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
    let p = start | 0;
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
          q = this.#scanQuoted(valueStart, quote) | 0;
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
    for (let q = start | 0; q < size; q += 4) {
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

  /** Whether the byte at `p` is white space or the end of the source; a name goes on over all others. */
  #endsName(p: number): boolean {
    return isSpace(this.#bytes[p]) || (this.#bytes[p] === 0 && p >= this.#size);
  }
}
