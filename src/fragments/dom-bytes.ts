/**
 * Texts and attribute values as a DOM has them, in UTF-8: character references are decoded and line ends are
 * line feeds. Only references are decoded to strings, so bytes that are not UTF-8 stay as they are.
 */
import { isSpace } from '../model/byte-kinds.ts';
import {
  decodeAttribute,
  decodeReference,
  LONGEST_REFERENCE,
  referenceEnd,
} from '../parse/character-references.ts';

const AMPERSAND = 0x26;
const RETURN = 0x0d;
const LINE_FEED = 0x0a;
const EQUALS = 0x3d;

/** Reads texts and attribute values of a source as a DOM has them. */
export class DomBytes {
  /** The last value that was read: the first `length` bytes. */
  bytes = new Uint8Array(1024);
  length = 0;

  /** Reads the text at `[start, end)` of a source. */
  readText(source: Uint8Array, start: number, end: number, { decode = true, collapse = false } = {}): void {
    this.#read(source, start, end, decode ? decodeReference : undefined);
    if (collapse) this.#collapse();
  }

  /** Reads the attribute value at `[start, end)`, without quotes. */
  readValue(source: Uint8Array, start: number, end: number): void {
    this.#read(source, start, end, decodeInValue);
  }

  #read(
    source: Uint8Array,
    start: number,
    end: number,
    decode: ((reference: string) => Uint8Array) | undefined,
  ): void {
    // a reference of four bytes can be two characters of three bytes
    const most = 2 * (end - start) + LONGEST_REFERENCE;
    if (this.bytes.length < most) this.bytes = new Uint8Array(2 * most);
    const { bytes } = this;
    let to = 0;
    for (let p = start; p < end; ) {
      const byte = source[p];
      if (byte === AMPERSAND && decode !== undefined) {
        let stop = referenceEnd(source, p, end);
        // `&copy=` in a value is not a reference, so the equals sign matters
        const withEquals = decode === decodeInValue && stop < end && source[stop] === EQUALS;
        if (withEquals) stop++;
        const decoded = decode(asciiOf(source, p, stop));
        bytes.set(decoded, to);
        to += decoded.length;
        p = stop;
      } else if (byte === RETURN) {
        bytes[to++] = LINE_FEED;
        p += p + 1 < end && source[p + 1] === LINE_FEED ? 2 : 1;
      } else {
        bytes[to++] = byte;
        p++;
      }
    }
    this.length = to;
  }

  /**
   * Removes zero bytes, replaces runs of white space by one space and trims both ends, as the parser does.
   */
  #collapse(): void {
    const { bytes } = this;
    let to = 0;
    let isAfterSpace = false;
    for (let p = 0; p < this.length; p++) {
      const byte = bytes[p];
      if (byte === 0) continue;
      if (isSpace(byte)) {
        isAfterSpace = true;
        continue;
      }
      if (isAfterSpace && to > 0) bytes[to++] = 0x20;
      isAfterSpace = false;
      bytes[to++] = byte;
    }
    this.length = to;
  }
}

/** Returns whether a value or text at `[start, end)` may have other bytes in a DOM than in the source. */
export function isWritten(source: Uint8Array, start: number, end: number): boolean {
  for (let p = start; p < end; p++) if (source[p] === AMPERSAND || source[p] === RETURN) return true;
  return false;
}

const encoder = new TextEncoder();
/** Maximum number of cached references in values; a page has some dozens. */
const MAX_REMEMBERED = 4096;
const remembered = new Map<string, Uint8Array>();

function decodeInValue(reference: string): Uint8Array {
  const known = remembered.get(reference);
  if (known !== undefined) return known;
  const decoded = encoder.encode(decodeAttribute(reference));
  if (reference.length <= LONGEST_REFERENCE && remembered.size < MAX_REMEMBERED)
    remembered.set(reference, decoded);
  return decoded;
}

function asciiOf(source: Uint8Array, start: number, end: number): string {
  let text = '';
  for (let p = start; p < end; p++) text += String.fromCharCode(source[p]);
  return text;
}
